/* How two operands of a collective are combined: the one definition for vectors of them (the
 * built-in library, OpenCL C) and for single ones (the checking engine, C). */
#ifndef MPL_COMBINE_H
#define MPL_COMBINE_H

#define COMBINE_add(a, b)         ((a) + (b))
#define COMBINE_mul(a, b)         ((a) * (b))
#define COMBINE_and(a, b)         ((a) & (b))
#define COMBINE_or(a, b)          ((a) | (b))
#define COMBINE_xor(a, b)         ((a) ^ (b))
#define COMBINE_min(a, b)         ((b) < (a) ? (b) : (a))
#define COMBINE_max(a, b)         ((a) < (b) ? (b) : (a))
#define COMBINE_logical_and(a, b) ((a) & (b)) /* operands are 0 or 1 by then */
#define COMBINE_logical_or(a, b)  ((a) | (b))
#define COMBINE_logical_xor(a, b) ((a) ^ (b))

#endif
