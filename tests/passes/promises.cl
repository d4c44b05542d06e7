// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: = or i32|= or disjoint|= add i32|getelementptr (inbounds )?i32,|masked
/* Lane 0 need not be there: nothing is promised of it, and an `or` that others count as a sum is one. */
kernel void sum(global int *out, int off) {
  int i = (int)get_global_id(0) + off;
  if ((i & 1) == 0) out[i | 1] = i;
}
/* Where all lanes are it is promised. */
kernel void all_lanes(global int *out, int off) {
  int i = (int)get_global_id(0) + off;
  out[i] = i;
}
