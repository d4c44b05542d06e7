#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LINEAR ((uint)get_local_linear_id())
#define GLOBAL ((uint)get_global_linear_id())
#define GROUP ((uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)))
#define ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define TO_uchar(x) ((uchar)(x))
#define TO_short(x) ((short)(x))
#define TO_int(x) ((int)(x))
#define TO_uint(x) ((uint)(x))
#define TO_long(x) ((long)(x))
#define TO_ulong(x) ((ulong)(x))
#define TO_float(x) ((float)((uint)(x) & 0xffffu))
#define TO_double(x) ((double)((uint)(x)))
#ifdef __opencl_c_work_group_collective_functions
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define BROADCAST(T) \
T broadcast_##T(T x, uint id) { \
  size_t w = get_local_size(0), h = get_local_size(1); \
  return work_group_broadcast(x, id % w, id / w % h, id / w / h); \
}
BROADCAST(int) BROADCAST(uint) BROADCAST(long) BROADCAST(ulong)
BROADCAST(float) BROADCAST(double) BROADCAST(half)
#endif
#ifdef cl_khr_subgroup_shuffle
/* A shuffle from a lane that is not there gives the lane's own operand. */
#define SAFE(NAME, T, CALL, FROM) \
T safe_##NAME##_##T(T x, uint by) { \
  uint lane = get_sub_group_local_id(), size = get_max_sub_group_size(); \
  uint4 here = sub_group_ballot(1); \
  by %= size; \
  T y = CALL; \
  uint from = FROM; \
  return from < size && sub_group_ballot_bit_extract(here, from) ? y : x; \
}
#define SAFE_ALL(T) \
  SAFE(shuffle, T, sub_group_shuffle(x, by), by) \
  SAFE(shuffle_xor, T, sub_group_shuffle_xor(x, by), lane ^ by) \
  SAFE(shuffle_up, T, sub_group_shuffle_up(x, by), lane - by) \
  SAFE(shuffle_down, T, sub_group_shuffle_down(x, by), lane + by) \
  SAFE(rotate, T, sub_group_rotate(x, (int)(by = sub_group_broadcast_first(by))), (lane + by) % size)
SAFE_ALL(int) SAFE_ALL(uint) SAFE_ALL(long) SAFE_ALL(ulong)
SAFE_ALL(float) SAFE_ALL(double) SAFE_ALL(half)
ulong ballot_bits(int x) {
  uint4 bits = sub_group_ballot(x);
  return bits.x | (ulong)bits.y << 32;
}
uint ballot_rank(int x) { return sub_group_ballot_exclusive_scan(sub_group_ballot(x)); }
#endif
