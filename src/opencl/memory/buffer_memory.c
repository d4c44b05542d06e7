#include "buffer_memory.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "opencl/device/device.h"
#include "runtime/device.h"
#include "svm.h"

/* Bytes up to `end` from the span before it: a bit for each memory that has them up to date.  Where
 * nothing was written, all have. */
struct span {
  size_t end;
  uint64_t current;
};

struct mpl_buffer_state {
  pthread_mutex_t lock;
  size_t num_spans, capacity;
  struct span *spans;
  _Atomic(void *) places[]; /* by memory; null until used, then the same for ever */
};

/* --- Spans --- */

/* The index of the span that begins at `at`, cut off from one that goes over it. */
static size_t cut(struct mpl_buffer_state *state, size_t at) {
  size_t i = 0;
  while (i < state->num_spans && state->spans[i].end <= at) i++;
  size_t start = i ? state->spans[i - 1].end : 0;
  if (i == state->num_spans || start == at) return i;
  memmove(state->spans + i + 1, state->spans + i, (state->num_spans - i) * sizeof *state->spans);
  state->num_spans++;
  state->spans[i].end = at;
  return i + 1;
}

/* Room for two cuts. */
static bool make_room(struct mpl_buffer_state *state) {
  if (state->num_spans + 2 <= state->capacity) return true;
  size_t capacity = state->capacity * 2 + 2;
  struct span *spans = realloc(state->spans, capacity * sizeof *spans);
  if (!spans) return false;
  state->spans = spans;
  state->capacity = capacity;
  return true;
}

/* Neighbours that are alike become one. */
static void join(struct mpl_buffer_state *state) {
  size_t n = 0;
  for (size_t i = 0; i < state->num_spans; i++)
    if (n && state->spans[n - 1].current == state->spans[i].current)
      state->spans[n - 1].end = state->spans[i].end;
    else
      state->spans[n++] = state->spans[i];
  state->num_spans = n;
}

/* --- Places --- */

unsigned mpl_memory_of(cl_context context, const struct mpl_device *device) {
  unsigned memory = MPL_HOST_MEMORY;
  if (!device->info.host_memory)
    while (context->memories[++memory] != device) continue;
  return memory;
}

/* The device that has a place in a memory, and what it is to it: what the host sees of hidden
 * memory lies near to a device that has some. */
static struct mpl_device *keeper(cl_context context, unsigned memory, enum mpl_storage *storage) {
  struct mpl_device *device = context->memories[memory];
  *storage = device ? MPL_STORAGE_DEVICE : MPL_STORAGE_PINNED;
  return device ? device : context->memories[MPL_HOST_MEMORY + 1];
}

static void *allocate(cl_mem mem, unsigned memory) {
  enum mpl_storage storage;
  struct mpl_device *device = keeper(mem->context, memory, &storage);
  return device->ops->allocate(device, mem->size, MPL_MEM_BASE_ALIGN, storage,
                               mem->image ? "an image" : "a buffer");
}

static void release(cl_context context, unsigned memory, void *place) {
  enum mpl_storage storage;
  struct mpl_device *device = keeper(context, memory, &storage);
  device->ops->release(device, place, storage);
}

/* With the lock held, if others may have the buffer. */
static void *place_in(cl_mem root, unsigned memory) {
  struct mpl_buffer_state *state = root->state;
  if (!state->places[memory]) state->places[memory] = allocate(root, memory);
  return state->places[memory];
}

void *mpl_buffer_place(cl_mem mem, unsigned memory) {
  if (mem->data) return mem->data;
  cl_mem root = mpl_mem_root(mem);
  char *place = atomic_load_explicit(&root->state->places[memory], memory_order_acquire);
  if (!place) {
    mpl_lock(&root->state->lock);
    place = place_in(root, memory);
    mpl_unlock(&root->state->lock);
  }
  return place ? place + mem->origin : NULL;
}

static int copy_bytes(struct mpl_device *device, void *to, bool to_host, void *from, bool from_host,
                      size_t size) {
  const struct mpl_operation operation = {.kind = MPL_COPY,
                                          .copy = {.to = {.base = to, .on_host = to_host},
                                                   .from = {.base = from, .on_host = from_host},
                                                   .size = {size, 1, 1}}};
  return device->ops->perform(device, &operation);
}

static cl_int init_state(cl_mem mem, void *host_ptr) {
  cl_context context = mem->context;
  struct mpl_device *device = context->devices[0]->device;
  unsigned first = mpl_memory_of(context, device);
  struct mpl_buffer_state *state =
      calloc(1, sizeof *state + context->num_memories * sizeof *state->places);
  if (!state) return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_init(&state->lock, NULL);
  mem->state = state;
  if (!make_room(state)) return CL_OUT_OF_HOST_MEMORY;
  state->spans[state->num_spans++] = (struct span){mem->size, UINT64_MAX};
  if (mem->host_ptr) {
    state->places[MPL_HOST_MEMORY] = host_ptr;
    state->spans[0].current = (uint64_t)1 << MPL_HOST_MEMORY;
  }
  if (!place_in(mem, first)) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!(mem->flags & CL_MEM_COPY_HOST_PTR)) return CL_SUCCESS;
  state->spans[0].current = (uint64_t)1 << first;
  return copy_bytes(device, state->places[first], first == MPL_HOST_MEMORY, host_ptr, true,
                    mem->size);
}

cl_int mpl_buffer_memory_init(cl_mem mem, void *host_ptr) {
  enum { PIXEL = 16 /* bytes: of an image on a GPU, which it reads at once */ };
  bool is_aligned = (uintptr_t)mem->host_ptr % PIXEL == 0,
       in_place = mem->uses_svm && mpl_svm_everywhere(mem->context) && is_aligned;
  if (mpl_has_hidden_memory(mem->context) && !in_place) return init_state(mem, host_ptr);
  mem->data = mem->host_ptr ? mem->host_ptr : allocate(mem, MPL_HOST_MEMORY);
  if (!mem->data) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (mem->flags & CL_MEM_COPY_HOST_PTR) memcpy(mem->data, host_ptr, mem->size);
  return CL_SUCCESS;
}

cl_int mpl_buffer_memory_set(cl_mem mem, void *bytes, size_t size) {
  struct mpl_device *device = mem->context->devices[0]->device;
  unsigned memory = mpl_memory_of(mem->context, device);
  if (mem->data) {
    memcpy(mem->data, bytes, size);
    return CL_SUCCESS;
  }
  mem->state->spans[0].current = (uint64_t)1 << memory; /* all of it is one span yet */
  return copy_bytes(device, mem->state->places[memory], memory == MPL_HOST_MEMORY, bytes, true,
                    size);
}

void mpl_buffer_memory_free(cl_mem mem) {
  struct mpl_buffer_state *state = mem->state;
  if (mem->data && mem->data != mem->host_ptr) release(mem->context, MPL_HOST_MEMORY, mem->data);
  if (!state) return;
  for (unsigned i = 0; i < mem->context->num_memories; i++)
    if (state->places[i] && state->places[i] != mem->host_ptr)
      release(mem->context, i, state->places[i]);
  pthread_mutex_destroy(&state->lock);
  free(state->spans);
  free(state);
}

/* --- Copies between memories: one of the two is the host's --- */

static int copy(cl_mem root, unsigned to, unsigned from, size_t start, size_t size) {
  char *target = place_in(root, to), *source = place_in(root, from);
  if (!target || !source) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return copy_bytes(root->context->memories[to ? to : from], target + start, !to, source + start,
                    !from, size);
}

/* From one hidden memory to another the bytes go through the host's. */
static int bring(cl_mem root, struct span *span, size_t start, unsigned memory) {
  const uint64_t host = (uint64_t)1 << MPL_HOST_MEMORY, wanted = (uint64_t)1 << memory;
  int error = 0;
  if (!(span->current & host) && !(span->current & wanted)) {
    unsigned from = (unsigned)__builtin_ctzll(span->current);
    error = copy(root, MPL_HOST_MEMORY, from, start, span->end - start);
    if (!error) span->current |= host;
  }
  if (error || span->current & wanted) return error;
  error = copy(root, memory, MPL_HOST_MEMORY, start, span->end - start);
  if (!error) span->current |= wanted;
  return error;
}

int mpl_buffer_acquire(const struct mpl_range *range, unsigned memory) {
  if (!range->mem || !range->size) return 0;
  cl_mem root = mpl_mem_root(range->mem);
  struct mpl_buffer_state *state = root->state;
  if (!state) return 0;
  mpl_lock(&state->lock);
  size_t start = range->mem->origin + range->offset, i = 0, end = 1;
  bool whole = state->num_spans == 1 && range->size == state->spans[0].end; /* the usual case */
  int error = whole || make_room(state) ? 0 : CL_OUT_OF_HOST_MEMORY;
  if (!whole && !error) {
    i = cut(state, start);
    end = cut(state, start + range->size);
  }
  for (; i < end && !error; start = state->spans[i++].end) {
    if (range->reads) error = bring(root, &state->spans[i], start, memory);
    if (range->writes && !error) state->spans[i].current = (uint64_t)1 << memory;
  }
  if (!whole) join(state);
  mpl_unlock(&state->lock);
  return error;
}

int mpl_buffers_acquire(const cl_mem *mems, cl_uint count, bool writes, unsigned memory) {
  int error = 0;
  for (cl_uint i = 0; i < count && !error; i++) {
    const struct mpl_range all = {mems[i], 0, mems[i]->size, .reads = true,
                                  .writes = writes && !(mems[i]->flags & CL_MEM_READ_ONLY)};
    error = mpl_buffer_acquire(&all, memory);
  }
  return error;
}

bool mpl_buffer_is_current(const struct mpl_range *range, unsigned memory) {
  struct mpl_buffer_state *state = mpl_mem_root(range->mem)->state;
  size_t start = range->mem->origin + range->offset, from = 0;
  bool current = true;
  mpl_lock(&state->lock);
  for (size_t i = 0; i < state->num_spans; from = state->spans[i++].end)
    if (from < start + range->size && state->spans[i].end > start)
      current &= state->spans[i].current >> memory & 1;
  mpl_unlock(&state->lock);
  return current;
}

void mpl_buffer_set_current(const struct mpl_range *range, unsigned memory) {
  struct mpl_buffer_state *state = mpl_mem_root(range->mem)->state;
  size_t start = range->mem->origin + range->offset;
  mpl_lock(&state->lock);
  if (make_room(state)) { /* else it is copied once more */
    size_t i = cut(state, start), end = cut(state, start + range->size);
    for (; i < end; i++) state->spans[i].current |= (uint64_t)1 << memory;
    join(state);
  }
  mpl_unlock(&state->lock);
}
