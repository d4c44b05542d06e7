#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LINEAR_0 ((uint)get_local_linear_id())
#define LINEAR_1 ((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)))
#define LINEAR_2 (((int)get_local_id(2) * (int)get_local_size(1) + (int)get_local_id(1)) * (int)get_local_size(0) + (int)get_local_id(0))
#define LINEAR_3 get_local_linear_id()
#define AT(d) (get_global_id(d) - get_global_offset(d))
#define GLOBAL_0 ((uint)get_global_linear_id())
#define GLOBAL_1 ((uint)((AT(2) * get_global_size(1) + AT(1)) * get_global_size(0) + AT(0)))
#define GLOBAL_2 (((int)AT(2) * (int)get_global_size(1) + (int)AT(1)) * (int)get_global_size(0) + (int)AT(0))
#define GLOBAL_3 get_global_linear_id()
#define GLOBALS (get_global_size(0) * get_global_size(1) * get_global_size(2))
#define GROUP ((uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)))
#define ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
struct record { uint a; uchar b; short c; ulong d; float4 e; uchar4 f; int g[3]; double2 h; };
#define PLACES_4(P) (P) * 7 + 3 & 127, (P + 1) * 7 + 3 & 127, (P + 2) * 7 + 3 & 127, (P + 3) * 7 + 3 & 127
#define PLACES_8(P) PLACES_4(P), PLACES_4(P + 4)
#define PLACES_16(P) PLACES_8(P), PLACES_8(P + 8)
#define TABLES(T) \
constant T table_##T##_4[] = {PLACES_4(0)}, table_##T##_8[] = {PLACES_8(0)}, table_##T##_16[] = {PLACES_16(0)}; \
constant T table_##T##_32[] = {PLACES_16(0), PLACES_16(16)};
TABLES(char) TABLES(short) TABLES(int) TABLES(long) TABLES(uchar) TABLES(ushort) TABLES(uint) TABLES(ulong)
#define DIVIDE(T, BY_MINUS_ONE) \
static T divide_##T(T a, T b) { \
  if (b == 0) return a; \
  return b == (T)-1 ? BY_MINUS_ONE : a / b; \
} \
static T remainder_##T(T a, T b) { \
  T r = a; \
  if (b != 0) r = (T)-1 < 0 && b == (T)-1 ? 0 : a % b; \
  return r; \
}
DIVIDE(char, 0 - (uchar)a) DIVIDE(short, 0 - (ushort)a) DIVIDE(int, 0 - (uint)a) DIVIDE(long, 0 - (ulong)a)
DIVIDE(uchar, a / b) DIVIDE(ushort, a / b) DIVIDE(uint, a / b) DIVIDE(ulong, a / b)
#define EXACT(T) \
static T exact_add_##T(T a, T b) { return a + b; } \
static T exact_sub_##T(T a, T b) { return a - b; } \
static T exact_mul_##T(T a, T b) { return a * b; } \
static T exact_mad_##T(T a, T b, T c) { return a * b + c; } \
static T exact_less_##T(T a, T b, T c) { if (a < b) return c; return a; } \
static T exact_square_##T(T a) { return a * a; } \
static T exact_halved_##T(T a) { return a * 2 / 2; } \
static T exact_divide_##T(T a, T b) { return b != 0 ? a * b / b : a; }
EXACT(int) EXACT(long) EXACT(float) EXACT(double)
#define TO_char(x) ((char)(x))
#define TO_ushort(x) ((ushort)(x))
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
