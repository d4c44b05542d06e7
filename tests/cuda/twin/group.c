/* Groups of a grid, one after another, each with its work-items in random order. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { SLICE = 200 }; /* instructions, at most, before another has its turn */

/* A frame's registers, parameters and local memory lie behind it. */
static size_t head_size(const struct twin_function *f) {
  return (sizeof(struct twin_frame) + (f->registers + 1) * sizeof(uint64_t) + 63) / 64 * 64;
}
static size_t parameters_size(const struct twin_function *f) {
  return (f->frame_size + 64) / 64 * 64;
}
static size_t frame_size(const struct twin_function *f) {
  return head_size(f) + parameters_size(f) + (f->local_size + 64) / 64 * 64;
}
static struct twin_frame *begin(void *at, const struct twin_function *f, struct twin_frame *caller) {
  struct twin_frame *frame = at;
  memset(frame, 0, head_size(f));
  frame->function = f;
  frame->caller = caller;
  frame->registers = (uint64_t *)(frame + 1);
  frame->parameters = (unsigned char *)at + head_size(f);
  frame->local = frame->parameters + parameters_size(f);
  memset(frame->local, 0xa5, f->local_size);
  return frame;
}

struct twin_frame *twin_enter(const struct twin_function *f, struct twin_frame *caller) {
  return begin(aligned_alloc(64, frame_size(f)), f, caller);
}

void twin_leave(struct twin_thread *t) {
  struct twin_frame *frame = t->frame, *caller = frame->caller;
  const struct twin_function *f = frame->function;
  if (caller && f->result.size) {
    const struct twin_instruction *call = &caller->function->code[caller->at - 1];
    memcpy((void *)(uintptr_t)(twin_address(&(struct twin_thread){.frame = caller},
                                            &call->operands[0])),
           frame->parameters + f->result.offset, f->result.size);
  }
  if (!caller) t->state = OVER;
  t->frame = caller;
  if (caller) free(frame); /* kernels' are the grid's */
}

static void run_slice(struct twin_thread *t) {
  for (unsigned left = twin_random() % SLICE + 1; left && t->state == RUNS; left--) {
    struct twin_frame *frame = t->frame;
    if (frame->at >= frame->function->count) {
      twin_leave(t);
      continue;
    }
    const struct twin_instruction *i = &frame->function->code[frame->at++];
    if (i->guard >= 0 && !frame->registers[i->guard] != i->unless) continue;
    i->run(t, i);
  }
}

/* Lanes whose mask is complete go on; one that is over counts as gone. */
static bool finish_lanes(struct twin_group *g, uint32_t warp) {
  struct twin_thread *lanes[32] = {0};
  uint32_t alive = 0, waits = 0;
  for (uint32_t n = warp * 32; n < g->count && n < warp * 32 + 32; n++) {
    struct twin_thread *t = &g->threads[n];
    lanes[n % 32] = t;
    if (t->state != OVER) alive |= 1u << n % 32;
    if (t->state == AMONG_LANES) waits |= 1u << n % 32;
  }
  bool any = false;
  for (unsigned n = 0; n < 32; n++) {
    if (!(waits >> n & 1)) continue;
    uint32_t mask = lanes[n]->mask & alive;
    bool complete = (mask & waits) == mask;
    for (unsigned k = 0; k < 32 && complete; k++)
      if (mask >> k & 1)
        complete = lanes[k]->mask == lanes[n]->mask && lanes[k]->waits == lanes[n]->waits;
    if (!complete) continue;
    twin_finish_lanes(lanes, mask);
    waits &= ~mask;
    any = true;
  }
  return any;
}

static void fail(const struct twin_group *g) {
  for (uint32_t n = 0; n < g->count; n++) {
    const struct twin_thread *t = &g->threads[n];
    if (t->state == AMONG_LANES || t->state == AT_BARRIER)
      twin_fail("%s: work-items do not meet: %u waits at %s with mask %x, instruction %zu",
                t->frame->function->name, n, t->waits->name, t->mask, t->frame->at);
  }
}

/* True until all are over.  Lanes may meet while others of the group still run. */
static bool go_on(struct twin_group *g) {
  uint32_t runs = 0, barrier = 0, over = 0;
  for (uint32_t n = 0; n < g->count; n++) {
    runs += g->threads[n].state == RUNS;
    barrier += g->threads[n].state == AT_BARRIER;
    over += g->threads[n].state == OVER;
  }
  if (over == g->count) return false;
  bool any = runs != 0;
  if (runs && twin_random() % 4) return true;
  for (uint32_t warp = 0; warp * 32 < g->count; warp++) any |= finish_lanes(g, warp);
  if (!any && barrier && barrier + over == g->count) {
    twin_finish_barrier(g);
    any = true;
  }
  if (!any) fail(g);
  return true;
}

static void run_group(struct twin_group *g, const struct twin_function *f, const void *parameters,
                      size_t size, unsigned char *frames) {
  memset(g->shared, 0xa5, g->shared_size);
  for (uint32_t n = 0; n < g->count; n++) {
    struct twin_thread *t = &g->threads[n];
    *t = (struct twin_thread){.group = g, .lane = n % 32, .warp = n / 32};
    t->id[0] = n % g->size[0];
    t->id[1] = n / g->size[0] % g->size[1];
    t->id[2] = n / g->size[0] / g->size[1];
    t->frame = begin(frames + n * frame_size(f), f, NULL);
    memcpy(t->frame->parameters, parameters, size);
  }
  while (go_on(g)) {
    uint32_t first = twin_random() % g->count;
    for (uint32_t n = 0; n < g->count; n++) {
      struct twin_thread *t = &g->threads[(first + n) % g->count];
      if (t->state == RUNS) run_slice(t);
    }
  }
}

bool twin_run(struct twin_grid *grid, uint64_t groups) {
  const struct twin_function *f = grid->function;
  const uint32_t *block = grid->block, *all = grid->grid;
  struct twin_group g = {.count = block[0] * block[1] * block[2], .device = grid->device,
                          .strict = twin_option("TWIN_STRICT", 0)};
  uint64_t count = (uint64_t)all[0] * all[1] * all[2];
  if (f->unloaded) twin_fail("%s runs, and its module is unloaded", f->name);
  memcpy(g.size, block, sizeof g.size);
  memcpy(g.groups, all, sizeof g.groups);
  g.shared_size = (f->shared_size + 127) / 128 * 128 + grid->dynamic_shared;
  g.shared = aligned_alloc(128, (g.shared_size + 255) / 128 * 128);
  g.threads = calloc(g.count, sizeof *g.threads);
  unsigned char *frames = aligned_alloc(64, g.count * frame_size(f));
  for (; groups && grid->next < count; groups--) {
    uint64_t n = grid->next++;
    g.id[0] = (uint32_t)(n % all[0]);
    g.id[1] = (uint32_t)(n / all[0] % all[1]);
    g.id[2] = (uint32_t)(n / all[0] / all[1]);
    run_group(&g, f, grid->parameters, f->parameter_bytes, frames);
  }
  free(frames);
  free(g.threads);
  free(g.shared);
  return grid->next < count;
}

bool twin_is_shared(const struct twin_thread *t, uint64_t at) {
  uint64_t shared = (uintptr_t)t->group->shared;
  return at >= shared && at < shared + t->group->shared_size;
}

bool twin_is_local(const struct twin_thread *t, uint64_t at) {
  for (const struct twin_frame *f = t->frame; f; f = f->caller) {
    uint64_t local = (uintptr_t)f->local;
    if (at >= local && at < local + f->function->local_size) return true;
  }
  return false;
}
