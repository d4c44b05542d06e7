/* Copies, fills and allocations of memory in kernels.  clang calls the first three functions; other
 * compilers leave the C library's names, which ThreadSanitizer's run time has functions for too. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/memory/told_accesses.h"
#include "heap.h"

#define CALLED __builtin_return_address(0)
#define PUBLIC __attribute__((visibility("default")))

static void tell_copy(const void *to, const void *from, size_t size, const void *code) {
  mpl_told_access(from, size, MPL_ACCESS_READ | MPL_ACCESS_UNUSED, code);
  mpl_told_access(to, size, MPL_ACCESS_WRITE, code);
}

/* The C library's own. */
static void *(*moved)(void *, const void *, size_t);
static void *(*filled)(void *, int, size_t);

/* Until they are found, as they may be needed to find them.  Volatile: the compiler must not make
 * calls of these functions of the loops. */
static void *move(void *to, const void *from, size_t size) {
  if (moved) return moved(to, from, size);
  volatile char *out = to;
  const volatile char *in = from;
  if ((uintptr_t)to <= (uintptr_t)from)
    for (size_t i = 0; i < size; i++) out[i] = in[i];
  else
    for (size_t i = size; i--;) out[i] = in[i];
  return to;
}

static void *fill(void *to, int byte, size_t size) {
  if (filled) return filled(to, byte, size);
  volatile char *out = to;
  for (size_t i = 0; i < size; i++) out[i] = (char)byte;
  return to;
}

__attribute__((constructor)) static void find(void) {
  moved = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memmove");
  filled = (void *(*)(void *, int, size_t))dlsym(RTLD_NEXT, "memset");
}

#define COPY(name)                                                                                 \
  PUBLIC void *name(void *to, const void *from, size_t size);                                      \
  void *name(void *to, const void *from, size_t size) {                                            \
    if (mpl_is_program(CALLED)) tell_copy(to, from, size, CALLED);                                 \
    return move(to, from, size);                                                                   \
  }
#define FILL(name)                                                                                 \
  PUBLIC void *name(void *to, int byte, size_t size);                                              \
  void *name(void *to, int byte, size_t size) {                                                    \
    if (mpl_is_program(CALLED)) mpl_told_access(to, size, MPL_ACCESS_WRITE, CALLED);               \
    return fill(to, byte, size);                                                                   \
  }
/* C++'s operator new: whoever calls it links the C++ library, which has them.  A program with one
 * of its own keeps that. */
#define NEW(name, parameters, align, ...)                                                          \
  PUBLIC __attribute__((weak)) void *name parameters;                                              \
  void *name parameters {                                                                          \
    static void *(*made)parameters;                                                                \
    void *watched = mpl_heap_has(CALLED) ? mpl_heap_new(size, align, CALLED) : NULL;               \
    if (watched) return watched;                                                                   \
    if (!made) made = (void *(*)parameters)dlsym(RTLD_NEXT, #name);                                \
    void *memory = made(__VA_ARGS__);                                                              \
    mpl_told_fresh(memory, size);                                                                  \
    return memory;                                                                                 \
  }
NEW(_Znwm, (size_t size), 0, size)
NEW(_Znam, (size_t size), 0, size)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), alignment, size, alignment)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), alignment, size, alignment)

COPY(__tsan_memcpy)
COPY(__tsan_memmove)
FILL(__tsan_memset)
COPY(memcpy)
COPY(memmove)
FILL(memset)
