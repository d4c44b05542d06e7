/* Identities of operations (IDENTITY_op of operations.def), for each type of operand. */
#ifndef MPL_BUILTINS_IDENTITIES_H
#define MPL_BUILTINS_IDENTITIES_H

#define ZERO_OF(T) 0
#define ONE_OF(T) 1
#define ONES_OF(T) ~0
#define HIGHEST_OF(T) HIGHEST_##T
#define LOWEST_OF(T) LOWEST_##T
#define HIGHEST_int INT_MAX
#define LOWEST_int INT_MIN
#define HIGHEST_uint UINT_MAX
#define LOWEST_uint 0u
#define HIGHEST_long LONG_MAX
#define LOWEST_long LONG_MIN
#define HIGHEST_ulong ULONG_MAX
#define LOWEST_ulong 0ul
#define HIGHEST_float INFINITY
#define LOWEST_float (-INFINITY)
#define HIGHEST_double ((double)INFINITY)
#define LOWEST_double (-(double)INFINITY)
#define HIGHEST_half INFINITY
#define LOWEST_half (-INFINITY)
#define HIGHEST_char CHAR_MAX
#define LOWEST_char CHAR_MIN
#define HIGHEST_uchar UCHAR_MAX
#define LOWEST_uchar 0u
#define HIGHEST_short SHRT_MAX
#define LOWEST_short SHRT_MIN
#define HIGHEST_ushort USHRT_MAX
#define LOWEST_ushort 0u

#endif
