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

// Private arrays.
kernel void sorted(global int *out, global const int *in) {
  int v[9], i = get_global_id(0), right = 1;
  for (int k = 0; k < 9; k++) v[k] = in[(i + k * 5) % 192];
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8 - k; j++)
      if (v[j] > v[j + 1]) {
        int t = v[j];
        v[j] = v[j + 1];
        v[j + 1] = t;
      }
  for (int k = 0; k < 8; k++) right &= v[k] <= v[k + 1];
  out[i] = right;
}

kernel void inserted(global int *out, global const int *in) {
  int best[4] = {1000, 1000, 1000, 1000}, i = get_global_id(0);
  for (int k = 0; k < 40; k++) {
    int now = (in[k] * 7 + i) % 41, at = 3;
    if (now >= best[3]) continue;
    while (at > 0 && best[at - 1] > now) {
      best[at] = best[at - 1];
      at--;
    }
    best[at] = now;
  }
  out[i] = best[0] <= best[1] && best[1] <= best[2] && best[2] <= best[3] && best[3] < 41;
}

kernel void digits(global int *out, global const int *in) {
  uchar v[200];
  int i = get_global_id(0);
  for (int k = 0; k < 200; k++) v[(k * 3) % 200] = k;
  for (int k = 0; k < 20; k++) v[in[i] + k % 8] += 1;
  out[i] = v[in[i] + 1] == (uchar)((in[i] + 1) * 67 % 200 + 3);
}

struct pair {
  int one[4];
  float4 two;
};

int last_of(struct pair *p, int k) {
  return p->one[k] + p->two.w;
}

kernel void structures(global int *out, global const int *in) {
  struct pair p[3], q = {{1, 2, 3, 4}, (float4)(1, 2, 3, -3)};
  int i = get_global_id(0);
  for (int k = 0; k < 3; k++) p[k] = q;
  p[in[i] % 3].two.x = 7;
  out[i] = last_of(&p[(in[i] + 1) % 3], in[i] & 2 ? 3 : 3);
}

kernel void over_a_barrier(global int *out, global const int *in) {
  local int t[96];
  int v[8], i = get_global_id(0), l = get_local_id(0), sum = 0;
  for (int k = 0; k < 8; k++) v[k] = k + i;
  t[l] = v[in[i] % 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < in[i] % 8; k++) sum += v[k] - i;
  out[i] = t[l] == i + i % 8 && sum == (i % 8) * (i % 8 - 1) / 2;
}

// Atomics.
kernel void counted(global int *out, global const int *in) {
  local int counts[32];
  int l = get_local_id(0), i = get_global_id(0);
  if (l < 32) counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; k++) atomic_inc(&counts[in[(i + k * 40) % 192] % 32]);
  if (l % 3 == 0) atomic_add(&counts[5], 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 32; k++) sum += counts[k];
  out[i] = sum == 4 * 96 + 64;
}

kernel void counted_by_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  atomic_add(&out[in[i]], 1);
  atomic_max(&out[in[191 - i]], -5);
  atomic_or(&out[i % 7], 1);
  atomic_and(&out[3], 1);
}

kernel void added(global int *out, global const int *in) {
  local float sum;
  int l = get_local_id(0);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint old = 0, now = 1; old != now;) {
    old = atomic_or((local uint *)&sum, 0);
    now = atomic_cmpxchg((local uint *)&sum, old, as_uint(as_float(old) + 1));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum == 96;
}

kernel void appended(global int *out, global const int *in) {
  local int count, list[96];
  int l = get_local_id(0);
  if (l == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = atomic_inc(&count);
  list[at] = l;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_xchg(&list[l], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = list[95 - l];
}

kernel void handed_out(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = work_group_broadcast(in[i], 0) == i / 96 * 96;
}

// Accesses to one memory of several sizes.
kernel void mixed_sizes(global int *out, global const int *in) {
  int i = get_global_id(0);
  short half_word = ((global const short *)in)[2 * i];
  uchar byte = ((global const uchar *)in)[4 * i];
  out[i] = byte == (half_word & 255);
}

kernel void chosen_row(global int *out, global const int *in) {
  int i = get_global_id(0);
  global const int *row = in + i / 2, *other = in + i / 3;
  int sum = row[0] + other[0];
  global const int *chosen = i & 8 ? row : other;
  out[i] = sum + chosen[1] == row[0] + other[0] + (i & 8 ? row[1] : other[1]);
}

// Private arrays that loops with a known number of turns write before they are read.
kernel void filled(global int *out, global const int *in) {
  int i = get_global_id(0), row[17], sum = 0;
  for (int k = 0; k <= 16; k++) row[k] = k;
  for (int y = 1; y < 4; y++)
    for (int x = 1; x <= 16; x++) row[x] = row[x - 1] + in[i] - i + 1;
  for (int k = 0; k < 17; k++) sum += row[(k + in[i]) % 17];
  out[i] = sum == 136;
}

kernel void filled_again(global int *out, global const int *in) {
  int i = get_global_id(0), right = 1;
  for (int turn = 0; turn < in[i] % 5; turn++) {
    int table[6][5], sum = 0;
    for (int y = 5; y >= 0; y--)
      for (int x = 0; x != 5; x++) table[y][x] = x * y + turn;
    for (int k = 0; k < in[i] % 30; k++) sum += table[k % 6][k / 6] - turn - k % 6 * (k / 6);
    right &= sum == 0;
  }
  out[i] = right;
}

// A pointer that a loop steps with.
kernel void stepped(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  local int t[96];
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  global const int *p = in, *end = in + i;
  local const int *q = t + 95;
  for (; p != end && p != in + 96; p++, q--) sum += *q + *p;
  out[i] = sum == min(i, 96) * (min(i, 96) + 1) / 2;
}

// Local memory that is written, read by all, and written again: of the readings between two barriers
// in which nobody writes no stamps are left.
kernel void in_turns(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0), sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    t[l] = turn + in[i] - i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) sum += t[(l / 8 * 8 + k) % 96] + t[l * 7 % 96] + t[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum == 144;
}
