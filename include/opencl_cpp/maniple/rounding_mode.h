/* cl::rounding_mode of <opencl_convert>, which <opencl_vector_load_store> needs too. */
#ifndef MANIPLE_OPENCL_CPP_ROUNDING_MODE
#define MANIPLE_OPENCL_CPP_ROUNDING_MODE
#pragma GCC system_header
#include "opencl_def"

namespace cl {
enum class rounding_mode { rte, rtz, rtp, rtn };
}
#endif
