/* The functions that libmaniple exports to its own command. */
#include "internals.h"

const struct mpl_internals mpl_internals = {
  .options = mpl_options,
  .tools = mpl_tools,
  .tools_missing = mpl_tools_missing,
  .precompiled = mpl_precompiled,
};
