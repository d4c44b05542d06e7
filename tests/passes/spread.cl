// pass: widen

// set: MANIPLE_VECTOR_WIDTH=8
// show: extractelement
/* The sum stays in all lanes of a vector: nothing is taken out of one but what is stored at the end. */
kernel void chain(global int *out, int n) {
  int x = 1;
  for (int k = 0; k < n; k++) x = work_group_reduce_max((int)get_local_linear_id() ^ (x + 3));
  out[get_group_id(0)] = x;
}

/* Where the sum decides it is a scalar as well. */
kernel void decides(global int *out, int n) {
  int x = 1;
  while (x < n) x = work_group_reduce_max((int)get_local_linear_id() ^ (x + 3));
  out[get_group_id(0)] = x;
}
