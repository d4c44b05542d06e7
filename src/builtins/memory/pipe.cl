/* Pipes (OpenCL C 3.0, 6.15.16) on the memory that abi/pipe.h describes.  clang makes calls of
 * __read_pipe_2 and the like of the program's, with the size of a packet and its alignment; a
 * reservation is a number to us and a pointer to clang.
 *
 * What works on a pipe is never inlined into a kernel (`cold`, compiler/source/helpers.c): it is done
 * for one work-item after another. */
#include "abi/pipe.h"
#include "sync.h"

#define ON_PIPE __attribute__((cold, noinline))
typedef global struct mpl_pipe *pipe_at;
typedef private char *reservation; /* 1 + its first packet, for clang; CLK_NULL_RESERVE_ID, which is the
                                    * largest number: none.  Nor is 0 one, as what was never set may be. */

static global struct mpl_pipe_slot *slot_of(pipe_at p, ulong packet) {
  return (global struct mpl_pipe_slot *)(p + 1) + packet % p->max_packets;
}

/* The turn that the slot of a packet has when it is free, or when it is full. */
static uint turn_of(pipe_at p, ulong packet, uint full) {
  return (uint)(packet / p->max_packets) * 2 + full;
}

static bool have_turn(pipe_at p, ulong first, uint count, uint full) {
  for (uint k = 0; k < count; k++) {
    uint turn = atomic_load_explicit(&slot_of(p, first + k)->turn, memory_order_acquire,
                                     memory_scope_device);
    if (turn != turn_of(p, first + k, full)) return false;
  }
  return true;
}

/* Claims the next `count` packets if all of their slots are free, or full.  Who fails because another
 * came first tries again: that one has made progress. */
static ulong claim(pipe_at p, global atomic_ulong *claimed, uint count, uint full) {
  ulong first = atomic_load_explicit(claimed, memory_order_acquire, memory_scope_device);
  if (!count || count > p->max_packets) return 0;
  for (;;) {
    if (!have_turn(p, first, count, full)) {
      ulong now = atomic_load_explicit(claimed, memory_order_acquire, memory_scope_device);
      if (now == first) return 0;
      first = now;
    } else if (atomic_compare_exchange_strong_explicit(claimed, &first, first + count,
                                                       memory_order_acq_rel, memory_order_acquire,
                                                       memory_scope_device)) {
      slot_of(p, first)->count = count;
      return first + 1;
    }
  }
}

ON_PIPE ulong __mpl_pipe_claim_read(pipe_at p, uint count) {
  return claim(p, &p->read, count, 1);
}
ON_PIPE ulong __mpl_pipe_claim_write(pipe_at p, uint count) {
  return claim(p, &p->written, count, 0);
}

/* Gives the slots of a reservation their next turn; the first one last, so that nobody sees a part. */
static void commit(pipe_at p, ulong id, uint full) {
  ulong first = id - 1;
  for (uint k = slot_of(p, first)->count; k-- > 0;)
    atomic_store_explicit(&slot_of(p, first + k)->turn, turn_of(p, first + k, full) + 1,
                          memory_order_release, memory_scope_device);
}
ON_PIPE void __mpl_pipe_commit_read(pipe_at p, ulong id) {
  if (id) commit(p, id, 1);
}
ON_PIPE void __mpl_pipe_commit_write(pipe_at p, ulong id) {
  if (id) commit(p, id, 0);
}

/* The packet of a kernel may be smaller than the pipe's, or larger if it is mistaken. */
static global char *packet_of(pipe_at p, ulong id, uint index, uint *size) {
  if (*size > p->packet_size) *size = p->packet_size;
  ulong slot = (id - 1 + index) % p->max_packets;
  return (global char *)p + p->packets + slot * p->packet_size;
}
ON_PIPE void __mpl_pipe_get(pipe_at p, ulong id, uint index, generic void *to, uint size) {
  global const char *packet = packet_of(p, id, index, &size);
  __builtin_memcpy(to, packet, size);
}
ON_PIPE void __mpl_pipe_put(pipe_at p, ulong id, uint index, generic const void *from,
                            uint size) {
  global char *packet = packet_of(p, id, index, &size);
  __builtin_memcpy(packet, from, size);
}

/* Those that can be read at once: claimed for writing and committed, and not yet claimed for reading. */
ON_PIPE uint __mpl_pipe_count(pipe_at p) {
  ulong first = atomic_load_explicit(&p->read, memory_order_acquire, memory_scope_device);
  uint count = 0;
  while (count < p->max_packets && have_turn(p, first + count, 1, 1)) count++;
  return count;
}

#define INLINE __attribute__((always_inline))

/* Of a reservation, 0 for none; and back. */
static INLINE ulong number_of(reservation id) {
  return (ulong)id == ULONG_MAX ? 0 : (ulong)id;
}
static INLINE reservation pointer_of(ulong number) {
  return (reservation)(number ? number : ULONG_MAX);
}

INLINE bool mpl_is_reservation(reservation id) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
INLINE bool mpl_is_reservation(reservation id) { return number_of(id) != 0; }

/* op: read or write; move: get or put; const or not: what it moves to or from. */
#define DIRECTION(op, move, ro, constant) \
  INLINE int __##op##_pipe_2(pipe_at p, generic constant void *packet, uint size, uint align) { \
    ulong id = __mpl_pipe_claim_##op(p, 1); \
    if (!id) return -1; \
    __mpl_pipe_##move(p, id, 0, packet, size); \
    __mpl_pipe_commit_##op(p, id); \
    return 0; \
  } \
  INLINE int __##op##_pipe_4(pipe_at p, reservation id, uint index, \
                             generic constant void *packet, uint size, uint align) { \
    if (!number_of(id)) return -1; \
    __mpl_pipe_##move(p, number_of(id), index, packet, size); \
    return 0; \
  } \
  INLINE reservation __reserve_##op##_pipe(pipe_at p, uint count, uint size, uint align) { \
    return pointer_of(__mpl_pipe_claim_##op(p, count)); \
  } \
  INLINE void __commit_##op##_pipe(pipe_at p, reservation id, uint size, uint align) { \
    __mpl_pipe_commit_##op(p, number_of(id)); \
  } \
  INLINE uint __get_pipe_num_packets_##ro(pipe_at p, uint size, uint align) { \
    return __mpl_pipe_count(p); \
  } \
  INLINE uint __get_pipe_max_packets_##ro(pipe_at p, uint size, uint align) { \
    return p->max_packets; \
  } \
  GROUP(work_group, op, first_of_group(), work_group_broadcast(id, 0), \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE)) \
  GROUP(sub_group, op, !__mpl_lane_id(), sub_group_broadcast(id, 0), \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE))

/* One work-item does it for all; what all have moved is there when it commits. */
#define GROUP(group, op, is_first, broadcast, barrier) \
  INLINE reservation __##group##_reserve_##op##_pipe(pipe_at p, uint count, uint size, \
                                                     uint align) { \
    ulong id = 0; \
    if (is_first) id = __mpl_pipe_claim_##op(p, count); \
    return pointer_of(broadcast); \
  } \
  INLINE void __##group##_commit_##op##_pipe(pipe_at p, reservation id, uint size, \
                                             uint align) { \
    barrier; \
    if (is_first) __mpl_pipe_commit_##op(p, number_of(id)); \
  }

static INLINE bool first_of_group(void) {
  return (get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0;
}

DIRECTION(read, get, ro, )
DIRECTION(write, put, wo, const)
