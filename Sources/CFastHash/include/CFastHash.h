// XXH3-128 with the widest registers that the processor has. The library's own functions, as a compiler for any
// x86-64 makes them, take twice as long.
#pragma once
#include <stddef.h>
#include <xxhash.h>

/// XXH3_128bits of bytes that lie together.
XXH128_hash_t cachectl_xxh128(const void *bytes, size_t count);

/// XXH3_128bits_update; begin and end with the library's functions.
void cachectl_xxh128_update(XXH3_state_t *state, const void *bytes, size_t count);
