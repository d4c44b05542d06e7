/* The end of a process that was checked. */
#ifndef MPL_CHECK_SUMMARY_H
#define MPL_CHECK_SUMMARY_H

#include <stdint.h>

/* The exit status of a process that would have ended with 0, but mistakes were found. */
enum { MPL_EXIT_MISTAKES = 3 };

/* Prints what is left to print (report.c). */
void mpl_report_finish(uint64_t launches);

#endif
