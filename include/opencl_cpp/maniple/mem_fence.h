/* cl::mem_fence of <opencl_memory>, which <opencl_synchronization> and <opencl_atomic> need too. */
#ifndef MANIPLE_OPENCL_CPP_MEM_FENCE
#define MANIPLE_OPENCL_CPP_MEM_FENCE
#pragma GCC system_header
#include "opencl_def"

namespace cl {
typedef ::atomic_uint __atomic_counter; /* <opencl_atomic> hides the name */
using ::memory_order;
using ::memory_scope;

/* The values of OpenCL C's flags.  `local` and `global` are keywords in C++ for OpenCL: there the
 * names end in an underscore. */
enum class mem_fence {
#ifdef __CL_OPENCL_CXX
  local = CLK_LOCAL_MEM_FENCE,
  global = CLK_GLOBAL_MEM_FENCE,
#endif
  local_ = CLK_LOCAL_MEM_FENCE,
  global_ = CLK_GLOBAL_MEM_FENCE,
  image = 4
};

#define __CL_FLAGS_OPERATOR(op)                                                                    \
  __CL_INLINE constexpr mem_fence operator op(mem_fence a, mem_fence b) noexcept {                 \
    return (mem_fence)((uint)a op(uint) b);                                                        \
  }
__CL_FLAGS_OPERATOR(&)
__CL_FLAGS_OPERATOR(|)
__CL_FLAGS_OPERATOR(^)
#undef __CL_FLAGS_OPERATOR
__CL_INLINE constexpr mem_fence operator~(mem_fence a) noexcept {
  return (mem_fence) ~(uint)a;
}
} // namespace cl
#endif
