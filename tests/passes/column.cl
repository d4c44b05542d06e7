// pass: split
// split: yes
// show: call void @mpl_group
// What one work-item of each row does: rows are lanes, as in groups of one work-item a row, where these lie
// side by side ...
kernel void side_by_side(global float *o, global const float *a, int h) {
  int y = get_global_id(1);
  if (get_local_id(0) == 0 && y < h) o[y] = sqrt(a[y]);
}
// ... and neither where they do not, nor where all work-items do more along x.
kernel void apart(global float *o, global const float *a, int h) {
  int y = get_global_id(1);
  if (get_local_id(0) == 0 && y < h) {
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += a[y * 16 + k];
    o[y * 4] = sum;
  }
}
kernel void mostly_x(global float *o, global float *a, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  a[y * w + x] *= 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) o[y] = a[y * w + x];
}
