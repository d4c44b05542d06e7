#define COPY(type) \
  kernel void copy_##type(global const type *in, global type *out) { \
    out[get_global_id(0)] = in[get_global_id(0)]; \
  }
COPY(char) COPY(uchar) COPY(short) COPY(ushort) COPY(int) COPY(uint) COPY(long) COPY(ulong)
COPY(float) COPY(double) COPY(int3) COPY(float4)
kernel void copy_half(global const half *in, global half *out) {
  vstore_half(vload_half(get_global_id(0), in), get_global_id(0), out);
}
kernel void add(global float4 *v, float4 by) { v[get_global_id(0)] += by; }
typedef struct { float a; int b; } pair;
kernel void structure(pair p, global float *out) { *out = p.a * p.b; }
kernel void where(global int *out) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[get_global_linear_id()] = (int)(100 * x + 10 * y + get_local_size(0));
}
kernel void maybe(global const int *in, global int *out) { *out = in ? *in : -1; }
