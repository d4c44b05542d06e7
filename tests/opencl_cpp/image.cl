/* For each sort of image: what image.c compares with its own answer. */
#include <opencl_convert>
#include <opencl_image>
#include <opencl_memory>
#include <opencl_work_item>
using namespace cl;

template <class C> C narrow(int3 v);
template <> int narrow<int>(int3 v) { return v.x; }
template <> int2 narrow<int2>(int3 v) { return v.xy; }
template <> int3 narrow<int3>(int3 v) { return v; }
template <class C> C narrow(float3 v);
template <> float narrow<float>(float3 v) { return v.x; }
template <> float2 narrow<float2>(float3 v) { return v.xy; }
template <> float3 narrow<float3>(float3 v) { return v; }

float4 wide(float v) { return float4(v, 0.0f, 0.0f, 0.0f); }
float4 wide(half v) { return float4((float)v, 0.0f, 0.0f, 0.0f); }
template <class T> float4 wide(T v) { return convert_cast<float4>(v); }

int3 id() { return int3((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)); }
size_t number() { return get_global_linear_id(); }

/* A marker is passed by reference. */
template <class Out, class In> void mirror(Out &out, const In &in) {
  auto at = narrow<typename In::integer_coord>(id());
  auto from = in.size() - 1 - at;
  out[at] = in[from];
}
template <class Image> void count(Image &image) {
  typedef typename Image::element_type T;
  auto at = narrow<typename Image::integer_coord>(id());
  image.write(at, image.read(at) + (T)1);
}
template <class In> void facts(const In &in, int *out) {
  typedef typename In::integer_coord C;
  if (number()) return;
  out[0] = in.width();
  if constexpr (In::dimension_num > 1) out[1] = in.height();
  if constexpr (In::dimension == image_dim::image_3d) out[2] = in.depth();
  if constexpr (In::is_array) out[3] = in.array_size();
  out[4] = (int)in.data_type();
  out[5] = (int)in.order();
  out[6] = In::image_size;
  out[7] = In::is_depth;
  out[8] = is_same<C, make_vector_t<int, In::image_size>>::value;
}

/* A pixel further left: past the edge, the border or the edge.  Half a pixel further right. */
constexpr sampler of_program =
    make_sampler<addressing_mode::clamp, normalized_coordinates::unnormalized,
                 filtering_mode::nearest>();
template <class In> void sample_all(const In &in, const sampler &s, float4 *out) {
  static sampler of_function =
      make_sampler<addressing_mode::clamp_to_edge, normalized_coordinates::unnormalized,
                   filtering_mode::nearest>();
  auto left = narrow<typename In::integer_coord>(id() - int3(1, 0, 0));
  float3 centre = convert_cast<float3>(id()) + 0.5f;
  if (In::is_array && In::dimension_num == 1) centre.y -= 0.5f;
  if (In::is_array && In::dimension_num == 2) centre.z -= 0.5f;
  centre.x += 0.5f;
  out[number() * 3] = wide(in.sample(of_program, left));
  out[number() * 3 + 1] = wide(in.sample(of_function, left));
  out[number() * 3 + 2] = wide(in.sample(s, narrow<typename In::float_coord>(centre)));
}

#define KERNELS(name, T)                                                                           \
  kernel void mirror_##name(name<T> in, name<T, image_access::write> out,                          \
                            global_ptr<int[]> list) {                                              \
    mirror(out, in);                                                                               \
    facts(in, list.get());                                                                         \
  }                                                                                                \
  kernel void count_##name(name<T, image_access::read_write> image) { count(image); }
#define SAMPLED(name, T)                                                                           \
  KERNELS(name, T)                                                                                 \
  kernel void sample_##name(name<T, image_access::sample> in, sampler s,                           \
                            global_ptr<float4[]> out) {                                            \
    sample_all(in, s, out.get());                                                                  \
  }
KERNELS(image1d_buffer, int4)
SAMPLED(image1d, float4)
SAMPLED(image1d_array, uint4)
SAMPLED(image2d, float4)
SAMPLED(image2d_depth, float)
SAMPLED(image2d_array, half4)
SAMPLED(image2d_array_depth, half)
SAMPLED(image3d, int4)
