#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>

#include "Decode.h"

struct trouble {
  struct jpeg_error_mgr manager;
  jmp_buf end;
  int worst;
  char text[JMSG_LENGTH_MAX];
};

static char said[JMSG_LENGTH_MAX];

static void give_up(j_common_ptr image) {
  struct trouble *trouble = (struct trouble *)image->err;
  trouble->manager.format_message(image, trouble->text);
  longjmp(trouble->end, 1);
}

// The library goes on after these, with grey in the place of what is missing. Its other warnings are about
// oddities that harm no picture.
static int is_damage(int code) {
  switch (code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
      return 1;
    default:
      return 0;
  }
}

static void note(j_common_ptr image, int level) {
  struct trouble *trouble = (struct trouble *)image->err;
  if (level >= 0 || trouble->worst || !is_damage(trouble->manager.msg_code)) return;
  trouble->worst = trouble->manager.msg_code;
  trouble->manager.format_message(image, trouble->text);
}

static void read_rows(struct jpeg_decompress_struct *image) {
  jpeg_start_decompress(image);
  JSAMPARRAY row = (*image->mem->alloc_sarray)(
      (j_common_ptr)image, JPOOL_IMAGE, image->output_width * image->output_components, 1);
  while (image->output_scanline < image->output_height) jpeg_read_scanlines(image, row, 1);
  jpeg_finish_decompress(image);
}

const char *decode_jpeg(const uint8_t *bytes, size_t count) {
  struct jpeg_decompress_struct image;
  struct trouble trouble = {.worst = 0};
  image.err = jpeg_std_error(&trouble.manager);
  trouble.manager.error_exit = give_up;
  trouble.manager.emit_message = note;
  int failed = setjmp(trouble.end);
  if (!failed) {
    jpeg_create_decompress(&image);
    jpeg_mem_src(&image, bytes, count);
    jpeg_read_header(&image, TRUE);
    if ((uint64_t)image.image_width * image.image_height > MOST_PIXELS) {
      jpeg_destroy_decompress(&image);
      return "too many pixels";
    }
    read_rows(&image);
  }
  jpeg_destroy_decompress(&image);
  if (!failed && !trouble.worst) return NULL;
  snprintf(said, sizeof said, "%s", trouble.text);
  return said;
}
