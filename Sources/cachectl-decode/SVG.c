#include <expat.h>
#include <limits.h>
#include <string.h>

#include "Decode.h"

struct root {
  int depth, is_svg;
};

static void start(void *data, const XML_Char *name, const XML_Char **attributes) {
  (void)attributes;
  struct root *root = data;
  const char *local = strrchr(name, '\n');
  if (root->depth++ == 0) root->is_svg = !strcmp(local ? local + 1 : name, "svg");
}

static void end(void *data, const XML_Char *name) {
  (void)name;
  ((struct root *)data)->depth--;
}

// Well-formed XML with the right root; entities from elsewhere are never asked for.
const char *decode_svg(const uint8_t *bytes, size_t count) {
  if (count > INT_MAX) return "too long";
  XML_Parser parser = XML_ParserCreateNS(NULL, '\n');
  if (!parser) return "needs more memory than it may have";
  struct root root = {0, 0};
  XML_SetUserData(parser, &root);
  XML_SetElementHandler(parser, start, end);
  const char *trouble = NULL;
  if (XML_Parse(parser, (const char *)bytes, (int)count, 1) != XML_STATUS_OK)
    trouble = XML_ErrorString(XML_GetErrorCode(parser));
  else if (!root.is_svg)
    trouble = "its root element is not svg";
  XML_ParserFree(parser);
  return trouble;
}
