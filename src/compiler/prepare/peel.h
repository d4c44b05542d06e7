#ifndef MPL_COMPILER_PEEL_H
#define MPL_COMPILER_PEEL_H

#include "compiler/analysis/loops.h"

/* Peels the first iteration off the innermost loops that are wanted, each once; `why` goes into the
 * remark.  The flow is that of the changed function then.  False if there was none. */
bool mpl_peel_wanted(struct mpl_module_ir *, struct mpl_flow *,
                     bool (*wanted)(struct mpl_flow *, struct mpl_loop *), const char *why);

#endif
