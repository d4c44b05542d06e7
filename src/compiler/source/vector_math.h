/* Between library.c, which links what a program calls, and vector_math.c. */
#ifndef MPL_COMPILER_VECTOR_MATH_H
#define MPL_COMPILER_VECTOR_MATH_H

#include "compiler/analysis/ir.h"

/* Announces libmvec's forms of the functions that the module declares, for a processor with these
 * features (the attribute "target-features" of its functions). */
void mpl_name_vector_math(struct mpl_module_ir *, const char *features);

#endif
