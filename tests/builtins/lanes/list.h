/* Every overload of the sub-group functions, from the table of collectives; included where macros
 * are defined:
 *   ENTRY(function, type, value, first, second, third)   the table's columns; of an operation's
 *                                                        functions all are TYPE, and size
 * Vectors of the types come as ENTRY(function, float4, ...). */
#include "tables/operations.h"

#define SET_SMALL(X, ...) \
  X(char, __VA_ARGS__) X(uchar, __VA_ARGS__) X(short, __VA_ARGS__) X(ushort, __VA_ARGS__)
#define SET_MAIN(X, ...) \
  X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__) \
  X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
#define SET_SCALARS(X, ...) SET_SMALL(X, __VA_ARGS__) SET_MAIN(X, __VA_ARGS__)
#define SET_VECTORS(X, ...) SET_SCALARS(VECTORS_OF, X, __VA_ARGS__)
#define VECTORS_OF(T, X, ...) \
  X(T##2, __VA_ARGS__) X(T##3, __VA_ARGS__) X(T##4, __VA_ARGS__) X(T##8, __VA_ARGS__) \
  X(T##16, __VA_ARGS__)
#define SET_INT_ONLY(X, ...) X(int, __VA_ARGS__)
#define OF_NUMBERS(X, ...) SET_SCALARS(X, __VA_ARGS__)
#define OF_INTEGERS(X, ...) \
  SET_SMALL(X, __VA_ARGS__) X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) \
  X(ulong, __VA_ARGS__)
#define OF_LOGICAL(X, ...) X(int, __VA_ARGS__)

#define FLAT(T, function, ...) ENTRY(function, T, __VA_ARGS__)
#define THREE(op, types, prefix) \
  OF_##types(FLAT, prefix##_reduce_##op, TYPE, TYPE, NONE, NONE) \
  OF_##types(FLAT, prefix##_scan_inclusive_##op, TYPE, TYPE, NONE, NONE) \
  OF_##types(FLAT, prefix##_scan_exclusive_##op, TYPE, TYPE, NONE, NONE)
#define SUB_GROUP(op, types, ...) THREE(op, types, sub_group)
MPL_EACH_CORE(SUB_GROUP, )
#define MPL_OPERATION(op, types, ...) \
  THREE(op, types, sub_group_non_uniform) \
  OF_##types(FLAT, sub_group_clustered_reduce_##op, TYPE, TYPE, UINT, NONE)
#include "tables/operations.def"
#define MPL_SUB_GROUP_FUNCTION(name, types, value, first, second, third, flow, result, extension) \
  SET_##types(FLAT, name, value, first, second, third)
#include "tables/collectives.def"
