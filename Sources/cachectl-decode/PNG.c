#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Decode.h"

struct source {
  const uint8_t *bytes;
  size_t left;
};

static char said[200];

static void give_up(png_structp png, png_const_charp text) {
  snprintf(said, sizeof said, "%s", text);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void take(png_structp png, png_bytep out, size_t count) {
  struct source *source = png_get_io_ptr(png);
  if (count > source->left) png_error(png, "ends early");
  memcpy(out, source->bytes, count);
  source->bytes += count;
  source->left -= count;
}

static void read_rows(png_structp png, png_infop info, png_bytep *row) {
  png_read_info(png, info);
  png_uint_32 height = png_get_image_height(png, info);
  if ((uint64_t)height * png_get_image_width(png, info) > MOST_PIXELS) png_error(png, "too many pixels");
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  *row = png_malloc(png, png_get_rowbytes(png, info));
  for (int pass = 0; pass < passes; pass++)
    for (png_uint_32 y = 0; y < height; y++) png_read_row(png, *row, NULL);
  png_read_end(png, info);
}

const char *decode_png(const uint8_t *bytes, size_t count) {
  struct source source = {bytes, count};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) return "needs more memory than it may have";
  png_bytep row = NULL, *kept = &row;
  int failed = setjmp(png_jmpbuf(png));
  if (!failed) {
    // A wrong checksum is damage in any chunk, not in those alone that the picture needs.
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_read_fn(png, &source, take);
    read_rows(png, info, kept);
  }
  png_free(png, *kept);
  png_destroy_read_struct(&png, &info, NULL);
  return failed ? said : NULL;
}
