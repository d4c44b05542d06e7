/* Intel's blocks of images (cl_intel_subgroups and its sisters): as many elements of a row as the
 * sub-group is large, at consecutive bytes, for the first of each work-item; the next row's for the
 * second, and so on.  No format is converted.
 *
 * What lies outside is, byte by byte, the nearest pixel's, and is not written: so the edge is exact
 * also where an element is more than a pixel, which the extension does not promise. */
#include "image/image.h"
#include "sync.h"

/* Whether all elements of these rows are inside. */
MPL_STATIC int all_inside(mpl_image_t d, int2 at, int bytes, int rows) {
  int width = (int)(d->width * d->pixel_size) - bytes, height = (int)d->height - rows;
  return (at.x >= 0) & (at.x <= width) & (at.y >= 0) & (at.y <= height);
}
MPL_STATIC global uchar *byte_at(mpl_image_t d, long x, long y) {
  long in_pixel = x & (long)(d->pixel_size - 1), first = x - in_pixel;
  long last = ((long)d->width - 1) * (long)d->pixel_size;
  first = first > 0 ? first : 0;
  y = y > 0 ? y : 0;
  y = y < (long)d->height ? y : (long)d->height - 1;
  return d->pixels + y * (long)d->row_pitch + (first < last ? first : last) + in_pixel;
}
MPL_STATIC int is_byte_inside(mpl_image_t d, long x, long y) {
  return (x >= 0) & (x < (long)d->width * (long)d->pixel_size) & (y >= 0) & (y < (long)d->height);
}

/* At the edge: for one work-item after another, and never inlined (compiler/source/helpers.c). */
#define AT_EDGE __attribute__((cold, noinline))
#define EDGE(T) \
  AT_EDGE T __mpl_edge_read_##T(mpl_image_t d, long x, long y) { \
    T value = 0; \
    for (int i = 0; i < (int)sizeof(T); i++) value |= (T)((T)*byte_at(d, x + i, y) << 8 * i); \
    return value; \
  } \
  AT_EDGE void __mpl_edge_write_##T(mpl_image_t d, long x, long y, T value) { \
    for (int i = 0; i < (int)sizeof(T); i++) \
      if (is_byte_inside(d, x + i, y)) *byte_at(d, x + i, y) = (uchar)(value >> 8 * i); \
  } \
  typedef T T##_anywhere __attribute__((aligned(1)));
EDGE(uchar) EDGE(ushort) EDGE(uint) EDGE(ulong)

/* Of row i, in the functions below. */
#define PLACE(T, i) (*(global T##_anywhere *)(pixels + 0x##i * (long)d->row_pitch))
#define READ_INSIDE(T, i) PLACE(T, i)
#define READ_EDGE(T, i) __mpl_edge_read_##T(d, x, at.y + 0x##i##l)
#define WRITE_INSIDE(T, i) (void)(PLACE(T, i) = VALUE(i))
#define WRITE_EDGE(T, i) __mpl_edge_write_##T(d, x, at.y + 0x##i##l, VALUE(i))
#define EACH_2(do, T) do(T, 0), do(T, 1)
#define EACH_4(do, T) EACH_2(do, T), do(T, 2), do(T, 3)
#define EACH_8(do, T) EACH_4(do, T), do(T, 4), do(T, 5), do(T, 6), do(T, 7)
#define EACH_16(do, T) \
  EACH_8(do, T), do(T, 8), do(T, 9), do(T, a), do(T, b), do(T, c), do(T, d), do(T, e), do(T, f)
#define EACH_(do, T) do(T, 0)

#define FIND(T, n) \
  mpl_image_t d = MPL_DESCRIPTOR(image); \
  long x = (long)at.x + (long)(__mpl_lane_id() * sizeof(T)); \
  global uchar *pixels = d->pixels + (long)at.y * (long)d->row_pitch + x; \
  int inside = all_inside(d, at, (int)(__mpl_lanes_size() * sizeof(T)), (int)(sizeof(T##n) / sizeof(T)));
#define READ(access, suffix, T, n) \
  MPL_INLINE T##n intel_sub_group_block_read##suffix##n(access image2d_t image, int2 at) { \
    FIND(T, n) \
    if (inside) return (T##n)(EACH_##n(READ_INSIDE, T)); \
    return (T##n)(EACH_##n(READ_EDGE, T)); \
  }
#define WRITE(access, suffix, T, n) \
  MPL_INLINE void intel_sub_group_block_write##suffix##n(access image2d_t image, int2 at, T##n value) { \
    FIND(T, n) \
    if (inside) EACH_##n(WRITE_INSIDE, T); else EACH_##n(WRITE_EDGE, T); \
  }
#define BLOCK(...) \
  READ(read_only, __VA_ARGS__) READ(read_write, __VA_ARGS__) \
  WRITE(write_only, __VA_ARGS__) WRITE(read_write, __VA_ARGS__)

#define TO_8(suffix, T) SINGLE(suffix, T) SEVERAL(suffix, T)
#define TO_16(suffix, T) TO_8(suffix, T) MOST(suffix, T)

#define VALUE(i) value
#define SINGLE(suffix, T) BLOCK(suffix, T, )
#define SEVERAL(suffix, T)
#define MOST(suffix, T)
#define MPL_INTEL_BLOCK(suffix, T, widths, extension) widths(suffix, T)
#include "tables/intel_subgroups.def"

#undef VALUE
#undef SINGLE
#undef SEVERAL
#undef MOST
#define VALUE(i) value.s##i
#define SINGLE(suffix, T)
#define SEVERAL(suffix, T) BLOCK(suffix, T, 2) BLOCK(suffix, T, 4) BLOCK(suffix, T, 8)
#define MOST(suffix, T) BLOCK(suffix, T, 16)
#define MPL_INTEL_BLOCK(suffix, T, widths, extension) widths(suffix, T)
#include "tables/intel_subgroups.def"
