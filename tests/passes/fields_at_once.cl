// pass: widen
// set: MANIPLE_VECTOR_WIDTH=64
// show: load <[0-9]+ x i32>|masked.load|masked.gather
/* The records of 64 lanes would fill 64 registers, which LLVM orders for minutes: they are gathered. */
kernel void large(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[16 * i] + in[16 * i + 3] + in[16 * i + 9];
}
kernel void small(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 3];
}
