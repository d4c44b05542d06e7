/* How many registers a work-item may have.  NVIDIA's compiler by itself keeps to 32 where it can,
 * which leave room for 2048 work-items on a multiprocessor; with more of them a kernel waits for
 * more loads at once.
 *
 * A launch of few groups does not fill the GPU, whatever its kernel takes.  Numbers of registers
 * come in a few steps, so that launches of similar numbers of groups share their code.  Where one is
 * too few, so that something goes to memory for it, there is none (module.c). */
#include "cuda.h"

enum {
  TOGETHER = 8, /* a work-item has a multiple of these */
  MOST = 255,
  WHOLE = 2048, /* work-items that a multiprocessor has at most */
};

/* A multiprocessor has room for so many work-items of so many registers.  A launch for which there
 * is room at once would else end with a second turn of a few groups. */
static const struct {
  uint32_t items, registers;
} rooms[] = {{256, MOST}, {512, 128}, {1024, 64}, {1280, 48}, {1536, 40}, {WHOLE, 32}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static uint64_t size_of(const uint32_t items[3]) {
  return (uint64_t)items[0] * items[1] * items[2];
}

/* For each launch: hardly any division. */
struct mpl_cuda_shape mpl_cuda_shape_of(const uint32_t items[3], uint64_t groups, uint32_t units,
                                        bool spills) {
  struct mpl_cuda_shape shape = {.items = {items[0], items[1], items[2]}};
  unsigned count = spills ? 1 : ROOMS;
  if (groups > (uint64_t)rooms[count - 1].items * units) return shape;
  uint64_t each = ((uint32_t)groups + units - 1) / units, size = size_of(items);
  for (unsigned n = 0; n < count && !shape.registers; n++)
    if (each * size <= rooms[n].items) shape.registers = rooms[n].registers;
  return shape;
}

/* Nobody else works while a group's work-items meet.  Of one group anything is given for a second;
 * from then on a few registers only, since what a work-item has in them it need not load again. */
uint32_t mpl_cuda_registers_for_more(const struct mpl_cuda *cuda, const struct mpl_cuda_shape *shape,
                                     int registers) {
  enum { FEW_GROUPS = 3, KEPT = 7, OF = 8 };
  uint64_t own = ((uint64_t)registers + TOGETHER - 1) / TOGETHER * TOGETHER;
  uint64_t size = size_of(shape->items), groups = cuda->registers / (own * size);
  uint64_t more = groups > 1 ? groups + 1 : 2;
  uint64_t most = cuda->registers / (more * size) / TOGETHER * TOGETHER;
  if (shape->registers || groups > FEW_GROUPS || more * size > WHOLE) return 0;
  return groups > 1 && most * OF < (uint64_t)registers * KEPT ? 0 : (uint32_t)most;
}
