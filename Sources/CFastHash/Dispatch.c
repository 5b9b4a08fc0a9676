#include "CFastHash.h"
#include "Wide.h"

XXH128_hash_t cachectl_xxh128(const void *bytes, size_t count) {
#ifdef CACHECTL_WIDE
  if (__builtin_cpu_supports("avx2")) return cachectl_xxh128_avx2(bytes, count);
#endif
  return XXH3_128bits(bytes, count);
}

void cachectl_xxh128_update(XXH3_state_t *state, const void *bytes, size_t count) {
#ifdef CACHECTL_WIDE
  if (__builtin_cpu_supports("avx2")) return cachectl_xxh128_update_avx2(state, bytes, count);
#endif
  XXH3_128bits_update(state, bytes, count);
}
