/* MANIPLE_FAULTS=report: a fault in a kernel ends its command, not the process. */
#ifndef MPL_CPU_FAULTS_H
#define MPL_CPU_FAULTS_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

bool mpl_faults_are_reported(void);

/* The place at which a thread goes on after a fault. */
struct mpl_fault_place {
  sigjmp_buf back;
  volatile sig_atomic_t number; /* of the signal */
  const void *volatile address; /* that was accessed, or of the instruction */
  const void *volatile code;    /* the instruction */
};

/* From here to _leave the calling thread's faults lead back, by siglongjmp; the application's
 * handlers get all others.  Functions called in between must not hold a lock. */
void mpl_faults_enter(struct mpl_fault_place *);
void mpl_faults_leave(void);

/* "sum.cl:3: an access to 0x10 (SIGSEGV)"; without debug information, or addr2line, no line.  Not
 * for signal handlers. */
void mpl_faults_describe(const struct mpl_fault_place *, char text[256]);

#endif
