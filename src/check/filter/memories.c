#include "memories.h"

#include <stdlib.h>
#include <string.h>

#include "check/memory/allocations.h"
#include "check/memory/uses.h"
#include "other_memory.h"
#include "stamps.h"

enum { STAMP = sizeof(uint32_t) };

/* --- Where it is --- */

/* By addresses: that of local memory is null here. */
static bool overlap(const struct mpl_filter_memory *a, const struct mpl_filter_memory *b) {
  uintptr_t low = (uintptr_t)a->low, other = (uintptr_t)b->low;
  return low < other + b->size && other < low + a->size;
}

/* Another argument may write to the bytes that are read of that one. */
static bool is_written_besides(const struct mpl_filter_memories *m, uint32_t read) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->each[i].use.uses & MPL_FILTER_WRITES && overlap(&m->each[i], &m->each[read]))
      return true;
  return false;
}

/* By a pointer: the whole of what was allocated there, as the engine has it; what is null nobody
 * may access.  In C and C++ also other memory, of which the engine knows no bounds. */
static bool find_whole(const struct mpl_filter_memories *m, struct mpl_filter_memory *own) {
  struct mpl_allocation found;
  enum mpl_told_memory kind;
  if (own->size || !own->low) return true;
  kind = mpl_allocation_near(own->low, &found);
  if (kind != MPL_TOLD_BLOCK)
    return m->record && kind == MPL_TOLD_NOTHING && mpl_find_other_memory(&own->low, &own->size);
  if (found.is_freed || own->low < found.base || own->low >= found.base + found.size) return false;
  own->low = (char *)(uintptr_t)found.base;
  own->size = found.size;
  return true;
}

/* Of its bounds the engine knows. */
static bool is_known_block(uint64_t at) {
  struct mpl_allocation found;
  return mpl_allocation_near((const void *)(uintptr_t)at, &found) == MPL_TOLD_BLOCK;
}

static bool find_argument(struct mpl_filter_memories *m, uint32_t i) {
  const struct mpl_arg *arg = &m->operation->launch.filter->args[i];
  const struct mpl_arg_memory *memory = &m->operation->launch.args[i];
  struct mpl_filter_memory *own = &m->each[i];
  own->is_local = arg->kind == MPL_ARG_LOCAL;
  own->is_pixels = arg->kind == MPL_ARG_IMAGE;
  own->is_read_only = memory->read_only;
  if (memory->write_only && own->use.uses & MPL_FILTER_READS) return false; /* the engine tells */
  if (own->is_pixels && memory->uses && memory->uses->wants_reads) return false; /* it knows */
  own->size = memory->size;
  memcpy(&own->at, (const char *)m->operation->launch.launch->args + arg->offset, sizeof own->at);
  if (own->is_local) return true;
  own->low = (char *)(uintptr_t)own->at;
  return find_whole(m, own);
}

/* The pointer stands in memory: its value counts, as long as nobody writes there. */
static bool find_in_memory(struct mpl_filter_memories *m, const struct mpl_filter_memory *from,
                           struct mpl_filter_memory *own) {
  uint64_t at = from->at + own->root->offset, inside = at - (uintptr_t)from->low;
  if (!from->size) return true; /* null: nobody gets so far */
  if (inside >= from->size || sizeof own->at > from->size - inside) return false;
  memcpy(&own->at, (const void *)(uintptr_t)at, sizeof own->at);
  return true;
}

static bool find_root(struct mpl_filter_memories *m, uint32_t i) {
  const struct mpl_filter_root *root = &m->record->roots[i];
  struct mpl_filter_memory *own = &m->each[i];
  own->root = root;
  switch (root->kind) {
  case MPL_ROOT_ARGS:
    own->at = (uintptr_t)m->operation->launch.launch->args;
    if (!is_known_block(own->at)) own->size = root->size;
    break;
  case MPL_ROOT_BLOCK:
    memcpy(&own->at, (const char *)m->operation->launch.launch->args + root->offset,
           sizeof own->at);
    break;
  case MPL_ROOT_MEMORY:
    if (!find_in_memory(m, &m->each[root->from - 1], own)) return false;
    break;
  case MPL_ROOT_GLOBAL:
    own->at = (uintptr_t)root->variable;
    own->size = root->size;
    break;
  case MPL_ROOT_LOCAL:
    own->is_local = true;
    own->at = mpl_local_end(m->record->local_size);
    own->size = m->operation->launch.local_size;
    return true;
  default:
    return false;
  }
  own->low = (char *)(uintptr_t)own->at;
  return find_whole(m, own);
}

/* --- Stamps --- */

/* One memory has one kind of stamps, and one set of them: a third argument may write what two read.
 */
static bool find_stamps(struct mpl_filter_memories *m, struct mpl_filter_memory *own,
                        size_t *used) {
  for (struct mpl_filter_memory *other = m->each; other < own; other++) {
    if (!other->use.uses || !other->wrote || !overlap(own, other)) continue;
    bool writes = (own->use.uses | other->use.uses) & MPL_FILTER_WRITES;
    if (own->low == other->low && own->size == other->size && own->use.shift == other->use.shift) {
      own->wrote = other->wrote;
      own->read = other->read;
    } else if (writes) {
      return false;
    }
  }
  if (own->wrote) return true;
  size_t size = (own->size >> own->use.shift) * STAMP;
  char *stamps = mpl_filter_stamps(*used + 2 * size);
  if (!stamps) return false;
  own->wrote = stamps + *used;
  own->read = own->wrote + size;
  /* Like places of memory are in one set of the cache. */
  *used += (2 * size + 4095) / 4096 * 4096 + 64;
  return true;
}

/* Once for arguments of one memory, which have one set of stamps. */
static bool keep(struct mpl_filter_memories *m, struct mpl_filter_memory *own) {
  if (!(own->use.uses & MPL_FILTER_WRITES)) return true;
  for (struct mpl_filter_memory *other = m->each; other < own; other++)
    if (other->before && other->wrote == own->wrote) return true;
  own->before = malloc(own->size);
  if (own->before) memcpy(own->before, own->low, own->size);
  return own->before;
}

/* Whole blocks at a time, of which each is vector code. */
static bool has_unwritten(const struct mpl_filter_memory *own) {
  enum { BLOCK = 256 };
  const uint32_t *at = (const uint32_t *)(((uintptr_t)own->low + 3) & ~(uintptr_t)3),
                 *end = (const uint32_t *)((uintptr_t)(own->low + own->size) & ~(uintptr_t)3);
  for (; end - at >= BLOCK; at += BLOCK) {
    uint32_t found = 0;
    for (unsigned k = 0; k < BLOCK; k++) found |= at[k] == MPL_UNWRITTEN;
    if (found) return true;
  }
  for (; at < end; at++)
    if (*at == MPL_UNWRITTEN) return true;
  return false;
}

static bool wants_reads(const struct mpl_filter_memories *m, uint32_t i) {
  const struct mpl_arg_uses *uses = m->record ? NULL : m->operation->launch.args[i].uses;
  return uses && uses->wants_reads;
}

/* Of memory that the kernel only reads, and of which it is known before that nothing is wrong with
 * reading it, looks need but the size.  To know that takes time, and the kernel may read but little
 * of it. */
static bool is_known(const struct mpl_filter_memories *m, uint32_t i) {
  enum { FOR_EACH = 256 }; /* bytes that a work-item is thought to read */
  const struct mpl_launch *launch = m->operation->launch.launch;
  const uint64_t *groups = launch->num_groups, *local = launch->local_size;
  const struct mpl_filter_memory *own = &m->each[i];
  double items = (double)groups[0] * groups[1] * groups[2] * local[0] * local[1] * local[2];
  if (wants_reads(m, i)) return false;
  return own->use.uses == MPL_FILTER_READS && (double)own->size <= FOR_EACH * items &&
         !is_written_besides(m, i) && !has_unwritten(own);
}

static bool set_up(struct mpl_filter_memories *m, uint32_t i, size_t *used) {
  struct mpl_filter_memory *own = &m->each[i];
  if (!own->size || own->is_local) return true;
  if (own->root && own->root->kind == MPL_ROOT_MEMORY && is_written_besides(m, own->root->from - 1))
    return false;
  /* Of these the filter has no looks (compiler/items/filter.c). */
  if (own->is_pixels && own->use.uses == MPL_FILTER_READS)
    return !is_written_besides(m, i) && !has_unwritten(own);
  bool known = is_known(m, i);
  if ((uintptr_t)own->low & (((uintptr_t)1 << own->use.shift) - 1) ||
      (!known && (!find_stamps(m, own, used) || !keep(m, own))))
    return false;
  uint64_t units = own->size >> own->use.shift;
  m->views[i] = (struct mpl_filter_view){.low = own->low,
                                         .units = units,
                                         .writable = own->is_read_only ? 0 : units,
                                         .wrote = own->wrote,
                                         .read = own->read};
  return true;
}

bool mpl_filter_find_memories(struct mpl_filter_memories *m, const struct mpl_filter_use *uses) {
  size_t used = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    m->each[i].use = uses[i];
    if (uses[i].uses && !(m->record ? find_root : find_argument)(m, i)) return false;
  }
  for (uint32_t i = 0; i < m->count; i++)
    if (!set_up(m, i, &used)) return false;
  return true;
}

void mpl_filter_set_views(const struct mpl_filter_memories *m, const struct mpl_group *group,
                          char *stamps, size_t local, struct mpl_filter_view *views) {
  memcpy(views, m->views, m->count * sizeof *views);
  for (uint32_t i = 0; i < m->count; i++) {
    const struct mpl_filter_memory *own = &m->each[i];
    if (!own->use.uses || !own->is_local) continue;
    uint64_t size = m->record ? local - own->at : own->size, units = size >> own->use.shift;
    char *wrote = stamps + STAMP * own->at;
    views[i] = (struct mpl_filter_view){(const char *)group->local_base + own->at, units, units,
                                        wrote, wrote + STAMP * local};
  }
}

/* --- The end --- */

/* The program has freed it while the kernel ran: there is nothing to write back to. */
static bool is_gone(const struct mpl_filter_memory *own) {
  struct mpl_allocation found;
  return mpl_allocation_near(own->low, &found) == MPL_TOLD_BLOCK &&
         (found.is_freed || own->low < found.base || own->low >= found.base + found.size);
}

static void undo(const struct mpl_filter_memory *own, uint32_t first) {
  const uint32_t *wrote = (const uint32_t *)own->wrote;
  uint64_t units = own->size >> own->use.shift;
  size_t each = (size_t)1 << own->use.shift;
  for (uint64_t i = 0; i < units; i++)
    if (wrote[i] >= first) memcpy(own->low + i * each, own->before + i * each, each);
}

void mpl_filter_end_memories(struct mpl_filter_memories *m, bool undoes, uint32_t first) {
  for (uint32_t i = 0; i < m->count; i++) {
    struct mpl_filter_memory *own = &m->each[i];
    if (own->before && undoes && !is_gone(own)) undo(own, first);
    free(own->before);
    own->before = NULL;
  }
}

/* --- Uses --- */

/* All elements together that have such a stamp. */
static void add_stamped(const struct mpl_noted *noted, enum mpl_use_kind kind,
                        const struct mpl_filter_memory *own, const char *stamps, uint32_t first,
                        uint32_t last) {
  const uint32_t *stamp = (const uint32_t *)stamps;
  uint64_t units = stamps ? own->size >> own->use.shift : 0;
  for (uint64_t i = 0, begin; i < units; i++) {
    for (begin = i; i < units && stamp[i] >= first && stamp[i] <= last; i++) continue;
    if (i > begin)
      mpl_uses_add(noted, kind, (uintptr_t)own->low + (begin << own->use.shift),
                   (i - begin) << own->use.shift);
  }
}

void mpl_filter_tell_uses(const struct mpl_filter_memories *m, const struct mpl_check_launch *check,
                          uint32_t first, uint32_t atomics) {
  for (uint32_t i = 0; i < check->num_noted; i++) {
    const struct mpl_noted *noted = &check->noted[i];
    const struct mpl_filter_memory *own = &m->each[noted->argument];
    if (!own->use.uses) continue;
    add_stamped(noted, MPL_USE_READ, own, own->read, first, atomics - 1);
    add_stamped(noted, MPL_USE_WRITE, own, own->wrote, first, atomics - 1);
    add_stamped(noted, MPL_USE_ATOMIC, own, own->wrote, atomics, atomics);
    add_stamped(noted, MPL_USE_ATOMIC, own, own->read, atomics, atomics);
  }
}
