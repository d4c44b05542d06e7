/* What a generic pointer points to (OpenCL C 3.0, 6.15.10).  The processor has one address space, so
 * the address decides: the group's local memory and what is kept for its work-items are known areas,
 * other private variables lie on the stack, and all the rest is global. */
#include "sync.h"
#include "value.h"

static __attribute__((always_inline)) bool is_local(ulong at) {
  const private struct mpl_group *g = __mpl_group();
  return at >= (ulong)g->local_base && at < (ulong)g->scratch;
}

/* On the stack: in the kernel's frame, whose end is `frame`, or in those of its callees.  A variable
 * here lies below them all, because this function is not inlined (`cold`, compiler/source/helpers.c):
 * in the kernel it would be one of its work-items, and kept with theirs. */
static __attribute__((cold, noinline)) bool is_on_stack(ulong at, ulong frame) {
  volatile char here = 0;
  return at > (ulong)&here && at < frame;
}
static __attribute__((always_inline)) bool is_private(ulong at) {
  const private struct mpl_group *g = __mpl_group();
  bool kept = at >= (ulong)g->scratch && at < (ulong)g->scratch_end;
  return kept || is_on_stack(at, (ulong)__builtin_frame_address(0));
}
static __attribute__((always_inline)) bool is_global(ulong at) {
  return !is_local(at) && !is_private(at);
}

__attribute__((always_inline)) global void *__to_global(generic void *p) {
  return is_global((ulong)p) ? (global void *)(ulong)p : (global void *)0;
}
__attribute__((always_inline)) local void *__to_local(generic void *p) {
  return is_local((ulong)p) ? (local void *)(ulong)p : (local void *)0;
}
__attribute__((always_inline)) private void *__to_private(generic void *p) {
  return is_private((ulong)p) ? (private void *)(ulong)p : (private void *)0;
}

MPL_INLINE cl_mem_fence_flags get_fence(generic void *p) {
  return is_local((ulong)p) ? CLK_LOCAL_MEM_FENCE : is_private((ulong)p) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
MPL_INLINE cl_mem_fence_flags get_fence(const generic void *p) {
  return get_fence((generic void *)p);
}
