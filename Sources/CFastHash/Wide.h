// Inside this target: the functions as compiled for wide registers.
#pragma once
#include "CFastHash.h"

// Not optimised, code in a header is slower than the library, however wide its registers.
#if defined(__x86_64__) && defined(__OPTIMIZE__)
#define CACHECTL_WIDE 1
XXH128_hash_t cachectl_xxh128_avx2(const void *bytes, size_t count);
void cachectl_xxh128_update_avx2(void *state, const void *bytes, size_t count);
#endif
