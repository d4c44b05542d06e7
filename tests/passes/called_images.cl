// Beyond so many accesses to images in a program they are calls: in vector code one for all lanes, in
// which each layout's code stands once.
// set: MANIPLE_INLINED_PIXELS=3
// pass: widen
// show: ^define .*@mpl_(group|lanes)|call .*@mpl_(lanes|called|rare)_pixel
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define PLACE (int2)(get_global_id(0), get_global_id(1))

float4 beside(read_only image2d_t in, int by) {
  return read_imagef(in, edge, PLACE + (int2)(by, 0));
}

kernel void masked(read_only image2d_t in, write_only image2d_t out, int width) {
  if (get_global_id(0) < width) write_imagef(out, PLACE, beside(in, 1) - beside(in, -1));
}

kernel void counted(read_only image2d_t in, write_only image2d_t out) {
  write_imageui(out, PLACE, read_imageui(in, edge, PLACE) + 1u);
}
