#include <avif/avif.h>

#include "Decode.h"

const char *decode_avif(const uint8_t *bytes, size_t count) {
  avifDecoder *decoder = avifDecoderCreate();
  if (!decoder) return "needs more memory than it may have";
  // A process without rights starts no threads.
  decoder->maxThreads = 1;
  decoder->imageSizeLimit = MOST_PIXELS;
  // Pictures that break a rule of the container and show all the same are many, and whole.
  decoder->strictFlags = AVIF_STRICT_DISABLED;
  avifResult result = avifDecoderSetIOMemory(decoder, bytes, count);
  if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
  while (result == AVIF_RESULT_OK) result = avifDecoderNextImage(decoder);
  avifDecoderDestroy(decoder);
  return result == AVIF_RESULT_NO_IMAGES_REMAINING ? NULL : avifResultToString(result);
}
