#include "box.h"

#include <stdint.h>

static size_t row_at(const struct mpl_box *box, size_t y, size_t z) {
  return box->start + y * box->row + z * box->slice;
}

/* Of one slice. */
static size_t next_in_slice(const struct mpl_box *box, size_t z, size_t at) {
  size_t start = row_at(box, 0, z), y = at > start && box->row ? (at - start) / box->row : 0;
  if (at <= start) return start;
  if (y < box->size[1] && at - row_at(box, y, z) < box->size[0]) return at;
  return y + 1 < box->size[1] ? row_at(box, y + 1, z) : SIZE_MAX;
}

size_t mpl_box_next(const struct mpl_box *box, size_t at) {
  size_t z = at > box->start && box->size[2] > 1 ? (at - box->start) / box->slice : 0;
  if (!box->size[0] || !box->size[1]) return SIZE_MAX;
  for (; z < box->size[2]; z++) {
    size_t next = next_in_slice(box, z, at);
    if (next != SIZE_MAX) return next;
  }
  return SIZE_MAX;
}

size_t mpl_box_common(const struct mpl_box *a, const struct mpl_box *b) {
  for (size_t z = 0; z < a->size[2]; z++)
    for (size_t y = 0; y < a->size[1]; y++) {
      size_t begin = row_at(a, y, z), at = mpl_box_next(b, begin);
      if (at != SIZE_MAX && at - begin < a->size[0]) return at;
    }
  return SIZE_MAX;
}
