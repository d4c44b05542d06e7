/* References of commands to memory objects.
 *
 * Most objects are used by one thread: its commands count in base.refs as everybody does.  Once
 * threads take turns, the object gets a count for each slot of threads, and commands count there.
 * When base.refs goes to 0, the application has no handle any more: the counts are closed, and what
 * they hold is added to base.refs.  Commands that end later find theirs closed and go there. */
#include "mem.h"
#include "runtime/threads/apart.h"
#include "runtime/threads/slot.h"

enum {
  TURNS = 16,         /* of threads that are worth the memory */
  CLOSED = 1u << 31,  /* in a count */
  CLOSING = 1u << 30, /* in base.refs, more than there are references */
};

struct mpl_hold {
  _Alignas(MPL_APART) atomic_uint count;
};

static __attribute__((noinline)) struct mpl_hold *take_turn(cl_mem mem, unsigned slot) {
  atomic_store_explicit(&mem->user, slot, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&mem->turns, 1, memory_order_relaxed) < TURNS) return NULL;
  struct mpl_hold *none = NULL, *holds = mpl_allocate_apart(MPL_SLOTS * sizeof *holds);
  if (!holds || atomic_compare_exchange_strong(&mem->holds, &none, holds)) return holds;
  free(holds);
  return none;
}

unsigned char mpl_mem_hold(cl_mem mem) {
  unsigned slot = mpl_slot();
  struct mpl_hold *holds = atomic_load_explicit(&mem->holds, memory_order_acquire);
  if (!holds && atomic_load_explicit(&mem->user, memory_order_relaxed) != slot)
    holds = take_turn(mem, slot);
  /* Closed: the program uses an object that it has released, and commands still have it. */
  if (holds && !(atomic_fetch_add_explicit(&holds[slot].count, 1, memory_order_relaxed) & CLOSED))
    return (unsigned char)(slot + 1);
  atomic_fetch_add(&mem->base.refs, 1);
  return 0;
}

/* Until the end base.refs is so large that nobody takes it for the last. */
static __attribute__((noinline)) bool close_holds(cl_mem mem, struct mpl_hold *holds) {
  unsigned held = 0;
  mem->is_closed = true;
  atomic_fetch_add(&mem->base.refs, CLOSING);
  for (unsigned i = 0; i < MPL_SLOTS; i++) held += atomic_fetch_or(&holds[i].count, CLOSED);
  return atomic_fetch_sub(&mem->base.refs, CLOSING - held) == CLOSING - held;
}

void mpl_mem_let(cl_mem mem, unsigned char held) {
  struct mpl_hold *holds = atomic_load_explicit(&mem->holds, memory_order_acquire);
  if (held && !(atomic_fetch_sub(&holds[held - 1].count, 1) & CLOSED)) return;
  if (atomic_fetch_sub(&mem->base.refs, 1) != 1) return;
  holds = atomic_load(&mem->holds);
  if (!holds || mem->is_closed || close_holds(mem, holds)) mpl_mem_free(mem);
}
