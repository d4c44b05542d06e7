// pass: widen
// show: uses-nothing-else
// The step of a loop, which all lanes share, is computed within the work-item loop; the copy that is asked
// for in front of it whether the counter wraps has to be made there.  LLVM freezes the step where a
// division by it is moved.

kernel void clears(global uint *out) {
  local uint part[16];
  uint item = (uint)(get_global_id(0) + get_global_size(0) * get_global_id(1)),
       own = (uint)(get_local_id(0) + get_local_size(0) * get_local_id(1)),
       size = (uint)(get_local_size(0) * get_local_size(1));
  for (uint k = own; k < 16; k += size) part[k] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&part[((size / (item | 1)) % (size << 3 | 1)) & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[item] = part[own & 15];
}
