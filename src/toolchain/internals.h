/* The functions of libmaniple that its own command uses besides OpenCL.  All others are hidden. */
#ifndef MPL_TOOLCHAIN_INTERNALS_H
#define MPL_TOOLCHAIN_INTERNALS_H

#include "precompiled.h"
#include "runtime/options.h"
#include "tools.h"

struct mpl_internals {
  const struct mpl_option *(*options)(void);
  const struct mpl_tools *(*tools)(void);
  const char *(*tools_missing)(void);
  bool (*precompiled)(char *const *command, const char *attributes, const char *header,
                      char file[PATH_MAX]);
};

extern const struct mpl_internals mpl_internals __attribute__((visibility("default")));

#endif
