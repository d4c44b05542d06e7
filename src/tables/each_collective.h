/* Each overload of the tables collectives.def and operations.def on scalars, for those that
 * need one thing per overload: the C interface's declarations, its functions, its names.  Define
 * the macros that are wanted, then include this; it undefines them all.
 *
 * MPL_EACH_WORK_FORM(T, form, op)                    T work_group_FORM_OP(T)
 * MPL_EACH_WORK_BROADCAST(T)                         T work_group_broadcast(T, size_t)
 * MPL_EACH_WORK_VOTE(name)                           int work_group_NAME(int)
 * MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)             T PREFIX_FORM_OP(T [, uint])
 * MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)
 * MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow)   of those without a type
 *
 * size, value, first, second, third, flow: as in the table. */
#include "tables/operations.h"

#ifndef MPL_EACH_WORK_FORM
#define MPL_EACH_WORK_FORM(T, form, op)
#endif
#ifndef MPL_EACH_WORK_BROADCAST
#define MPL_EACH_WORK_BROADCAST(T)
#endif
#ifndef MPL_EACH_WORK_VOTE
#define MPL_EACH_WORK_VOTE(name)
#endif
#ifndef MPL_EACH_LANES_FORM
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)
#endif
#ifndef MPL_EACH_LANES_FUNCTION
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)
#endif
#ifndef MPL_EACH_LANES_SINGLE
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow)
#endif

/* Sets of types: X(type, ...) for each. */
#define EACH_MAIN_INTEGERS(X, ...)                                                                 \
  X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define EACH_MAIN_NUMBERS(X, ...)                                                                  \
  EACH_MAIN_INTEGERS(X, __VA_ARGS__)                                                               \
  X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
#define EACH_MAIN_LOGICAL(X, ...) X(int, __VA_ARGS__)
#define EACH_SMALL_INTEGERS(X, ...)                                                                \
  X(char, __VA_ARGS__) X(uchar, __VA_ARGS__) X(short, __VA_ARGS__) X(ushort, __VA_ARGS__)
#define EACH_SMALL_NUMBERS EACH_SMALL_INTEGERS
#define EACH_SMALL_LOGICAL(X, ...)
#define EACH_SCALARS_INTEGERS(X, ...)                                                              \
  EACH_SMALL_INTEGERS(X, __VA_ARGS__) EACH_MAIN_INTEGERS(X, __VA_ARGS__)
#define EACH_SCALARS_NUMBERS(X, ...)                                                               \
  EACH_SMALL_NUMBERS(X, __VA_ARGS__) EACH_MAIN_NUMBERS(X, __VA_ARGS__)
#define EACH_SCALARS_LOGICAL(X, ...) X(int, __VA_ARGS__)

#define EACH_WORK(T, op)                                                                           \
  MPL_EACH_WORK_FORM(T, reduce, op)                                                                \
  MPL_EACH_WORK_FORM(T, scan_inclusive, op)                                                        \
  MPL_EACH_WORK_FORM(T, scan_exclusive, op)
#define EACH_WORK_BROADCAST(T, none)  MPL_EACH_WORK_BROADCAST(T)
#define MPL_OPERATION(op, types, ...) EACH_MAIN_##types(EACH_WORK, op)
#include "operations.def"
#define MPL_VOTE(name, op) MPL_EACH_WORK_VOTE(name)
#include "collectives.def"
EACH_MAIN_NUMBERS(EACH_WORK_BROADCAST, )

#define EACH_OPERATION(op, types, set, ...) EACH_##set##_##types(EACH_LANES, op, __VA_ARGS__)
#define EACH_LANES(T, op, prefix, form, size, flow)                                                \
  MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)
#define MPL_SUB_GROUP_FORM(prefix, form, operations, types, size, flow, result, extension)         \
  MPL_EACH_##operations(EACH_OPERATION, types, prefix, form, size, flow)

#define EACH_FUNCTION(T, name, value, first, second, third, flow)                                  \
  MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)
#define EACH_OF_MAIN    EACH_MAIN_NUMBERS
#define EACH_OF_SMALL   EACH_SMALL_NUMBERS
#define EACH_OF_SCALARS EACH_SCALARS_NUMBERS
#define EACH_OF_VECTORS(X, ...)
#define EACH_OF_INT_ONLY(X, ...) MPL_EACH_LANES_SINGLE(__VA_ARGS__)
#define MPL_SUB_GROUP_FUNCTION(name, types, value, first, second, third, flow, result, extension)  \
  EACH_OF_##types(EACH_FUNCTION, name, value, first, second, third, flow)
#include "collectives.def"

#undef MPL_EACH_WORK_FORM
#undef MPL_EACH_WORK_BROADCAST
#undef MPL_EACH_WORK_VOTE
#undef MPL_EACH_LANES_FORM
#undef MPL_EACH_LANES_FUNCTION
#undef MPL_EACH_LANES_SINGLE
#undef EACH_MAIN_INTEGERS
#undef EACH_MAIN_NUMBERS
#undef EACH_MAIN_LOGICAL
#undef EACH_SMALL_INTEGERS
#undef EACH_SMALL_NUMBERS
#undef EACH_SMALL_LOGICAL
#undef EACH_SCALARS_INTEGERS
#undef EACH_SCALARS_NUMBERS
#undef EACH_SCALARS_LOGICAL
#undef EACH_WORK
#undef EACH_WORK_BROADCAST
#undef EACH_OPERATION
#undef EACH_LANES
#undef EACH_FUNCTION
#undef EACH_OF_MAIN
#undef EACH_OF_SMALL
#undef EACH_OF_SCALARS
#undef EACH_OF_VECTORS
#undef EACH_OF_INT_ONLY
