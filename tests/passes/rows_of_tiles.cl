// pass: widen
// show: uses-nothing-else
// plan: yes
// march: x86-64-v4
/* What some lanes have stored is not handed on to a load of all of a register.  So tiles in local
 * memory have chunks as long as their rows, of 8 lanes too; what lies in global memory only has
 * none of these. */
kernel void tiled(global const float *in, global float *out, int width) {
  local float tile[8][8];
  int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * width + get_global_id(0);
  tile[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = tile[y][x] + tile[7 - y][x];
}

kernel void untiled(global const float *in, global float *out, int width) {
  int at = get_global_id(1) * width + get_global_id(0);
  out[at] = in[at] + in[at + width];
}
