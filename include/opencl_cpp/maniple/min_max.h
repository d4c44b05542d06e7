/* What <opencl_common> has for floating-point types and <opencl_integer> for integers. */
#ifndef MANIPLE_OPENCL_CPP_MIN_MAX
#define MANIPLE_OPENCL_CPP_MIN_MAX
#pragma GCC system_header
#include "opencl_def"

namespace cl {
__CL_FORWARD(clamp)
__CL_FORWARD(max)
__CL_FORWARD(min)
} // namespace cl
#endif
