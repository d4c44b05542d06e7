#include "runtime/memory/transfer.h"

#include <string.h>

/* Doubles the part that is there already: every copy is one large memcpy. */
void mpl_fill(void *target, size_t size, const void *pattern, size_t pattern_size) {
  const size_t cached = 1 << 15; /* stays in the first-level cache as the source */
  char *bytes = target;
  if (!size) return;
  size_t block = cached > pattern_size ? cached / pattern_size * pattern_size : pattern_size;
  if (pattern_size == 1) {
    memset(target, *(const unsigned char *)pattern, size);
    return;
  }
  memcpy(bytes, pattern, pattern_size);
  for (size_t done = pattern_size; done < size;) {
    size_t from = done < block ? done : block, left = size - done;
    size_t chunk = from < left ? from : left;
    memcpy(bytes + done, bytes, chunk);
    done += chunk;
  }
}

static void fill(const struct mpl_location *to, const uint64_t size[3], const void *pattern,
                 size_t pattern_size) {
  for (uint64_t z = 0; z < size[2]; z++)
    for (uint64_t y = 0; y < size[1]; y++)
      mpl_fill((char *)to->base + z * to->slice + y * to->row, size[0], pattern, pattern_size);
}

static void copy(const struct mpl_location *to, const struct mpl_location *from,
                 const uint64_t size[3]) {
  for (uint64_t z = 0; size[0] && z < size[2]; z++)
    for (uint64_t y = 0; y < size[1]; y++)
      memmove((char *)to->base + z * to->slice + y * to->row,
              (const char *)from->base + z * from->slice + y * from->row, size[0]);
}

void mpl_transfer(const struct mpl_operation *operation) {
  if (operation->kind == MPL_COPY)
    copy(&operation->copy.to, &operation->copy.from, operation->copy.size);
  else
    fill(&operation->fill.to, operation->fill.size, operation->fill.pattern,
         operation->fill.pattern_size);
}
