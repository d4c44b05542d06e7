/* Programs that announce their own accesses to memory, to the engine by src/tsan_shim. */
#ifndef MPL_CHECK_TOLD_ACCESSES_H
#define MPL_CHECK_TOLD_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/items.h"

#define MPL_WATCHED __attribute__((visibility("default"), nothrow))

/* The program will announce its accesses: to be called before its first launch. */
MPL_WATCHED void mpl_told_begin(void);

/* It is about to access `size` bytes, or (no read, no write) to fence.  Flags: enum
 * mpl_access_flags.  `code` is the address behind the call.  Outside of kernels nothing happens. */
MPL_WATCHED void mpl_told_access(const void *address, size_t size, uint32_t flags,
                                 const void *code);

/* From 1 to 0 no loop waits by the values of the thread's volatile accesses; of others that is
 * unknown. */
MPL_WATCHED void mpl_told_volatile(uint32_t begins);

/* The memory_scope (OpenCL's numbers) of the thread's next atomic access or fence; MPL_NO_SCOPE
 * behind it.  Called by <sycl/sycl.hpp>, and taken out of what is compiled. */
MPL_WATCHED void mpl_told_scope(uint32_t scope);

/* A function begins, called from there, or ends: lines of accesses in functions of headers are
 * those of their callers. */
MPL_WATCHED void mpl_told_enter(const void *caller);
MPL_WATCHED void mpl_told_leave(void);

/* The work-item has just got this memory: its former owner is done with it. */
MPL_WATCHED void mpl_told_fresh(const void *address, size_t size);

/* --- The program's heap --- */

struct mpl_told_block {
  const char *base;
  size_t size;
  const void *caller; /* who allocated it: an address in its code */
  bool is_marked;
};
enum mpl_told_memory {
  MPL_TOLD_NOTHING, /* no block is near: on the address's page there is none */
  MPL_TOLD_NEAR,
  MPL_TOLD_BLOCK /* that the address is in, or just beside */
};

/* Whether kernels are checked; if so `find` is asked, and must not wait if it is told so. */
MPL_WATCHED bool mpl_told_heap(enum mpl_told_memory (*find)(const void *, struct mpl_told_block *,
                                                            bool waits));
/* A block has come or gone. */
MPL_WATCHED void mpl_told_heap_changed(void);
/* Fills new memory with the word for unwritten memory (unwritten.h); false if it does not. */
MPL_WATCHED bool mpl_told_mark(void *, size_t size);

#endif
