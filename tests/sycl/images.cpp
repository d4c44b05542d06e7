// Images: texels of all formats, samplers, and the order of commands, against plain arithmetic.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using sycl::float2, sycl::float4, sycl::int2, sycl::int4, sycl::uint4, sycl::half;
using sycl::image_format, sycl::range;

// What is written is in memory as the format says, and is read as it was.
template <typename Channel, typename DataT>
void format(image_format which, DataT value, const Channel (&expected)[4], DataT read) {
  sycl::queue q = test::make_queue();
  Channel memory[6 * 4] = {};
  bool same = false;
  {
    sycl::unsampled_image<2> image(static_cast<void *>(memory), which, range<2>(3, 2));
    EXPECT(image.size() == 6 && image.byte_size() == sizeof memory &&
           image.get_pitch()[0] == sizeof memory / 2);
    q.submit([&](sycl::handler &h) {
      auto out = image.get_access<DataT, sycl::access_mode::write>(h);
      h.single_task([=] { out.write(int2(1, 1), value); });
    });
    sycl::buffer<bool> result(&same, range<1>(1));
    q.submit([&](sycl::handler &h) {
      auto in = image.get_access<const DataT>(h);
      sycl::accessor to(result, h);
      h.single_task([=] {
        DataT back = in.read(int2(1, 1)), other = in.read(int2(0, 1));
        bool good = true;
        for (int i = 0; i < 4; i++) good = good && back[i] == read[i] && other[i] == 0;
        to[0] = good;
      });
    });
  }
  EXPECT(same);
  for (int i = 0; i < 24; i++) EXPECT(memory[i] == (i / 4 == 4 ? expected[i % 4] : Channel(0)));
}

void formats() {
  float4 colour(0.2f, -1.0f, 2.0f, 1.0f), third(51 / 255.0f, 0, 1, 1);
  format<std::uint8_t>(image_format::r8g8b8a8_unorm, colour, {51, 0, 255, 255}, third);
  format<std::uint8_t>(image_format::b8g8r8a8_unorm, colour, {255, 0, 51, 255}, third);
  format<std::uint16_t>(image_format::r16g16b16a16_unorm, colour, {13107, 0, 65535, 65535},
                        float4(13107 / 65535.0f, 0, 1, 1));
  int4 numbers(1, -2, 300, -70000);
  format<std::int8_t>(image_format::r8g8b8a8_sint, numbers, {1, -2, 127, -128},
                      int4(1, -2, 127, -128));
  format<std::int16_t>(image_format::r16g16b16a16_sint, numbers, {1, -2, 300, -32768},
                       int4(1, -2, 300, -32768));
  format<std::int32_t>(image_format::r32b32g32a32_sint, numbers, {1, -2, 300, -70000}, numbers);
  uint4 positive(1, 2, 300, 70000);
  format<std::uint8_t>(image_format::r8g8b8a8_uint, positive, {1, 2, 255, 255},
                       uint4(1, 2, 255, 255));
  format<std::uint16_t>(image_format::r16g16b16a16_uint, positive, {1, 2, 300, 65535},
                        uint4(1, 2, 300, 65535));
  format<std::uint32_t>(image_format::r32b32g32a32_uint, positive, {1, 2, 300, 70000}, positive);
  format<float>(image_format::r32g32b32a32_sfloat, colour, {0.2f, -1, 2, 1}, colour);
  format<half>(image_format::r16b16g16a16_sfloat, float4(0.5f, -1, 2, 1),
               {half(0.5f), half(-1), half(2), half(1)}, float4(0.5f, -1, 2, 1));
}

// An image of one row 0, 1, 2, 3 through a sampler.
float sampled(sycl::addressing_mode addressing, bool normalized, bool linear, float x) {
  using coordinate = sycl::coordinate_normalization_mode;
  float4 row[4] = {float4(0.0f), float4(1.0f), float4(2.0f), float4(3.0f)};
  sycl::sampled_image<1> image(
      row, image_format::r32g32b32a32_sfloat,
      sycl::image_sampler{addressing,
                          normalized ? coordinate::normalized : coordinate::unnormalized,
                          linear ? sycl::filtering_mode::linear : sycl::filtering_mode::nearest},
      range<1>(4));
  return image.get_host_access<float4>().read(x)[0];
}

void samplers() {
  using mode = sycl::addressing_mode;
  EXPECT(sampled(mode::clamp_to_edge, false, false, 2.9f) == 2);
  EXPECT(sampled(mode::clamp_to_edge, false, false, -3) == 0);
  EXPECT(sampled(mode::clamp_to_edge, false, false, 9) == 3);
  EXPECT(sampled(mode::clamp, false, false, 9) == 0 && sampled(mode::clamp, false, false, 3) == 3);
  EXPECT(sampled(mode::repeat, true, false, 1.3f) == 1);
  EXPECT(sampled(mode::repeat, true, false, -0.1f) == 3);
  EXPECT(sampled(mode::mirrored_repeat, true, false, 1.1f) == 3);
  EXPECT(sampled(mode::mirrored_repeat, true, false, -0.3f) == 1);
  EXPECT(sampled(mode::clamp_to_edge, false, true, 1.75f) == 1.25f);
  EXPECT(sampled(mode::clamp_to_edge, false, true, 0.1f) == 0);
  EXPECT(sampled(mode::clamp, false, true, 4) == 1.5f); // half of it is the border
  EXPECT(sampled(mode::repeat, true, true, 0) == 1.5f); // between 3 and 0

  // Between four texels, in a kernel; rows with a pitch.
  sycl::queue q = test::make_queue();
  std::vector<float4> memory(5 * 3, float4(-1.0f));
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++)
      memory[y * 5 + x] = float4(float(x), float(y), float(10 * y + x), 1);
  sycl::sampled_image<2> image(
      memory.data(), image_format::r32g32b32a32_sfloat,
      sycl::image_sampler{mode::clamp_to_edge, sycl::coordinate_normalization_mode::unnormalized,
                          sycl::filtering_mode::linear},
      range<2>(4, 3), range<1>(5 * sizeof(float4)));
  float4 *out = sycl::malloc_shared<float4>(1, q);
  q.submit([&](sycl::handler &h) {
     auto in = image.get_access<float4>(h);
     h.single_task([=] { *out = in.read(float2(2.25f, 1.5f)); });
   }).wait_and_throw();
  EXPECT((*out)[0] == 1.75f && (*out)[1] == 1 && (*out)[2] == 11.75f && (*out)[3] == 1);
  sycl::free(out, q);
}

void life() {
  sycl::queue q = test::make_queue();
  std::int32_t back[2 * 2 * 3 * 4] = {};
  {
    sycl::unsampled_image<3> image(image_format::r32b32g32a32_sint, range<3>(2, 2, 3));
    image.set_final_data(static_cast<void *>(back));
    sycl::unsampled_image<3> copy = image;
    EXPECT(copy == image);
    q.submit([&](sycl::handler &h) {
      sycl::unsampled_image_accessor<int4, 3, sycl::access_mode::write> out(copy, h);
      h.parallel_for(range<3>(3, 2, 2), [=](sycl::id<3> i) {
        int z = int(i[0]), y = int(i[1]), x = int(i[2]);
        out.write(int4(x, y, z, 0), int4(x, y, z, 7));
      });
    });
    sycl::host_unsampled_image_accessor<int4, 3> host(image);
    EXPECT(host.read(int4(1, 0, 2, 0))[2] == 2 && host.size() == 12);
    host.write(int4(0, 0, 0, 0), int4(9));
  }
  EXPECT(back[0] == 9 && back[4] == 1 && back[5] == 0 && back[(1 + 2 * (1 + 2 * 2)) * 4 + 2] == 2);
  EXPECT(test::code_of([] {
           sycl::unsampled_image<2> image(image_format::r8g8b8a8_uint, range<2>(4, 4), range<1>(8));
         }) == sycl::errc::invalid);
  EXPECT(q.get_device().has(sycl::aspect::image) &&
         q.get_device().get_info<sycl::info::device::image_support>());
}

// --- Images of SYCL 1.2.1 ---------------------------------------------------------------------------

using order = sycl::image_channel_order;
using type = sycl::image_channel_type;
using sycl::access::mode, sycl::access::target;

// One texel, written and read back: what is in memory then, and what comes out of it.
template <typename Channel, std::size_t N, typename DataT>
void channels(order channels, type of, DataT value, const Channel (&expected)[N], DataT read) {
  sycl::queue q = test::make_queue();
  Channel memory[2 * N] = {};
  DataT back{};
  {
    sycl::image<1> image(static_cast<void *>(memory), channels, of, range<1>(2));
    EXPECT(image.get_count() == 2 && image.get_size() == sizeof memory &&
           image.get_range()[0] == 2);
    q.submit([&](sycl::handler &h) {
      auto out = image.get_access<DataT, mode::discard_write>(h);
      h.single_task([=] { out.write(1, value); });
    });
    sycl::buffer<DataT> result(&back, range<1>(1));
    q.submit([&](sycl::handler &h) {
      auto in = image.get_access<DataT, mode::read>(h);
      sycl::accessor to(result, h);
      h.single_task([=] { to[0] = in.read(1); });
    });
  }
  for (std::size_t i = 0; i < 2 * N; i++)
    EXPECT(memory[i] == (i < N ? Channel(0) : expected[i - N]));
  for (int i = 0; i < 4; i++) EXPECT(back[i] == read[i]);
}

void orders() {
  float4 c(1.0f, 0.2f, 0.4f, 0.6f);
  using byte = std::uint8_t;
  channels<byte>(order::rgba, type::unorm_int8, c, {255, 51, 102, 153}, c);
  channels<byte>(order::argb, type::unorm_int8, c, {153, 255, 51, 102}, c);
  channels<byte>(order::bgra, type::unorm_int8, c, {102, 51, 255, 153}, c);
  channels<byte>(order::abgr, type::unorm_int8, c, {153, 102, 51, 255}, c);
  channels<byte>(order::a, type::unorm_int8, c, {153}, float4(0, 0, 0, 0.6f));
  channels<byte>(order::r, type::unorm_int8, c, {255}, float4(1, 0, 0, 1));
  channels<byte>(order::rx, type::unorm_int8, c, {255, 0}, float4(1, 0, 0, 1));
  channels<byte>(order::rg, type::unorm_int8, c, {255, 51}, float4(1, 0.2f, 0, 1));
  channels<byte>(order::rgx, type::unorm_int8, c, {255, 51, 0}, float4(1, 0.2f, 0, 1));
  channels<byte>(order::ra, type::unorm_int8, c, {255, 153}, float4(1, 0, 0, 0.6f));
  channels<byte>(order::rgb, type::unorm_int8, c, {255, 51, 102}, float4(1, 0.2f, 0.4f, 1));
  channels<byte>(order::rgbx, type::unorm_int8, c, {255, 51, 102, 0}, float4(1, 0.2f, 0.4f, 1));
  channels<byte>(order::intensity, type::unorm_int8, c, {255}, float4(1.0f));
  channels<byte>(order::luminance, type::unorm_int8, c, {255}, float4(1.0f));
}

void types() {
  float4 c(1.0f, -1.0f, 0.5f, 3.0f);
  channels<std::int8_t>(order::rg, type::snorm_int8, c, {127, -127}, float4(1, -1, 0, 1));
  channels<std::int16_t>(order::rg, type::snorm_int16, c, {32767, -32767}, float4(1, -1, 0, 1));
  channels<std::uint16_t>(order::ra, type::unorm_int16, c, {65535, 65535}, float4(1, 0, 0, 1));
  channels<half>(order::rgba, type::fp16, c, {half(1), half(-1), half(0.5f), half(3)}, c);
  channels<float>(order::rgb, type::fp32, c, {1, -1, 0.5f}, float4(1, -1, 0.5f, 1));
  channels<std::uint16_t>(order::rgb, type::unorm_short_565, float4(1, 0, 15 / 31.0f, 0),
                          {0xf800 | 15}, float4(1, 0, 15 / 31.0f, 1));
  channels<std::uint16_t>(order::rgb, type::unorm_short_555, float4(1, 1 / 31.0f, 0, 0),
                          {0x7c00 | 1 << 5}, float4(1, 1 / 31.0f, 0, 1));
  channels<std::uint32_t>(order::rgb, type::unorm_int_101010, float4(1, 1 / 1023.0f, 1, 0),
                          {1023u << 20 | 1 << 10 | 1023}, float4(1, 1 / 1023.0f, 1, 1));
  int4 i(1, -2, 300, -70000);
  channels<std::int8_t>(order::rgba, type::signed_int8, i, {1, -2, 127, -128},
                        int4(1, -2, 127, -128));
  channels<std::int16_t>(order::rg, type::signed_int16, i, {1, -2}, int4(1, -2, 0, 1));
  channels<std::int32_t>(order::r, type::signed_int32, i, {1}, int4(1, 0, 0, 1));
  uint4 u(1, 2, 300, 70000);
  channels<std::uint8_t>(order::rgba, type::unsigned_int8, u, {1, 2, 255, 255},
                         uint4(1, 2, 255, 255));
  channels<std::uint16_t>(order::rgba, type::unsigned_int16, u, {1, 2, 300, 65535},
                          uint4(1, 2, 300, 65535));
  channels<std::uint32_t>(order::rg, type::unsigned_int32, u, {1, 2}, uint4(1, 2, 0, 1));
}

void legacy() {
  using coordinate = sycl::coordinate_normalization_mode;
  sycl::queue q = test::make_queue();
  sycl::sampler texels(coordinate::unnormalized, sycl::addressing_mode::clamp,
                       sycl::filtering_mode::nearest),
      between(coordinate::unnormalized, sycl::addressing_mode::clamp_to_edge,
              sycl::filtering_mode::linear);
  EXPECT(texels != between && texels.get_addressing_mode() == sycl::addressing_mode::clamp &&
         between.get_filtering_mode() == sycl::filtering_mode::linear &&
         between.get_coordinate_normalization_mode() == coordinate::unnormalized);

  // Rows with a pitch, through samplers; the border is opaque where there is no alpha.
  float rows[3][5];
  for (int i = 0; i < 15; i++) rows[i / 5][i % 5] = float(i);
  sycl::image<2> plane(static_cast<const void *>(rows), order::r, type::fp32, range<2>(4, 3),
                       range<1>(sizeof rows[0]));
  EXPECT(plane.get_pitch()[0] == sizeof rows[0]);
  float4 *out = sycl::malloc_shared<float4>(6, q);
  q.submit([&](sycl::handler &h) {
     sycl::accessor<float4, 2, mode::read, target::image> in(plane, h);
     EXPECT(in.get_count() == 12 && in.get_range() == range<2>(4, 3));
     h.single_task([=] {
       out[0] = in.read(int2(3, 2), texels);
       out[1] = in.read(float2(1.5f, 2.0f), between);
       out[2] = in.read(int2(-1, 2), texels);
     });
   }).wait_and_throw();
  EXPECT(out[0][0] == 13 && out[1][0] == 8.5f && out[2][0] == 0 && out[2][3] == 1);

  // Two images one behind the other; constant memory stays as it is.
  const std::int32_t start[2 * 2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  std::vector<std::int32_t> end(16);
  {
    sycl::image<2> both(start, order::rgba, type::signed_int32, range<2>(2, 2));
    both.set_final_data(end.data());
    q.submit([&](sycl::handler &h) {
      sycl::accessor<int4, 1, mode::read_write, target::image_array> in(both, h);
      EXPECT(in.get_range() == range<2>(2, 2));
      h.single_task([=] {
        int4 other = in[0].read(1);
        in[1].write(0, in[1].read(0, texels) + other);
      });
    });
    auto host = both.get_access<int4, mode::read>();
    EXPECT(host.read(int2(0, 1))[0] == 9 + 5 && host.get_count() == 4);
    EXPECT(host == host && std::hash<decltype(host)>()(host) == std::hash<decltype(host)>()(host));
  }
  for (int i = 0; i < 16; i++) EXPECT(end[i] == start[i] + (i / 4 == 2 ? start[i - 4] : 0));
  EXPECT(q.get_device().has(sycl::aspect::ext_intel_legacy_image));
  sycl::free(out, q);
}

} // namespace

int main() {
  formats();
  samplers();
  life();
  orders();
  types();
  legacy();
  return test::result();
}
