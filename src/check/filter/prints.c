#include "prints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/print/print.h"

enum { MOST = 256 << 20 };

static bool keep(void *data, const char *text, size_t size) {
  struct mpl_filter_prints *prints = data;
  size_t room = prints->room;
  while (prints->size + size > room) room = room ? 2 * room : 4096;
  if (room != prints->room) {
    char *all = room <= MOST ? realloc(prints->all, room) : NULL;
    prints->full |= !all;
    if (!all) return false;
    prints->all = all;
    prints->room = room;
  }
  if (size) memcpy(prints->all + prints->size, text, size);
  prints->size += size;
  return true;
}

int mpl_filter_keep_print(struct mpl_filter_prints *prints, const char *format, const void *args,
                          uint64_t size) {
  return mpl_print_to(keep, prints, format, args, size);
}

void mpl_filter_end_prints(struct mpl_filter_prints *prints, bool do_print) {
  if (do_print && prints->size) fwrite(prints->all, 1, prints->size, stdout);
  free(prints->all);
  *prints = (struct mpl_filter_prints){0};
}
