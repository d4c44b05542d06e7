/* The end of a process that was checked. */
#ifndef MPL_CHECK_SUMMARY_H
#define MPL_CHECK_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

/* The counts of checks and mistakes of the process. */
struct mpl_counts {
  uint64_t launches, items, mistakes;
  bool no_turns; /* mpl_report_no_turns */
};

/* Prints what is left to print (report.c). */
void mpl_report_finish(const struct mpl_counts *);

/* A mistake was found: told to `maniple check`. */
void mpl_report_counted(void);

void mpl_summary_after_fork(void);

#endif
