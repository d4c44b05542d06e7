/* mpl_group_place on fibres, in programs that maniple's compiler has not seen: memory of the thread,
 * on which all work-items of a group run, for each place that calls. */
#include <pthread.h>
#include <stdlib.h>

#include "group_place.h"
#include "maniple/kernel.h"

struct place {
  struct place *next;
  const void *caller; /* where the call returns to */
  char *memory;
  size_t size;
};

static _Thread_local struct place *places;
static pthread_key_t at_exit;

static void free_places(void *first) {
  for (struct place *next, *each = first; each; each = next) {
    next = each->next;
    free(each->memory);
    free(each);
  }
}

static void make_key(void) {
  if (pthread_key_create(&at_exit, free_places)) abort();
}

static struct place *add(const void *caller, size_t size, size_t align) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  struct place *made = malloc(sizeof *made);
  if (align < sizeof(void *)) align = sizeof(void *);
  size = (size + align - 1) / align * align;
  if (!made || !(made->memory = aligned_alloc(align, size ? size : align))) abort();
  made->caller = caller;
  made->size = size;
  made->next = places;
  places = made;
  if (pthread_setspecific(at_exit, places)) abort();
  return made;
}

__attribute__((noinline)) void *mpl_group_place(size_t size, size_t align) {
  const void *caller = __builtin_return_address(0);
  struct place *place = places;
  while (place && place->caller != caller) place = place->next;
  return (place ? place : add(caller, size, align))->memory;
}

bool mpl_is_group_place(const void *p) {
  for (const struct place *each = places; each; each = each->next)
    if ((uintptr_t)p - (uintptr_t)each->memory < each->size) return true;
  return false;
}
