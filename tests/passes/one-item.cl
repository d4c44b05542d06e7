// What one work-item does alone, in front of a sync point or the end.
// show: call .*@__mpl_sync
kernel void first(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
}
kernel void last(global int *out, global const int *in) {
  int sum = work_group_scan_inclusive_add(in[get_global_id(0)]);
  if (get_local_id(0) == get_local_size(0) - 1)
    out[get_group_id(0)] = sum;
}

// Not several work-items, not an id that varies, not where more follows.
kernel void several(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) < 2)
    out[get_local_id(0)] = sum;
}
kernel void varying_id(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == in[get_local_id(0)])
    out[get_group_id(0)] = sum;
}
kernel void more_follows(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
  out[get_global_id(0) + 1000] = 7;
}

// Behind other flow; a global id, whatever its width; with more that must be so, or must not.
kernel void behind_flow(global int *out, global const int *in) {
  local int cell[256];
  size_t i = get_local_id(0);
  if (in[i] > 3) cell[i] = in[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) out[get_group_id(0)] = cell[3];
}
kernel void global_and(global int *out, global const int *in, int rows) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 4 && y < rows) out[y] = sum;
}
kernel void or_return(global int *out, global const int *in, int rows) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) != 4 || get_local_id(1) >= rows) return;
  out[get_local_id(1)] = sum;
}
// Not where fewer bits are looked at than an id has, nor under another varying condition.
kernel void few_bits(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if ((short)get_global_id(0) == 4) out[get_group_id(0)] = sum;
}
kernel void nested(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (in[get_global_id(0)] > 3) {
    out[get_global_id(0) + 1000] = sum;
    if (get_local_id(0) == 4) out[get_group_id(0)] = sum;
  }
}
// With a loop.
kernel void loop(global int *out, global const int *in, int count) {
  local int cell[256];
  cell[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    int sum = 0;
    for (int k = 0; k < count; k++) sum ^= cell[k];
    out[get_group_id(0)] = sum;
  }
}
