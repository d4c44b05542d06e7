/* Memory of a program in C or C++ that nobody has told of: its variables, and its stack. */
#ifndef MPL_CHECK_FILTER_OTHER_MEMORY_H
#define MPL_CHECK_FILTER_OTHER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* What the address in *low is in: then *low is where that begins.  False: it is neither. */
bool mpl_find_other_memory(char **low, uint64_t *size);

#endif
