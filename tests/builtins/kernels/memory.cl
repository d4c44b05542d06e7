/* Vector loads and stores of T through all address spaces, at addresses aligned to one element only.
 * A work-item moves N elements from the second place of its block of 20 to that of the result. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
enum { BLOCK = 20 };
#define COPY(N, T) \
  kernel __attribute__((reqd_work_group_size(1, 1, 1))) void copy_##N(global T *out, global const T *in) { \
    local T l[BLOCK]; \
    T p[BLOCK]; \
    size_t base = get_global_id(0) * BLOCK; \
    for (int i = 0; i < BLOCK; i++) out[base + i] = p[i] = l[i] = 0; \
    vstore##N(vload##N(0, in + base + 1), 0, p + 1); \
    private T *named = p; \
    vstore##N(vload##N(0, named + 1), 0, l + 1); \
    barrier(CLK_LOCAL_MEM_FENCE); \
    T *generic_pointer = l; \
    vstore##N(vload##N(0, generic_pointer + 1), 0, out + base + 1); \
  }
#define COPIES(T) COPY(2, T) COPY(3, T) COPY(4, T) COPY(8, T) COPY(16, T)
#ifdef T
COPIES(T)
#else

/* Halves: stored with each rounding from F, loaded back; three in the room of three or of four. */
#define STORE(N, mode) \
  kernel void store##mode##_##N(global half *out, global const F *in) { \
    size_t i = get_global_id(0); \
    vstore_half##N##mode(vload##N(i, in), i, out); \
  } \
  kernel void storea##mode##_##N(global half *out, global const F *in) { \
    size_t i = get_global_id(0); \
    vstorea_half##N##mode(vload##N(i, in), i, out); \
  }
#define STORES(mode) \
  STORE(2, mode) STORE(3, mode) STORE(4, mode) STORE(8, mode) STORE(16, mode) \
  kernel void store##mode##_1(global half *out, global const F *in) { \
    size_t i = get_global_id(0); \
    vstore_half##mode(in[i], i, out); \
  }
STORES() STORES(_rte) STORES(_rtz) STORES(_rtp) STORES(_rtn)
#define LOAD(N) \
  kernel void load_##N(global float *out, global const half *in) { \
    size_t i = get_global_id(0); \
    vstore##N(vload_half##N(i, in), i, out); \
  } \
  kernel void loada_##N(global float *out, global const half *in) { \
    size_t i = get_global_id(0); \
    vstore##N(vloada_half##N(i, in), i, out); \
  }
LOAD(2) LOAD(3) LOAD(4) LOAD(8) LOAD(16)
kernel void load_1(global float *out, global const half *in) {
  size_t i = get_global_id(0);
  out[i] = vload_half(i, in);
}

kernel void shuffle_8_4(global int *out, global const int *in, global const uint *mask) {
  size_t i = get_global_id(0);
  vstore4(shuffle(vload8(i, in), vload4(i, mask)), i, out);
}
kernel void shuffle2_4_8(global int *out, global const int *in, global const uint *mask) {
  size_t i = get_global_id(0);
  vstore8(shuffle2(vload4(2 * i, in), vload4(2 * i + 1, in), vload8(i, mask)), i, out);
}
#endif
