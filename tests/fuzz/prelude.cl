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
