/* Runs in the application's memory beside its threads: nothing here may use thread-local storage,
 * errno included, nor call the C library. */
#include "keeper_process.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "raw_call.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The stack protector's canary is thread-local; sanitizers know nothing of these processes. */
#ifdef __clang__
#define NO_INSTRUMENTS disable_sanitizer_instrumentation, no_sanitize("undefined")
#else
#define NO_INSTRUMENTS no_sanitize("address", "thread", "undefined")
#endif
#define ALONE __attribute__((no_stack_protector, NO_INSTRUMENTS, noinline))

#define CALL(name, a, b, c, d, e)                                                                  \
  mpl_raw_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))

enum { SIGNAL_SET = 8, LAST_SIGNAL = 64, MOST_ROUNDS = 100, ROUND_NANOSECONDS = 10000000 };

/* --- The tool, until it is another program --- */

/* The kernel's struct sigaction, not the C library's. */
struct raw_action {
  void *handler;
  unsigned long flags;
  void *restorer;
  uint64_t mask;
};

static ALONE void reset(int signal) {
  struct raw_action action;
  action.handler = (void *)SIG_DFL;
  action.flags = 0;
  action.restorer = NULL;
  action.mask = 0;
  (void)CALL(rt_sigaction, signal, &action, NULL, SIGNAL_SET, 0);
}

static ALONE void take_signals(void) {
  uint64_t none = 0;
  for (int signal = 1; signal <= LAST_SIGNAL; signal++) reset(signal);
  (void)CALL(rt_sigprocmask, SIG_SETMASK, &none, NULL, SIGNAL_SET, 0);
}

static ALONE void become_tool(void *argument) {
  struct mpl_keeper *keeper = argument;
  long error = CALL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (!error) error = CALL(setpgid, 0, 0, 0, 0, 0);
  for (int i = 0; i < keeper->num_files && error >= 0; i++)
    error = CALL(dup3, keeper->files[i], i, 0, 0, 0);
  if (error >= 0) error = CALL(close_range, keeper->num_files, ~0u, 0, 0, 0);
  take_signals();
  if (error >= 0)
    error = CALL(execve, keeper->arguments[0], keeper->arguments, keeper->environment, 0, 0);
  keeper->error = (int)-error;
  for (;;) (void)CALL(exit_group, 127, 0, 0, 0, 0);
}

/* --- The keeper --- */

/* The application may give up rights that its keeper still has, and shares its memory with it: so
 * it can do nothing but this. */
#define ALLOW(call)                                                                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(SYS_ppoll),
    ALLOW(SYS_restart_syscall), /* behind a stop */
    ALLOW(SYS_wait4),
    ALLOW(SYS_futex),
    ALLOW(SYS_pidfd_send_signal), /* it has a descriptor of the application, and of the tool */
    ALLOW(SYS_exit_group),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};
static const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};

enum { APPLICATION, TOOL, NUM_FILES }; /* its descriptors */

static ALONE long confine(const struct mpl_keeper *keeper, long tool) {
  static const char root[] = "/";
  struct rlimit none;
  none.rlim_cur = none.rlim_max = 0;
  long file = CALL(pidfd_open, tool, 0, 0, 0, 0);
  if (file < 0) return file;
  long high = CALL(fcntl, file, F_DUPFD, NUM_FILES, 0, 0);
  if (high < 0) return high;
  long error = CALL(chdir, root, 0, 0, 0, 0); /* the application's may be on a disk that goes */
  if (error >= 0) error = CALL(dup3, keeper->application, APPLICATION, 0, 0, 0);
  if (error >= 0) error = CALL(dup3, high, TOOL, 0, 0, 0);
  if (error >= 0) error = CALL(close_range, NUM_FILES, ~0u, 0, 0, 0);
  if (error >= 0) error = CALL(setrlimit, RLIMIT_CORE, &none, 0, 0, 0);
  if (error >= 0) error = CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (error >= 0) error = CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
  return error;
}

static ALONE void tell(struct mpl_keeper *keeper, int state) {
  __atomic_store_n(&keeper->state, state, __ATOMIC_RELEASE);
  (void)CALL(futex, &keeper->state, FUTEX_WAKE_PRIVATE, 1, 0, 0);
}

/* Forks of a tool that was killed are its keeper's, and are killed too; one that got away from that
 * does not hold up the application's memory. */
static ALONE void reap_all(void) {
  struct timespec pause;
  for (int i = 0; i < MOST_ROUNDS; i++) {
    long pid;
    do pid = CALL(wait4, -1, NULL, __WALL | WNOHANG, NULL, 0);
    while (pid > 0);
    if (pid < 0) return;
    pause.tv_sec = 0;
    pause.tv_nsec = ROUND_NANOSECONDS;
    (void)CALL(ppoll, NULL, 0, &pause, NULL, SIGNAL_SET);
  }
}

static ALONE void keep(struct mpl_keeper *keeper) {
  struct pollfd files[NUM_FILES];
  for (;;) {
    files[APPLICATION].fd = APPLICATION;
    files[TOOL].fd = TOOL;
    files[APPLICATION].events = files[TOOL].events = POLLIN;
    long count = CALL(ppoll, files, NUM_FILES, NULL, NULL, SIGNAL_SET);
    if (count < 0) continue;
    if (files[TOOL].revents) break;
    (void)CALL(pidfd_send_signal, TOOL, SIGKILL, NULL, 0, 0);
    files[TOOL].events = POLLIN;
    (void)CALL(ppoll, files + TOOL, 1, NULL, NULL, SIGNAL_SET);
    break;
  }
  __atomic_store_n(&keeper->tool_ended, 1, __ATOMIC_SEQ_CST);
  reap_all();
}

static ALONE void be_keeper(void *argument) {
  struct mpl_keeper *keeper = argument;
  uint64_t all = ~UINT64_C(0);
  static const char name[] = "maniple-keeper";
  (void)CALL(rt_sigprocmask, SIG_SETMASK, &all, NULL, SIGNAL_SET, 0);
  reset(SIGCHLD); /* an application that ignores it has its children's numbers given away */
  (void)CALL(prctl, PR_SET_NAME, name, 0, 0, 0);
  (void)CALL(setpgid, 0, 0, 0, 0, 0);
  (void)CALL(prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  long tool = mpl_raw_clone(SYS_clone, CLONE_VM | CLONE_VFORK | CLONE_UNTRACED | SIGCHLD,
                            keeper->tool_stack, become_tool, keeper);
  long error = tool < 0 ? tool : -(long)keeper->error;
  if (!error) {
    error = confine(keeper, tool);
    if (error) (void)CALL(kill, tool, SIGKILL, 0, 0, 0);
  }
  keeper->tool = (pid_t)tool;
  keeper->error = (int)-error;
  if (error) {
    if (tool > 0) (void)CALL(wait4, tool, NULL, __WALL, NULL, 0);
    tell(keeper, MPL_KEEPER_FAILED);
  } else {
    tell(keeper, MPL_KEEPER_KEEPS);
    keep(keeper);
  }
  for (;;) (void)CALL(exit_group, 0, 0, 0, 0, 0);
}

/* Exit signal 0: the application gets none, and wait() does not know of it.  Not traced: a debugger
 * would take it for a thread. */
ALONE long mpl_keeper_split(struct mpl_keeper *keeper) {
  return mpl_raw_clone(SYS_clone, CLONE_VM | CLONE_UNTRACED, keeper->stack, be_keeper, keeper);
}
