#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define AT (int2)(get_global_id(0), get_global_id(1))
#define CENTRE (convert_float2(AT) + 0.5f)

kernel void halves(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
  half4 read = read_imageh(in, AT), other = read_imageh(in, sampler, AT);
  half4 sampled = read_imageh(in, sampler, CENTRE);
  write_imageh(out, AT, all(read == other) && all(read == sampled) ? read : (half4)-1);
}

// Layers: the third coordinate.
kernel void depths(read_only image2d_array_depth_t in, write_only image2d_array_depth_t out,
                   sampler_t linear, global float *between) {
  int4 at = (int4)(AT, get_global_id(2), 0);
  write_imagef(out, at, read_imagef(in, at) * 0.5f);
  between[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] =
      read_imagef(in, linear, (float4)(CENTRE.x + 0.5f, CENTRE.y, at.z, 0));
}
kernel void depth(read_only image2d_depth_t in, read_write image2d_depth_t out, sampler_t nearest) {
  write_imagef(out, AT, read_imagef(in, nearest, AT - 1) + read_imagef(out, AT));
}

#define FACTS(image) get_image_width(image), get_image_channel_data_type(image), get_image_channel_order(image)
kernel void facts(read_only image1d_t i1, write_only image1d_array_t a1, read_only image2d_t i2,
                  read_write image2d_array_t a2, write_only image3d_t i3, read_only image2d_depth_t d2,
                  global int *out) {
  const int all[] = {FACTS(i1), FACTS(a1), FACTS(i2), FACTS(a2), FACTS(i3), FACTS(d2),
                     (int)get_image_array_size(a1), get_image_height(i2), get_image_dim(i2).x,
                     get_image_dim(i2).y, get_image_height(a2), (int)get_image_array_size(a2),
                     get_image_dim(a2).y, get_image_height(i3), get_image_depth(i3),
                     get_image_dim(i3).x, get_image_dim(i3).z, get_image_dim(i3).w,
                     get_image_height(d2), get_image_dim(d2).y};
  for (uint k = 0; k < sizeof all / sizeof *all; k++) out[k] = all[k];
}
