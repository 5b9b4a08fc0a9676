#include "CSimdJSON.h"
#include <simdjson.h>
extern "C" int cachectl_simdjson_probe(const char *s, int n) { simdjson::ondemand::parser p; simdjson::padded_string q(s,n); auto d = p.iterate(q); return d.error(); }
