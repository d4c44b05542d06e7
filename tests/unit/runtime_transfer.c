/* Fills and copies by the processor: patterns of any size, and boxes. */
#include "runtime/memory/transfer.h"
#include "unit.h"

static void fills(void) {
  static const size_t patterns[] = {1, 2, 3, 7, 12, 16, 100, 128, 1000, 40000};
  static unsigned char pattern[40000], bytes[200008];
  for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = (unsigned char)(i * 31 + i / 256);
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
    for (size_t count = 0; count * patterns[p] < 200000; count = count * 3 + 1) {
      size_t size = count * patterns[p];
      memset(bytes, 0xee, sizeof bytes);
      mpl_fill(bytes, size, pattern, patterns[p]);
      for (size_t i = 0; i < size; i++) CHECK(bytes[i] == pattern[i % patterns[p]]);
      for (size_t i = size; i < size + 8; i++) CHECK(bytes[i] == 0xee);
    }
}

static void boxes(void) {
  unsigned char from[4][5][6], to[3][4][7];
  for (size_t i = 0; i < sizeof from; i++) ((unsigned char *)from)[i] = (unsigned char)i;
  memset(to, 0xee, sizeof to);
  const struct mpl_operation copy = {
      .kind = MPL_COPY,
      .copy = {.to = {.base = to[1][2], .on_host = true, .row = 7, .slice = 28},
               .from = {.base = from[2][1], .on_host = true, .row = 6, .slice = 30},
               .size = {5, 2, 2}}};
  mpl_transfer(&copy);
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 7; x++) {
        bool inside = z >= 1 && y >= 2 && x < 5;
        CHECK(to[z][y][x] == (inside ? from[z + 1][y - 1][x] : 0xee));
      }
}

static void filled_boxes(void) {
  unsigned char to[3][4][8];
  memset(to, 0xee, sizeof to);
  const struct mpl_operation fill = {
      .kind = MPL_FILL,
      .fill = {.to = {.base = to[1][1] + 2, .on_host = true, .row = 8, .slice = 32},
               .size = {4, 3, 2},
               .pattern_size = 2,
               .pattern = {1, 2}}};
  mpl_transfer(&fill);
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 8; x++) {
        bool inside = z >= 1 && y >= 1 && x >= 2 && x < 6;
        CHECK(to[z][y][x] == (inside ? 1 + x % 2 : 0xee));
      }
}

int main(void) {
  fills();
  boxes();
  filled_boxes();
  return 0;
}
