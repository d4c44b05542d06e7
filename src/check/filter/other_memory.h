/* Memory of a program in C or C++ that is no allocation: its variables, and its stack. */
#ifndef MPL_CHECK_FILTER_OTHER_MEMORY_H
#define MPL_CHECK_FILTER_OTHER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Finds the variables or stack around the address in *low, and sets *low to their beginning.  False
 * for other addresses. */
bool mpl_find_other_memory(char **low, uint64_t *size);

#endif
