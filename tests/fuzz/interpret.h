/* The machine that runs random kernels on the host: interpret_expr.c evaluates expressions,
 * interpret.c runs statements. */
#ifndef TESTS_FUZZ_INTERPRET_H
#define TESTS_FUZZ_INTERPRET_H

#include <string.h>

#include "fuzz/tree.h"

typedef uint8_t mask[FUZZ_ITEMS];

/* Who touched an element last, and in which stretch between barriers. */
enum { NOBODY = -1, MANY = -2 };
struct cell { uint32_t value; int write_epoch, writer, read_epoch, reader; };

struct machine {
  struct kernel *k;
  const struct fuzz_launch *l;
  size_t items, size[3], group[3], groups[3], group_linear;
  uint32_t id[3][FUZZ_ITEMS], global[3][FUZZ_ITEMS], global_linear[FUZZ_ITEMS];
  uint64_t records[FUZZ_ITEMS][RECORD_SLOTS]; /* those in global memory */
  struct cell shared[FUZZ_SHARED][FUZZ_CELLS];
  int epoch[FUZZ_SHARED];
  uint64_t *out;
  const char *illegal;
  long steps; /* work-items times statements left */
};

#define EACH(I) for (size_t I = 0; I < m->items; I++)
#define EACH_ON(I) EACH(I) if (on[I])

static inline int slots_of(const struct var *v) {
  return v->record ? RECORD_SLOTS : v->length ? v->length * v->lanes : v->lanes;
}

static inline uint64_t *slot(struct var *v, size_t item, int index) {
  if (!v->values) v->values = fuzz_new((size_t)slots_of(v) * FUZZ_ITEMS * sizeof *v->values);
  return &v->values[item * (size_t)slots_of(v) + (size_t)index];
}

/* An element of a private array, or a component of one. */
static inline uint64_t *element(struct machine *m, struct var *v, size_t item, uint64_t index, int lane) {
  if (index >= (uint64_t)v->length) m->illegal = "index out of range";
  return slot(v, item, (int)(index % (uint64_t)v->length) * v->lanes + lane);
}

/* A field of a record, that in global memory if `v` is null. */
static inline uint64_t *field(struct machine *m, struct var *v, size_t item, int which, uint64_t index) {
  uint64_t count = (uint64_t)(fields[which].length ? fields[which].length : fields[which].lanes);
  if (index >= count) m->illegal = "index out of range";
  int place = field_slot(which, (int)(index % count));
  return v ? slot(v, item, place) : &m->records[item][place];
}

static inline bool any_item(const struct machine *m, const uint8_t *on) {
  return memchr(on, 1, m->items) != NULL;
}
static inline void require_all(struct machine *m, const uint8_t *on) {
  if (memchr(on, 0, m->items)) m->illegal = "a sync point that not all work-items reach";
}

static inline size_t all_items(const struct fuzz_launch *l) {
  return l->global[0] * l->global[1] * l->global[2];
}

/* The work-item after the last one of the sub-group of item i. */
static inline size_t team_end(const struct machine *m, size_t i) {
  size_t end = (i / m->k->sub_group + 1) * m->k->sub_group;
  return end < m->items ? end : m->items;
}

/* Of all work-items that are `on`, side by side. */
void eval(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to);
void write_shared(struct machine *m, int which, uint64_t index, size_t item, uint32_t value);

#endif
