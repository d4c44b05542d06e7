/* The sub-group functions for a host program: wrap_FUNCTION_TYPE(arguments, result), and the
 * compiler's part of them: each call of a collective is one sync of the simulation (lanes.c). */
#include "sync.h"

struct arguments {
  double16 first;
  uint second, third;
};

/* One call of a collective, of which the library hands over how operands are combined. */
struct sync {
  uint phase; /* 0: operands are collected; 1: results are there to be had; 2: neither yet */
  uint combined, size, lane;
  ulong active;
  private void *operands;    /* one for each lane */
  private uint *second;      /* the same */
  private void *result;      /* for all lanes */
};
private struct sync *simulated_sync(void);
uint simulated(uint what);

#define CALL_TYPE_NONE_NONE(f, T) f(*(private const T *)&a->first)
#define CALL_TYPE_UINT_NONE(f, T) f(*(private const T *)&a->first, a->second)
#define CALL_TYPE_INT_NONE(f, T) f(*(private const T *)&a->first, (int)a->second)
#define CALL_TYPE_INT_UINT(f, T) f(*(private const T *)&a->first, (int)a->second, a->third)
#define CALL_INT_NONE_NONE(f, T) CALL_TYPE_NONE_NONE(f, int)
#define CALL_UINT4_NONE_NONE(f, T) CALL_TYPE_NONE_NONE(f, uint4)
#define CALL_UINT4_UINT_NONE(f, T) CALL_TYPE_UINT_NONE(f, uint4)
#define CALL_NONE_NONE_NONE(f, T) f()
#define VALUE_TYPE(T) T
#define VALUE_INT(T) int
#define VALUE_UINT(T) uint
#define VALUE_UINT4(T) uint4
#define ENTRY(f, T, value, first, second, third) \
  void wrap_##f##_##T(private const struct arguments *a, private void *result) { \
    *(private VALUE_##value(T) *)result = CALL_##first##_##second##_##third(f, T); \
  }
#include "list.h"

#define RECORD(T, x) \
  private struct sync *s = simulated_sync(); \
  private T *operands = (private T *)s->operands; \
  if (s->phase == 2) return x; \
  if (s->phase == 0) operands[s->lane] = x;
#define REDUCE(name, T, R) \
  R name(T x, R (*combine)(private const T *, uint, ulong)) { \
    private struct sync *s = simulated_sync(); \
    private T *operands = (private T *)s->operands; \
    if (s->phase == 0) operands[s->lane] = x; \
    return s->phase == 1 ? combine(operands, s->size, s->active) : (R)0; \
  }
#define CHANGE(T, call) \
  if (s->phase == 0) return x; \
  if (!s->combined) { \
    s->combined = 1; \
    call; \
  } \
  return operands[s->lane];
#define BROADCAST(T) \
  T __mpl_lanes_broadcast_##T(T x, uint id) { \
    RECORD(T, x) \
    return s->phase ? operands[id % s->size] : x; \
  }
#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) \
  REDUCE(__mpl_lanes_reduce_##T, T, T) \
  REDUCE(__mpl_lanes_reduce_truth_##T, T, int) \
  T __mpl_lanes_scan_##T(T x, void (*combine)(private T *, uint, ulong)) { \
    RECORD(T, x) \
    CHANGE(T, combine(operands, s->size, s->active)) \
  } \
  T __mpl_lanes_cluster_##T(T x, uint cluster, void (*combine)(private T *, uint, ulong, uint)) { \
    RECORD(T, x) \
    CHANGE(T, combine(operands, s->size, s->active, cluster)) \
  } \
  T __mpl_lanes_permute_##T(T x, uint with, \
                            void (*combine)(private T *, private const uint *, uint, ulong)) { \
    RECORD(T, x) \
    if (s->phase == 0) s->second[s->lane] = with; \
    CHANGE(T, combine(operands, s->second, s->size, s->active)) \
  } \
  T __mpl_lanes_broadcast_##T(T x, uint id, T (*pick)(private const T *, uint, uint)) { \
    RECORD(T, x) \
    return s->phase ? pick(operands, s->size, id) : x; \
  } \
  BROADCAST(T##2) BROADCAST(T##3) BROADCAST(T##4) BROADCAST(T##8) BROADCAST(T##16)
#include "tables/collectives.def"
REDUCE(__mpl_lanes_reduce_bits, int, ulong)
bool __mpl_has_permute(void) { return true; }
uint8 __mpl_permute(uint8 a, uint8 at) { /* llvm.x86.avx2.permd */
  uint8 taken;
  for (int lane = 0; lane < 8; lane++) taken[lane] = a[at[lane] & 7];
  return taken;
}
ulong __mpl_lanes_active(void) { return ((ulong)simulated(1) << 32) | simulated(0); }
void __mpl_lanes_barrier(void) {}
uint __mpl_lane_id(void) { return simulated(2); }
uint __mpl_lanes_group_id(void) { return 0; }
uint __mpl_lanes_here(void) { return simulated(3); }
uint __mpl_lanes_size(void) { return simulated(3); }
const private struct mpl_launch *__mpl_launch(void) { return 0; }
const private struct mpl_group *__mpl_group(void) { return 0; }
