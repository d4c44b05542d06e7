#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LARGEST_FILE = 1 << 30, MORE_SECONDS = 2 };

/* --- Landlock, of which Debian 12's headers have the first version only --- */

/* LANDLOCK_ACCESS_FS_ and LANDLOCK_SCOPE_ of newer headers; what is not listed here is reading. */
enum {
  WRITE_FILE = 1 << 1,
  REMOVE_AND_MAKE = 0x1ff << 4, /* REMOVE_DIR to MAKE_SYM */
  TRUNCATE = 1 << 14,           /* version 3 */
  ABSTRACT_SOCKETS = 1 << 0,    /* version 6 */
  SIGNALS = 1 << 1,
  PATH_BENEATH = 1, /* a rule's kind */
  GET_VERSION = 1,  /* a flag */
};

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

struct rules {
  uint64_t files, net, scope;
};
struct path_rule {
  uint64_t access;
  int32_t fd;
} __attribute__((packed));

static void allow(int rules, uint64_t access, int fd) {
  struct path_rule rule = {.access = access, .fd = fd};
  /* Memory files are refused, and free in any case. */
  (void)syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &rule, 0);
}

static void allow_path(int rules, uint64_t access, const char *path) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  allow(rules, access, fd);
  close(fd);
}

int mpl_confine_files(const struct mpl_limits *limits, const int *files, int num_files) {
  if (limits->may_write) return -1;
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, GET_VERSION);
  if (version < 1) return -1;
  uint64_t to_file = WRITE_FILE | (version >= 3 ? TRUNCATE : 0);
  struct rules what = {.files = to_file | REMOVE_AND_MAKE,
                       .scope = version >= 6 ? ABSTRACT_SOCKETS | SIGNALS : 0};
  size_t size = version >= 6 ? sizeof what : sizeof what.files;
  int rules = (int)syscall(SYS_landlock_create_ruleset, &what, size, 0);
  if (rules < 0) return errno == ENOSYS || errno == EOPNOTSUPP ? -1 : -2;
  for (int i = 0; i < num_files; i++) allow(rules, to_file, files[i]);
  allow_path(rules, to_file, "/dev/null");
  if (limits->folder) allow_path(rules, what.files, limits->folder);
  return rules;
}

/* --- seccomp --- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "no calls are known for this processor"
#endif
#define REFUSE(call)                                                                               \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),                                                 \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)

static void refuse_calls(void) {
  static struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), /* calls of 32-bit programs */
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      REFUSE(SYS_socket),
      REFUSE(SYS_io_uring_setup), /* which could make sockets too */
      REFUSE(SYS_ptrace),
      REFUSE(SYS_process_vm_readv),
      REFUSE(SYS_process_vm_writev),
#if defined(__x86_64__) /* x32: the same calls by other numbers */
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
#endif
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  static const struct sock_fprog program = {.len = sizeof filter / sizeof *filter,
                                            .filter = filter};
  (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* --- all of it --- */

static void limit(int resource, rlim_t value) {
  struct rlimit now;
  if (getrlimit((__rlimit_resource_t)resource, &now)) return;
  if (now.rlim_max < value) value = now.rlim_max;
  now.rlim_max = value;
  if (now.rlim_cur > value) now.rlim_cur = value;
  (void)setrlimit((__rlimit_resource_t)resource, &now);
}

void mpl_confine(const struct mpl_limits *limits, int landlock) {
  if (limits->memory) limit(RLIMIT_AS, limits->memory);
  /* Whoever waits looks first (watch.h); this is for what the process starts itself. */
  if (limits->seconds) limit(RLIMIT_CPU, limits->seconds + MORE_SECONDS);
  limit(RLIMIT_FSIZE, LARGEST_FILE);
  limit(RLIMIT_CORE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the thread that waits for it lives longer */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
  if (landlock >= 0) (void)syscall(SYS_landlock_restrict_self, landlock, 0);
  refuse_calls();
}
