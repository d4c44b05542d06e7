/* cl_khr_kernel_clock: one clock for all scopes, that of the processor, which goes at one rate and is
 * the same on all cores (MPL_OFFERS_CLOCK). */
#include "value.h"

#if defined(__x86_64__)
#define COUNT() __builtin_readcyclecounter()
#else
#define COUNT() __builtin_readsteadycounter()
#endif
#define CLOCK(scope) \
  MPL_WRITES ulong clock_read_##scope(void) { return COUNT(); } \
  MPL_WRITES uint2 clock_read_hilo_##scope(void) { \
    ulong count = COUNT(); \
    return (uint2)((uint)count, (uint)(count >> 32)); \
  }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
