// xxhash.h holds the whole implementation; here it is compiled once more, for AVX2.
#if defined(__x86_64__) && defined(__OPTIMIZE__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define XXH_INLINE_ALL
#define XXH_VECTOR 2  // XXH_AVX2, which xxhash.h defines after it looks at this
#include <xxhash.h>

XXH128_hash_t cachectl_xxh128_avx2(const void *bytes, size_t count) { return XXH3_128bits(bytes, count); }

void cachectl_xxh128_update_avx2(void *state, const void *bytes, size_t count) {
  XXH3_128bits_update(state, bytes, count);
}
#pragma clang attribute pop
#else
typedef int cachectl_nothing_wide;
#endif
