// pass: widen
// march: x86-64-v4
// set: MANIPLE_VECTOR_WIDTH=16
// show: alloca|getelementptr.*\[256 x i32\]|store <
/* What has no vector form has places of one base: a lane's index is handed to it as it was read, and
 * the processor adds the base. */
kernel void histogram(global const uchar *in, global int *out, int each) {
  local int bins[256];
  int l = get_local_id(0), size = get_local_size(0);
  for (int k = 0; k < each; k++) atomic_inc(&bins[in[k * size + l]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = bins[l];
}
// A base of each lane's own stays a place.
kernel void own(global int *const global *in, global const uchar *which) {
  int i = get_global_id(0);
  atomic_inc((global int *)in[i] + which[i]);
}
