// Images, and the same with buffers (_buffer): a blur, a resize, a change of channels.

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
#define PLACE (int2)(get_global_id(0), get_global_id(1))

kernel void blur(read_only image2d_t in, write_only image2d_t out) {
  float4 sum = 0;
  for (int y = -3; y <= 3; y++)
    for (int x = -3; x <= 3; x++) sum += read_imagef(in, edge, PLACE + (int2)(x, y));
  write_imagef(out, PLACE, sum * (1.0f / 49));
}

kernel void resize(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, PLACE, read_imagef(in, linear, (convert_float2(PLACE) + 0.5f) * 0.75f));
}

kernel void channels(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, PLACE, 1.0f - read_imagef(in, edge, PLACE));
}

#define LOAD_uchar4(p) (convert_float4(p) * (1.0f / 255))
#define STORE_uchar4(v) convert_uchar4_sat_rte((v) * 255.0f)
#define LOAD_float(p) (p)
#define STORE_float(v) (v)
#define AT(x, y) LOAD(in[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)])
#define LOAD CAT(LOAD_, T)
#define STORE CAT(STORE_, T)
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define ID int px = get_global_id(0), py = get_global_id(1)

kernel void blur_buffer(global const T *in, global T *out, int w, int h) {
  ID;
  V sum = 0;
  for (int y = -3; y <= 3; y++)
    for (int x = -3; x <= 3; x++) sum += AT(px + x, py + y);
  out[py * w + px] = STORE(sum * (1.0f / 49));
}

kernel void resize_buffer(global const T *in, global T *out, int w, int h) {
  ID;
  float u = (px + 0.5f) * 0.75f - 0.5f, v = (py + 0.5f) * 0.75f - 0.5f;
  float left = floor(u), top = floor(v), r = u - left, b = v - top;
  int x = (int)left, y = (int)top;
  out[py * w + px] = STORE((1 - b) * ((1 - r) * AT(x, y) + r * AT(x + 1, y)) +
                           b * ((1 - r) * AT(x, y + 1) + r * AT(x + 1, y + 1)));
}

kernel void channels_buffer(global const T *in, global T *out, int w, int h) {
  ID;
  out[py * w + px] = STORE(1.0f - AT(px, py));
}
