/* cl_khr_kernel_clock (MPL_OFFERS_CLOCK). */
#include "primitives.h"
#include "value.h"

#define CLOCK(scope, counter) \
  MPL_WRITES ulong clock_read_##scope(void) { return counter(); } \
  MPL_WRITES uint2 clock_read_hilo_##scope(void) { \
    ulong count = counter(); \
    return (uint2)((uint)count, (uint)(count >> 32)); \
  }
CLOCK(device, nanoseconds)
CLOCK(work_group, cycles)
CLOCK(sub_group, cycles)
