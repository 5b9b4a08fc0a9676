// System calls that glibc declares as variadic functions, which Swift cannot call, or not at all.
#pragma once
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

/// openat2(2): opens below `directory`, following no symbolic link on the way.
int cachectl_open_beneath(int directory, const char *path, int flags, uint32_t mode);

/// pread(2).
long cachectl_pread(int file, void *buffer, size_t size, int64_t offset);

/// Whether the calling thread does not wait for a disk: what is not in memory then fails with EAGAIN when it is
/// opened or read by the two calls above (RESOLVE_CACHED of openat2(2), RWF_NOWAIT of preadv2(2)).
void cachectl_set_impatient(int is_impatient);
int cachectl_is_impatient(void);

/// openat(2).
int cachectl_openat(int directory, const char *path, int flags, uint32_t mode);

/// open(2).
int cachectl_open_path(const char *path, int flags, uint32_t mode);

/// getdents64(2).
long cachectl_getdents64(int directory, void *buffer, size_t size);

/// strerrorname_np(3) and strerrordesc_np(3): the symbol and the untranslated message, or NULL.
const char *cachectl_error_name(int error);
const char *cachectl_error_message(int error);

/// memmem(3), which glibc declares for _GNU_SOURCE alone.
const void *cachectl_find(const void *text, size_t size, const void *part, size_t part_size);

/// O_NOATIME and O_PATH of open(2), which glibc declares for _GNU_SOURCE alone.
enum { CACHECTL_O_NOATIME = 01000000, CACHECTL_O_PATH = 010000000 };

/// How often the calling thread had to wait for something (getrusage(2), ru_nvcsw).
long cachectl_thread_waits(void);

/// sync_file_range(2): begins to write what was written to the file, without waiting.
int cachectl_begin_writing(int file);

/// The f_type of fstatfs(2); 0 where it fails.
long cachectl_file_system_kind(int file);

/// ioprio_set(2) of this process: its disk I/O gives way to everybody else's. 0, or -1 and errno.
int cachectl_idle_io(void);

/// sendmsg(2) with one open file beside the bytes (SCM_RIGHTS, unix(7)).
long cachectl_send_file(int socket, int file, const void *bytes, size_t size);
// Not in Swift's Glibc module.
static inline void cachectl_set_mmap_threshold(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

