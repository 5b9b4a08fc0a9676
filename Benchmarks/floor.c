// What the machine allows: the bare system calls of each job, with nothing else around them.
// A benchmark sets cachectl beside these in the same run; the ratio is the distance to the limit.
//
//   cc -O3 -o floor floor.c -lpthread -lxxhash
//   floor scan   DIR THREADS            getdents64 of every shard, statx of every file
//   floor names  DIR THREADS            getdents64 only
//   floor read   DIR THREADS            open, fstat, read, XXH3-128, close of every file
//   floor unlink DIR THREADS N [EVERY]  unlinkat of the first N names of the walk, or of every second, third ... name
//   floor put    DIR N BYTES            open, write, close, rename of N new files into 256 shards, one thread
//
// DIR holds shard directories (any names) which hold the files; put makes them.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { SCAN, NAMES, READ, UNLINK };
struct dirent_raw { unsigned long long ino; long long off; unsigned short reclen; unsigned char type; char name[]; };
static char *shards[1 << 16];
static int shard_count, next_shard, job, root_fd;
static long limit, every = 1, files, bytes;

static void *worker(void *unused) {
  (void)unused;
  enum { NAMES_BUFFER = 1 << 20, DATA_BUFFER = 1 << 20 };
  char *names = malloc(NAMES_BUFFER), *data = malloc(DATA_BUFFER);
  long my_files = 0, my_bytes = 0, my_names = 0;
  for (int i; (i = __sync_fetch_and_add(&next_shard, 1)) < shard_count;) {
    int dir = openat(root_fd, shards[i], O_RDONLY | O_DIRECTORY);
    for (long n; (n = syscall(SYS_getdents64, dir, names, NAMES_BUFFER)) > 0;)
      for (long at = 0; at < n;) {
        struct dirent_raw *e = (void *)(names + at);
        at += e->reclen;
        if (e->name[0] == '.') continue;
        if (job == SCAN) {
          struct statx s;
          if (statx(dir, e->name, AT_SYMLINK_NOFOLLOW, STATX_SIZE | STATX_MTIME, &s)) continue;
          my_bytes += s.stx_size;
        } else if (job == READ) {
          int fd = openat(dir, e->name, O_RDONLY | O_NOATIME | O_NOFOLLOW);
          struct stat s;
          if (fd < 0 || fstat(fd, &s)) continue;
          if (s.st_size <= DATA_BUFFER) {
            long got = read(fd, data, DATA_BUFFER);
            my_bytes += got + (XXH3_128bits(data, got).low64 == 1);
          } else {
            XXH3_state_t *state = XXH3_createState();
            XXH3_128bits_reset(state);
            for (long got; (got = read(fd, data, DATA_BUFFER)) > 0; my_bytes += got) XXH3_128bits_update(state, data, got);
            my_bytes += XXH3_128bits_digest(state).low64 == 1;
            XXH3_freeState(state);
          }
          close(fd);
        } else if (job == UNLINK) {
          if (my_names++ % every) continue;
          if (__sync_fetch_and_add(&limit, -1) <= 0) goto done;
          if (unlinkat(dir, e->name, 0)) continue;
        }
        my_files++;
      }
  done:
    close(dir);
  }
  __sync_fetch_and_add(&files, my_files);
  __sync_fetch_and_add(&bytes, my_bytes);
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static int put(long count, size_t size) {
  char *data = calloc(1, size + sizeof(long)), name[80];
  for (int shard = 0; shard < 256; shard++) {
    snprintf(name, sizeof name, "%02x", shard);
    mkdirat(root_fd, name, 0777);
  }
  mkdirat(root_fd, "tmp", 0777);
  double start = now();
  for (long i = 0; i < count; i++) {
    *(long *)data = i;
    int fd = openat(root_fd, "tmp/new", O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (write(fd, data, size) != (long)size) return perror("write"), 1;
    close(fd);
    // A shard of its own for each, as names that are hashes fall.
    snprintf(name, sizeof name, "%02x/%064lx", (int)(i * 2654435761u >> 8 & 255), i);
    if (renameat(root_fd, "tmp/new", root_fd, name)) return perror("rename"), 1;
  }
  printf("put files=%ld bytes=%ld seconds=%.4f\n", count, count * (long)size, now() - start);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "floor scan|names|read|unlink DIR THREADS [N [EVERY]] | put DIR N BYTES\n"), 2;
  job = !strcmp(argv[1], "scan") ? SCAN : !strcmp(argv[1], "names") ? NAMES : !strcmp(argv[1], "read") ? READ : UNLINK;
  root_fd = open(argv[2], O_RDONLY | O_DIRECTORY);
  if (!strcmp(argv[1], "put")) return argc > 4 ? put(atol(argv[3]), atol(argv[4])) : 2;
  int threads = atoi(argv[3]);
  limit = argc > 4 ? atol(argv[4]) : 0;
  every = argc > 5 ? atol(argv[5]) : 1;
  DIR *d = fdopendir(dup(root_fd));
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.' && e->d_type == DT_DIR) shards[shard_count++] = strdup(e->d_name);
  double start = now();
  pthread_t t[64];
  for (int i = 0; i < threads; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
  printf("%s files=%ld bytes=%ld seconds=%.4f\n", argv[1], files, bytes, now() - start);
}
