#include "runtime/memory/image_color.h"

#include <math.h>
#include <string.h>

enum kind { UNORM, SNORM, SINT, UINT, FLOAT };

static const struct type {
  uint32_t value;
  enum kind kind;
  unsigned bits;      /* of a channel, or packed: of all */
  unsigned packed[4]; /* of each channel, the first one highest */
} types[] = {
#define MPL_IMAGE_TYPE(name, value, kind, bits)        {value, kind, bits, {0}},
#define MPL_PACKED_TYPE(name, value, bits, r, g, b, a) {value, UNORM, bits, {r, g, b, a}},
#include "tables/image_types.def"
};

static const struct type *find_type(uint32_t value) {
  const struct type *type = types;
  while (type->value != value) type++;
  return type;
}

/* A NaN becomes 0 (sections 8.3.1.1 and 8.4 of OpenCL C). */
static float clamp(float value, float low, float high) {
  return value > low ? value < high ? value : high : value <= low ? low : 0.0f;
}

/* Section 8.3.1.4. */
static float srgb(float linear) {
  float c = clamp(linear, 0.0f, 1.0f);
  return c < 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1.0f / 2.4f) - 0.055f;
}

/* The bits of a channel of `bits` bits. */
static uint32_t from_float(float value, enum kind kind, unsigned bits) {
  float most = (float)((1u << (bits - (kind == SNORM))) - 1);
  return (uint32_t)(int32_t)rintf(clamp(value, kind == SNORM ? -1.0f : 0.0f, 1.0f) * most);
}

static uint32_t from_integer(uint32_t value, enum kind kind, unsigned bits) {
  if (bits == 32) return value;
  if (kind == UINT) return value >> bits ? (1u << bits) - 1 : value;
  int32_t most = (1 << (bits - 1)) - 1, number = (int32_t)value;
  return (uint32_t)(number > most ? most : number < -most - 1 ? -most - 1 : number);
}

static uint32_t channel(const struct mpl_image *image, const struct type *type, unsigned index,
                        const void *color) {
  unsigned component = image->from[index];
  unsigned bits = type->packed[0] ? type->packed[index] : type->bits;
  uint32_t word = 0;
  float value;
  if (component > 3) return 0;
  memcpy(&word, (const char *)color + component * sizeof word, sizeof word);
  memcpy(&value, &word, sizeof value);
  if (type->kind == SINT || type->kind == UINT) return from_integer(word, type->kind, bits);
  if (type->kind == FLOAT && bits == 32) return word;
  if (type->kind == FLOAT) {
    _Float16 half = (_Float16)value;
    uint16_t half_bits;
    memcpy(&half_bits, &half, sizeof half_bits);
    return half_bits;
  }
  return from_float(image->srgb && component < 3 ? srgb(value) : value, type->kind, bits);
}

void mpl_image_pixel(const struct mpl_image *image, const void *color,
                     unsigned char pixel[MPL_LARGEST_PIXEL]) {
  const struct type *type = find_type(image->channel_type);
  uint32_t packed = 0;
  for (unsigned i = 0; i < image->channels; i++) {
    uint32_t value = channel(image, type, i, color);
    packed = packed << type->packed[i] | value;
    if (!type->packed[0]) memcpy(pixel + i * type->bits / 8, &value, type->bits / 8);
  }
  if (type->packed[0]) memcpy(pixel, &packed, image->pixel_size);
}
