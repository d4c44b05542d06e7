#include "image_format.h"

#include <stddef.h>
#include <string.h>

enum kind { UNORM, SNORM, SINT, UINT, FLOAT };

static const struct order {
  uint32_t value, channels;
  uint8_t source[4];
  uint8_t border_alpha, srgb;
} orders[] = {
#define MPL_IMAGE_ORDER(name, value, channels, r, g, b, a, border, srgb)                           \
  {value, channels, {r, g, b, a}, border, srgb},
#include "tables/image_orders.def"
};

static const struct type {
  uint32_t value;
  enum kind kind;
  uint8_t bits;      /* of a channel, or packed: of all */
  uint8_t packed[4]; /* bits of each channel */
} types[] = {
#define MPL_IMAGE_TYPE(name, value, kind, bits)        {value, kind, bits, {0}},
#define MPL_PACKED_TYPE(name, value, bits, r, g, b, a) {value, UNORM, bits, {r, g, b, a}},
#include "tables/image_types.def"
};

static const struct order *find_order(uint32_t value) {
  for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
    if (orders[i].value == value) return &orders[i];
  return NULL;
}

static const struct type *find_type(uint32_t value) {
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].value == value) return &types[i];
  return NULL;
}

static void set_memory(struct mpl_image *image, const struct type *type) {
  image->pixel_size =
      type->packed[0] ? (type->bits + 15u) / 16 * 2 : image->channels * type->bits / 8;
  for (unsigned k = 0; k < 4; k++)
    if (image->source[k] < 4 && image->from[image->source[k]] == MPL_CHANNEL_ZERO)
      image->from[image->source[k]] = k;
}

static uint32_t layout_of(const struct mpl_image *image, const struct type *type) {
  static const uint8_t same[4] = {0, 1, 2, 3},
                       red[4] = {0, MPL_CHANNEL_ZERO, MPL_CHANNEL_ZERO, MPL_CHANNEL_ONE};
  if (type->bits == 32 && !type->packed[0]) {
    if (!memcmp(image->source, same, sizeof same)) return MPL_PIXEL_4_WORDS;
    return memcmp(image->source, red, sizeof red) ? MPL_PIXEL_OTHER : MPL_PIXEL_1_WORD;
  }
  if (image->srgb || type->kind == SNORM || type->kind == FLOAT) return MPL_PIXEL_OTHER;
  if (type->kind == UNORM && type->bits == 8 && !memcmp(image->source, same, sizeof same))
    return MPL_PIXEL_4_BYTES;
  return image->pixel_size == 1   ? MPL_PIXEL_BITS_8
         : image->pixel_size == 2 ? MPL_PIXEL_BITS_16
         : image->pixel_size == 4 ? MPL_PIXEL_BITS_32
                                  : MPL_PIXEL_OTHER;
}

/* The lowest bit of a channel in the pixel's number. */
static unsigned lowest_bit(const struct type *type, unsigned channel) {
  if (!type->packed[0]) return channel * type->bits;
  unsigned at = type->bits;
  for (unsigned i = 0; i <= channel; i++) at -= type->packed[i];
  return at;
}

static void set_bits(struct mpl_image *image, const struct type *type) {
  for (unsigned k = 0; k < 4; k++) {
    unsigned channel = image->source[k];
    image->one[k] = channel == MPL_CHANNEL_ONE;
    image->add[k] = (float)image->one[k];
    if (channel >= 4) continue;
    unsigned bits = type->packed[0] ? type->packed[channel] : type->bits;
    image->at[k] = lowest_bit(type, channel);
    image->keep[k] = (1u << bits) - 1;
    image->up[k] = 32 - bits - image->at[k];
    image->down[k] = 32 - bits;
    image->scale[k] = 1.0f / (float)image->keep[k];
    if (image->from[channel] == k) image->most[k] = (float)image->keep[k];
  }
}

bool mpl_image_set_format(struct mpl_image *image, uint32_t order_value, uint32_t type_value) {
  const struct order *order = find_order(order_value);
  const struct type *type = find_type(type_value);
  if (!order || !type) return false;
  memset((char *)image + offsetof(struct mpl_image, channel_order), 0,
         sizeof *image - offsetof(struct mpl_image, channel_order));
  image->channel_order = order_value;
  image->channel_type = type_value;
  image->channels = order->channels;
  image->srgb = order->srgb;
  image->border_alpha = order->border_alpha;
  memcpy(image->source, order->source, sizeof image->source);
  memset(image->from, MPL_CHANNEL_ZERO, sizeof image->from);
  set_memory(image, type);
  image->layout = layout_of(image, type);
  if (image->layout >= MPL_PIXEL_BITS_8 && image->layout <= MPL_PIXEL_BITS_32)
    set_bits(image, type);
  return true;
}
