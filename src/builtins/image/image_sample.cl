/* Reading by coordinates that are floating-point numbers (OpenCL C 3.0, 6.15.15.2 and 6.15.15.7):
 * of the nearest pixel, or of those around, weighted. */
#include "image_pixel.h"

MPL_STATIC int is_address(uint sampler, uint address) {
  return (sampler & MPL_SAMPLER_ADDRESS) == address;
}

/* The coordinate in pixels; of repeated images, in the first of them. */
MPL_STATIC float in_pixels(uint sampler, float c, uint size) {
  float n = (float)size;
  if (is_address(sampler, MPL_SAMPLER_REPEAT)) return (c - floor(c)) * n;
  if (is_address(sampler, MPL_SAMPLER_MIRRORED_REPEAT)) return fabs(c - 2.0f * rint(0.5f * c)) * n;
  return sampler & MPL_SAMPLER_NORMALIZED ? c * n : c;
}

/* The number of a pixel, or one near the image for all that are far from it, or none (NaN). */
MPL_STATIC int pixel_of(float u, uint size) {
  return (int)mpl_between(u, -2.0f, (float)size);
}

/* The pixel that stands for pixel i, and whether that is inside, or of one colour with the border. */
MPL_STATIC int addressed(uint sampler, int i, uint size, int *inside) {
  if (is_address(sampler, MPL_SAMPLER_REPEAT)) i = i < 0 ? i + (int)size : i < (int)size ? i : i - (int)size;
  *inside = is_address(sampler, MPL_SAMPLER_CLAMP) ? mpl_inside(i, size) : 1;
  return mpl_nearest_inside(i, size);
}

MPL_STATIC int nearest(uint sampler, float c, uint size, int *inside) {
  return addressed(sampler, pixel_of(floor(in_pixels(sampler, c, size)), size), size, inside);
}

/* Two neighbours, whether they are inside, and their weights. */
struct pair {
  int at[2], inside[2];
  float weight[2];
};
MPL_STATIC struct pair neighbours(uint sampler, float c, uint size) {
  struct pair pair;
  float u = in_pixels(sampler, c, size) - 0.5f, first = floor(u);
  pair.weight[1] = u - first;
  pair.weight[0] = 1.0f - pair.weight[1];
  int i = pixel_of(first, size);
  pair.at[0] = addressed(sampler, i, size, &pair.inside[0]);
  pair.at[1] = addressed(sampler, i + 1, size, &pair.inside[1]);
  return pair;
}

/* The layer of an array, of a number that need not be one. */
MPL_STATIC int layer_of(mpl_image_t d, float c) {
  return mpl_nearest_inside((int)mpl_between(rint(c), 0.0f, (float)d->array_size), d->array_size);
}

/* --- Nearest --- */

MPL_STATIC struct mpl_place nearest_1_0(mpl_image_t d, uint s, float c, int *inside) {
  return mpl_place_1(d, nearest(s, c, d->width, inside));
}
MPL_STATIC struct mpl_place nearest_2_0(mpl_image_t d, uint s, float2 c, int *inside) {
  int inside_x, inside_y;
  int x = nearest(s, c.x, d->width, &inside_x), y = nearest(s, c.y, d->height, &inside_y);
  *inside = inside_x & inside_y;
  return mpl_place_2(d, x, y);
}
MPL_STATIC struct mpl_place nearest_3_0(mpl_image_t d, uint s, float4 c, int *inside) {
  int inside_plane, inside_z;
  int z = nearest(s, c.z, d->depth, &inside_z);
  struct mpl_place place = mpl_in_slice(d, nearest_2_0(d, s, c.xy, &inside_plane), z);
  *inside = inside_plane & inside_z;
  return place;
}
MPL_STATIC struct mpl_place nearest_1_1(mpl_image_t d, uint s, float2 c, int *inside) {
  return mpl_in_slice(d, nearest_1_0(d, s, c.x, inside), layer_of(d, c.y));
}
MPL_STATIC struct mpl_place nearest_2_1(mpl_image_t d, uint s, float4 c, int *inside) {
  return mpl_in_slice(d, nearest_2_0(d, s, c.xy, inside), layer_of(d, c.z));
}

/* --- Linear: two pixels of 1, 2 or 4 rows --- */

struct taps {
  struct pair x;
  global uchar *row[4];
  int inside[4]; /* the rows are */
  float weight[4];
};

#define INSIDE(r, i) (t->inside[r] & t->x.inside[i])
#define ROW(r, PIXEL) \
  t->weight[r] * (t->x.weight[0] * PIXEL(r, 0) + t->x.weight[1] * PIXEL(r, 1))
#define ROWS_1(PIXEL) ROW(0, PIXEL)
#define ROWS_2(PIXEL) ROWS_1(PIXEL) + ROW(1, PIXEL)
#define ROWS_4(PIXEL) ROWS_2(PIXEL) + ROW(2, PIXEL) + ROW(3, PIXEL)
#define PLACE(r, i) ((struct mpl_place){t->row[r], t->x.at[i]})
#define WORD(r, i) (INSIDE(r, i) ? MPL_WORD(float, PLACE(r, i)) : 0.0f)
#define WORDS(r, i) (INSIDE(r, i) ? MPL_WORDS(float, PLACE(r, i)) : (float4)0.0f)
/* Of a number 0 the border's colour, since its alpha is 0. */
#define BYTES(r, i) mpl_floats_of_bytes(INSIDE(r, i) ? MPL_WORD(uint, PLACE(r, i)) : 0u)
/* What is in parts is a loop: it is much code. */
#define PARTS(rows) \
  float4 sum = 0; \
  _Pragma("clang loop unroll(disable)") for (int k = 0; k < 2 * rows; k++) { \
    int i = k & 1, r = k >> 1; \
    struct mpl_place p = {CHOSEN_##rows(t->row), i ? t->x.at[1] : t->x.at[0]}; \
    int inside = CHOSEN_##rows(t->inside) & (i ? t->x.inside[1] : t->x.inside[0]); \
    float weight = CHOSEN_##rows(t->weight) * (i ? t->x.weight[1] : t->x.weight[0]); \
    float4 read = mpl_rare_pixel_readf(d, p.row, p.x); \
    sum += weight * (inside ? read : (float4)(0, 0, 0, (float)d->border_alpha)); \
  } \
  return sum;
#define CHOSEN_1(of) ((void)r, of[0])
#define CHOSEN_2(of) (r ? of[1] : of[0])
#define CHOSEN_4(of) (r < 2 ? r ? of[1] : of[0] : r < 3 ? of[2] : of[3])

#define LINEAR(rows) \
  MPL_STATIC float4 linear_parts_##rows(mpl_image_t d, const struct taps *t) { PARTS(rows) } \
  MPL_STATIC float4 linear_rows_##rows(mpl_image_t d, const struct taps *t) { \
    switch (d->layout) { \
    case MPL_PIXEL_1_WORD: return (float4)(ROWS_##rows(WORD), 0, 0, 1); \
    case MPL_PIXEL_4_WORDS: return ROWS_##rows(WORDS); \
    case MPL_PIXEL_4_BYTES: return (ROWS_##rows(BYTES)) * (1.0f / 255.0f); \
    default: return linear_parts_##rows(d, t); \
    } \
  }
LINEAR(1)
LINEAR(2)
LINEAR(4)

MPL_STATIC void set_row(struct taps *t, int r, struct mpl_place place, int inside, float weight) {
  t->row[r] = place.row;
  t->inside[r] = inside;
  t->weight[r] = weight;
}
MPL_STATIC float4 linear_in_row(mpl_image_t d, uint s, float c, int layer) {
  struct taps t = {.x = neighbours(s, c, d->width)};
  set_row(&t, 0, mpl_in_slice(d, mpl_place_1(d, 0), layer), 1, 1.0f);
  return linear_rows_1(d, &t);
}
MPL_STATIC float4 linear_in_plane(mpl_image_t d, uint s, float2 c, int layer) {
  struct taps t = {.x = neighbours(s, c.x, d->width)};
  struct pair y = neighbours(s, c.y, d->height);
  set_row(&t, 0, mpl_in_slice(d, mpl_place_2(d, 0, y.at[0]), layer), y.inside[0], y.weight[0]);
  set_row(&t, 1, mpl_in_slice(d, mpl_place_2(d, 0, y.at[1]), layer), y.inside[1], y.weight[1]);
  return linear_rows_2(d, &t);
}
MPL_STATIC float4 linear_1_0(mpl_image_t d, uint s, float c) { return linear_in_row(d, s, c, 0); }
MPL_STATIC float4 linear_1_1(mpl_image_t d, uint s, float2 c) {
  return linear_in_row(d, s, c.x, layer_of(d, c.y));
}
MPL_STATIC float4 linear_2_0(mpl_image_t d, uint s, float2 c) { return linear_in_plane(d, s, c, 0); }
MPL_STATIC float4 linear_2_1(mpl_image_t d, uint s, float4 c) {
  return linear_in_plane(d, s, c.xy, layer_of(d, c.z));
}
#define IN_SLICE(r, iy, iz) \
  set_row(&t, r, mpl_in_slice(d, mpl_place_2(d, 0, y.at[iy]), z.at[iz]), \
          y.inside[iy] & z.inside[iz], y.weight[iy] * z.weight[iz])
MPL_STATIC float4 linear_3_0(mpl_image_t d, uint s, float4 c) {
  struct taps t = {.x = neighbours(s, c.x, d->width)};
  struct pair y = neighbours(s, c.y, d->height), z = neighbours(s, c.z, d->depth);
  IN_SLICE(0, 0, 0);
  IN_SLICE(1, 1, 0);
  IN_SLICE(2, 0, 1);
  IN_SLICE(3, 1, 1);
  return linear_rows_4(d, &t);
}

/* --- The functions --- */

#define NEAREST(suffix, T, dims, layers) \
  MPL_STATIC T##4 nearest##suffix##_##dims##_##layers(mpl_image_t d, uint s, COORD_##dims##_##layers c) { \
    int inside; \
    struct mpl_place place = nearest_##dims##_##layers(d, s, c, &inside); \
    T##4 read = mpl_read##suffix(d, place); \
    return inside ? read : (T##4)(0, 0, 0, (T)d->border_alpha); \
  }
#define COORD_1_0 float
#define COORD_1_1 float2
#define COORD_2_0 float2
#define COORD_2_1 float4
#define COORD_3_0 float4
#define EACH_NEAREST(suffix, T) \
  NEAREST(suffix, T, 1, 0) NEAREST(suffix, T, 1, 1) NEAREST(suffix, T, 2, 0) \
  NEAREST(suffix, T, 2, 1) NEAREST(suffix, T, 3, 0)
EACH_NEAREST(f, float)
EACH_NEAREST(i, int)
EACH_NEAREST(ui, uint)

#define SAMPLE(dims, layers) \
  (s & MPL_SAMPLER_LINEAR ? linear_##dims##_##layers(d, s, at) \
                          : nearestf_##dims##_##layers(d, s, at))
#define FLOATS(image_t, n, dims, layers, ...) \
  MPL_READS float4 read_imagef(read_only image_t image, sampler_t sampler, float##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    uint s = MPL_SAMPLER_BITS(sampler); \
    return SAMPLE(dims, layers); \
  } \
  MPL_READS half4 read_imageh(read_only image_t image, sampler_t sampler, float##n at) { \
    return MPL_CONVERT(half, 4, read_imagef(image, sampler, at)); \
  }
MPL_SAMPLED_IMAGES(FLOATS)

/* Integers are not filtered: with a filter what is read is undefined. */
#define INTEGERS(image_t, n, dims, layers, suffix, T) \
  MPL_READS T##4 read_image##suffix(read_only image_t image, sampler_t sampler, float##n at) { \
    return nearest##suffix##_##dims##_##layers(MPL_DESCRIPTOR(image), MPL_SAMPLER_BITS(sampler), at); \
  }
MPL_SAMPLED_IMAGES(INTEGERS, i, int)
MPL_SAMPLED_IMAGES(INTEGERS, ui, uint)

#define DEPTH(image_t, n, dims, layers, ...) \
  MPL_READS float read_imagef(read_only image_t image, sampler_t sampler, float##n at) { \
    mpl_image_t d = MPL_DESCRIPTOR(image); \
    uint s = MPL_SAMPLER_BITS(sampler); \
    return SAMPLE(dims, layers).x; \
  }
MPL_DEPTH_IMAGES(DEPTH)
