#include "fault.h"

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "check/memory/allocations.h"
#include "check/report/diagnose_pointer.h"
#include "runtime/options.h"
#include "runtime/threads/lock.h"
#include "runtime/threads/signal_stack.h"

/* All but the first only with MANIPLE_FAULTS=report. */
static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { NUM_SIGNALS = sizeof numbers / sizeof *numbers };
static struct sigaction others[NUM_SIGNALS]; /* what the application had for them */

/* --- The processor's report --- */

#if defined(__x86_64__)
enum { BEHIND_TRAP = 1 }; /* int3 has been executed */

static const void *instruction(const ucontext_t *at) {
  return (const void *)at->uc_mcontext.gregs[REG_RIP];
}

/* Bits of a page fault's error code. */
static enum mpl_fault_kind kind_of(const ucontext_t *at) {
  enum { WRITE = 2, INSTRUCTION = 16 };
  long long error = at->uc_mcontext.gregs[REG_ERR];
  return error & INSTRUCTION ? MPL_FAULT_CALL : error & WRITE ? MPL_FAULT_WRITE : MPL_FAULT_READ;
}

/* Of code that has not begun. */
static const void *return_address(const ucontext_t *at) {
  return *(const void *const *)at->uc_mcontext.gregs[REG_RSP];
}
#elif defined(__aarch64__)
enum { BEHIND_TRAP = 0 }; /* brk has not */

static const void *instruction(const ucontext_t *at) {
  return (const void *)at->uc_mcontext.pc;
}

/* The exception's syndrome, which the system adds to the registers: class, and write, not read. */
static enum mpl_fault_kind kind_of(const ucontext_t *at) {
  enum { CLASS_SHIFT = 26, INSTRUCTION = 0x20, INSTRUCTION_MASK = 0x3e, WRITE = 1 << 6 };
  const unsigned char *record = at->uc_mcontext.__reserved;
  const unsigned char *end = record + sizeof at->uc_mcontext.__reserved;
  for (struct _aarch64_ctx head; record + sizeof head <= end; record += head.size) {
    memcpy(&head, record, sizeof head);
    if (!head.magic || !head.size) break;
    if (head.magic != ESR_MAGIC) continue;
    struct esr_context syndrome;
    memcpy(&syndrome, record, sizeof syndrome);
    if ((syndrome.esr >> CLASS_SHIFT & INSTRUCTION_MASK) == INSTRUCTION) return MPL_FAULT_CALL;
    return syndrome.esr & WRITE ? MPL_FAULT_WRITE : MPL_FAULT_READ;
  }
  return MPL_FAULT_ACCESS;
}

static const void *return_address(const ucontext_t *at) {
  return (const void *)at->uc_mcontext.regs[30];
}
#else
#error "which register holds the place of an instruction, and what tells reads from writes?"
#endif

static bool is_page_fault(int number, const siginfo_t *info) {
  return number == SIGSEGV && (info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR);
}

static struct mpl_fault read_fault(int number, const siginfo_t *info, const ucontext_t *at) {
  bool is_access = number == SIGSEGV || number == SIGBUS, is_page = is_page_fault(number, info);
  bool has_address = is_page || (number == SIGBUS && info->si_code == BUS_ADRERR);
  struct mpl_fault fault = {.kind = is_page     ? kind_of(at)
                                    : is_access ? MPL_FAULT_ACCESS
                                                : MPL_FAULT_TRAP,
                            .address = has_address ? info->si_addr : NULL,
                            .is_no_address = !has_address,
                            .number = number,
                            .callers = {.count = 1}};
  fault.callers.at[0] = instruction(at);
  if (number == SIGTRAP) fault.callers.at[0] = (const char *)instruction(at) - BEHIND_TRAP;
  return fault;
}

void mpl_fault_trace(struct mpl_fault *fault, void *context) {
  struct mpl_trace *callers = &fault->callers;
  enum { MOST = sizeof callers->at / sizeof *callers->at, OWN = 8 };
  const ucontext_t *at = context;
  void *found[MOST + OWN];
  if (at->uc_stack.ss_size < MPL_SIGNAL_STACK) return; /* the application's: is there room? */
  if (fault->kind == MPL_FAULT_CALL) {                 /* there is no code that knows its caller */
    callers->at[callers->count++] = (const char *)return_address(at) - 1;
    return;
  }
  int count = backtrace(found, MOST + OWN), i = 0;
  while (i < count && found[i] != callers->at[0]) i++;
  for (i++; i < count && callers->count < MOST; i++)
    callers->at[callers->count++] = (const char *)found[i] - 1;
}

/* --- Where a group cannot be left --- */

static struct { uintptr_t begin, end; } engine, c_library;

static int find_code(struct dl_phdr_info *object, size_t size, void *data) {
  bool is_c_library = mpl_is_c_library(object->dlpi_name);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    bool is_engine = (uintptr_t)find_code - begin < end - begin;
    if (is_engine || is_c_library) {
      *(is_engine ? &engine.begin : &c_library.begin) = begin;
      *(is_engine ? &engine.end : &c_library.end) = end;
    }
  }
  return 0;
}

bool mpl_fault_is_own(const struct mpl_fault *fault) {
  uintptr_t at = (uintptr_t)fault->callers.at[0];
  struct mpl_allocation memory;
  if (at >= engine.begin && at < engine.end) return false;
  if (at < c_library.begin || at >= c_library.end) return true;
  return !fault->is_no_address && mpl_allocation_try_at(fault->address, &memory);
}

/* --- The signal --- */

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* there is nobody to tell */
}

void mpl_fault_tell_lost(const char *kernel, uint32_t linear) {
  char text[400];
  snprintf(
      text, sizeof text,
      "error: a work-item (kernel %s, linear local id %u) ends the process, in code that is not "
      "the kernel's: by a pointer that it has handed to the C library, or since it has written "
      "over its own stack, beside a private array [invalid-pointer]\n",
      kernel, linear);
  say(text);
}

/* Nothing can be done for code of the host. */
static void tell(const struct mpl_fault *fault) {
  char text[400];
  struct mpl_allocation memory;
  if (fault->is_no_address || !mpl_allocation_try_at(fault->address, &memory)) return;
  mpl_describe_access(fault, &memory, text, sizeof text);
  say("maniple: outside of the code of a checked kernel: ");
  say(text);
  say("\n");
}

static unsigned index_of(int number) {
  unsigned i = 0;
  while (i < NUM_SIGNALS - 1 && numbers[i] != number) i++;
  return i;
}

/* The application's handler may call this one, which it has replaced.  What a process has sent is
 * no fault. */
static void on_fault(int number, siginfo_t *info, void *context) {
  static _Thread_local volatile uintptr_t handing_on; /* 0, or the frame of the call that does */
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  bool handed_on = frame < handing_on; /* a handler may also leave by a jump */
  struct mpl_fault fault = read_fault(number, info, context);
  /* ThreadSanitizer blocks all signals in a handler; this one may not return. */
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  if (!handed_on && info->si_code > 0) {
    mpl_check_fault(&fault, context);
    tell(&fault);
  }
  if (handed_on) { /* the access is repeated, and ends the process as it would have */
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  } else {
    handing_on = frame;
    mpl_signal_hand_on(&others[index_of(number)], number, info, context);
  }
  handing_on = 0;
}

/* SA_NODEFER: the handler may be left by a switch, and the next fault must be delivered again. */
static void catch_fault(unsigned i) {
  struct sigaction old,
      action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (sigaction(numbers[i], NULL, &old)) return;
  if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == on_fault) return;
  others[i] = old;
  sigaction(numbers[i], &action, NULL);
}

static void catch_faults(void) {
  bool all = !strcmp(mpl_option_text(MPL_OPTION_FAULTS), "report");
  for (unsigned i = 0; i < (all ? NUM_SIGNALS : 1); i++) catch_fault(i);
}

void mpl_faults_catch(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  mpl_lock(&lock);
  catch_faults();
  mpl_unlock(&lock);
}

static void start(void) {
  void *unused;
  backtrace(&unused, 1); /* loads what it needs now, not in the handler */
  dl_iterate_phdr(find_code, NULL);
  mpl_faults_catch();
}

void mpl_faults_watch(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local bool watched;
  if (watched) return;
  watched = true;
  pthread_once(&once, start);
  mpl_signal_stack();
}
