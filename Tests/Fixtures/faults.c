// Faults below the API: preloaded into a command, it counts the command's own calls into libc and makes chosen ones
// fail, stop or be the last. What is under test stays the real program on a real file system.
//
//   cc -O2 -shared -fPIC -o faults.so faults.c
//
//   FAULT_PROGRAM=NAME         only a program of this name counts, not a shell that starts it or what it starts
//   FAULT_CALLS=write,rename   which calls count (default: all that change the disk; `all` for every wrapped call)
//   FAULT_PATH=objects/        only calls whose path holds this text, for counting and for failing
//   FAULT_LOG=FILE             append a line `ORDINAL CALL PATH` for each counted call
//   FAULT_EXIT_AT=N            end the process with status 137 at the Nth counted call
//   FAULT_WHEN=before|half|after   ... before the call, after half of a write's bytes, or after it (default before)
//   FAULT_SIGNAL_AT=N:SIGNAL   raise the signal (a number) before the Nth counted call; 19 stops, and a test steps in
//   FAULT_ERRNO=CALL:ERROR:NTH[:COUNT],...   the NTH CALL, and COUNT of them (default 1, 0: all that follow), fail
//   FAULT_SHORT=BYTES          no read and no write moves more than this
//
// A call is named after its function (openat) or its family (open: open, openat, openat2, creat ...), without a
// trailing 64. Calls that libc makes to itself (fopen, opendir's open), mapped memory and io_uring are not seen.
#include "faults.h"

#define REAL(call) \
  static __typeof__(&call) real; \
  if (!real) real = (__typeof__(&call))dlsym(RTLD_NEXT, #call)

// Makes a step, performs `call` with `args` unless it has to fail, and returns from the wrapper.
#define STEP(call, name, family, changes, fd, path, failed, args) \
  REAL(call); \
  struct step step = begin(name, family, changes, fd, path); \
  if (step.error) { errno = step.error; end(step); return failed; } \
  __typeof__(real args) result = real args; \
  end(step); \
  return result

#define WRAP(call, name, family, changes, fd, path, params, args) \
  int call params { STEP(call, name, family, changes, fd, path, -1, args); }

#define MODE_ARGUMENT \
  va_list list; \
  va_start(list, flags); \
  mode_t mode = creates(flags) ? va_arg(list, mode_t) : 0; \
  va_end(list)

#define OPEN(call) \
  int call(const char *path, int flags, ...) { \
    MODE_ARGUMENT; \
    STEP(call, "open", "open", creates(flags), AT_FDCWD, path, -1, (path, flags, mode)); \
  }
#define OPENAT(call) \
  int call(int dir, const char *path, int flags, ...) { \
    MODE_ARGUMENT; \
    STEP(call, "openat", "open", creates(flags), dir, path, -1, (dir, path, flags, mode)); \
  }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)
WRAP(creat, "creat", "open", 1, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode))
WRAP(close, "close", "close", 0, fd, NULL, (int fd), (fd))

#define MOVE(call, name, family, changes, params, args) \
  ssize_t call params { STEP(call, name, family, changes, fd, NULL, -1, args); }
MOVE(read, "read", "read", 0, (int fd, void *data, size_t n), (fd, data, allowed(step, n)))
MOVE(pread, "pread", "read", 0, (int fd, void *data, size_t n, off_t at), (fd, data, allowed(step, n), at))
MOVE(pread64, "pread", "read", 0, (int fd, void *data, size_t n, off_t at), (fd, data, allowed(step, n), at))
MOVE(readv, "readv", "read", 0, (int fd, const struct iovec *v, int n), (fd, v, n))
MOVE(write, "write", "write", is_file(fd), (int fd, const void *data, size_t n), (fd, data, allowed(step, n)))
MOVE(pwrite, "pwrite", "write", is_file(fd), (int fd, const void *data, size_t n, off_t at), (fd, data, allowed(step, n), at))
MOVE(pwrite64, "pwrite", "write", is_file(fd), (int fd, const void *data, size_t n, off_t at), (fd, data, allowed(step, n), at))
MOVE(writev, "writev", "write", is_file(fd), (int fd, const struct iovec *v, int n), (fd, v, n))
MOVE(copy_file_range, "copy_file_range", "copy", 1, (int in, off_t *i, int fd, off_t *o, size_t n, unsigned f), (in, i, fd, o, allowed(step, n), f))
MOVE(sendfile, "sendfile", "copy", is_file(fd), (int fd, int in, off_t *at, size_t n), (fd, in, at, allowed(step, n)))
MOVE(sendfile64, "sendfile", "copy", is_file(fd), (int fd, int in, off_t *at, size_t n), (fd, in, at, allowed(step, n)))
MOVE(getdents64, "getdents64", "list", 0, (int fd, void *data, size_t n), (fd, data, n))

DIR *opendir(const char *path) { STEP(opendir, "opendir", "list", 0, AT_FDCWD, path, NULL, (path)); }
DIR *fdopendir(int fd) { STEP(fdopendir, "fdopendir", "list", 0, fd, NULL, NULL, (fd)); }
struct dirent *readdir(DIR *d) { STEP(readdir, "readdir", "list", 0, dirfd(d), NULL, NULL, (d)); }
struct dirent64 *readdir64(DIR *d) { STEP(readdir64, "readdir", "list", 0, dirfd(d), NULL, NULL, (d)); }

// The path of a two-name call is the new name: what appears, not what it was made of.
WRAP(rename, "rename", "rename", 1, AT_FDCWD, b, (const char *a, const char *b), (a, b))
WRAP(renameat, "renameat", "rename", 1, e, b, (int d, const char *a, int e, const char *b), (d, a, e, b))
WRAP(renameat2, "renameat2", "rename", 1, e, b, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f))
WRAP(link, "link", "link", 1, AT_FDCWD, b, (const char *a, const char *b), (a, b))
WRAP(linkat, "linkat", "link", 1, e, b, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f))
WRAP(symlink, "symlink", "link", 1, AT_FDCWD, b, (const char *a, const char *b), (a, b))
WRAP(symlinkat, "symlinkat", "link", 1, e, b, (const char *a, int e, const char *b), (a, e, b))
WRAP(unlink, "unlink", "unlink", 1, AT_FDCWD, a, (const char *a), (a))
WRAP(unlinkat, "unlinkat", "unlink", 1, d, a, (int d, const char *a, int f), (d, a, f))
WRAP(rmdir, "rmdir", "unlink", 1, AT_FDCWD, a, (const char *a), (a))
WRAP(mkdir, "mkdir", "mkdir", 1, AT_FDCWD, a, (const char *a, mode_t m), (a, m))
WRAP(mkdirat, "mkdirat", "mkdir", 1, d, a, (int d, const char *a, mode_t m), (d, a, m))

WRAP(truncate, "truncate", "truncate", 1, AT_FDCWD, a, (const char *a, off_t n), (a, n))
WRAP(ftruncate, "ftruncate", "truncate", 1, fd, NULL, (int fd, off_t n), (fd, n))
WRAP(ftruncate64, "ftruncate", "truncate", 1, fd, NULL, (int fd, off_t n), (fd, n))
WRAP(fallocate, "fallocate", "truncate", 1, fd, NULL, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
WRAP(fsync, "fsync", "sync", 1, fd, NULL, (int fd), (fd))
WRAP(fdatasync, "fdatasync", "sync", 1, fd, NULL, (int fd), (fd))
WRAP(syncfs, "syncfs", "sync", 1, fd, NULL, (int fd), (fd))
WRAP(futimens, "futimens", "times", 1, fd, NULL, (int fd, const struct timespec t[2]), (fd, t))
WRAP(utimensat, "utimensat", "times", 1, d, a, (int d, const char *a, const struct timespec t[2], int f), (d, a, t, f))
WRAP(chmod, "chmod", "mode", 1, AT_FDCWD, a, (const char *a, mode_t m), (a, m))
WRAP(fchmod, "fchmod", "mode", 1, fd, NULL, (int fd, mode_t m), (fd, m))
WRAP(fchmodat, "fchmodat", "mode", 1, d, a, (int d, const char *a, mode_t m, int f), (d, a, m, f))
WRAP(fchown, "fchown", "owner", 1, fd, NULL, (int fd, uid_t u, gid_t g), (fd, u, g))
WRAP(fchownat, "fchownat", "owner", 1, d, a, (int d, const char *a, uid_t u, gid_t g, int f), (d, a, u, g, f))

WRAP(stat, "stat", "stat", 0, AT_FDCWD, a, (const char *a, struct stat *s), (a, s))
WRAP(lstat, "lstat", "stat", 0, AT_FDCWD, a, (const char *a, struct stat *s), (a, s))
WRAP(fstat, "fstat", "stat", 0, fd, NULL, (int fd, struct stat *s), (fd, s))
WRAP(fstatat, "fstatat", "stat", 0, d, a, (int d, const char *a, struct stat *s, int f), (d, a, s, f))
WRAP(stat64, "stat", "stat", 0, AT_FDCWD, a, (const char *a, struct stat64 *s), (a, s))
WRAP(lstat64, "lstat", "stat", 0, AT_FDCWD, a, (const char *a, struct stat64 *s), (a, s))
WRAP(fstat64, "fstat", "stat", 0, fd, NULL, (int fd, struct stat64 *s), (fd, s))
WRAP(fstatat64, "fstatat", "stat", 0, d, a, (int d, const char *a, struct stat64 *s, int f), (d, a, s, f))
WRAP(statx, "statx", "stat", 0, d, a, (int d, const char *a, int f, unsigned m, struct statx *s), (d, a, f, m, s))

WRAP(flock, "flock", "lock", 0, fd, NULL, (int fd, int how), (fd, how))
static int locks(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}
#define FCNTL(call) \
  int call(int fd, int command, ...) { \
    va_list list; \
    va_start(list, command); \
    void *argument = va_arg(list, void *); \
    va_end(list); \
    STEP(call, locks(command) ? "fcntl-lock" : "fcntl", locks(command) ? "lock" : "fcntl", 0, fd, NULL, -1, \
      (fd, command, argument)); \
  }
FCNTL(fcntl) FCNTL(fcntl64)

// What programs reach by number: named after the function that it is, where the name matters here.
struct numbered { long number; const char *call, *family; int changes, path_at; };
static const struct numbered by_number[] = {
  {SYS_openat2, "openat2", "open", 0, 1},        {SYS_renameat2, "renameat2", "rename", 1, 3},
  {SYS_getdents64, "getdents64", "list", 0, 0},  {SYS_statx, "statx", "stat", 0, 1},
  {SYS_copy_file_range, "copy_file_range", "copy", 1, 0}, {SYS_unlinkat, "unlinkat", "unlink", 1, 1},
};

long syscall(long n, ...) {
  va_list list;
  long a[6];
  va_start(list, n);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  const struct numbered *found = NULL;
  for (size_t i = 0; i < sizeof by_number / sizeof *by_number; i++)
    if (by_number[i].number == n) found = &by_number[i];
  if (!found) {
    REAL(syscall);
    return real(n, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  // The first member of openat2's struct open_how is its flags.
  int changes = found->changes || (n == SYS_openat2 && creates((int)*(unsigned long long *)a[2]));
  int at = found->path_at;
  STEP(syscall, found->call, found->family, changes, (int)a[at ? at - 1 : 0], at ? (const char *)a[at] : NULL, -1,
    (n, a[0], a[1], a[2], a[3], a[4], a[5]));
}
