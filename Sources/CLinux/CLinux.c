#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

static _Thread_local int is_impatient;

void cachectl_set_impatient(int value) { is_impatient = value; }

int cachectl_is_impatient(void) { return is_impatient; }

int cachectl_open_beneath(int directory, const char *path, int flags, uint32_t mode) {
  struct open_how how = {
      .flags = (uint32_t)flags,
      .mode = flags & O_CREAT ? mode : 0,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                 (is_impatient ? RESOLVE_CACHED : 0),
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

long cachectl_pread(int file, void *buffer, size_t size, int64_t offset) {
  if (!is_impatient) return pread(file, buffer, size, offset);
  struct iovec part = {buffer, size};
  long got = preadv2(file, &part, 1, offset, RWF_NOWAIT);
  if (got >= 0 || errno != EOPNOTSUPP) return got;
  // tmpfs does not know the flag, and has nothing to wait for.
  struct statfs found;
  if (fstatfs(file, &found) == 0 && found.f_type == TMPFS_MAGIC) return pread(file, buffer, size, offset);
  errno = EOPNOTSUPP;
  return -1;
}

int cachectl_openat(int directory, const char *path, int flags, uint32_t mode) {
  return openat(directory, path, flags, mode);
}

int cachectl_open_path(const char *path, int flags, uint32_t mode) { return open(path, flags, mode); }

long cachectl_getdents64(int directory, void *buffer, size_t size) {
  return syscall(SYS_getdents64, directory, buffer, size);
}

const char *cachectl_error_name(int error) { return strerrorname_np(error); }

const char *cachectl_error_message(int error) { return strerrordesc_np(error); }

long cachectl_thread_waits(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

int cachectl_begin_writing(int file) { return sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

long cachectl_file_system_kind(int file) {
  struct statfs found;
  return fstatfs(file, &found) == 0 ? (long)found.f_type : 0;
}

int cachectl_idle_io(void) {
  // From linux/ioprio.h: which process is meant (IOPRIO_WHO_PROCESS), and the idle class.
  enum { who_process = 1, class_idle = 3, class_shift = 13 };
  return (int)syscall(SYS_ioprio_set, who_process, 0, class_idle << class_shift);
}

long cachectl_send_file(int socket, int file, const void *bytes, size_t size) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))}};
  memcpy(CMSG_DATA(&control.header), &file, sizeof file);
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

const void *cachectl_find(const void *text, size_t size, const void *part, size_t part_size) {
  return memmem(text, size, part, part_size);
}
