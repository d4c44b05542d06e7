/* Functions of extensions. */

/* A block of planes, rows, elements of 3 bytes to local memory, changed, and back elsewhere. */
kernel void blocks(global uchar *out, global const uchar *in) {
  local uchar room[300];
  event_t event = async_work_group_copy_3D3D(room, 2, in, 5, 3, 7, 4, 2, 11, 50, 8, 40, 0);
  wait_group_events(1, &event);
  for (size_t i = get_local_id(0); i < 3 * 84; i += get_local_size(0)) room[i] ^= 0x55;
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy_3D3D(out, 1, room, 2, 3, 7, 4, 2, 8, 40, 9, 45, 0);
  async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE);
  event = async_work_group_copy_2D2D(out, 100, room, 2, 3, 7, 4, 8, 10, event);
  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  event = async_work_group_copy_2D2D(room, 0, in, 1, 2, 3, 1, 3, 3, event);
  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy_2D2D(out, 600, room, 0, 1, 6, 1, 6, 6, event);
  wait_group_events(1, &event);
}

/* Each scope may have a clock of its own, which goes up from one reading to the next. */
#define READ(scope) \
  { \
    ulong first = clock_read_##scope(); \
    for (int k = 0; k < *n; k++) out[3 * i + 2] += k; \
    uint2 halves = clock_read_hilo_##scope(); \
    barrier(CLK_LOCAL_MEM_FENCE); \
    ulong second = (ulong)halves.hi << 32 | halves.lo, third = clock_read_##scope(); \
    good = good && first && first <= second && second <= third; \
  }
kernel void clocks(global ulong *out, global const int *n) {
  size_t i = get_global_id(0);
  bool good = true;
  out[3 * i] = clock_read_device();
  READ(device) READ(work_group) READ(sub_group)
  out[3 * i + 1] = clock_read_device();
  out[3 * i + 2] = good;
}

/* Sums of integers are exact in any order.  Results of the local ones go to global memory. */
#define ATOMICS(T) \
  kernel void atomics_##T(global atomic_##T *sums, global const T *in) { \
    local atomic_##T sum, least, most; \
    size_t i = get_global_id(0); \
    if (get_local_id(0) == 0) { \
      atomic_init(&sum, (T)0); \
      atomic_init(&least, in[i]); \
      atomic_init(&most, in[i]); \
    } \
    barrier(CLK_LOCAL_MEM_FENCE); \
    T x = in[i]; \
    atomic_fetch_add(&sum, x); \
    atomic_fetch_sub_explicit(&sum, (T)1, memory_order_relaxed, memory_scope_work_group); \
    atomic_fetch_min_explicit(&least, x, memory_order_relaxed); \
    atomic_fetch_max(&most, x); \
    atomic_fetch_add_explicit(sums, x, memory_order_relaxed); \
    atomic_fetch_sub((atomic_##T *)(sums + 1), x); \
    atomic_fetch_min(sums + 2, x); \
    atomic_fetch_max_explicit(sums + 3, x, memory_order_acq_rel, memory_scope_device); \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (get_local_id(0) == 0) { \
      atomic_fetch_add(sums + 4, atomic_load(&sum)); \
      atomic_fetch_min(sums + 5, atomic_load(&least)); \
      atomic_fetch_max(sums + 6, atomic_load(&most)); \
    } \
  }
ATOMICS(float)
ATOMICS(double)
