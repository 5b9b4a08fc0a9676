#define _GNU_SOURCE
#include "Confine.h"

#include <grp.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// Enough for 2^28 pixels of one byte beside the file, or of four for most pictures.
static const rlim_t most_memory = 1536ul << 20;
static const uid_t nobody = 65534;

static int limit(int what, rlim_t most) {
  struct rlimit both = {most, most};
  return setrlimit(what, &both);
}

static const char *limit_all(void) {
  if (limit(RLIMIT_AS, most_memory)) return "memory";
  if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0)) return "files";
  // No new threads or processes; for root the filter below sees to it.
  if (limit(RLIMIT_NPROC, 0)) return "processes";
  return 0;
}

static const char *leave_root(void) {
  if (geteuid() != 0) return 0;
  if (setgroups(0, 0) || setresgid(nobody, nobody, nobody) || setresuid(nobody, nobody, nobody)) return "root";
  return 0;
}

// What decoding in one thread takes: memory, the socket and the files that come through it.
static const int allowed[] = {
    SCMP_SYS(recvmsg),      SCMP_SYS(sendto),     SCMP_SYS(pread64),       SCMP_SYS(close),
    SCMP_SYS(fstat),        SCMP_SYS(newfstatat), SCMP_SYS(brk),           SCMP_SYS(munmap),
    SCMP_SYS(mremap),       SCMP_SYS(madvise),    SCMP_SYS(futex),         SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(setitimer),  SCMP_SYS(clock_gettime), SCMP_SYS(getpid),
    SCMP_SYS(gettid),       SCMP_SYS(tgkill),     SCMP_SYS(exit),          SCMP_SYS(exit_group),
    SCMP_SYS(getrandom),    SCMP_SYS(restart_syscall),
};

static int filter(void) {
  // Anything else fails as if it were forbidden: libraries ask the system about itself and do without.
  scmp_filter_ctx rules = seccomp_init(SCMP_ACT_ERRNO(1));
  if (!rules) return -1;
  int failed = 0;
  for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; i++)
    failed |= seccomp_rule_add(rules, SCMP_ACT_ALLOW, allowed[i], 0);
  // Memory, but none that can be run.
  struct scmp_arg_cmp data_only = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  failed |= seccomp_rule_add(rules, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, data_only);
  failed |= seccomp_rule_add(rules, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, data_only);
  failed |= seccomp_load(rules);
  seccomp_release(rules);
  return failed;
}

const char *confine(void) {
  // Whoever started this process is gone: nobody wants an answer.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return "its parent";
  const char *kept = leave_root();
  if (!kept) kept = limit_all();
  if (kept) return kept;
  if (prctl(PR_SET_DUMPABLE, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "privileges";
  return filter() ? "system calls" : 0;
}
