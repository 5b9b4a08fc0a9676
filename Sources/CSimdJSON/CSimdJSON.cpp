#include "CSimdJSON.h"

#include <deque>
#include <new>
#include <string>
#include <simdjson.h>

#define SIMDJSON_TEXT(x) #x
#define SIMDJSON_TEXT_OF(x) SIMDJSON_TEXT(x)
#define SIMDJSON_VERSION_TEXT SIMDJSON_TEXT_OF(SIMDJSON_VERSION)

static_assert(CACHECTL_JSON_PADDING >= simdjson::SIMDJSON_PADDING, "lines need simdjson's padding");

using namespace simdjson;

// The DOM parser picks its instructions when the program runs; the On-Demand one is fixed when it is
// compiled, and for plain x86-64 that is the scalar fallback.
struct cachectl_json_parser {
  dom::parser parser;
  std::deque<std::string> compact;  // what members' `text` points at; a deque does not move them
};

const char *cachectl_json_version(void) { return SIMDJSON_VERSION_TEXT; }

cachectl_json_parser *cachectl_json_parser_new(void) {
  return new (std::nothrow) cachectl_json_parser;
}

void cachectl_json_parser_free(cachectl_json_parser *parser) { delete parser; }

namespace {

void read_string(std::string_view text, cachectl_json_member &member) {
  member.kind = CACHECTL_JSON_STRING;
  member.text = text.data();
  member.text_size = text.size();
}

void read_compact(dom::element value, cachectl_json_kind kind, cachectl_json_parser &parser,
                  cachectl_json_member &member) {
  member.kind = kind;
  const std::string &text = parser.compact.emplace_back(minify(value));
  member.text = text.data();
  member.text_size = text.size();
}

void read_value(dom::element value, cachectl_json_parser &parser, cachectl_json_member &member) {
  switch (value.type()) {
    case dom::element_type::STRING: return read_string(value.get_string().value_unsafe(), member);
    case dom::element_type::INT64:
      member.kind = CACHECTL_JSON_INTEGER;
      member.integer = value.get_int64().value_unsafe();
      return;
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return read_compact(value, CACHECTL_JSON_NUMBER, parser, member);
    case dom::element_type::BOOL:
      member.kind = value.get_bool().value_unsafe() ? CACHECTL_JSON_TRUE : CACHECTL_JSON_FALSE;
      return;
    case dom::element_type::NULL_VALUE: member.kind = CACHECTL_JSON_NULL; return;
    case dom::element_type::ARRAY: return read_compact(value, CACHECTL_JSON_ARRAY, parser, member);
    case dom::element_type::OBJECT:
      return read_compact(value, CACHECTL_JSON_OBJECT, parser, member);
  }
}

}  // namespace

ptrdiff_t cachectl_json_members(cachectl_json_parser *parser, const char *json, size_t size,
                                cachectl_json_member *members, size_t limit) {
  dom::object object;
  parser->compact.clear();
  if (parser->parser.parse(json, size, false).get(object)) return -1;
  size_t count = 0;
  for (auto field : object) {
    if (count == limit) return -1;
    cachectl_json_member &member = members[count++];
    member = cachectl_json_member{};
    member.name = field.key.data();
    member.name_size = field.key.size();
    read_value(field.value, *parser, member);
  }
  return static_cast<ptrdiff_t>(count);
}
