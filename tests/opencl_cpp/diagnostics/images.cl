// options: -cl-std=c++
#include <opencl_image>
using namespace cl;
kernel void k(float4 *p, image2d<float4> in, image2d<float4, image_access::write> out,
              image1d<float4> row, image1d_buffer<float4, image_access::sample> data, sampler s) {
  int2 at = int2(0, 0);
  p[0] = out.read(at);
  in.write(at, p[0]);
  in[at] = p[0];
  p[1] = in.sample(s, at);
  p[2] = data.sample(s, 0);
  p[3].x = row.height() + in.depth() + in.array_size();
}
kernel void wrong_element(image2d<float> in) {}
kernel void wrong_depth(image2d_depth<float4> in) {}
