/* The first stack frame of a fibre. */
#include "fibre.h"

#include <stdint.h>
#include <string.h>

void mpl_fibre_begin(void); /* assembly */

/* The words that mpl_fibre_switch takes from a stack, lowest address first. */
#if defined(__x86_64__)
enum { DATA = 2, ENTRY = 3, RESUME = 6, WORDS = 7 }; /* r15 r14 r13 r12 rbx rbp, then where to */
#elif defined(__aarch64__)
enum { DATA = 3, ENTRY = 2, RESUME = 1, WORDS = 20 }; /* x29 x30 x19 x20 ... */
#else
#error "fibres need mpl_fibre_switch for this architecture: a page of assembly"
#endif

void *mpl_fibre_prepare(struct mpl_stack *stack, void (*entry)(void *data), void *data) {
  uintptr_t *frame = (uintptr_t *)stack->top - WORDS;
  if (mpl_sanitizer_is_there()) mpl_sanitizer_prepare(stack);
  frame -= (uintptr_t)(frame + WORDS) / sizeof *frame % 2; /* 16-byte aligned where it begins */
  memset(frame, 0, WORDS * sizeof *frame);
  frame[DATA] = (uintptr_t)data;
  frame[ENTRY] = (uintptr_t)entry;
  frame[RESUME] = (uintptr_t)mpl_fibre_begin;
  return frame;
}
