#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "Decode.h"

struct source {
  const uint8_t *bytes;
  size_t left;
};

static int take(GifFileType *gif, GifByteType *out, int count) {
  struct source *source = gif->UserData;
  size_t given = (size_t)count < source->left ? (size_t)count : source->left;
  memcpy(out, source->bytes, given);
  source->bytes += given;
  source->left -= given;
  return (int)given;
}

// Row by row, so that a frame of any height takes the memory of a row.
static int read_frame(GifFileType *gif) {
  if (DGifGetImageDesc(gif) == GIF_ERROR) return GIF_ERROR;
  int width = gif->Image.Width;
  GifPixelType *row = malloc(width > 0 ? width : 1);
  int result = row ? GIF_OK : GIF_ERROR;
  for (int y = 0; result == GIF_OK && y < gif->Image.Height; y++) result = DGifGetLine(gif, row, width);
  free(row);
  return result;
}

static int skip_extension(GifFileType *gif) {
  int code;
  GifByteType *block;
  if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return GIF_ERROR;
  while (block)
    if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return GIF_ERROR;
  return GIF_OK;
}

static int read_all(GifFileType *gif, int *frames) {
  for (GifRecordType type;;) {
    if (DGifGetRecordType(gif, &type) == GIF_ERROR) return GIF_ERROR;
    if (type == TERMINATE_RECORD_TYPE) return GIF_OK;
    int result = type == IMAGE_DESC_RECORD_TYPE ? (++*frames, read_frame(gif)) : skip_extension(gif);
    if (result == GIF_ERROR) return GIF_ERROR;
  }
}

const char *decode_gif(const uint8_t *bytes, size_t count) {
  struct source source = {bytes, count};
  int error = 0, frames = 0;
  GifFileType *gif = DGifOpen(&source, take, &error);
  if (!gif) return GifErrorString(error) ? GifErrorString(error) : "no GIF";
  int result = read_all(gif, &frames);
  const char *text = GifErrorString(gif->Error);
  DGifCloseFile(gif, &error);
  if (result == GIF_ERROR) return text ? text : "cannot be decoded";
  return frames ? NULL : "holds no picture";
}
