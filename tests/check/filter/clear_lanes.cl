// As clear.cl, with functions of sub-groups, of 16 where nothing else is said: out[i] is 1 where all is
// well, and in[i] is i.

kernel void sums(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  int sum = sub_group_reduce_add(in[i]), most = sub_group_scan_inclusive_max(in[i]),
      before = sub_group_scan_exclusive_add(1);
  out[i] = sum == (i - lane) * 16 + 120 && most == i && before == lane;
}

kernel void votes(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  uint4 bits = sub_group_ballot(in[i] & 1);
  out[i] = sub_group_all(in[i] >= 0) && !sub_group_any(in[i] < 0) && bits.x == 0xaaaa &&
           sub_group_ballot_bit_count(bits) == 8 && sub_group_ballot_find_lsb(bits) == 1 &&
           sub_group_inverse_ballot(bits) == (lane & 1) &&
           sub_group_ballot_exclusive_scan(bits) == lane / 2 &&
           sub_group_non_uniform_all_equal(i / 16) && sub_group_elect() == (lane == 0);
}

kernel void moved(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id(), first = i - lane;
  int up = sub_group_shuffle_up(in[i], 1);
  out[i] = sub_group_shuffle(in[i], 15 - lane) == first + 15 - lane &&
           sub_group_shuffle_xor(in[i], 5) == (i ^ 5) && (lane == 0 || up == i - 1) &&
           sub_group_rotate(in[i], 3) == first + (lane + 3) % 16 &&
           sub_group_clustered_rotate(in[i], 1, 4) == (i & ~3) + (i + 1) % 4 &&
           sub_group_clustered_reduce_add(1, 8) == 8;
}

kernel void handed_out(global int *out, global const int *in) {
  int i = get_global_id(0), first = i - (int)get_sub_group_local_id();
  int2 two = sub_group_broadcast((int2)(in[i], -i), in[7]);
  out[i] = sub_group_broadcast(in[i], 9) == first + 9 && two.x == first + 7 && two.y == -two.x &&
           sub_group_broadcast_first(in[i]) == first;
}

// All that is surely written comes from lanes that are there.
kernel void written(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_shuffle_xor(in[i], 1) - (i ^ 1) + 1;
}

kernel void written_by_some(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = 1;
  if (i & 2) out[i] = sub_group_shuffle_xor(in[i], 1) - (i ^ 1) + 1;
}

// Some lanes, that come together.
kernel void some(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  out[i] = 1;
  if (in[i] % 3 == 1) out[i] = sub_group_non_uniform_reduce_add(1) == (i / 16 % 3 == 0 ? 5 : i / 16 % 3 == 1 ? 6 : 5) ||
                               sub_group_non_uniform_reduce_add(1) >= 5;
  for (int k = 0; k < lane; k++) out[i] &= sub_group_non_uniform_reduce_add(1) == 15 - k;
  if (lane > 3) out[i] &= sub_group_non_uniform_broadcast(in[i], 5) == i - lane + 5;
}

// Of 64: the second one has but 32.
kernel __attribute__((intel_reqd_sub_group_size(64)))
void ragged(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size();
  out[i] = sub_group_reduce_add(1) == size && sub_group_broadcast(in[i], 31) == i - lane + 31;
  out[i] &= sub_group_shuffle_xor(in[i], 1) == (i ^ 1);
}

// A branch that a sub-group takes as one.
kernel void by_sub_group(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 16;
  if (get_sub_group_id() & 1) sum = sub_group_reduce_add(1);
  if (sub_group_any(in[i] == 40)) sum += sub_group_reduce_add(1) - 16;
  out[i] = sum == 16;
}

kernel void by_two_steps(global int *out, global const int *in) {
  local int sums[12];
  int i = get_global_id(0), l = get_local_id(0), sum = sub_group_reduce_add(in[i]);
  if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == 0) {
    int other = get_sub_group_local_id() < 6 ? sums[get_sub_group_local_id()] : 0;
    int all = sub_group_reduce_add(other);
    if (get_sub_group_local_id() == 0) sums[6] = all;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sums[6] == in[i - l] * 96 + 95 * 48 &&
           work_group_reduce_max(sub_group_scan_inclusive_add(1)) == 16;
}

// Memory that lanes of one sub-group hand one another.
kernel void steps(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0), right = 1;
  for (int k = 0; k < 20; k++) {
    t[l] = in[i] + k;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    right &= t[l ^ 5] == in[i ^ 5] + k;
    right &= t[l & ~15] == (i & ~15) + k;
    right &= t[(l & ~15) + in[l * 7 % 16]] == (i & ~15) + l * 7 % 16 + k;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = right && t[95 - l] == i - l + 95 - l + 19;
}

kernel void steps_of_some(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0), lane = get_sub_group_local_id(), sum = 120;
  if (get_sub_group_id() % 2) {
    t[l] = lane;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    if (lane == 3)
      for (int k = 0; k < 16; k++) sum += t[l - 3 + k];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 3) t[l - 3] = sum;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sum = t[l - lane];
  }
  out[i] = sum == 120;
}

kernel void steps_in_global(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[i];
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int other = out[i ^ 1];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[i] = other == (i ^ 1);
}

kernel void steps_and_phases(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  out[i] = in[i];
  for (int k = 0; k < 3; k++) {
    t[l] = out[i];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int other = t[l ^ 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[95 - l] = other;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[95 - l] ^ 8;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = out[i] == i;
}

kernel void blocks(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  uint two = intel_sub_group_block_read((global const uint *)in + i - lane);
  intel_sub_group_block_write((global uint *)out + i - lane, two == i);
}

kernel void intel(global int *out, global const int *in) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  out[i] = intel_sub_group_shuffle_down(in[i], 1, 1) == (lane < 15 ? i + 1 : 1) &&
           intel_sub_group_shuffle(in[i], 2) == i - lane + 2;
}

kernel void array(global int *out, global const int *in) {
  int v[8], i = get_global_id(0), sum = 0;
  for (int k = 0; k < 8; k++) v[k] = in[i] + k;
  for (int k = 0; k < 8; k++) sum += sub_group_broadcast(v[(in[i] + k) % 8], k);
  out[i] = sum >= 28;
}

kernel void counted(global int *out, global const int *in) {
  local int count;
  int i = get_global_id(0);
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = sub_group_reduce_add(1);
  if (get_sub_group_local_id() == 0) atomic_add(&count, sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = count == 96;
}

// Work-groups' broadcasts.
kernel void from_any(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0);
  int one = work_group_broadcast(in[i], 77), two = work_group_broadcast(in[i], in[50]);
  out[i] = one == i - l + 77 && two == i - l + 50;
}

kernel void from_any_of_sub_groups(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0);
  out[i] = work_group_broadcast(sub_group_reduce_add(in[i]), 95) == (i - l + 80) * 16 + 120;
}
