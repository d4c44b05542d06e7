// A mistake in each: the filter has to stop, and the engine says what it says without a filter.

kernel void behind(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[i + 1];
}

kernel void in_front(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[i - 1];
}

kernel void write_behind(global int *out, global const int *in) {
  out[get_global_id(0) + 3] = 1;
}

kernel void behind_apart(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[in[i] == 77 ? 192 : in[i]];
}

kernel void behind_for_all(global int *out, global const int *in) {
  out[get_global_id(0)] = in[192];
}

kernel void behind_for_one(global int *out, global const int *in) {
  if (get_global_id(0) == 100) out[192] = 1;
}

kernel void across(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i == 3) *(global int *)((global char *)out + 766) = 1;
}

kernel void neighbour(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = 1;
  if (out[(i + 1) % 192] == 5) out[i] = 2;
}

kernel void same_place(global int *out, global const int *in) {
  out[0] = get_global_id(0);
}

kernel void met_apart(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i * 5 % 191] = i;
}

kernel void read_by_all(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[40];
  out[i] = v;
}

kernel void read_apart(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[i * 5 % 192];
  out[i] = v;
}

kernel void met_reading(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[in[i] / 96 * 96];
  out[i] = v;
}

kernel void of_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i % 96] = i;
}

kernel void read_of_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i < 96)
    out[i] = 1;
  else
    out[i] = out[i - 96];
}

kernel void no_barrier(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  t[l] = l;
  out[get_global_id(0)] = t[95 - l];
}

kernel void next_turn(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0), sum = 0;
  for (int k = 0; k < 3; k++) {
    t[l] = l + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[95 - l];
  }
  out[get_global_id(0)] = sum;
}

kernel void other_fence(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = t[95 - l];
}

kernel void half_written(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  if (l < 48) t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

kernel void next_variable(global int *out, global const int *in) {
  local int t[96], u[96];
  int l = get_local_id(0);
  t[l] = u[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l + 1] + u[l];
}

kernel void bytes(global int *out, global const int *in) {
  local uchar b[96];
  int l = get_local_id(0);
  b[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = l;
  out[get_global_id(0)] = b[l ^ 1];
}

// What was read and written before is as it was: else the engine would see 2.
kernel void undone(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] += 1;
  if (i == 150) out[in[i] + 42] = out[i] == 1;
}
