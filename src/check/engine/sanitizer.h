/* AddressSanitizer and ThreadSanitizer keep books on stacks, so they have to hear of every change.
 * They are looked for at run time: an application may be compiled with one, whatever this library
 * was compiled with. */
#ifndef MPL_CHECK_SANITIZER_H
#define MPL_CHECK_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

struct mpl_stack;

/* Their interface: <sanitizer/common_interface_defs.h>, <sanitizer/tsan_interface.h>. */
#define WEAK __attribute__((weak, visibility("default")))
WEAK void __sanitizer_start_switch_fiber(void **save, const void *low, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *saved, const void **old_low, size_t *old_size);
WEAK void __asan_unpoison_memory_region(const volatile void *memory, size_t size);
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned flags);
WEAK void __tsan_destroy_fiber(void *fibre);
WEAK void __tsan_switch_to_fiber(void *fibre, unsigned flags);
#undef WEAK

static inline bool mpl_sanitizer_is_there(void) {
  return __builtin_expect(__sanitizer_start_switch_fiber || __tsan_switch_to_fiber, 0);
}

/* Fibres that there may be at once. */
size_t mpl_sanitizer_most_fibres(void);

void mpl_sanitizer_prepare(struct mpl_stack *); /* a new fibre will begin there */
void mpl_sanitizer_forget(struct mpl_stack *);  /* a fibre was left half-way there */

/* As mpl_fibre_change and mpl_fibre_begun (fibre.h), where a sanitizer is there. */
void mpl_sanitizer_change(void **save, void *to, const struct mpl_stack *);
void mpl_sanitizer_begun(void);

#endif
