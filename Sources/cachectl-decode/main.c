// Decodes images for `cachectl verify --images=decode`: files come through the socket that is standard input, each
// with the name of its format, and for each goes back "ok" or what is wrong with it. A process of its own, without
// rights: a hostile image can at worst end it, and that is an answer too.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "Confine.h"
#include "Decode.h"

// Of the processor's time; a picture takes milliseconds, and 2^28 pixels some seconds.
enum { MOST_SECONDS = 20, MOST_BYTES = 256 << 20 };

static const struct { const char *format; decoder *decode; } decoders[] = {
    {"avif", decode_avif}, {"gif", decode_gif}, {"jpeg", decode_jpeg},
    {"png", decode_png},   {"svg", decode_svg}, {"webp", decode_webp},
};

static decoder *decoder_of(const char *format) {
  for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
    if (!strcmp(decoders[i].format, format)) return decoders[i].decode;
  return NULL;
}

static void limit_time(int seconds) {
  // SIGVTALRM ends the process, which tells the parent what happened.
  struct itimerval timer = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static const char *judge(int file, decoder *decode) {
  struct stat status;
  if (fstat(file, &status)) return "cannot be looked at";
  if (status.st_size > MOST_BYTES) return "too long to be decoded";
  size_t count = status.st_size, got = 0;
  uint8_t *bytes = malloc(count ? count : 1);
  if (!bytes) return "needs more memory than it may have";
  for (ssize_t more; got < count && (more = pread(file, bytes + got, count - got, got)) > 0;) got += more;
  limit_time(MOST_SECONDS);
  const char *trouble = got == count ? decode(bytes, count) : "cannot be read";
  limit_time(0);
  free(bytes);
  return trouble;
}

// The next request: the file, and its format's name. -1 when there are no more.
static int receive(char *format, size_t room) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {format, room - 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t got = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
  if (got <= 0 || !CMSG_FIRSTHDR(&message)) return -1;
  format[got] = 0;
  int file;
  memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

int main(void) {
  const char *kept = confine();
  if (kept) {
    fprintf(stderr, "cachectl-decode: cannot give up %s\n", kept);
    return 1;
  }
  char format[32];
  for (int file; (file = receive(format, sizeof format)) >= 0; close(file)) {
    decoder *decode = decoder_of(format);
    const char *trouble = decode ? judge(file, decode) : NULL;
    const char *answer = trouble ? trouble : "ok";
    if (send(STDIN_FILENO, answer, strnlen(answer, 200), MSG_NOSIGNAL) < 0) return 1;
  }
  return 0;
}
