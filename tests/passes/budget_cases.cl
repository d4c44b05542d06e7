// A kernel that was divided into cases of images has whole chunks' loops only if it is small.
// pass: widen
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define PLACE (int2)(get_global_id(0), get_global_id(1))

kernel void small(read_only image2d_t in, global float *out) {
  out[get_global_id(0)] = read_imagef(in, edge, PLACE).x;
}
kernel void large(read_only image2d_t in, write_only image2d_t out, global const float *table) {
  float4 v = read_imagef(in, edge, PLACE);
#pragma unroll
  for (int k = 0; k < 6; k++) v = fma(v * v, table[4 * k], v * table[4 * k + 1]) + table[4 * k + 2] / v;
  write_imagef(out, PLACE, v);
}
