// The rules of faults.c: which calls count, which fail, and what happens at the Nth. The calls are in faults.c.
#pragma once
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { EXIT_STATUS = 137, MOST_RULES = 8 };
enum when { BEFORE, HALF, AFTER };
struct rule { char call[32]; int error; long first, count, seen; };
struct step { int error; long ordinal; };

static struct rule rules[MOST_RULES];
static int rule_count, ready, log_fd = -1;
static enum when when;
static long exit_at, signal_at, calls_seen, short_bytes;
static int signal_number;
static const char *chosen, *path_part;
static long (*kernel)(long, ...);

static int error_number(const char *name) {
  for (int e = 1; e < 134; e++)
    if (strerrorname_np(e) && !strcmp(strerrorname_np(e), name)) return e;
  return atoi(name);
}

static void read_rules(const char *text) {
  char *copy = strdup(text), *rest = copy;
  for (char *one; (one = strsep(&rest, ",")) && rule_count < MOST_RULES;) {
    struct rule *r = &rules[rule_count++];
    char error[32];
    r->first = r->count = 1;
    if (sscanf(one, "%31[^:]:%31[^:]:%ld:%ld", r->call, error, &r->first, &r->count) < 2) abort();
    r->error = error_number(error);
  }
  free(copy);
}

static long number(const char *variable) {
  const char *text = getenv(variable);
  return text ? atol(text) : 0;
}

__attribute__((constructor)) static void start(void) {
  kernel = dlsym(RTLD_NEXT, "syscall");
  const char *text = getenv("FAULT_PROGRAM");
  if (text && strcmp(text, program_invocation_short_name)) return;
  if ((text = getenv("FAULT_ERRNO"))) read_rules(text);
  if ((text = getenv("FAULT_WHEN"))) when = !strcmp(text, "after") ? AFTER : !strcmp(text, "half") ? HALF : BEFORE;
  if ((text = getenv("FAULT_SIGNAL_AT"))) sscanf(text, "%ld:%d", &signal_at, &signal_number);
  exit_at = number("FAULT_EXIT_AT");
  short_bytes = number("FAULT_SHORT");
  chosen = getenv("FAULT_CALLS");
  path_part = getenv("FAULT_PATH");
  if ((text = getenv("FAULT_LOG"))) {
    // The log takes a high number, so that the program sees the descriptors it would see without it.
    int low = kernel(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_fd = kernel(SYS_fcntl, low, F_DUPFD_CLOEXEC, 512);
    if (log_fd < 0) log_fd = low;
    else kernel(SYS_close, low);
  }
  ready = 1;
}

// Whether `name` stands in the comma-separated `list`.
static int lists(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return 1;
  return 0;
}

// Writes the path of a descriptor, or of a name below one, into `out`.
static void path_of(int fd, const char *name, char out[PATH_MAX]) {
  char link[64];
  size_t length = 0;
  if ((!name || name[0] != '/') && fd != AT_FDCWD) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long got = kernel(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 1);
    length = got > 0 ? got : 0;
  }
  snprintf(out + length, PATH_MAX - length, "%s%s", length && name ? "/" : "", name ? name : "");
}

static int fails(const char *call, const char *family) {
  for (int i = 0; i < rule_count; i++) {
    struct rule *r = &rules[i];
    if (strcmp(r->call, call) && strcmp(r->call, family)) continue;
    long nth = __sync_add_and_fetch(&r->seen, 1);
    if (nth >= r->first && (!r->count || nth < r->first + r->count)) return r->error;
  }
  return 0;
}

static void at_ordinal(long ordinal) {
  if (signal_at == ordinal) kernel(SYS_kill, getpid(), signal_number);
  if (!exit_at || ordinal < exit_at) return;
  if (when == BEFORE) _exit(EXIT_STATUS);
  // Another thread is making the last call: nothing may come after it.
  while (ordinal > exit_at) pause();
}

// Counts one call and says what is to happen to it. `changes` tells whether it changes the disk.
static struct step begin(const char *call, const char *family, int changes, int fd, const char *name) {
  struct step step = {0, 0};
  char path[PATH_MAX] = "";
  if (!ready) return step;
  int saved = errno;
  if (log_fd >= 0 || path_part) path_of(fd, name, path);
  if (path_part && !strstr(path, path_part)) goto done;
  step.error = fails(call, family);
  if (!(chosen ? !strcmp(chosen, "all") || lists(chosen, call) || lists(chosen, family) : changes)) goto done;
  step.ordinal = __sync_add_and_fetch(&calls_seen, 1);
  if (log_fd >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s%s %s\n", step.ordinal, call, step.error ? "!" : "", path);
    kernel(SYS_write, log_fd, line, length);
  }
  at_ordinal(step.ordinal);
done:
  errno = saved;
  return step;
}

static void end(struct step step) {
  if (step.ordinal && step.ordinal == exit_at) _exit(EXIT_STATUS);
}

static int is_file(int fd) {
  struct stat s;
  return ready && fd > 2 && !kernel(SYS_fstat, fd, &s) && S_ISREG(s.st_mode);
}

static int creates(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE;
}

// How many of `bytes` a read or write may move.
static size_t allowed(struct step step, size_t bytes) {
  if (step.ordinal && step.ordinal == exit_at && when == HALF) return bytes / 2;
  return short_bytes && bytes > (size_t)short_bytes ? (size_t)short_bytes : bytes;
}
