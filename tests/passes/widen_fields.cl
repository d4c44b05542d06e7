// pass: widen
// set: MANIPLE_VECTOR=1
// set: MANIPLE_VECTOR_WIDTH=8
// show: masked|gather|scatter
/* Under a condition: masked moves of the elements that lanes which are there access. */
kernel void some(global float4 *x, float a) {
  size_t i = get_global_id(0);
  if (x[i].x > a) x[i].yz *= a;
}

/* All bytes of a lane: one number, masked as that. */
kernel void bytes(global uchar4 *x, int n) {
  size_t i = get_global_id(0);
  if (i > n) x[i] = x[i].wzyx;
}
