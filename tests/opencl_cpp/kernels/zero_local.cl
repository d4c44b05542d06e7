/* options: -cl-zero-init-local-mem-vars */
#include "check.h"
#include <opencl_memory>
#include <opencl_synchronization>
using namespace cl;

local<int[64]> shared;
local<int> seven{7};

/* What a group leaves behind the next one does not find. */
kernel void check(uint *failed, int *data) {
  size_t i = get_local_id(0);
  local<int[64]> own;
  local<float4> wide;
  __local int plain[8];
  for (int k = 0; k < 64; k++) CHECK(shared[k] == 0 && own[k] == 0);
  CHECK(all(((float4 &)wide) == float4(0)) && plain[i] == 0 && seven == 7);
  work_group_barrier(mem_fence::local);
  for (int k = 0; k < 64; k++) shared[k] = own[k] = k + 1;
  plain[i] = 3;
  if (i == 0) wide = float4(5), seven = 8;
  work_group_barrier(mem_fence::local);
  CHECK(own[63] == 64);
}
