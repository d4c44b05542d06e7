/* All conversions from S to all types: kernels D_mode and D_mode_vector; vectors of width N. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define LOAD(p) CAT(vload, N)(i, p)
#define STORE(x, p) CAT(vstore, N)(x, i, p)
#define CONVERT(D, mode) \
  kernel void D##mode##_scalar(global D *out, global const S *a) { \
    size_t i = get_global_id(0); \
    out[i] = convert_##D##mode(a[i]); \
  } \
  kernel void D##mode##_vector(global D *out, global const S *a) { \
    size_t i = get_global_id(0); \
    STORE(CAT(CAT(convert_##D, N), mode)(LOAD(a)), out); \
  }
#define MODES(D, sat) CONVERT(D, sat) CONVERT(D, sat##_rte) CONVERT(D, sat##_rtz) CONVERT(D, sat##_rtp) CONVERT(D, sat##_rtn)
#ifdef TO_INTEGERS
#define TO(D) MODES(D, ) MODES(D, _sat)
TO(char) TO(uchar) TO(short) TO(ushort) TO(int) TO(uint) TO(long) TO(ulong)
#else
#define TO(D) MODES(D, )
TO(half) TO(float) TO(double)
#endif
