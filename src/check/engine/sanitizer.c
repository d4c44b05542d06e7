#include "sanitizer.h"

#include <stdint.h>

#include "fibre.h"

/* The thread's own stack, learnt when it is left for the first time. */
static _Thread_local struct {
  const void *low;
  size_t size;
  void *fibre; /* ThreadSanitizer's */
} own;
static _Thread_local const struct mpl_stack *here; /* null: the thread's own */
static _Thread_local bool from_own;

size_t mpl_sanitizer_most_fibres(void) {
  enum { THREAD_SANITIZERS = 7000 }; /* it numbers threads and fibres to 8128 */
  return __tsan_create_fiber ? THREAD_SANITIZERS : SIZE_MAX;
}

void mpl_sanitizer_forget(struct mpl_stack *stack) {
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(stack->low, (size_t)(stack->top - stack->low));
}

void mpl_sanitizer_prepare(struct mpl_stack *stack) {
  if (!__tsan_create_fiber) return;
  if (stack->sanitizer) __tsan_destroy_fiber(stack->sanitizer);
  stack->sanitizer = __tsan_create_fiber(0);
}

static void arrive(void *fake) {
  const void *low;
  size_t size;
  if (!__sanitizer_finish_switch_fiber) return;
  __sanitizer_finish_switch_fiber(fake, &low, &size);
  if (!from_own) return;
  own.low = low;
  own.size = size;
}

void mpl_sanitizer_begun(void) {
  arrive(NULL);
}

/* Not on AddressSanitizer's fake stack, which a fibre that ends here loses. */
__attribute__((no_sanitize_address)) void mpl_sanitizer_change(void **save, void *to,
                                                               const struct mpl_stack *stack) {
  void *fake = NULL, *nowhere;
  from_own = !here;
  here = stack;
  if (__tsan_switch_to_fiber) {
    if (from_own) own.fibre = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(stack ? stack->sanitizer : own.fibre, 0);
  }
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(save ? &fake : NULL, stack ? stack->low : own.low,
                                   stack ? (size_t)(stack->top - stack->low) : own.size);
  mpl_fibre_switch(save ? save : &nowhere, to);
  arrive(fake);
}
