// pass: groups
/* Kernels that ask for global ids only: nobody can tell how their ranges are divided into groups. */
kernel void scale(global float *x) { x[get_global_id(0)] *= 2; }
kernel void stride(global float *x, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) x[i] += 1;
}
kernel void plane(global float *x, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h) x[j * w + i] += x[3 * i + 7];
}
kernel void linear(global float *x) { x[get_global_linear_id()] += get_work_dim(); }
kernel void offset(global float *x) { x[get_global_id(0) - get_global_offset(0)] = 1; }
kernel void narrow(global long *x) {
  uchar a = get_global_id(0);
  ushort b = get_global_id(0);
  x[get_global_id(0)] = (int)get_global_id(0) + a * b;
}
kernel void picture(read_only image2d_t a, write_only image2d_t b) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(b, at, read_imagef(a, at));
}
/* Not these: parts of the sum are used without the others, or not equally often; */
kernel void by_local(global float *x) { x[get_global_id(0)] = get_local_id(0); }
kernel void by_group(global float *x) { x[get_global_id(0)] = get_group_id(0); }
kernel void twice(global float *x) { x[get_global_id(0) + get_local_id(0)] = 1; }
kernel void across(global float *x) { x[get_group_id(0) * get_enqueued_local_size(0) + get_local_id(1)] = 1; }
kernel void bits(global int *x) { x[get_global_id(0)] = get_group_id(0) * get_enqueued_local_size(0) & 7; }
kernel void widened(global float *x) {
  x[(ulong)(uint)(get_group_id(0) * get_enqueued_local_size(0)) + get_local_id(0)] = 1;
}
kernel void ragged(global float *x) { x[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1; }
kernel void number(global float *x) { x[get_global_id(0)] = get_num_groups(0); }
/* groups have memory, or meet; */
kernel void shares(global int *x) {
  local int sum;
  x[get_global_id(0)] = atomic_inc(&sum);
}
kernel void argument(global float *x, local float *t) { x[get_global_id(0)] = t[0]; }
kernel void meets(global float *x) {
  x[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  x[get_global_id(0) + 1] = 2;
}
/* or their size is required. */
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void required(global float *x) {
  x[get_global_id(0)] *= 2;
}
