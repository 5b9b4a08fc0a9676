// Runs a command and writes what it took to a file: seconds, processor seconds (user, system), peak memory in KiB.
//
//   measure FILE COMMAND [ARG...]
//
// The kernel counts the memory of whatever a process was before it became the command. Started from this small
// program instead of from an interpreter, the figure is the command's own.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: measure FILE COMMAND [ARG...]\n"), 2;
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) < 0) return perror("measure"), 126;
  double end = now();
  FILE *out = fopen(argv[1], "w");
  if (!out) return perror(argv[1]), 126;
  fprintf(out, "%.6f %.6f %.6f %ld\n", end - start, seconds(used.ru_utime), seconds(used.ru_stime), used.ru_maxrss);
  fclose(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
