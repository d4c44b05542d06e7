/* What a generic pointer points to, on a GPU: the address says it (OpenCL C 3.0, 6.15.10). */
#include "value.h"
#include "sync.h"

static __attribute__((always_inline)) bool is_local(generic const void *p) {
  return __nvvm_isspacep_shared((const private void *)(ulong)p);
}
static __attribute__((always_inline)) bool is_private(generic const void *p) {
  return __nvvm_isspacep_local((const private void *)(ulong)p);
}

__attribute__((always_inline)) global void *__to_global(generic void *p) {
  return is_local(p) || is_private(p) ? (global void *)0 : (global void *)(ulong)p;
}
/* Of what comes back the address is another than that of the generic pointer. */
__attribute__((always_inline)) local void *__to_local(generic void *p) {
  return is_local(p) ? (local void *)p : (local void *)0;
}
__attribute__((always_inline)) private void *__to_private(generic void *p) {
  return is_private(p) ? (private void *)(ulong)p : (private void *)0;
}

MPL_INLINE cl_mem_fence_flags get_fence(generic void *p) {
  return is_local(p) ? CLK_LOCAL_MEM_FENCE : is_private(p) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
MPL_INLINE cl_mem_fence_flags get_fence(const generic void *p) {
  return get_fence((generic void *)p);
}
