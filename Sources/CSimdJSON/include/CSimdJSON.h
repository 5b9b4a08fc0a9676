#pragma once
#ifdef __cplusplus
extern "C"
#endif
int cachectl_simdjson_probe(const char *s, int n);
