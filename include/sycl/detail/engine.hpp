/* From C++ types and operators to the engine's collectives (maniple/kernel.h), which exist for
 * OpenCL's scalar types. */
#ifndef SYCL_DETAIL_ENGINE_HPP
#define SYCL_DETAIL_ENGINE_HPP

#include <maniple/kernel.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../functional.hpp"
#include "../item.hpp"
#include "../marray.hpp"
#include "../vec.hpp"

namespace sycl {

class sub_group;

namespace detail {

/* Where the user called a group function, and which: a default argument of every one of them. */
struct here : mpl_site {
#if defined(__clang__)
  explicit constexpr here(const char *function_ = nullptr, const char *file_ = __builtin_FILE(),
                          std::uint32_t line_ = __builtin_LINE(),
                          std::uint32_t column_ = __builtin_COLUMN())
#else
  explicit constexpr here(const char *function_ = nullptr, const char *file_ = __builtin_FILE(),
                          std::uint32_t line_ = __builtin_LINE(), std::uint32_t column_ = 0)
#endif
      : mpl_site{file_, function_, line_, column_} {
  }
};

enum class form { reduce, inclusive, exclusive };
template <operation> struct operation_tag {};
template <bool SubGroup> struct scope_tag {};

inline std::uint16_t to_engine(half value) {
  return half_bits(value);
}
template <typename T> constexpr T to_engine(T value) {
  return value;
}
template <typename T, typename E> T from_engine(E value) {
  if constexpr (std::is_same_v<T, half>)
    return half_from_bits(value);
  else
    return T(value);
}

/* collective<sub, form>(operation, value, site): the function of the table, one overload for each
 * operation.  (An overload for each function would cost every program that includes this some time.)
 *
 * OpenCL C's sub-groups have add, min and max for groups that meet, and all operations for
 * whichever lanes are there (non_uniform); after a barrier these are all. */
#define SYCL_CALL(prefix, name, op_name, type)                                                     \
  return from_engine<T>(mpl_##prefix##_##name##_##op_name##_##type(to_engine(value), at))
#define SYCL_FORMS(prefix, op_name, type)                                                          \
  if constexpr (which == form::reduce)                                                             \
    SYCL_CALL(prefix, reduce, op_name, type);                                                      \
  else if constexpr (which == form::inclusive)                                                     \
    SYCL_CALL(prefix, scan_inclusive, op_name, type);                                              \
  else                                                                                             \
    SYCL_CALL(prefix, scan_exclusive, op_name, type);
#define SYCL_TYPE(prefix, op_name, type, C)                                                        \
  if constexpr (std::is_same_v<T, C>) {                                                            \
    if constexpr (sub) {                                                                           \
      SYCL_FORMS(prefix, op_name, type)                                                            \
    } else {                                                                                       \
      SYCL_FORMS(work_group, op_name, type)                                                        \
    }                                                                                              \
  }
#define SYCL_INT(prefix, op_name) SYCL_TYPE(prefix, op_name, int, std::int32_t)
#define SYCL_INTEGERS(prefix, op_name)                                                             \
  SYCL_INT(prefix, op_name)                                                                        \
  SYCL_TYPE(prefix, op_name, uint, std::uint32_t)                                                  \
  SYCL_TYPE(prefix, op_name, long, std::int64_t) SYCL_TYPE(prefix, op_name, ulong, std::uint64_t)
#define SYCL_NUMBERS(prefix, op_name)                                                              \
  SYCL_INTEGERS(prefix, op_name)                                                                   \
  SYCL_TYPE(prefix, op_name, half, half)                                                           \
  SYCL_TYPE(prefix, op_name, float, float) SYCL_TYPE(prefix, op_name, double, double)
#define SYCL_CORE(op, op_name)                                                                     \
  template <bool sub, form which, typename T>                                                      \
  T collective(operation_tag<operation::op>, T value, const mpl_site *at) {                        \
    SYCL_NUMBERS(sub_group, op_name)                                                               \
  }
#define SYCL_MORE(op, op_name, of)                                                                 \
  template <bool sub, form which, typename T>                                                      \
  T collective(operation_tag<operation::op>, T value, const mpl_site *at) {                        \
    constexpr std::uint32_t all_memory = MPL_FENCE_LOCAL | MPL_FENCE_GLOBAL;                       \
    if constexpr (sub) mpl_sub_group_barrier(all_memory, MPL_SCOPE_SUB_GROUP, at);                 \
    of(sub_group_non_uniform, op_name)                                                             \
  }
SYCL_CORE(add, add)
SYCL_CORE(min, min)
SYCL_CORE(max, max)
SYCL_MORE(mul, mul, SYCL_NUMBERS)
SYCL_MORE(bit_and, and, SYCL_INTEGERS)
SYCL_MORE(bit_or, or, SYCL_INTEGERS)
SYCL_MORE(bit_xor, xor, SYCL_INTEGERS)
SYCL_MORE(logical_and, logical_and, SYCL_INT)
SYCL_MORE(logical_or, logical_or, SYCL_INT)
#undef SYCL_CALL
#undef SYCL_FORMS
#undef SYCL_TYPE
#undef SYCL_INT
#undef SYCL_INTEGERS
#undef SYCL_NUMBERS
#undef SYCL_CORE
#undef SYCL_MORE

/* The engine's type for T: narrow integers are widened, which changes no result of any operation
 * once it is narrowed again. */
template <typename T> constexpr auto carrier_of() {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>)
    return T();
  else if constexpr (sizeof(T) <= 4)
    return std::conditional_t < std::is_unsigned_v<T> && sizeof(T) == 4, std::uint32_t,
           std::int32_t > ();
  else
    return std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>();
}
template <typename T> using carrier = decltype(carrier_of<T>());

/* Moving a value between work-items: numbers as such, all else in whole words, which stay in
 * registers.  `move` is called with values of the engine's types. */
template <typename T, typename Move> T by_words(const T &value, Move move) {
  constexpr std::size_t size = sizeof(T);
  T result = value;
  if constexpr (is_number<T> && size <= 8) {
    result = static_cast<T>(move(static_cast<carrier<T>>(value)));
  } else if constexpr (size <= 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, size);
    word = move(word);
    std::memcpy(static_cast<void *>(&result), &word, size);
  } else {
    std::uint64_t word[(size + 7) / 8] = {};
    std::memcpy(word, &value, size);
    for (std::size_t i = 0; i < (size + 7) / 8; i++) word[i] = move(word[i]);
    std::memcpy(static_cast<void *>(&result), word, size);
  }
  return result;
}

/* broadcast(scope, word, id, site), shuffle...(word, by, site) */
#define SYCL_SHUFFLE(name, type, T)                                                                \
  inline T name(T word, std::uint32_t by, const mpl_site *at) {                                    \
    return from_engine<T>(mpl_sub_group_##name##_##type(to_engine(word), by, at));                 \
  }
#define SYCL_WORD(type, T)                                                                         \
  inline T broadcast(scope_tag<false>, T word, std::size_t id, const mpl_site *at) {               \
    return from_engine<T>(mpl_work_group_broadcast_##type(to_engine(word), id, at));               \
  }                                                                                                \
  inline T broadcast(scope_tag<true>, T word, std::size_t id, const mpl_site *at) {                \
    return from_engine<T>(mpl_sub_group_broadcast_##type(to_engine(word), id, at));                \
  }                                                                                                \
  SYCL_SHUFFLE(shuffle, type, T)                                                                   \
  SYCL_SHUFFLE(shuffle_xor, type, T)                                                               \
  SYCL_SHUFFLE(shuffle_up, type, T)                                                                \
  SYCL_SHUFFLE(shuffle_down, type, T)
SYCL_WORD(int, std::int32_t)
SYCL_WORD(uint, std::uint32_t)
SYCL_WORD(long, std::int64_t)
SYCL_WORD(ulong, std::uint64_t)
SYCL_WORD(half, half)
SYCL_WORD(float, float)
SYCL_WORD(double, double)
#undef SYCL_WORD
#undef SYCL_SHUFFLE

template <bool SubGroup> bool all(bool value, const mpl_site *at) {
  return SubGroup ? mpl_sub_group_all(value, at) : mpl_work_group_all(value, at);
}
template <bool SubGroup> bool any(bool value, const mpl_site *at) {
  return SubGroup ? mpl_sub_group_any(value, at) : mpl_work_group_any(value, at);
}

inline std::uint32_t engine_scope(memory_scope scope) {
  switch (scope) {
  case memory_scope::work_item:
    return MPL_SCOPE_WORK_ITEM;
  case memory_scope::sub_group:
    return MPL_SCOPE_SUB_GROUP;
  case memory_scope::work_group:
    return MPL_SCOPE_WORK_GROUP;
  case memory_scope::device:
    return MPL_SCOPE_DEVICE;
  default:
    return MPL_SCOPE_ALL_DEVICES;
  }
}

template <bool SubGroup> void barrier(memory_scope scope, const mpl_site *at) {
  constexpr std::uint32_t all_memory = MPL_FENCE_LOCAL | MPL_FENCE_GLOBAL;
  if constexpr (SubGroup)
    mpl_sub_group_barrier(all_memory, engine_scope(scope), at);
  else
    mpl_work_group_barrier(all_memory, engine_scope(scope), at);
}

/* Tells the checking engine that all work-items have to pass the same value. */
template <bool SubGroup, typename T>
void same(const char *what, const T &value, const mpl_site *at) {
  static_assert(sizeof(T) <= 8, "what is compared has at most 64 bits");
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  if constexpr (SubGroup)
    mpl_sub_group_same(what, word, at);
  else
    mpl_work_group_same(what, word, at);
}

template <bool SubGroup, typename T>
void same_bytes(const char *what, const T &value, const mpl_site *at) {
  if constexpr (SubGroup)
    mpl_sub_group_same_bytes(what, &value, sizeof value, at);
  else
    mpl_work_group_same_bytes(what, &value, sizeof value, at);
}
template <bool SubGroup> void same_text(const char *what, const char *text, const mpl_site *at) {
  if constexpr (SubGroup)
    mpl_sub_group_same_text(what, text, at);
  else
    mpl_work_group_same_text(what, text, at);
}

/* ... or only that they have to come together. */
template <bool SubGroup> void together(const mpl_site *at) {
  same<SubGroup>("group", 0, at);
}

/* Ids in SYCL's order of dimensions: the engine's dimension 0 is SYCL's last one. */
template <int D> constexpr std::uint32_t engine_dimension(int dimension) {
  return std::uint32_t(D - 1 - dimension);
}

#define SYCL_ENGINE_IDS(name, result, function)                                                    \
  template <int D> result name() {                                                                 \
    result r;                                                                                      \
    for (int i = 0; i < D; i++) r[i] = function(engine_dimension<D>(i));                           \
    return r;                                                                                      \
  }
SYCL_ENGINE_IDS(global_id, id<D>, mpl_get_global_id)
SYCL_ENGINE_IDS(local_id, id<D>, mpl_get_local_id)
SYCL_ENGINE_IDS(group_id, id<D>, mpl_get_group_id)
SYCL_ENGINE_IDS(global_offset, id<D>, mpl_get_global_offset)
SYCL_ENGINE_IDS(global_range, range<D>, mpl_get_global_size)
SYCL_ENGINE_IDS(local_range, range<D>, mpl_get_local_size)
SYCL_ENGINE_IDS(group_range, range<D>, mpl_get_num_groups)
#undef SYCL_ENGINE_IDS

} // namespace detail
} // namespace sycl

#endif
