// Runs a command some times and writes a line for each to a file: seconds, processor seconds (user, system), peak
// memory in KiB.
//
//   measure FILE TIMES COMMAND [ARG...]
//
// The kernel counts the memory of whatever a process was before it became the command. Started from this small
// program instead of from an interpreter, the figure is the command's own. The first failure ends it.
#include <stdio.h>
#include <stdlib.h>
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

static int run(char **command, FILE *out) {
  double start = now();
  pid_t child = vfork();
  if (child == 0) {
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) < 0) return perror("measure"), 126;
  double end = now();
  fprintf(out, "%.6f %.6f %.6f %ld\n", end - start, seconds(used.ru_utime), seconds(used.ru_stime), used.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: measure FILE TIMES COMMAND [ARG...]\n"), 2;
  FILE *out = fopen(argv[1], "we");
  if (!out) return perror(argv[1]), 126;
  int status = 0;
  for (int left = atoi(argv[2]); left > 0 && status == 0; left--) status = run(argv + 3, out);
  return fclose(out), status;
}
