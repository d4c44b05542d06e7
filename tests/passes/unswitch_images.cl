// Of a program that accesses images in many places, no kernel is divided for their layouts, and the
// formats that are rare are called.
// pass: unswitch
// show: switch i32|call .*@__mpl_sync|call .*@mpl_rare
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define PLACE (int2)(get_global_id(0), get_global_id(1))

kernel void one(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, PLACE, 1.0f - read_imagef(in, edge, PLACE));
}

kernel void five(read_only image2d_t in, write_only image2d_t out) {
  float4 sum = 0;
#pragma unroll
  for (int x = -2; x <= 2; x++) sum += read_imagef(in, edge, PLACE + (int2)(x, 0));
  write_imagef(out, PLACE, sum);
}
