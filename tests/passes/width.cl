// pass: widen
// march: x86-64-v4
// set: MANIPLE_VECTOR=1
/* Two registers of what is computed with, and not of the addresses. */
kernel void floats(global float *x, global const long *at) { x[get_global_id(0)] *= 2; }
kernel void doubles(global double *x, float a) { x[get_global_id(0)] = x[get_global_id(0)] * a + 1; }
kernel void bytes(global uchar *x) { x[get_global_id(0)] ^= 1; }

/* Rows are short, and have copies if there is something to wait for. */
kernel void rows(global float *x, int n) { x[get_global_id(1) * n + get_global_id(0)] *= 2; }
kernel void escape(global int *o, int n) {
  int x = get_global_id(0), y = get_global_id(1), k = 0;
  for (float r = x * 0.01f; k < n && r < 4; k++) r = r * r + y;
  o[y * n + x] = k;
}

/* Not wider than groups are. */
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global float *x) {
  x[get_global_id(0)] *= 2;
}
