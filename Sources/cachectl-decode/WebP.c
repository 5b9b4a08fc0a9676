#include <stdlib.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "Decode.h"

static const char *decode_frame(const WebPData *frame) {
  int width, height;
  if (!WebPGetInfo(frame->bytes, frame->size, &width, &height)) return "a frame has no header";
  if ((uint64_t)width * height > MOST_PIXELS) return "too many pixels";
  uint8_t *pixels = WebPDecodeRGBA(frame->bytes, frame->size, &width, &height);
  if (!pixels) return "a frame cannot be decoded";
  WebPFree(pixels);
  return NULL;
}

const char *decode_webp(const uint8_t *bytes, size_t count) {
  WebPData data = {bytes, count};
  WebPDemuxState state;
  WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
  if (!demuxer) return "no WebP";
  const char *trouble = state == WEBP_DEMUX_DONE ? NULL : "ends early";
  WebPIterator frame;
  if (!trouble && !WebPDemuxGetFrame(demuxer, 1, &frame)) trouble = "holds no picture";
  if (!trouble) {
    do trouble = frame.complete ? decode_frame(&frame.fragment) : "a frame ends early";
    while (!trouble && WebPDemuxNextFrame(&frame));
    WebPDemuxReleaseIterator(&frame);
  }
  WebPDemuxDelete(demuxer);
  return trouble;
}
