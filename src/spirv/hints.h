/* Changes of a module that the run time makes before any tool sees it: tables/spirv_hints.def. */
#ifndef MPL_SPIRV_HINTS_H
#define MPL_SPIRV_HINTS_H

#include "binary.h"

/* Takes the hints out of a module, which is a copy by mpl_spirv_copy; returns the remaining words.
 * Faulty instructions stay as they are, for the validator. */
size_t mpl_spirv_drop_hints(uint32_t *words, size_t count);

/* Changes such a module into what the validator is to see: instructions of extensions that it may
 * not know are others of the same shape. */
void mpl_spirv_stand_in(uint32_t *words, size_t count);

/* The first extension that such a module names and that a device does not take that lacks what
 * `lacks` says (of enum mpl_offer), or null. */
const char *mpl_spirv_lacking_extension(const uint32_t *words, size_t count, uint32_t lacks);

#endif
