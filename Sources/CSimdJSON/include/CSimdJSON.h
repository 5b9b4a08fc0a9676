// simdjson behind a C header: C++ does not reach Swift.
//
// A line is parsed where it lies. simdjson reads in blocks, so CACHECTL_JSON_PADDING bytes behind the
// line must be readable; what they hold does not matter.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define CACHECTL_JSON_PADDING 64

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cachectl_json_parser cachectl_json_parser;

/// The library's version.
const char *cachectl_json_version(void);

/// A parser for one thread; NULL when memory is short.
cachectl_json_parser *cachectl_json_parser_new(void);
void cachectl_json_parser_free(cachectl_json_parser *parser);

typedef enum cachectl_json_kind {
  CACHECTL_JSON_NULL,
  CACHECTL_JSON_FALSE,
  CACHECTL_JSON_TRUE,
  CACHECTL_JSON_INTEGER,  // fits 64 bits signed
  CACHECTL_JSON_NUMBER,   // any other number
  CACHECTL_JSON_STRING,
  CACHECTL_JSON_ARRAY,
  CACHECTL_JSON_OBJECT,
} cachectl_json_kind;

/// One member of an object. `text` is a string's unescaped bytes, or a number, array or object as
/// compact JSON. `name` and `text` hold until the parser's next use.
typedef struct cachectl_json_member {
  const char *name;
  size_t name_size;
  const char *text;
  size_t text_size;
  int64_t integer;
  cachectl_json_kind kind;
} cachectl_json_member;

/// Reads the members of the object that `json` is, in order, into `members`.
/// Returns how many there are, or -1: not one well-formed object of valid UTF-8, or more than `limit`.
ptrdiff_t cachectl_json_members(cachectl_json_parser *parser, const char *json, size_t size,
                                cachectl_json_member *members, size_t limit);

#ifdef __cplusplus
}
#endif
