/* Work-items of a group on the host: each on a stack of its own, so that they can meet. */
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory/launch.h"

enum { STACK = 1 << 16, LOCAL_MEMORY = 1 << 18 };

struct fibre {
  ucontext_t context;
  struct memory_item item;
  bool ended;
};

static struct {
  const struct memory_kernel *kernel;
  struct memory_values *values;
  memory_function *function;
  void *args[MEMORY_BUFFERS + MEMORY_SCALARS];
  struct fibre fibres[MEMORY_GROUP], *running;
  ucontext_t scheduler;
} now;

static void *touch(const void *place, unsigned size, unsigned align) {
  for (unsigned b = 0; b < now.kernel->num_buffers; b++) {
    struct memory_values *v = &now.values[b];
    size_t at = (size_t)((const char *)place - v->after);
    if (at > MEMORY_ROOM - size) continue;
    if (at + size > v->size) v->size = at + size;
    if (align > v->align) v->align = align;
    return (void *)place;
  }
  die("the generator's fault: an access outside of the buffers");
}

static void meet(void) {
  swapcontext(&now.running->context, &now.scheduler);
}

static void begin(void) {
  now.function(&now.running->item, now.args);
  now.running->ended = true;
}

static void prepare(struct fibre *f, char *stack) {
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = stack;
  f->context.uc_stack.ss_size = STACK;
  f->context.uc_link = &now.scheduler;
  f->ended = false;
  makecontext(&f->context, begin, 0);
}

static void describe(struct memory_item *item, const struct shape *s, const size_t *group,
                     const size_t *size, unsigned n, char *local_memory) {
  const size_t local[3] = {n % size[0], n / size[0], 0};
  *item = (struct memory_item){.local_memory = local_memory, .meet = meet, .touch = touch};
  for (unsigned d = 0; d < 3; d++) {
    item->local[d] = local[d];
    item->group[d] = group[d];
    item->offset[d] = s->offset[d];
    item->global[d] = s->offset[d] + group[d] * s->local[d] + local[d];
    item->global_size[d] = s->global[d];
    item->local_size[d] = size[d];
    item->enqueued[d] = s->local[d];
    item->groups[d] = (s->global[d] + s->local[d] - 1) / s->local[d];
  }
}

static void run_group(const struct shape *s, const size_t *group, bool backwards) {
  static char *stacks, *local_memory;
  if (!stacks) stacks = malloc((size_t)MEMORY_GROUP * STACK);
  if (!local_memory) local_memory = malloc(LOCAL_MEMORY);
  if (!stacks || !local_memory) die("out of memory");
  size_t size[3];
  for (unsigned d = 0; d < 3; d++) {
    size_t left = s->global[d] - group[d] * s->local[d];
    size[d] = left < s->local[d] ? left : s->local[d];
  }
  unsigned items = (unsigned)(size[0] * size[1]), left = items;
  for (unsigned i = 0; i < items; i++) {
    describe(&now.fibres[i].item, s, group, size, i, local_memory);
    prepare(&now.fibres[i], stacks + (size_t)i * STACK);
  }
  while (left)
    for (unsigned i = 0; i < items; i++) {
      struct fibre *f = &now.fibres[backwards ? items - 1 - i : i];
      if (f->ended) continue;
      now.running = f;
      swapcontext(&now.scheduler, &f->context);
      left -= f->ended;
    }
}

void memory_run_on_host(const struct memory_kernel *k, memory_function *function,
                        struct memory_values *values, const int64_t *scalars, bool backwards) {
  const struct shape *s = &k->shape;
  now.kernel = k;
  now.values = values;
  now.function = function;
  for (unsigned b = 0; b < k->num_buffers; b++) {
    struct memory_values *v = &values[b];
    if (k->buffers[b].is_written) memcpy(v->after, v->before, MEMORY_ROOM);
    v->size = 0;
    v->align = 1;
    now.args[b] = k->buffers[b].same_as < 0 ? v->after : values[k->buffers[b].same_as].after;
  }
  for (unsigned n = 0; n < MEMORY_SCALARS; n++) now.args[k->num_buffers + n] = (void *)&scalars[n];
  size_t across = (s->global[0] + s->local[0] - 1) / s->local[0];
  size_t groups = across * ((s->global[1] + s->local[1] - 1) / s->local[1]);
  for (size_t g = 0; g < groups; g++) {
    size_t at = backwards ? groups - 1 - g : g;
    run_group(s, (size_t[3]){at % across, at / across, 0}, backwards);
  }
}

/* --- what is there before --- */

/* Each word is a float between 1 and 2048, so that nothing computed of them overflows. */
static void fill_words(char *to, uint64_t *random) {
  for (size_t at = 0; at < MEMORY_ROOM; at += 8) {
    uint64_t bits = random_next(random);
    uint32_t words[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    for (unsigned k = 0; k < 2; k++) words[k] = 0x3f800000 + words[k] % 0x05800000;
    memcpy(to + at, words, sizeof words);
  }
}

static void put_number(char *to, size_t at, unsigned size, uint64_t n) {
  memcpy(to + at * size, &n, size);
}

static void fill_order(char *to, unsigned size, unsigned count, uint64_t *random) {
  unsigned order[MEMORY_ITEMS];
  for (unsigned k = 0; k < count; k++) {
    unsigned j = (unsigned)(random_next(random) >> 33) % (k + 1);
    order[k] = order[j];
    order[j] = k;
  }
  for (unsigned k = 0; k < count; k++) put_number(to, k, size, order[k]);
}

static void fill(const struct memory_buffer *b, char *to, uint64_t *random) {
  unsigned size = b->type->size, count = MEMORY_ROOM / size;
  switch (b->fill) {
  case MEMORY_WORDS:
    fill_words(to, random);
    break;
  case MEMORY_ORDER:
    fill_order(to, size, b->limit, random);
    break;
  case MEMORY_INDICES:
    for (unsigned k = 0; k < count; k++)
      put_number(to, k, size, (random_next(random) >> 33) % b->limit);
    break;
  case MEMORY_HALVES: /* 1 to 32, of ten bits */
    for (unsigned k = 0; k < count; k++)
      put_number(to, k, 2, 0x3c00 + (random_next(random) >> 33) % 0x1400);
    break;
  }
}

void memory_fill(const struct memory_kernel *k, uint64_t seed, struct memory_values *values) {
  for (unsigned b = 0; b < k->num_buffers; b++) {
    struct memory_values *v = &values[b];
    uint64_t random = seed * MEMORY_BUFFERS + b;
    if (!v->before) v->before = malloc(MEMORY_ROOM);
    if (!v->after) v->after = malloc(MEMORY_ROOM);
    if (!v->before || !v->after) die("out of memory");
    fill(&k->buffers[b], v->before, &random);
    memcpy(v->after, v->before, MEMORY_ROOM);
  }
}
