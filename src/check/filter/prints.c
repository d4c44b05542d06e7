#include "prints.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/print.h"

enum { MOST = 256 << 20 };

/* Behind it are its arguments, up to a multiple of 8 bytes. */
struct entry {
  const char *format;
  uint64_t size;
};

static size_t padded(uint64_t size) {
  return (size + 7) / 8 * 8;
}

bool mpl_filter_keep_print(struct mpl_filter_prints *prints, const char *format, const void *args,
                           uint64_t size) {
  struct entry entry = {format, size};
  size_t more = sizeof entry + padded(size), room = prints->room;
  if (prints->size + more > MOST) return false;
  while (prints->size + more > room) room = room ? 2 * room : 4096;
  if (room != prints->room) {
    char *all = realloc(prints->all, room);
    if (!all) return false;
    prints->all = all;
    prints->room = room;
  }
  memcpy(prints->all + prints->size, &entry, sizeof entry);
  if (size) memcpy(prints->all + prints->size + sizeof entry, args, size);
  prints->size += more;
  return true;
}

void mpl_filter_end_prints(struct mpl_filter_prints *prints, bool do_print) {
  for (size_t at = 0; do_print && at < prints->size;) {
    struct entry entry;
    memcpy(&entry, prints->all + at, sizeof entry);
    mpl_print(entry.format, prints->all + at + sizeof entry, entry.size);
    at += sizeof entry + padded(entry.size);
  }
  free(prints->all);
  *prints = (struct mpl_filter_prints){0};
}
