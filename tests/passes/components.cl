// pass: widen
/* Vectors of the program stay where lanes would mostly take them apart, and one work-item has as much
 * to compute at once as a register holds. */
kernel void blend(global const uchar16 *a, global const uchar16 *b, global uchar16 *o) {
  size_t i = get_global_id(0);
  o[i] = select(add_sat(a[i], b[i]), rhadd(a[i], b[i]), (char16)(a[i] < b[i]));
}
kernel void rows(global const float8 *m, global const float8 *v, global float8 *o, int n) {
  size_t i = get_global_id(0);
  float8 s = 0, q = 0;
  for (int k = 0; k < n; k++) {
    s = fma(m[i * n + k], v[k], s);
    q = fma(m[i * n + k], m[i * n + k], q);
  }
  o[i] = s * q;
}
/* Not where there is much to compute with each component, */
kernel void chain(global float4 *x, float a) {
  float4 v = x[get_global_id(0)];
  for (int k = 0; k < 100; k++) v = fma(v, v, a);
  x[get_global_id(0)] = v;
}
/* nor where they are small enough to be taken apart by shifts, */
kernel void grey(global const uchar4 *in, global uchar *o) {
  uchar4 p = in[get_global_id(0)];
  o[get_global_id(0)] = (p.x + 2 * p.y + p.z) / 4;
}
/* nor where lanes are what is asked for. */
kernel void sums(global const uchar16 *a, global uint *o) {
  uchar16 v = a[get_global_id(0)];
  o[get_group_id(0)] = work_group_reduce_add((uint)v.s0 + v.s7);
}
