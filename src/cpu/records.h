/* Tests the table of a loaded object, after its relocations and before any use of it. */
#ifndef MPL_CPU_RECORDS_H
#define MPL_CPU_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/kernel.h"

/* False unless each record, and each text, list and function that one names, lies in what was
 * loaded of the sound object, and the compiler could have written all numbers on which the run time
 * relies.  The object is loaded `bias` above its addresses. */
bool mpl_records_are_sound(const struct mpl_object *, const void *object, size_t size,
                           uintptr_t bias);

#endif
