#include "unwritten.h"

#include <stdatomic.h>

#include "allocations.h"
#include "memory.h"
#include "stamps.h"

enum { WORD = sizeof(uint32_t) };

/* By an access's number: the launch in which it was reported, or found to be none, last. */
static _Atomic uint32_t done[1 << MPL_ACCESS_NUMBER_BITS];

static bool is_done(const struct mpl_run *run, uint16_t number) {
  return atomic_load_explicit(&done[number], memory_order_relaxed) == run->memory->launch;
}

static void set_done(const struct mpl_run *run, uint16_t number) {
  atomic_store_explicit(&done[number], run->memory->launch, memory_order_relaxed);
}

/* --- Global memory --- */

/* Vectors and structures of which a part was written are let pass. */
static bool is_unwritten(uintptr_t address, uint64_t size) {
  uintptr_t end = address + size;
  for (address &= ~(uintptr_t)(WORD - 1); address < end; address += WORD)
    if (!mpl_may_be_unwritten(address)) return false;
  return true;
}

/* Whether cells have something; their words' stamps say nothing more then. */
struct search {
  struct mpl_visit visit; /* first */
  const struct mpl_memory *memory;
  bool found;
};

static bool find(struct mpl_memory *m, uintptr_t address, uint64_t size,
                 void (*look)(struct mpl_cell *, struct mpl_visit *)) {
  struct search search = {
      .visit = {look, mpl_visit_leaves_nobody, mpl_stamp(mpl_phase_now(), MPL_STAMP_NOBODY, 0, 0)},
      .memory = m};
  mpl_shadow_visit(&m->cache, address, size, &search.visit);
  return search.found;
}

static void was_written(struct mpl_cell *cell, struct mpl_visit *visit) {
  struct search *search = (struct search *)visit;
  search->found |= cell->write.phase || cell->atomic[0].phase || cell->atomic[1].phase;
}

/* One word may be a number that a kernel has computed, two hardly. */
static bool is_sure(struct mpl_run *run, uintptr_t address, uint64_t size) {
  enum { TWO = 2 * WORD };
  if (size >= TWO || is_unwritten(address & ~(uintptr_t)(TWO - 1), TWO)) return true;
  return !find(run->memory, address, size, was_written);
}

void mpl_unwritten_look(struct mpl_run *run, const struct mpl_item *item,
                        const struct mpl_access *access, uint16_t number, uintptr_t address,
                        uint64_t size) {
  struct mpl_allocation memory;
  bool used = access->flags & MPL_ACCESS_USED;
  if (is_done(run, number) || !is_unwritten(address, size)) return;
  /* Copied bytes may be the rest of a row, which nobody will use. */
  if (!used) set_done(run, number);
  if (!mpl_allocation_at((const void *)address, &memory) || !memory.is_marked ||
      !is_sure(run, address, size))
    return;
  if (!used && !mpl_allocation_is_blank((const void *)address)) return;
  set_done(run, number);
  mpl_diagnose_unwritten_global(run, item, number, (const void *)address, &memory, used);
}

/* --- Variables of the thread --- */

static bool is_of_group(const struct mpl_memory *m, struct mpl_record record) {
  const struct mpl_phase *phase = record.phase ? mpl_phase_of(record.phase) : NULL;
  return phase && phase->launch == m->launch && phase->group == m->group;
}

static void was_written_by_group(struct mpl_cell *cell, struct mpl_visit *visit) {
  struct search *search = (struct search *)visit;
  search->found |= is_of_group(search->memory, cell->write) ||
                   is_of_group(search->memory, cell->atomic[0]) ||
                   is_of_group(search->memory, cell->atomic[1]);
}

/* Those without a value to begin with, of the object that the code is in. */
static bool is_in_variables(const struct mpl_memory *m, const void *code, uintptr_t address) {
  for (unsigned i = 0; i < m->num_variables; i++) {
    const struct mpl_variables *v = &m->variables[i];
    uintptr_t offset = address - (uintptr_t)v->block.low;
    if (offset < v->block.size)
      return offset >= v->initialised && (uintptr_t)code - v->code < v->code_size;
  }
  return false;
}

/* SYCL has local memory of its own, and C++ variables that are made at their first use. */
static bool is_c(const struct mpl_run *run) {
  const struct mpl_kernel_record *record = run->check->record;
  return record && !(record->flags & (MPL_RECORD_EVEN | MPL_RECORD_NO_GROUPS));
}

void mpl_unwritten_look_at_variable(struct mpl_run *run, const struct mpl_item *item,
                                    const struct mpl_access *access, uint16_t number,
                                    const void *code, uintptr_t address, uint64_t size) {
  struct mpl_memory *m = run->memory;
  if (access->flags & MPL_ACCESS_UNUSED || !is_c(run) || is_done(run, number) ||
      !is_in_variables(m, code, address))
    return;
  if (find(m, address, size, was_written_by_group)) return;
  set_done(run, number);
  mpl_diagnose_unwritten(run, item, MPL_MEMORY_LOCAL, number);
}
