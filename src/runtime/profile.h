/* MANIPLE_PROFILE: time per kernel, as a table at exit. */
#ifndef MPL_RUNTIME_PROFILE_H
#define MPL_RUNTIME_PROFILE_H

#include <stdint.h>

void mpl_profile_add(const char *kernel, uint64_t ns); /* the name is copied */

#endif
