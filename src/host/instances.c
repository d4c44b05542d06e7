/* mpl_instance: what variables of the program are in one of several sets of instances.  Work-items
 * read the lists without a lock: an instance never changes and is never taken out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record_gpu.h"
#include "host/host.h"
#include "maniple/kernel.h"
#include "runtime/threads/lock.h"

struct instance {
  struct instance *next;
  const void *variable;
  void *memory;
};

/* Of a kernel on a GPU: where all that it asks for is. */
struct places {
  struct places *next;
  const struct mpl_record_gpu *of;
  void **list; /* memory of the device's */
};

enum { LISTS = 64 };
struct mpl_instances {
  struct mpl_device *gpu; /* whose memory they are in; null: the host's */
  struct places *places;  /* under the lock */
  pthread_mutex_t lock; /* of who adds one */
  _Atomic(struct instance *) first[LISTS];
};

mpl_instances *mpl_create_instances(void) {
  return mpl_create_instances_on(NULL);
}

mpl_instances *mpl_create_instances_on(struct mpl_device *device) {
  struct mpl_instances *set = calloc(1, sizeof *set);
  if (!set) return NULL;
  pthread_mutex_init(&set->lock, NULL);
  if (device && mpl_is_gpu(device)) set->gpu = device;
  return set;
}

static void *allocate(const struct mpl_instances *set, size_t size, size_t align) {
  if (set->gpu) return mpl_malloc(set->gpu, MPL_MEMORY_SHARED, size, align);
  return aligned_alloc(align, size);
}
static void release(const struct mpl_instances *set, void *memory) {
  if (set->gpu)
    mpl_free(memory);
  else
    free(memory);
}

void mpl_destroy_instances(struct mpl_instances *set) {
  if (!set) return;
  for (size_t i = 0; i < LISTS; i++)
    for (struct instance *next, *each = set->first[i]; each; each = next) {
      next = each->next;
      release(set, each->memory);
      free(each);
    }
  for (struct places *next, *each = set->places; each; each = next) {
    next = each->next;
    release(set, each->list);
    free(each);
  }
  pthread_mutex_destroy(&set->lock);
  free(set);
}

static struct instance *find(struct instance *first, const void *variable) {
  while (first && first->variable != variable) first = first->next;
  return first;
}

static struct instance *make(const struct mpl_instances *set, const void *variable, const void *initial, size_t size,
                             size_t align) {
  struct instance *made = malloc(sizeof *made);
  if (align < sizeof(void *)) align = sizeof(void *);
  size_t room = (size + align - 1) / align * align;
  if (!made || !(made->memory = allocate(set, room ? room : align, align))) {
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
  if (!found && (found = make(set, variable, initial, size, align))) {
    found->next = atomic_load_explicit(first, memory_order_relaxed);
    atomic_store_explicit(first, found, memory_order_release);
  }
  mpl_unlock(&set->lock);
  return found ? found->memory : NULL;
}

void *mpl_instance(struct mpl_instances *set, const void *variable, const void *initial,
                   size_t size, size_t align) {
  return set ? instance_of(set, variable, initial, size, align) : (void *)(uintptr_t)variable;
}

static struct places *places_of(const struct mpl_instances *set, const struct mpl_record_gpu *of) {
  struct places *each = set->places;
  while (each && each->of != of) each = each->next;
  return each;
}

static struct places *make_places(struct mpl_instances *set, const struct mpl_record_gpu *of) {
  struct places *made = calloc(1, sizeof *made);
  if (!made || !(made->list = allocate(set, of->num_variables * sizeof *made->list, 0))) {
    free(made);
    return NULL;
  }
  made->of = of;
  for (uint64_t i = 0; i < of->num_variables; i++) {
    const struct mpl_gpu_variable *v = &of->variables[i];
    made->list[i] = instance_of(set, v->variable, v->initial, v->size, v->align);
    if (made->list[i]) continue;
    release(set, made->list);
    free(made);
    return NULL;
  }
  return made;
}

void *mpl_places_of_variables(struct mpl_instances *set, const struct mpl_record_gpu *of) {
  if (!set || !set->gpu) return NULL;
  mpl_lock(&set->lock);
  struct places *found = places_of(set, of);
  mpl_unlock(&set->lock);
  if (found) return found->list;
  struct places *made = make_places(set, of); /* it takes the lock */
  if (!made) return NULL;
  mpl_lock(&set->lock); /* another of the same may have come: both are right */
  made->next = set->places;
  set->places = made;
  mpl_unlock(&set->lock);
  return made->list;
}

/* Of compiled kernels. */
void *__mpl_instance(struct mpl_instances *, const void *, const void *, size_t, size_t);
__attribute__((visibility("default"))) void *__mpl_instance(struct mpl_instances *set,
                                                            const void *variable,
                                                            const void *initial, size_t size,
                                                            size_t align) {
  return instance_of(set, variable, initial, size, align);
}
