/* Messages on accesses outside of memory. */
#ifndef MPL_CHECK_DIAGNOSE_POINTER_H
#define MPL_CHECK_DIAGNOSE_POINTER_H

#include "check/engine/fault.h"
#include "check/memory/allocations.h"
#include "report.h"

struct mpl_run;

/* Bytes beside an allocation that somebody has written. */
struct mpl_damage {
  struct mpl_allocation allocation;
  ptrdiff_t offset; /* of the first of them, from the allocation's base */
};

enum mpl_damage_found { MPL_AFTER_LAUNCH, MPL_BEFORE_LAUNCH, MPL_AT_END };

/* `check`: the launch, if it is found after one. */
void mpl_diagnose_damage(const struct mpl_damage *, enum mpl_damage_found,
                         const struct mpl_check_launch *check);

/* Where it was allocated, and freed. */
void mpl_note_memory(struct mpl_report *, const struct mpl_allocation *);

/* "a read 4 bytes behind the end of 128 bytes of device memory"; returns the length.  For signal
 * handlers too. */
size_t mpl_describe_access(const struct mpl_fault *, const struct mpl_allocation *, char *text,
                           size_t room);

/* Whether a command may access the memory, as far as is known; else it is reported, with the line
 * of the caller of libmaniple.  Always true where nothing is checked. */
bool mpl_command_may_access(const void *, size_t size, enum mpl_fault_kind);

/* The fault that has ended the run (mpl_run.fault). */
void mpl_diagnose_fault(struct mpl_run *);

#endif
