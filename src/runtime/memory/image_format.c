#include "runtime/memory/image_format.h"

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

/* A packed type has all channels that the order asks for. */
static bool fits(const struct order *order, const struct type *type) {
  for (unsigned k = 0; k < 4; k++)
    if (type->packed[0] && order->source[k] < 4 && !type->packed[order->source[k]]) return false;
  return true;
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
  bool whole = !memcmp(image->source, same, sizeof same);
  if (type->packed[0]) return MPL_PIXEL_PARTS;
  if (type->bits == 32 && whole) return MPL_PIXEL_4_WORDS;
  if (type->bits == 32 && !memcmp(image->source, red, sizeof red)) return MPL_PIXEL_1_WORD;
  bool bytes = type->kind == UNORM && type->bits == 8 && !image->srgb && whole;
  return bytes ? MPL_PIXEL_4_BYTES : MPL_PIXEL_PARTS;
}

static uint32_t kind_of(const struct mpl_image *image, const struct type *type) {
  static const uint32_t kinds[] = {[UNORM] = MPL_CHANNEL_UNORM,
                                   [SNORM] = MPL_CHANNEL_SNORM,
                                   [SINT] = MPL_CHANNEL_SINT,
                                   [UINT] = MPL_CHANNEL_UINT,
                                   [FLOAT] = MPL_CHANNEL_FLOAT};
  if (image->srgb) return MPL_CHANNEL_SRGB;
  return type->kind == FLOAT && type->bits == 16 ? MPL_CHANNEL_HALF : kinds[type->kind];
}

/* The lowest bit of a channel in the pixel's number. */
static unsigned lowest_bit(const struct type *type, unsigned channel) {
  if (!type->packed[0]) return channel * type->bits;
  unsigned at = type->bits;
  for (unsigned i = 0; i <= channel; i++) at -= type->packed[i];
  return at;
}

/* A channel that is there, of component k. */
static void set_channel(struct mpl_image *image, const struct type *type, unsigned k) {
  unsigned channel = image->source[k], lowest = lowest_bit(type, channel);
  unsigned bits = type->packed[0] ? type->packed[channel] : type->bits;
  image->upper[k] = lowest >= 32;
  image->at[k] = lowest % 32;
  image->keep[k] = 0xffffffffu >> (32 - bits);
  image->up[k] = 32 - bits - image->at[k];
  image->down[k] = 32 - bits;
  float most = (float)(image->keep[k] >> (type->kind == SNORM));
  image->step[k] = 1.0f / (most + 1.0f);
  image->scale[k] = 1.0f / most;
  if (image->from[channel] != k) return;
  image->put[k] = image->keep[k];
  image->most[k] = most;
}

static void set_parts(struct mpl_image *image, const struct type *type) {
  image->kind = kind_of(image, type);
  for (unsigned k = 0; k < 4; k++) {
    image->one[k] = image->source[k] == MPL_CHANNEL_ONE;
    image->add[k] = (float)image->one[k];
    if (image->one[k]) image->one_bits[k] = type->bits == 16 ? 0x3c00 : 0x3f800000;
    if (image->source[k] < 4) set_channel(image, type, k);
  }
}

bool mpl_image_set_format(struct mpl_image *image, uint32_t order_value, uint32_t type_value) {
  const struct order *order = find_order(order_value);
  const struct type *type = find_type(type_value);
  if (!order || !type || !fits(order, type)) return false;
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
  if (image->layout == MPL_PIXEL_PARTS) set_parts(image, type);
  return true;
}
