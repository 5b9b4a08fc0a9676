// One decoder each: looks at a whole image in memory and says what is wrong with it, or NULL.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef const char *decoder(const uint8_t *bytes, size_t count);

decoder decode_avif, decode_gif, decode_jpeg, decode_png, decode_svg, decode_webp;

/// An image of more pixels is a trap rather than a picture for a cache: 2^28 of them are a gigabyte.
enum { MOST_PIXELS = 1 << 28 };
