#include "run/shapes.h"

#include <stdlib.h>
#include <string.h>

static const size_t sizes[][3] = {
    {1},       {2},       {3},       {7},       {16},        {31},       {32},
    {33},      {64},      {96},      {255},     {256},       {257},      {1000},
    {1024},    {4096},    {16, 4},   {3, 5},    {33, 7},     {1, 64},    {64, 64},
    {8, 8},    {12, 10},  {4, 4, 4}, {3, 5, 7}, {1, 1, 19}, {16, 8, 8}, {16, 16, 16}, {5, 1, 9},
};

bool few_shapes(void) {
  const char *asked = getenv("TEST_SHAPES");
  return asked && !strcmp(asked, "few");
}

/* Two sizes that no vector divides, the second in three dimensions if the case has them. */
static bool is_few(const size_t *local, unsigned max_dims) {
  if (local[2]) return local[2] == 7;
  return !local[1] && (local[0] == 33 || (local[0] == 257 && max_dims && max_dims < 3));
}

static struct shape make_shape(const size_t *local, bool ragged, size_t number) {
  struct shape s = {.dims = 1};
  size_t items = 1;
  for (unsigned d = 0; d < 3; d++) {
    s.local[d] = local[d] ? local[d] : 1;
    if (local[d]) s.dims = d + 1;
    items *= s.local[d];
  }
  for (unsigned d = 0; d < 3; d++) {
    size_t groups = d >= s.dims ? 1 : s.dims == 1 ? (items < 1000 ? 5 : 2) : items < 1000 ? 2 : 1;
    s.global[d] = s.local[d] * groups;
    if (d < s.dims && ragged && s.local[d] > 1)
      s.global[d] = s.local[d] * (groups - (groups > 1)) + (s.local[d] + d) / 3 + 1;
    if (d < s.dims && s.global[d] > 1 && s.dims > 1 && s.local[d] == 1 && ragged) s.global[d]--;
    if (d < s.dims && number % 3 == 2) s.offset[d] = 11 + 6 * d;
  }
  return s;
}

size_t all_shapes(const struct shape **list, size_t max_items, unsigned max_dims, bool ragged) {
  static struct shape shapes[2 * sizeof sizes / sizeof *sizes];
  size_t count = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (few_shapes() && !is_few(sizes[i], max_dims)) continue;
    for (int rag = 0; rag <= ragged; rag++) {
      struct shape s = make_shape(sizes[i], rag, i);
      size_t items = s.local[0] * s.local[1] * s.local[2];
      if (items > max_items || (max_dims && s.dims > max_dims) || (rag && items == 1)) continue;
      shapes[count++] = s;
    }
  }
  *list = shapes;
  return count;
}
