// What the filter has to answer by itself, in groups of 96: out[i] is 1 where all is well, and in[i]
// is i.

kernel void beside(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[i] == i;
}

kernel void in_place(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[i];
  out[i] = out[i] == i;
}

// One place for all, for some, and in a loop.
kernel void uniform(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int sum = in[5];
  for (int k = 0; k < 10; k++) sum += in[k];
  if (i % 3 == 1) sum += in[7];
  out[i] = sum == 50 + (i % 3 == 1 ? 7 : 0);
}

kernel void apart(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i * 5 % 192] = in[i * 7 % 192] == i * 7 % 192;
}

kernel void downwards(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[191 - i] = in[191 - i] == 191 - i;
}

// Elements of two sizes.
kernel void sizes(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int4 four = ((global const int4 *)in)[i / 4];
  out[i] = four.x == i / 4 * 4 && four.w == four.x + 3 && in[i] == i;
}

kernel void vectors(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i >= 48) return;
  int4 v = ((global const int4 *)in)[i] - (int4)(0, 1, 2, 3);
  ((global int4 *)out)[i] = v - (4 * i - 1);
}

// A row of its own for each.
kernel void rows(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < 12; k++) sum += in[(i / 2 % 16) * 12 + k];
  out[i] = sum == (i / 2 % 16) * 144 + 66;
}

kernel void border(global int *out, global const int *in) {
  int i = get_global_id(0);
  int before = i >= 3 ? in[i - 3] : -1, behind = i + 50 < 192 ? in[i + 50] : -1;
  out[i] = (i >= 3 ? before == i - 3 : 1) && (i + 50 < 192 ? behind == i + 50 : 1);
}

kernel void early(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = 1;
  if (i % 5 == 2) return;
  for (int k = 0; k < i % 7; k++) out[i] &= in[i + (i > 100 ? -k : k)] >= 0;
}

kernel void tile(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0), i = get_global_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = t[95 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[(l + 7) % 96] = other;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[(l + 7) % 96] == i / 96 * 96 + 95 - l;
}

kernel void halves(global int *out, global const int *in) {
  local int s[96];
  int l = get_local_id(0);
  s[l] = 1;
  for (int away = 1; away < 96; away <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int add = l >= away ? s[l - away] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += add;
  }
  out[get_global_id(0)] = s[l] == l + 1;
}

kernel void bytes(global int *out, global const int *in) {
  local uchar b[96];
  int l = get_local_id(0);
  b[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = b[95 - l] == 95 - l;
}

kernel void leader(global int *out, global const int *in) {
  local int first;
  if (get_local_id(0) == 0) first = in[get_group_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = first == get_group_id(0);
}

kernel void global_memory(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0);
  out[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int other = out[i - l + 95 - l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = other == i - l + 95 - l;
}

kernel void reduced(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0);
  int sum = work_group_reduce_add(in[i]), before = work_group_scan_exclusive_add(1);
  out[i] = sum == in[i - l] * 96 + 95 * 48 && before == l;
}

// More phases than are taken at first.
kernel void turns(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0);
  out[i] = 0;
  for (int k = 0; k < 150; k++) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i - l + (l + k) % 96] += 1;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = out[i] == 150;
}
