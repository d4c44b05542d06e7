/* MANIPLE_FAULTS=report: what the processor refuses in a kernel ends that command, not the process.
 */
#ifndef MPL_CPU_FAULTS_H
#define MPL_CPU_FAULTS_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

bool mpl_faults_are_reported(void);

/* Where a thread goes on if what it runs faults. */
struct mpl_fault_place {
  sigjmp_buf back;
  volatile sig_atomic_t number; /* of the signal */
  const void *volatile address; /* that was accessed, or of the instruction */
  const void *volatile code;    /* the instruction */
};

/* From here to _leave the calling thread's faults lead back, by siglongjmp; the application's
 * handlers get all others.  What is called in between may hold no lock. */
void mpl_faults_enter(struct mpl_fault_place *);
void mpl_faults_leave(void);

/* "sum.cl:3: an access to 0x10 (SIGSEGV)"; without debug information, or addr2line, no line.  Not
 * for signal handlers. */
void mpl_faults_describe(const struct mpl_fault_place *, char text[256]);

#endif
