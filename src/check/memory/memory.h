/* Accesses of work-items to shared memory: races, reads of unwritten local memory, and accesses
 * outside of memory (bounds.h).
 *
 * These order two accesses of one launch (OpenCL 3.0, section 3.3.6):
 *
 * - a work-group's barrier those before it and those after it, to the memory that its flags name;
 *   so do all other functions of the work-group, for both memories;
 *
 * - a sub-group's functions those of its own work-items;
 *
 * - an atomic read that acquires what an atomic write has released, or does so by fences, what was
 *   known at that write and what is after that read (clock.h).  A barrier in front of an atomic
 *   write counts as a release, as one behind an atomic read does as an acquire.
 *
 * Two accesses that nothing orders, by different work-items, race if one of them writes and not
 * both are atomic; two writes of the same value are let pass, as kernels rely on. */
#ifndef MPL_CHECK_MEMORY_H
#define MPL_CHECK_MEMORY_H

#include "bounds.h"
#include "check/engine/engine.h"
#include "check/engine/fibre.h"
#include "releases.h"
#include "shadow.h"

enum mpl_memory_kind {
  MPL_MEMORY_LOCAL = MPL_WATCH_LOCAL,
  MPL_MEMORY_GLOBAL = MPL_WATCH_GLOBAL,
  MPL_MEMORIES, /* that work-items share */
  MPL_MEMORY_PRIVATE = MPL_MEMORIES
};

/* The state of the order of accesses to one kind of memory in a group. */
struct mpl_order {
  uint32_t phase, epoch;
  uint32_t floor; /* whoever has a lesser phase is in order: an earlier epoch, or launch */
  /* The last barrier that did not order it, although all were there; phase 0: none. */
  uint32_t weak_phase;
  struct mpl_place weak;
  const char *weak_scope; /* it has the flag, and this memory_scope; or null */
};

struct mpl_lanes_order {        /* of a sub-group */
  uint32_t phase[MPL_MEMORIES]; /* that a function of its own began; 0: none since the group's */
  struct mpl_place weak;        /* its last barrier in memory_scope_work_item; line 0: none */
  struct mpl_clock acquired, pending;
};

/* What a work-item knows by atomic accesses; would, with a fence; would, if those whose atomic
 * writes it has read had released. */
struct mpl_item_clocks {
  struct mpl_clock acquired, pending, followed;
};

/* A write that races with another one unless both write the same. */
struct mpl_doubt {
  const char *address;
  uint32_t size; /* 0: there is none */
  char before[16];
  struct mpl_record other, own;
};

/* An address in the program's code, and where its function was called from, and that. */
enum { MPL_CODE_DEPTH = 4 };
struct mpl_code {
  const void *at[MPL_CODE_DEPTH];
};

/* The places in the code that a group's accesses were told of last (told_accesses.c). */
enum { MPL_TOLD_PLACES_BITS = 8, MPL_TOLD_PLACES = 1 << MPL_TOLD_PLACES_BITS };
struct mpl_told_place;

/* A part of a page that is of one memory, and of one kind: there, accesses that repeat what is
 * known are told from others by their stamps alone, until something is allocated or freed. */
struct mpl_stretch {
  uintptr_t low, size;      /* multiples of 4; size 0: none */
  _Atomic uint64_t *stamps; /* from `low` on (stamps.h) */
  uint64_t time;            /* mpl_stretch_time's, when it was found */
  enum mpl_watch_kind kind;
};
enum { MPL_STRETCHES_BITS = 8 };

struct mpl_block {
  const char *low;
  size_t size;
};
struct mpl_variables { /* of a thread and one object */
  struct mpl_block block;
  size_t initialised; /* the first bytes of it, with values to begin with */
  uintptr_t code, code_size;
};
enum { MPL_MOST_VARIABLES = 16 };

struct mpl_view { /* what an argument points to; all of memory, if that is not known */
  uintptr_t low, size;
  bool read_only, write_only;
  bool is_noted; /* somebody asks which bytes are used (uses.h) */
};

struct mpl_memory {
  struct mpl_bounds bounds;
  struct mpl_shadow_cache cache;
  uint32_t launch, group;
  struct mpl_order order[MPL_MEMORIES];
  struct mpl_lanes_order *lanes;
  uint32_t num_lanes;
  bool uses_atomics;                  /* the kernel does, or might */
  bool is_alone;                      /* no other thread runs groups of the launch */
  bool acquires;                      /* somebody has: what is in order is more than barriers say */
  struct mpl_clock acquired, pending; /* what all of the group know; would, with a fence */
  struct mpl_item_clocks *clocks;     /* by linear id */
  uint32_t num_clocks;
  uint32_t first_phase; /* when the group began */
  bool clocks_are_used;
  const char *local;
  size_t local_size, written_size;
  uint8_t *written;                                   /* a bit for each byte of local memory */
  struct mpl_variables variables[MPL_MOST_VARIABLES]; /* thread_variables.c: local memory too */
  unsigned num_variables;
  struct mpl_view *views;           /* of the kernel's arguments */
  struct mpl_watched_view *watched; /* the same, for compiled code */
  uint32_t num_views;
  struct mpl_told_place *places[MPL_TOLD_PLACES];        /* of programs that tell of their accesses */
  struct mpl_stretch stretches[1 << MPL_STRETCHES_BITS]; /* the same; by their pages */
  uint64_t groups;                                       /* that were begun */
  struct mpl_doubt doubt;
  uint16_t last; /* access: its number */
};

/* Set by a program that tells of its own accesses (told_accesses.c). */
extern bool mpl_accesses_are_told;

/* Around a group; the first may fail, and then no access is looked at. */
void mpl_memory_begin(struct mpl_run *, bool uses_atomics);
void mpl_memory_end(struct mpl_run *);

/* A meeting is complete. */
void mpl_memory_meet(struct mpl_run *, const struct mpl_meeting *);

/* An access of the running work-item that is about to happen; `code`, which has to live as long as
 * the access, stands for its place if it has none. */
void mpl_memory_access(struct mpl_access *, const void *address, uint64_t size,
                       const struct mpl_code *code);

/* The memory_scope of the next atomic access or fence, or MPL_NO_SCOPE. */
void mpl_memory_set_scope(struct mpl_item *, uint64_t scope);

/* objects.c: an access to a variable, as mpl_item_host.inside. */
void mpl_memory_inside(struct mpl_access *, const void *address, uint64_t size, const void *base,
                       uint64_t whole, uint8_t *written);

/* The same: one to the work-item's own stack, by a pointer that may lead anywhere. */
void mpl_memory_own(struct mpl_run *, struct mpl_item *, struct mpl_access *, const void *address,
                    uint64_t size, const struct mpl_code *code);

/* objects.c: what the arguments point to, for a group; false if out of memory. */
bool mpl_memory_find_views(struct mpl_memory *, struct mpl_run *);
/* An access by a pointer that an argument is: not inside, or not to be written to. */
void mpl_memory_refuse(struct mpl_item *, struct mpl_access *, uintptr_t address, uint64_t size,
                       uint32_t argument);
/* More than what goes back to where it was, as of a vector of which a component is written. */
static inline bool mpl_memory_reads(const struct mpl_access *access) {
  enum { COPIED = MPL_ACCESS_UNUSED | MPL_ACCESS_COPIED };
  uint32_t how = access->flags & COPIED;
  return access->flags & MPL_ACCESS_READ && how != MPL_ACCESS_UNUSED;
}
static inline void mpl_memory_by_argument(struct mpl_item *item, const struct mpl_memory *m,
                                          struct mpl_access *access, uintptr_t address,
                                          uint64_t size, uint32_t argument) {
  const struct mpl_view *view = &m->views[argument];
  uintptr_t offset = address - view->low;
  if (offset > view->size || size > view->size - offset ||
      (view->read_only && access->flags & MPL_ACCESS_WRITE) ||
      (view->write_only && mpl_memory_reads(access)))
    mpl_memory_refuse(item, access, address, size, argument);
}

static inline enum mpl_memory_kind mpl_memory_kind_of(const struct mpl_memory *m,
                                                      uintptr_t address) {
  if (address - (uintptr_t)m->local < m->local_size) return MPL_MEMORY_LOCAL;
  for (unsigned i = 0; i < m->num_variables; i++)
    if (address - (uintptr_t)m->variables[i].block.low < m->variables[i].block.size)
      return MPL_MEMORY_LOCAL;
  return MPL_MEMORY_GLOBAL;
}

/* Ends the group, since the access must not happen. */
_Noreturn void mpl_memory_give_up(struct mpl_run *, struct mpl_item *, uint32_t flags,
                                  const void *address, uint64_t size);

/* It lies on the work-item's own stack. */
static inline bool mpl_memory_is_own(const struct mpl_item *item, const void *address) {
  return (uintptr_t)address - (uintptr_t)item->stack->low <
         (uintptr_t)(item->stack->top - item->stack->low);
}

static inline struct mpl_stretch *mpl_stretch_of(struct mpl_memory *m, uintptr_t address) {
  uint64_t page = address >> MPL_SHADOW_PAGE_BITS; /* as mpl_shadow_slot */
  return &m->stretches[page * 0x9e3779b97f4a7c15u >> (64 - MPL_STRETCHES_BITS)];
}
/* Of another group, or before something was allocated or freed, there was another. */
static inline uint64_t mpl_stretch_time(const struct mpl_memory *m) {
  return m->groups << 32 | mpl_allocations_changes();
}

/* Narrows a range around an address to the local memory, or the variable, that it is in; false if
 * it is in none. */
bool mpl_memory_within_local(const struct mpl_memory *, uintptr_t address, uintptr_t *low,
                             uintptr_t *end);
/* Narrows it to what is none of that, around an address that is in none. */
void mpl_memory_outside_local(const struct mpl_memory *, uintptr_t address, uintptr_t *low,
                              uintptr_t *end);

static inline uintptr_t mpl_alignment_mask(const struct mpl_access *access) {
  unsigned power = access->flags >> MPL_ACCESS_ALIGN_SHIFT & MPL_ACCESS_ALIGN_MASK;
  return ((uintptr_t)1 << power) - 1;
}

/* Before another work-item runs. */
void mpl_memory_settle_doubt(struct mpl_run *);
static inline void mpl_memory_settle(struct mpl_run *run) {
  if (run->memory && run->memory->doubt.size) mpl_memory_settle_doubt(run);
}

/* In a signal handler: what only a message could settle is let pass. */
static inline void mpl_memory_drop_doubt(struct mpl_run *run) {
  if (run->memory) run->memory->doubt.size = 0;
}

/* The work-item is about to go on: what its stamps are. */
void mpl_memory_resume(struct mpl_run *, const struct mpl_item *);

/* The thread has to be the one that will run the group. */
void mpl_find_thread_variables(struct mpl_memory *);

/* --- races.c --- */

/* What a work-item knows now, all accesses of its own included. */
struct mpl_clock mpl_races_known(const struct mpl_run *, const struct mpl_item *);

/* Enters the access into the shadow memory.  Whether it races: with whom.  `may_repeat`: it need
 * not be looked at again if the same work-item repeats it. */
bool mpl_races(struct mpl_run *, const struct mpl_item *, enum mpl_memory_kind,
               const struct mpl_access *, uintptr_t address, uint64_t size, struct mpl_record own,
               bool may_repeat, struct mpl_record *other, bool *other_writes);

/* --- quick.c --- */

/* Does all that mpl_memory_access has to, if that is little; false, and it is still to be done, if
 * not. */
bool mpl_access_quickly(struct mpl_item *, struct mpl_memory *, struct mpl_access *,
                        uintptr_t address, uint64_t size);

/* The same of a program that tells of its accesses: it may free memory meanwhile. */
bool mpl_told_quickly(struct mpl_item *, struct mpl_memory *, struct mpl_access *,
                      uintptr_t address, uint64_t size);

/* --- access_numbers.c: accesses by a small number --- */

/* An access keeps its number beside the generation: those of older ones, in programs that live on,
 * are void. */
enum { MPL_ACCESS_NUMBER_BITS = 15 };
extern uint32_t mpl_access_generation;
/* 0: it has none yet. */
static inline uint16_t mpl_access_number_kept(const struct mpl_access *access) {
  uint32_t kept = __atomic_load_n(&access->number, __ATOMIC_RELAXED);
  uint32_t now = __atomic_load_n(&mpl_access_generation, __ATOMIC_RELAXED);
  return kept >> MPL_ACCESS_NUMBER_BITS == now ? kept & ((1u << MPL_ACCESS_NUMBER_BITS) - 1) : 0;
}

uint16_t mpl_access_number(struct mpl_access *, const struct mpl_code *);
struct mpl_place mpl_access_place(uint16_t number);
const char *mpl_access_variable(uint16_t number); /* or null */
bool mpl_access_is_volatile(uint16_t number);     /* and that does not make it atomic */
/* Volatile ones do with MANIPLE_CHECK_VOLATILE=0, and where a loop waits by them. */
bool mpl_access_counts_as_atomic(const struct mpl_access *);
void mpl_access_forget(void);                     /* no launch runs: numbers begin again */

/* --- diagnose_memory.c --- */

void mpl_diagnose_race(const struct mpl_run *, enum mpl_memory_kind, struct mpl_record own,
                       bool writes, struct mpl_record other, bool other_writes);
void mpl_diagnose_unwritten(const struct mpl_run *, const struct mpl_item *, enum mpl_memory_kind,
                            uint16_t number);
/* Of an allocation; `used`: it is not only copied. */
void mpl_diagnose_unwritten_global(const struct mpl_run *, const struct mpl_item *, uint16_t number,
                                   const void *address, const struct mpl_allocation *, bool used);
void mpl_diagnose_read_only(const struct mpl_run *, const struct mpl_item *, const char *what,
                            uint16_t number);
void mpl_diagnose_write_only(const struct mpl_run *, const struct mpl_item *, const char *what,
                             uint16_t number);
/* Of a private array, whose scope is no more. */
void mpl_diagnose_ended(const struct mpl_run *, const struct mpl_item *, bool writes,
                        uint16_t number);
void mpl_diagnose_misaligned(const struct mpl_run *, const struct mpl_item *,
                             const struct mpl_access *, uint16_t number);

#endif
