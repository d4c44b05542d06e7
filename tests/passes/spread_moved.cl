// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: insertelement <8 x i32> poison, i32 %
/* The first iteration is apart, since its x varies; its sum comes to the loop's from another place, in
 * all lanes too. */
kernel void moved(global int *out, int n) {
  int x = (int)get_local_linear_id();
  for (int k = 0; k < n; k++) x = work_group_reduce_add((x + (int)get_local_linear_id()) & 7);
  out[get_group_id(0)] = x;
}
