/* Does the table of a loaded object lead to what it should?  Its relocations have been made then,
 * and nothing of it has been used. */
#ifndef MPL_CPU_RECORDS_H
#define MPL_CPU_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/kernel.h"

/* False unless each record, and each text, list and function that one names, lies in what was
 * loaded of the sound object, and all numbers that the run time counts with are such as the
 * compiler writes. `bias` is how far above its addresses it is loaded. */
bool mpl_records_are_sound(const struct mpl_object *, const void *object, size_t size,
                           uintptr_t bias);

#endif
