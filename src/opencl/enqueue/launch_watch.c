#include "launch_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/memory/mem.h"
#include "opencl/memory/mem_watch.h"
#include "opencl/memory/svm.h"
#include "opencl/memory/svm_maps.h"
#include "runtime/commands/sequence.h"
#include "runtime/memory/arg_uses.h"
#include "runtime/mistakes/host_mistake.h"

enum { MOST_MAPS = 4 }; /* of an object, at which is looked */

struct mapped {
  struct mpl_box box; /* of the object that has the bytes; of SVM, of its block */
  bool writes;
  struct mpl_trace made;
};

/* An argument. */
struct watched {
  cl_mem mem; /* null: it is SVM */
  const char *name;
  struct mpl_arg_uses uses;
  char *before; /* what it held; null: it is not over the host's memory, or others write there */
  uint64_t changes;
  unsigned num_maps;
  struct mapped maps[MOST_MAPS];
};

struct mpl_launch_watch {
  struct mpl_operation operation;
  struct mpl_arg_memory *args; /* the operation's */
  bool has_order;              /* it is asked which commands are in order with it */
  uint32_t count;
  struct watched each[];
};

/* --- Before --- */

static bool is_alone(const cl_mem *mems, uint32_t count, uint32_t i) {
  for (uint32_t k = 0; k < count; k++)
    if (k != i && mems[k] && mpl_mem_root(mems[k]) == mpl_mem_root(mems[i])) return false;
  return true;
}

static void add_map(struct watched *w, const struct mpl_watched_map *map) {
  size_t low = w->mem->origin, high = low + w->mem->size;
  if (!map->is_made || map->offset >= high || map->offset + map->size <= low ||
      w->num_maps == MOST_MAPS)
    return;
  w->maps[w->num_maps++] = (struct mapped){map->box, map->writes, map->made};
}

static void add_svm_map(void *data, const char *begin, const char *end, bool writes,
                        const struct mpl_trace *made) {
  struct watched *w = data;
  if (w->num_maps == MOST_MAPS) return;
  const struct mpl_box box = {.start = (size_t)(begin - (const char *)w->uses.base),
                              .size = {(size_t)(end - begin), 1, 1}};
  w->maps[w->num_maps++] = (struct mapped){box, writes, *made};
  w->uses.wants_reads |= writes;
}

/* False: there is nothing to look at. */
static bool begin_svm(struct watched *w, cl_context context, const void *pointer) {
  struct mpl_mapped block;
  if (!mpl_svm_block(context, pointer, &block)) return false;
  w->uses.base = block.base;
  w->uses.size = block.size;
  mpl_svm_maps_each(context, block.base, block.size, add_svm_map, w);
  return w->num_maps;
}

/* The same.  Of images only maps are looked at. */
static bool begin(struct watched *w, bool is_alone, bool has_order) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(w->mem);
  if (!watch) return false;
  unsigned own = !(w->mem->flags & CL_MEM_READ_ONLY);
  w->uses.base = watch->bytes + w->mem->origin;
  w->uses.size = w->mem->size;
  mpl_lock(&watch->lock);
  for (const struct mpl_watched_map *map = watch->maps; map; map = map->next) {
    add_map(w, map);
    w->uses.wants_reads |= map->writes;
  }
  if (!w->mem->image && watch->is_over_host_memory && is_alone && watch->writers == own && !watch->write_maps) {
    w->before = mpl_mem_copy(watch->bytes + w->mem->origin, w->mem->size);
    w->changes = watch->changes;
  }
  mpl_unlock(&watch->lock);
  if (w->mem->image) return w->num_maps;
  w->uses.wants_reads |= has_order;
  return w->num_maps || w->before || has_order;
}

static bool begin_argument(struct watched *w, const struct mpl_operation *operation, uint32_t i,
                           cl_context context, const cl_mem *mems, bool has_order) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  const struct mpl_arg *arg = &kernel->args[i];
  const void *pointer;
  bool is_svm = !mems[i] || mems[i]->uses_svm;
  *w = (struct watched){.mem = is_svm ? NULL : mems[i], .name = arg->name};
  if (arg->kind != MPL_ARG_POINTER && arg->kind != MPL_ARG_IMAGE) return false;
  if (!is_svm) return begin(w, is_alone(mems, kernel->num_args, i), has_order);
  memcpy(&pointer, (const char *)operation->launch.launch->args + arg->offset, sizeof pointer);
  return begin_svm(w, context, pointer);
}

struct mpl_launch_watch *mpl_launch_watch_begin(const struct mpl_operation *operation,
                                                cl_context context, const cl_mem *mems,
                                                bool shares) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  uint32_t count = kernel->num_args;
  bool has_order = !shares && mpl_sequence_matters();
  size_t args = count * sizeof(struct mpl_arg_memory);
  struct mpl_launch_watch *all = calloc(1, sizeof *all + count * sizeof *all->each);
  if (!all) return NULL;
  all->operation = *operation;
  all->has_order = has_order;
  all->args = malloc(args + 1);
  for (uint32_t i = 0; all->args && i < count; i++) {
    struct watched *w = &all->each[all->count];
    all->args[i] = operation->launch.args[i];
    if (!begin_argument(w, operation, i, context, mems, has_order)) continue;
    all->args[i].uses = &w->uses;
    all->count++;
  }
  all->operation.launch.args = all->args;
  if (all->count) return all;
  mpl_launch_watch_end(all);
  return NULL;
}

const struct mpl_operation *mpl_launch_watch_operation(const struct mpl_launch_watch *all) {
  return &all->operation;
}

/* --- After --- */

static bool has(const struct mpl_byte_set *set, uint64_t at) {
  uint32_t low = 0, high = set->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (set->each[middle].end <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < set->count && set->each[low].begin <= at;
}

/* The first byte that is not as it was, and that the kernel has not written; or the size. */
static size_t find_host_write(const struct watched *w, const char *now) {
  size_t at = 0, size = w->mem->size;
  while ((at += mpl_mem_difference(w->before + at, now + at, size - at)) < size &&
         (has(&w->uses.sets[MPL_USE_WRITE], at) || has(&w->uses.sets[MPL_USE_ATOMIC], at)))
    at++;
  return at;
}

static void look_for_host_write(const struct watched *w, const char *kernel) {
  if (!w->before || !w->uses.is_known) return;
  struct mpl_mem_watch *watch = mpl_mem_watch_of(w->mem);
  size_t at = w->mem->size;
  char text[240];
  if (!watch) return;
  mpl_lock(&watch->lock);
  if (watch->changes == w->changes) at = find_host_write(w, watch->bytes + w->mem->origin);
  mpl_unlock(&watch->lock);
  if (at == w->mem->size) return;
  snprintf(text, sizeof text,
           "the host has written to byte %zu of the memory of argument '%s' (CL_MEM_USE_HOST_PTR) "
           "while kernel '%s' used it",
           at, w->name, kernel);
  mpl_host_tell(&(struct mpl_host_mistake){.kind = MPL_HOST_ACCESS, .text = text});
}

/* The first byte of the map that is in the set of the argument's; or UINT64_MAX. */
static uint64_t first_within(const struct watched *w, enum mpl_use_kind kind,
                             const struct mapped *map) {
  const struct mpl_byte_set *set = &w->uses.sets[kind];
  const size_t origin = w->mem ? w->mem->origin : 0;
  for (uint32_t i = 0; i < set->count; i++) {
    const struct mpl_bytes *bytes = &set->each[i];
    size_t at = mpl_box_next(&map->box, bytes->begin + origin);
    if (at < bytes->end + origin) return at - origin;
  }
  return UINT64_MAX;
}

static void look_at_map(const struct watched *w, const struct mapped *map, const char *kernel) {
  uint64_t wrote = first_within(w, MPL_USE_WRITE, map),
           atomic = first_within(w, MPL_USE_ATOMIC, map),
           read = map->writes ? first_within(w, MPL_USE_READ, map) : UINT64_MAX;
  char text[240];
  if (atomic < wrote) wrote = atomic;
  bool writes = wrote != UINT64_MAX;
  if (!writes && read == UINT64_MAX) return;
  snprintf(text, sizeof text,
           "kernel '%s' %s byte %llu of the memory of argument '%s', which the host has mapped%s",
           kernel, writes ? "writes to" : "reads", (unsigned long long)(writes ? wrote : read),
           w->name, map->writes ? " for writing" : "");
  mpl_host_tell(&(struct mpl_host_mistake){
      .kind = MPL_HOST_ACCESS, .text = text, .notes = {{"mapped here", &map->made}}});
}

static void look_at_order(const struct mpl_launch_watch *all, const char *kernel) {
  char who[80];
  bool has_atomics = false;
  snprintf(who, sizeof who, "kernel '%.60s'", kernel);
  for (uint32_t i = 0; i < all->count; i++)
    has_atomics |=
        all->each[i].uses.has_atomics || all->each[i].uses.sets[MPL_USE_ATOMIC].count != 0;
  for (uint32_t i = 0; i < all->count; i++)
    if (all->each[i].uses.is_known && all->each[i].mem && !all->each[i].mem->image)
      mpl_mem_watch_used(all->each[i].mem, who, all->each[i].uses.sets, has_atomics);
}

void mpl_launch_watch_end(struct mpl_launch_watch *all) {
  if (!all) return;
  const char *kernel = all->operation.launch.kernel->name;
  if (all->has_order) look_at_order(all, kernel);
  for (uint32_t i = 0; i < all->count; i++) {
    struct watched *w = &all->each[i];
    look_for_host_write(w, kernel);
    for (unsigned k = 0; k < w->num_maps && w->uses.is_known; k++)
      look_at_map(w, &w->maps[k], kernel);
    mpl_arg_uses_free(&w->uses);
    free(w->before);
  }
  free(all->args);
  free(all);
}
