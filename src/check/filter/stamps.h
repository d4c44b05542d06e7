/* Memory for filters' stamps, and their numbers; for one launch at a time. */
#ifndef MPL_CHECK_FILTER_STAMPS_H
#define MPL_CHECK_FILTER_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes of stamps from the beginning on; null: there are not so many.  They are less than
 * the numbers of mpl_filter_numbers, unless this launch wrote them. */
char *mpl_filter_stamps(size_t size);
/* So many bytes of the second kind, for local memory; they are less than *first. */
char *mpl_filter_local_stamps(size_t size);

/* Numbers for a launch: the first of `count`; 0: there are not so many. */
uint32_t mpl_filter_numbers(uint64_t count);
/* For a group's local memory: the first of `count`.  The next call's are behind them. */
uint32_t mpl_filter_local_numbers(uint32_t count);

#endif
