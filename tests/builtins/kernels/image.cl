/* A work-item for each coordinate: x, y, z, w of float4, or of int4. */
#define AT get_global_id(0)
#define READ(name, image_t, access, suffix, T, C, coordinates, ...) \
  kernel void name(access image_t image, sampler_t sampler, global const C##4 *at, global T##4 *out) { \
    out[AT] = read_image##suffix(image, __VA_ARGS__ at[AT] coordinates); \
  }
#define WRITE(name, image_t, suffix, T, coordinates) \
  kernel void name(write_only image_t image, sampler_t sampler, global const int4 *at, global T##4 *out) { \
    write_image##suffix(image, at[AT] coordinates, out[AT]); \
  }
#define FLOATS(kind, image_t, coordinates) \
  READ(sample_##kind, image_t, read_only, f, float, float, coordinates, sampler,) \
  READ(read_##kind, image_t, read_only, f, float, int, coordinates, sampler,) \
  READ(readwrite_##kind, image_t, read_write, f, float, int, coordinates, ) \
  WRITE(write_##kind, image_t, f, float, coordinates)
#define INTEGERS(kind, image_t, coordinates, suffix, T) \
  READ(sample_##kind##_##suffix, image_t, read_only, suffix, T, float, coordinates, sampler,) \
  READ(read_##kind##_##suffix, image_t, read_only, suffix, T, int, coordinates, ) \
  WRITE(write_##kind##_##suffix, image_t, suffix, T, coordinates)
FLOATS(1d, image1d_t, .x)
FLOATS(1d_array, image1d_array_t, .xy)
FLOATS(2d, image2d_t, .xy)
FLOATS(2d_array, image2d_array_t, )
FLOATS(3d, image3d_t, )
INTEGERS(2d, image2d_t, .xy, i, int)
INTEGERS(2d, image2d_t, .xy, ui, uint)
INTEGERS(3d, image3d_t, , i, int)
INTEGERS(3d, image3d_t, , ui, uint)

constant sampler_t of_program = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
float4 helper(read_only image2d_t image, sampler_t sampler, float2 at) {
  return read_imagef(image, sampler, at);
}
kernel void literal(read_only image2d_t image, sampler_t sampler, global const float4 *at, global float4 *out) {
  const sampler_t of_kernel = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  float2 c = at[AT].xy;
  float4 wrong = convert_float4(helper(image, of_program, c) != helper(image, sampler, c));
  out[AT] = wrong + read_imagef(image, of_kernel, c);
}

// Loops around reads, of which the layout is asked once (compiler/prepare/unswitch.c).
kernel void sum(read_only image2d_t image, sampler_t sampler, global const int4 *at, global float4 *out) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  float4 sum = 0;
  for (int y = -2; y <= at[AT].w; y++)
    for (int x = -1; x <= 1; x++) sum += read_imagef(image, edge, at[AT].xy + (int2)(x, y));
  out[AT] = sum;
}
