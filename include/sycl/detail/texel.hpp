/* Texels in memory, as vectors of four: what a channel is, and which is where (OpenCL 3.0, 5.3.1.1,
 * which SYCL 1.2.1, 4.7.3, and SYCL 2020, 4.7.3, refer to). */
#ifndef SYCL_DETAIL_TEXEL_HPP
#define SYCL_DETAIL_TEXEL_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../vec.hpp"

/* SYCL_CHANNEL(name, type of a channel, what is 1.0 if it is a normalized number, else 0) */
#define SYCL_CHANNELS(SYCL_CHANNEL)                                                                \
  SYCL_CHANNEL(snorm_int8, std::int8_t, 127)                                                       \
  SYCL_CHANNEL(snorm_int16, std::int16_t, 32767)                                                   \
  SYCL_CHANNEL(unorm_int8, std::uint8_t, 255)                                                      \
  SYCL_CHANNEL(unorm_int16, std::uint16_t, 65535)                                                  \
  SYCL_CHANNEL(signed_int8, std::int8_t, 0)                                                        \
  SYCL_CHANNEL(signed_int16, std::int16_t, 0)                                                      \
  SYCL_CHANNEL(signed_int32, std::int32_t, 0)                                                      \
  SYCL_CHANNEL(unsigned_int8, std::uint8_t, 0)                                                     \
  SYCL_CHANNEL(unsigned_int16, std::uint16_t, 0)                                                   \
  SYCL_CHANNEL(unsigned_int32, std::uint32_t, 0)                                                   \
  SYCL_CHANNEL(fp16, half, 0)                                                                      \
  SYCL_CHANNEL(fp32, float, 0)
/* Three in one word: SYCL_PACKED(name, the word, bits of red, green and blue, the last the lowest) */
#define SYCL_PACKED_CHANNELS(SYCL_PACKED)                                                          \
  SYCL_PACKED(unorm_short_565, std::uint16_t, 5, 6, 5)                                             \
  SYCL_PACKED(unorm_short_555, std::uint16_t, 5, 5, 5)                                             \
  SYCL_PACKED(unorm_int_101010, std::uint32_t, 10, 10, 10)
/* SYCL_ORDER(name, channels in memory, those that red, green, blue and alpha are, or -1 for 0 and
 * -2 for 1, alpha of the border) */
#define SYCL_ORDERS(SYCL_ORDER)                                                                    \
  SYCL_ORDER(a, 1, -1, -1, -1, 0, 0)                                                               \
  SYCL_ORDER(r, 1, 0, -1, -1, -2, 1)                                                               \
  SYCL_ORDER(rx, 2, 0, -1, -1, -2, 0)                                                              \
  SYCL_ORDER(rg, 2, 0, 1, -1, -2, 1)                                                               \
  SYCL_ORDER(rgx, 3, 0, 1, -1, -2, 0)                                                              \
  SYCL_ORDER(ra, 2, 0, -1, -1, 1, 0)                                                               \
  SYCL_ORDER(rgb, 3, 0, 1, 2, -2, 1)                                                               \
  SYCL_ORDER(rgbx, 4, 0, 1, 2, -2, 0)                                                              \
  SYCL_ORDER(rgba, 4, 0, 1, 2, 3, 0)                                                               \
  SYCL_ORDER(argb, 4, 1, 2, 3, 0, 0)                                                               \
  SYCL_ORDER(bgra, 4, 2, 1, 0, 3, 0)                                                               \
  SYCL_ORDER(intensity, 1, 0, 0, 0, 0, 0)                                                          \
  SYCL_ORDER(luminance, 1, 0, 0, 0, -2, 1)                                                         \
  SYCL_ORDER(abgr, 4, 3, 2, 1, 0, 0)
/* Those of SYCL 2020: SYCL_FORMAT(name, channels, order) */
#define SYCL_FORMATS(SYCL_FORMAT)                                                                  \
  SYCL_FORMAT(r8g8b8a8_unorm, unorm_int8, rgba)                                                    \
  SYCL_FORMAT(r16g16b16a16_unorm, unorm_int16, rgba)                                               \
  SYCL_FORMAT(r8g8b8a8_sint, signed_int8, rgba)                                                    \
  SYCL_FORMAT(r16g16b16a16_sint, signed_int16, rgba)                                               \
  SYCL_FORMAT(r32b32g32a32_sint, signed_int32, rgba)                                               \
  SYCL_FORMAT(r8g8b8a8_uint, unsigned_int8, rgba)                                                  \
  SYCL_FORMAT(r16g16b16a16_uint, unsigned_int16, rgba)                                             \
  SYCL_FORMAT(r32b32g32a32_uint, unsigned_int32, rgba)                                             \
  SYCL_FORMAT(r16b16g16a16_sfloat, fp16, rgba)                                                     \
  SYCL_FORMAT(r32g32b32a32_sfloat, fp32, rgba)                                                     \
  SYCL_FORMAT(b8g8r8a8_unorm, unorm_int8, bgra)

namespace sycl {

#define SYCL_NAME(name, ...) name,
enum class image_channel_type : unsigned { SYCL_CHANNELS(SYCL_NAME) SYCL_PACKED_CHANNELS(SYCL_NAME) };
enum class image_channel_order : unsigned { SYCL_ORDERS(SYCL_NAME) };
enum class image_format { SYCL_FORMATS(SYCL_NAME) };
#undef SYCL_NAME

namespace detail {

struct texel_format {
  image_channel_type type{};
  std::uint8_t bytes = 0, channels = 0;
  std::int8_t from[4] = {};    /* as in SYCL_ORDERS */
  std::int8_t known = -1;      /* the image_format that it is, if it is one */
  std::int8_t border_alpha = 0;

  constexpr texel_format() = default;
  constexpr texel_format(image_format format) {
    switch (format) {
#define SYCL_FORMAT(name, channel, order)                                                          \
  case image_format::name:                                                                         \
    *this = texel_format(image_channel_order::order, image_channel_type::channel);                 \
    break;
      SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
    }
  }
  constexpr texel_format(image_channel_order order, image_channel_type type) : type(type) {
    switch (order) {
#define SYCL_ORDER(name, count, r, g, b, a, border)                                                \
  case image_channel_order::name:                                                                  \
    set(count, r, g, b, a, border);                                                                \
    break;
      SYCL_ORDERS(SYCL_ORDER)
#undef SYCL_ORDER
    }
    switch (type) {
#define SYCL_CHANNEL(name, channel, one)                                                           \
  case image_channel_type::name:                                                                   \
    bytes = std::uint8_t(channels * sizeof(channel));                                              \
    break;
#define SYCL_PACKED(name, word, ...)                                                               \
  case image_channel_type::name:                                                                   \
    bytes = sizeof(word);                                                                          \
    break;
      SYCL_CHANNELS(SYCL_CHANNEL)
      SYCL_PACKED_CHANNELS(SYCL_PACKED)
#undef SYCL_PACKED
#undef SYCL_CHANNEL
    }
#define SYCL_FORMAT(name, its_type, its_order)                                                     \
  if (order == image_channel_order::its_order && type == image_channel_type::its_type)             \
    known = std::int8_t(image_format::name);
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  }

private:
  constexpr void set(int count, int r, int g, int b, int a, int border) {
    channels = std::uint8_t(count);
    from[0] = std::int8_t(r), from[1] = std::int8_t(g), from[2] = std::int8_t(b);
    from[3] = std::int8_t(a), border_alpha = std::int8_t(border);
  }
};

constexpr std::size_t texel_size(image_format format) {
  return texel_format(format).bytes;
}

template <typename T> struct packed_bits {
  int width[3];
  constexpr T mask(int i) const { return T((T(1) << width[i]) - 1); }
  constexpr int shift(int i) const { return i == 0 ? width[1] + width[2] : i == 1 ? width[2] : 0; }
};

/* A normalized number, to the nearest, even of two. */
template <typename Channel> Channel normalized(float x, float one) {
  float least = std::is_signed_v<Channel> ? -1.0f : 0.0f;
  return convert<Channel, rounding_mode::rte>(std::fmin(std::fmax(x, least), 1.0f) * one);
}

template <typename T, int One, typename Channel> T unpacked(Channel c) {
  if constexpr (One != 0)
    return static_cast<T>(std::is_signed_v<Channel> ? std::fmax(float(c) / float(One ? One : 1), -1.0f)
                                                    : float(c) / float(One ? One : 1));
  else
    return static_cast<T>(c);
}
template <int One, typename Channel, typename T> Channel packed(T x) {
  if constexpr (One != 0)
    return normalized<Channel>(float(x), float(One));
  else if constexpr (std::is_integral_v<Channel> && std::is_integral_v<T>)
    return saturate<Channel>(double(x));
  else
    return convert<Channel, rounding_mode::rte>(x);
}

/* Of an image_format: four channels, in the order rgba or bgra. */
template <typename Channel, int One, bool Swapped, typename DataT> DataT unpack(const char *memory) {
  Channel channel[4];
  std::memcpy(static_cast<void *>(channel), memory, sizeof channel);
  DataT result;
  for (int i = 0; i < 4; i++)
    result[i] = unpacked<typename DataT::element_type, One>(channel[Swapped && i < 3 ? 2 - i : i]);
  return result;
}
template <typename Channel, int One, bool Swapped, typename DataT>
void pack(char *memory, const DataT &value) {
  Channel channel[4];
  for (int i = 0; i < 4; i++)
    channel[Swapped && i < 3 ? 2 - i : i] = packed<One, Channel>(value[i]);
  std::memcpy(memory, static_cast<const void *>(channel), sizeof channel);
}

template <typename Channel, int One, typename DataT>
DataT unpack(const texel_format &format, const char *memory) {
  Channel channel[4] = {};
  std::memcpy(static_cast<void *>(channel), memory, format.bytes);
  DataT result;
  for (int i = 0; i < 4; i++) {
    using T = typename DataT::element_type;
    int from = format.from[i];
    result[i] = from < 0 ? static_cast<T>(from == -2) : unpacked<T, One>(channel[from]);
  }
  return result;
}
template <typename Word, typename DataT> DataT unpack(packed_bits<Word> bits, const char *memory) {
  Word word;
  std::memcpy(&word, memory, sizeof word);
  DataT result(static_cast<typename DataT::element_type>(1));
  for (int i = 0; i < 3; i++)
    result[i] = static_cast<typename DataT::element_type>(
        float(word >> bits.shift(i) & bits.mask(i)) / float(bits.mask(i)));
  return result;
}

template <typename Channel, int One, typename DataT>
void pack(const texel_format &format, char *memory, const DataT &value) {
  Channel channel[4] = {};
  for (int i = 4; i-- > 0;) /* red is what counts where one channel is all of them */
    if (format.from[i] >= 0) channel[int(format.from[i])] = packed<One, Channel>(value[i]);
  std::memcpy(memory, static_cast<const void *>(channel), format.bytes);
}
template <typename Word, typename DataT>
void pack(packed_bits<Word> bits, char *memory, const DataT &value) {
  Word word = 0;
  for (int i = 0; i < 3; i++)
    word = Word(word | Word(normalized<Word>(float(value[i]), float(bits.mask(i))) << bits.shift(i)));
  std::memcpy(memory, &word, sizeof word);
}

/* Texels of SYCL 1.2.1's other formats.  Not in the place of the call, which would be too large to become
 * vector code. */
template <typename DataT>
[[gnu::noinline]] DataT read_other_texel(const texel_format &format, const char *memory) {
  switch (format.type) {
#define SYCL_CHANNEL(name, channel, one)                                                           \
  case image_channel_type::name:                                                                   \
    return unpack<channel, one, DataT>(format, memory);
#define SYCL_PACKED(name, word, r, g, b)                                                           \
  case image_channel_type::name:                                                                   \
    return unpack<word, DataT>(packed_bits<word>{{r, g, b}}, memory);
    SYCL_CHANNELS(SYCL_CHANNEL)
    SYCL_PACKED_CHANNELS(SYCL_PACKED)
#undef SYCL_PACKED
#undef SYCL_CHANNEL
  }
  return DataT();
}
template <typename DataT>
[[gnu::noinline]] void write_other_texel(const texel_format &format, char *memory,
                                         const DataT &value) {
  switch (format.type) {
#define SYCL_CHANNEL(name, channel, one)                                                           \
  case image_channel_type::name:                                                                   \
    return pack<channel, one>(format, memory, value);
#define SYCL_PACKED(name, word, r, g, b)                                                           \
  case image_channel_type::name:                                                                   \
    return pack(packed_bits<word>{{r, g, b}}, memory, value);
    SYCL_CHANNELS(SYCL_CHANNEL)
    SYCL_PACKED_CHANNELS(SYCL_PACKED)
#undef SYCL_PACKED
#undef SYCL_CHANNEL
  }
}

template <image_channel_type> struct channel_of;
#define SYCL_CHANNEL(name, channel, number)                                                        \
  template <> struct channel_of<image_channel_type::name> {                                        \
    using type = channel;                                                                          \
    static constexpr int one = number;                                                             \
  };
SYCL_CHANNELS(SYCL_CHANNEL)
#undef SYCL_CHANNEL

/* Of a format that is known a constant, which is cheaper to multiply with. */
inline std::size_t texel_step(const texel_format &format) {
  switch (format.known) {
#define SYCL_FORMAT(name, channel, order)                                                          \
  case int(image_format::name):                                                                    \
    return 4 * sizeof(channel_of<image_channel_type::channel>::type);
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  default:
    return format.bytes;
  }
}

template <typename DataT> DataT read_texel(const texel_format &format, const char *memory) {
  switch (format.known) {
#define SYCL_FORMAT(name, channel, order)                                                          \
  case int(image_format::name): {                                                                  \
    using of = channel_of<image_channel_type::channel>;                                            \
    constexpr bool swapped = image_channel_order::order == image_channel_order::bgra;              \
    return unpack<of::type, of::one, swapped, DataT>(memory);                                      \
  }
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  default:
    return read_other_texel<DataT>(format, memory);
  }
}
template <typename DataT>
void write_texel(const texel_format &format, char *memory, const DataT &value) {
  switch (format.known) {
#define SYCL_FORMAT(name, channel, order)                                                          \
  case int(image_format::name): {                                                                  \
    using of = channel_of<image_channel_type::channel>;                                            \
    constexpr bool swapped = image_channel_order::order == image_channel_order::bgra;              \
    return pack<of::type, of::one, swapped>(memory, value);                                        \
  }
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  default:
    write_other_texel(format, memory, value);
  }
}

} // namespace detail
} // namespace sycl

#undef SYCL_FORMATS
#undef SYCL_ORDERS
#undef SYCL_PACKED_CHANNELS
#undef SYCL_CHANNELS

#endif
