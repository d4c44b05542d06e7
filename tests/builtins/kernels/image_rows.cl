// A work-item for each pixel and some outside; rows are longer than vectors.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
#define PLACE (int2)(get_global_id(0), get_global_id(1))

kernel void moved(read_only image2d_t in, write_only image2d_t out, int2 by) {
  write_imagef(out, PLACE, read_imagef(in, edge, PLACE + by));
}
kernel void moved_i(read_only image2d_t in, write_only image2d_t out, int2 by) {
  write_imagei(out, PLACE, read_imagei(in, edge, PLACE + by));
}
kernel void moved_ui(read_only image2d_t in, write_only image2d_t out, int2 by) {
  write_imageui(out, PLACE, read_imageui(in, edge, PLACE + by));
}
kernel void filtered(read_only image2d_t in, write_only image2d_t out, int2 by) {
  write_imagef(out, PLACE, read_imagef(in, linear, convert_float2(PLACE + by) + 0.5f));
}
