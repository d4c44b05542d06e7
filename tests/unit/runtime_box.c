/* Boxes of bytes: the next byte of one, and what two have in common, against all of their bytes. */
#include <stdint.h>
#include <string.h>

#include "opencl/memory/box.h"
#include "unit.h"

enum { MEMORY = 600, TURNS = 4000 };

static unsigned random_number(unsigned below) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

/* Rows do not reach into the next one, nor slices; arrays of rows have one pitch for both. */
static struct mpl_box draw(void) {
  struct mpl_box box = {.start = random_number(40)};
  unsigned kind = random_number(4);
  for (unsigned i = 0; i < 3; i++) box.size[i] = 1 + (i < kind ? random_number(i ? 4 : 12) : 0);
  if (kind == 0) box.size[0] = 1 + random_number(100);
  if (kind > 1) box.row = box.size[0] + random_number(6);
  if (kind == 2) box.slice = box.row; /* of the only slice */
  if (kind == 3) box.slice = box.row * box.size[1] + random_number(30);
  return box;
}

static void mark(const struct mpl_box *box, char bytes[MEMORY]) {
  memset(bytes, 0, MEMORY);
  for (size_t z = 0; z < box->size[2]; z++)
    for (size_t y = 0; y < box->size[1]; y++)
      memset(bytes + box->start + z * box->slice + y * box->row, 1, box->size[0]);
}

static size_t next(const char bytes[MEMORY], size_t at) {
  while (at < MEMORY && !bytes[at]) at++;
  return at < MEMORY ? at : SIZE_MAX;
}

int main(void) {
  char a_bytes[MEMORY], b_bytes[MEMORY];
  for (unsigned turn = 0; turn < TURNS; turn++) {
    struct mpl_box a = draw(), b = draw();
    mark(&a, a_bytes);
    mark(&b, b_bytes);
    for (size_t at = 0; at < MEMORY; at++) CHECK(mpl_box_next(&a, at) == next(a_bytes, at));
    bool meet = false;
    for (size_t at = 0; at < MEMORY; at++) meet |= a_bytes[at] && b_bytes[at];
    size_t common = mpl_box_common(&a, &b);
    CHECK(meet == (common != SIZE_MAX));
    CHECK(common == SIZE_MAX || (a_bytes[common] && b_bytes[common]));
  }
  return 0;
}
