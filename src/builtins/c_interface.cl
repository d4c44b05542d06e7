/* The functions of the C interface (maniple/kernel.h), for kernels in C and C++ that are compiled:
 * under the names that the checking engine defines in libmaniple, and with the same parameters, so
 * that a program means the same with and without the compiler.  All are made from the table of
 * collectives.
 *
 * The functions on bytes that call a function of the program's (mpl_work_group_reduce_bytes ...) and
 * mpl_stop_launch are not here: a kernel that calls them runs on the checking engine. */
#include "sync.h"
#ifdef __NVPTX__
#include "nvptx/group.h"
#define SEND_TO_ALL(T, x, id) group_broadcast_##T(x, (uint)(id))
#else
#define SEND_TO_ALL(T, x, id) __mpl_sync_broadcast_##T(x, id)
#endif

#define C_INLINE __attribute__((always_inline))
#define SITE const private void *at

#define C_char char
#define C_uchar uchar
#define C_short short
#define C_ushort ushort
#define C_int int
#define C_uint uint
#define C_long long
#define C_ulong ulong
#define C_half ushort /* its bits */
#define C_float float
#define C_double double

#define SAME(x) (x)
#define FROM_char SAME
#define FROM_uchar SAME
#define FROM_short SAME
#define FROM_ushort SAME
#define FROM_int SAME
#define FROM_uint SAME
#define FROM_long SAME
#define FROM_ulong SAME
#define FROM_half as_half
#define FROM_float SAME
#define FROM_double SAME
#define TO_char SAME
#define TO_uchar SAME
#define TO_short SAME
#define TO_ushort SAME
#define TO_int SAME
#define TO_uint SAME
#define TO_long SAME
#define TO_ulong SAME
#define TO_half as_ushort
#define TO_float SAME
#define TO_double SAME

/* --- Work-items --- */

#define QUERY_OF(name) C_INLINE ulong mpl_##name(uint d) { return name(d); }
#define QUERY(type, name) C_INLINE type mpl_##name(void) { return name(); }
QUERY_OF(get_global_size)
QUERY_OF(get_global_id)
QUERY_OF(get_global_offset)
QUERY_OF(get_local_size)
QUERY_OF(get_enqueued_local_size)
QUERY_OF(get_local_id)
QUERY_OF(get_num_groups)
QUERY_OF(get_group_id)
QUERY(uint, get_work_dim)
QUERY(ulong, get_global_linear_id)
QUERY(ulong, get_local_linear_id)
QUERY(uint, get_sub_group_size)
QUERY(uint, get_max_sub_group_size)
QUERY(uint, get_num_sub_groups)
QUERY(uint, get_enqueued_num_sub_groups)
QUERY(uint, get_sub_group_id)
QUERY(uint, get_sub_group_local_id)

/* What is in front of it the pass `local` knows. */
C_INLINE private void *mpl_get_local_memory(void) { return (private void *)__mpl_group()->local_base; }

/* Variables of the thread that the group's work-items share are local memory too; where those of a
 * thread lie the library knows (check/engine/address_space.c).  On a GPU they are in its own. */
enum { MPL_SPACE_GLOBAL, MPL_SPACE_LOCAL, MPL_SPACE_PRIVATE }; /* maniple/kernel.h */
#ifdef __NVPTX__
#define __mpl_is_of_thread(p, launch) false
#else
bool __mpl_is_of_thread(const private void *p, const private void *launch);
#endif

C_INLINE uint mpl_get_address_space(const private void *p) {
  generic void *at = (generic void *)(ulong)p;
  return to_local(at)     ? MPL_SPACE_LOCAL
         : to_private(at) ? MPL_SPACE_PRIVATE
         : __mpl_is_of_thread(p, (const private void *)__mpl_launch()) ? MPL_SPACE_LOCAL
                                                                       : MPL_SPACE_GLOBAL;
}

#ifdef __NVPTX__
#include "abi/gpu.h"
C_INLINE private void *mpl_get_arguments(void) {
  return (private void *)((ulong)__mpl_launch() + MPL_GPU_ARGS);
}

/* Each launch comes with the places of the variables that its kernel asks for (compiler/gpu/variables.c). */
__attribute__((const)) private void *__mpl_gpu_variable(ulong launch, const private void *variable,
                                                        const private void *initial, ulong size,
                                                        ulong align);

C_INLINE private void *mpl_instance(private void *set, const private void *variable,
                                    const private void *initial, ulong size, ulong align) {
  return __mpl_gpu_variable((ulong)__mpl_launch(), variable, initial, size, align);
}
#else
C_INLINE private void *mpl_get_arguments(void) { return (private void *)__mpl_launch()->args; }

/* What each set of instances has of a variable the library knows (host/instances.c). */
__attribute__((pure)) private void *__mpl_instance(private void *set, const private void *variable,
                                                   const private void *initial, ulong size, ulong align);

C_INLINE private void *mpl_instance(private void *set, const private void *variable,
                                    const private void *initial, ulong size, ulong align) {
  return set ? __mpl_instance(set, variable, initial, size, align) : (private void *)variable;
}
#endif

C_INLINE ulong mpl_linear_id_of(ulong x, ulong y, ulong z, SITE) {
  const private struct mpl_group *g = __mpl_group();
  return (z * g->size[1] + y) * g->size[0] + x;
}

/* --- Barriers, and what only the checking engine looks at --- */

#ifdef __NVPTX__
/* Of more than the group: device, all devices (maniple/kernel.h). */
enum { SCOPE_DEVICE = 2, SCOPE_ALL_DEVICES = 3 };
#define ORDER_FOR(scope) \
  if (scope == SCOPE_DEVICE || scope == SCOPE_ALL_DEVICES) __c11_atomic_thread_fence(memory_order_acq_rel)
C_INLINE void mpl_work_group_barrier(uint flags, uint scope, SITE) {
  ORDER_FOR(scope);
  __mpl_sync_barrier();
  ORDER_FOR(scope);
}
C_INLINE void mpl_sub_group_barrier(uint flags, uint scope, SITE) {
  ORDER_FOR(scope);
  meet_lanes();
  order_lanes();
  ORDER_FOR(scope);
}
#else
C_INLINE void mpl_work_group_barrier(uint flags, uint scope, SITE) { __mpl_sync_barrier(); }
C_INLINE void mpl_sub_group_barrier(uint flags, uint scope, SITE) { __mpl_lanes_barrier(); }
#endif
C_INLINE void mpl_work_group_same(const private char *what, ulong value, SITE) {}
C_INLINE void mpl_sub_group_same(const private char *what, ulong value, SITE) {}
C_INLINE void mpl_wait_hint(SITE) {}
#define SAME_OF(scope) \
  C_INLINE void mpl_##scope##_same_bytes(const private char *what, const private void *object, \
                                         ulong size, SITE) {} \
  C_INLINE void mpl_##scope##_same_text(const private char *what, const private char *text, SITE) {}
SAME_OF(work_group)
SAME_OF(sub_group)

/* --- Collectives --- */

/* clang has declarations of some of them only. */
#define OVERLOADED __attribute__((overloadable))
#define PARAM_NONE(T)
#define PARAM_INT(T) int
#define PARAM_UINT(T) uint
#define PARAM_UINT4(T) uint4
#define PARAM_TYPE(T) T
#define AND_NONE
#define AND_INT , int
#define AND_UINT , uint
#define MPL_EACH_WORK_FORM(T, form, op) T OVERLOADED work_group_##form##_##op(T);
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow) \
  T OVERLOADED prefix##_##form##_##op(T AND_##size);
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow) \
  PARAM_##value(T) OVERLOADED name(PARAM_##first(T) AND_##second AND_##third);
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow) \
  PARAM_##value(int) OVERLOADED name(PARAM_##first(int) AND_##second AND_##third);
#include "tables/each_collective.h"

#define MPL_EACH_WORK_FORM(T, form, op) \
  C_INLINE C_##T mpl_work_group_##form##_##op##_##T(C_##T x, SITE) { \
    return TO_##T(work_group_##form##_##op(FROM_##T(x))); \
  }
/* By linear id, whatever the number of dimensions. */
#define MPL_EACH_WORK_BROADCAST(T) \
  C_INLINE C_##T mpl_work_group_broadcast_##T(C_##T x, ulong id, SITE) { \
    return TO_##T(SEND_TO_ALL(T, FROM_##T(x), id)); \
  }
#define MPL_EACH_WORK_VOTE(name) \
  C_INLINE int mpl_work_group_##name(int x, SITE) { return work_group_##name(x); }

#define SIZE_NONE
#define SIZE_UINT uint cluster,
#define AND_SIZE_NONE
#define AND_SIZE_UINT , cluster
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow) \
  C_INLINE C_##T mpl_##prefix##_##form##_##op##_##T(C_##T x, SIZE_##size SITE) { \
    return TO_##T(prefix##_##form##_##op(FROM_##T(x) AND_SIZE_##size)); \
  }

/* What a function of the table takes and returns.  A ballot crosses as its 64 bits. */
#define VALUE_INT(T) int
#define VALUE_UINT(T) uint
#define VALUE_UINT4(T) ulong
#define VALUE_TYPE(T) C_##T
#define RESULT_INT(T, x) (x)
#define RESULT_UINT(T, x) (x)
#define RESULT_UINT4(T, x) as_ulong2(x).s0
#define RESULT_TYPE(T, x) TO_##T(x)
#define TAKES_NONE(T, name)
#define TAKES_INT(T, name) int name,
#define TAKES_UINT(T, name) uint name,
#define TAKES_UINT4(T, name) ulong name,
#define TAKES_TYPE(T, name) C_##T name,
#define FIRST_NONE(T)
#define FIRST_INT(T) a
#define FIRST_UINT4(T) as_uint4((ulong2)(a, 0))
#define FIRST_TYPE(T) FROM_##T(a)
#define NEXT_NONE(name)
#define NEXT_INT(name) , name
#define NEXT_UINT(name) , name
#define FUNCTION(T, own, name, value, first, second, third) \
  C_INLINE VALUE_##value(T) own(TAKES_##first(T, a) TAKES_##second(T, b) TAKES_##third(T, c) SITE) { \
    return RESULT_##value(T, name(FIRST_##first(T) NEXT_##second(b) NEXT_##third(c))); \
  }
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow) \
  FUNCTION(T, mpl_##name##_##T, name, value, first, second, third)
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow) \
  FUNCTION(int, mpl_##name, name, value, first, second, third)
#include "tables/each_collective.h"

/* --- Values of any type: in pieces that fit registers --- */

#define MOVE_PIECES(T, bytes, move) \
  for (; done + bytes <= size; done += bytes) { \
    private T *piece = (private T *)((private char *)value + done); \
    T x; \
    __builtin_memcpy(&x, piece, bytes); \
    x = move; \
    __builtin_memcpy(piece, &x, bytes); \
  }
C_INLINE void mpl_work_group_broadcast_bytes(private void *value, ulong size, ulong by, SITE) {
  ulong done = 0;
  MOVE_PIECES(ulong, 8, SEND_TO_ALL(ulong, x, by))
  MOVE_PIECES(uint, 4, SEND_TO_ALL(uint, x, by))
  MOVE_PIECES(ushort, 2, (ushort)SEND_TO_ALL(uint, x, by))
  MOVE_PIECES(uchar, 1, (uchar)SEND_TO_ALL(uint, x, by))
}
#define MOVE_BYTES(name) \
  C_INLINE void mpl_##name##_bytes(private void *value, ulong size, uint by, SITE) { \
    ulong done = 0; \
    MOVE_PIECES(ulong, 8, name(x, by)) \
    MOVE_PIECES(uint, 4, name(x, by)) \
    MOVE_PIECES(ushort, 2, name(x, by)) \
    MOVE_PIECES(uchar, 1, name(x, by)) \
  }
MOVE_BYTES(sub_group_broadcast)
MOVE_BYTES(sub_group_shuffle)
MOVE_BYTES(sub_group_shuffle_xor)
MOVE_BYTES(sub_group_shuffle_up)
MOVE_BYTES(sub_group_shuffle_down)
