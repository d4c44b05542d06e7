/* mpl_instance: what variables of the program are in one of several sets of instances.  Work-items
 * read the lists without a lock: an instance never changes and is never taken out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "maniple/kernel.h"
#include "runtime/threads/lock.h"

struct instance {
  struct instance *next;
  const void *variable;
  void *memory;
};

enum { LISTS = 64 };
struct mpl_instances {
  pthread_mutex_t lock; /* of who adds one */
  _Atomic(struct instance *) first[LISTS];
};

mpl_instances *mpl_create_instances(void) {
  struct mpl_instances *set = calloc(1, sizeof *set);
  if (set) pthread_mutex_init(&set->lock, NULL);
  return set;
}

void mpl_destroy_instances(struct mpl_instances *set) {
  if (!set) return;
  for (size_t i = 0; i < LISTS; i++)
    for (struct instance *next, *each = set->first[i]; each; each = next) {
      next = each->next;
      free(each->memory);
      free(each);
    }
  pthread_mutex_destroy(&set->lock);
  free(set);
}

static struct instance *find(struct instance *first, const void *variable) {
  while (first && first->variable != variable) first = first->next;
  return first;
}

static struct instance *make(const void *variable, const void *initial, size_t size, size_t align) {
  struct instance *made = malloc(sizeof *made);
  if (align < sizeof(void *)) align = sizeof(void *);
  size_t room = (size + align - 1) / align * align;
  if (!made || !(made->memory = aligned_alloc(align, room ? room : align))) {
    free(made);
    return NULL;
  }
  made->variable = variable;
  if (initial)
    memcpy(made->memory, initial, size);
  else
    memset(made->memory, 0, size);
  return made;
}

static void *instance_of(struct mpl_instances *set, const void *variable, const void *initial,
                         size_t size, size_t align) {
  _Atomic(struct instance *) *first = &set->first[(uintptr_t)variable / 16 % LISTS];
  struct instance *found = find(atomic_load_explicit(first, memory_order_acquire), variable);
  if (found) return found->memory;
  mpl_lock(&set->lock);
  found = find(atomic_load_explicit(first, memory_order_relaxed), variable);
  if (!found && (found = make(variable, initial, size, align))) {
    found->next = atomic_load_explicit(first, memory_order_relaxed);
    atomic_store_explicit(first, found, memory_order_release);
  }
  mpl_unlock(&set->lock);
  return found ? found->memory : NULL;
}

void *mpl_instance(struct mpl_instances *set, const void *variable, const void *initial,
                   size_t size, size_t align) {
  return instance_of(set, variable, initial, size, align);
}

/* Of compiled kernels. */
void *__mpl_instance(struct mpl_instances *, const void *, const void *, size_t, size_t);
__attribute__((visibility("default"))) void *__mpl_instance(struct mpl_instances *set,
                                                            const void *variable,
                                                            const void *initial, size_t size,
                                                            size_t align) {
  return instance_of(set, variable, initial, size, align);
}
