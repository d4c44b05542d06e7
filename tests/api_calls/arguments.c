/* Handles, numbers and lists. */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

static uint64_t not_an_object[16];

void push(struct call *c, uint64_t value) {
  if (c->num_args == MOST_ARGS) abort();
  c->args[c->num_args++] = value;
}

void push_pointer(struct call *c, const void *pointer) {
  push(c, (uintptr_t)pointer);
}

void may_answer(struct call *c, cl_int code) {
  if (!code) return;
  if (c->num_codes == MOST_CODES) abort();
  c->codes[c->num_codes++] = code;
}

void *room(struct call *c, size_t size) {
  size = (size + 15) / 16 * 16;
  if (c->room_used + size > ROOM) abort();
  c->room_used += size;
  return c->room + c->room_used - size;
}

static struct slot *pinned_slot(struct call *c, enum pool pool) {
  struct slot *slot = c->num_pinned < MOST_PINNED ? pool_pin(c->random, pool) : NULL;
  if (slot) c->pinned[c->num_pinned++] = slot;
  return slot;
}

void *pinned_object(struct call *c, enum pool pool) {
  struct slot *slot = pinned_slot(c, pool);
  return slot ? atomic_load_explicit(&slot->object, memory_order_acquire) : NULL;
}

static enum pool family(enum pool pool) {
  return pool == USER_EVENTS ? EVENTS : pool;
}

/* --- handles --- */

static bool is_memory(enum pool pool) {
  return pool == BUFFERS || pool == IMAGES || pool == PIPES;
}

/* A right one mostly; else null, of another kind, or of none. */
static void *one_handle(struct call *c, enum pool pool, cl_int code, bool any_memory) {
  may_answer(c, code);
  unsigned way = below(c->random, 40);
  void *object = NULL;
  if (way == 1) {
    object = one_in(c->random, 2) ? (void *)not_an_object : (char *)not_an_object + 1;
  } else if (way == 2) {
    enum pool other = (enum pool)below(c->random, CHANGEABLE + 1);
    if (family(other) != family(pool) && !(any_memory && is_memory(other)))
      object = pinned_object(c, other);
  } else if (way) {
    object = pinned_object(c, pool);
    if (object) return object;
  }
  c->wrong = "a handle is wrong";
  return object;
}

void *some_handle(struct call *c, enum pool pool, cl_int code) {
  return one_handle(c, pool, code, false);
}

void a_handle(struct call *c, uint64_t pool, uint64_t code) {
  push_pointer(c, some_handle(c, (enum pool)pool, (cl_int)code));
}

void a_handle_or_null(struct call *c, uint64_t pool, uint64_t code) {
  if (!one_in(c->random, 3)) {
    const char *before = c->wrong;
    a_handle(c, pool, code);
    if (!c->args[c->num_args - 1]) c->wrong = before;
  } else {
    may_answer(c, (cl_int)code);
    push(c, 0);
  }
}

void a_memory(struct call *c, uint64_t unused, uint64_t code) {
  push_pointer(c, one_handle(c, one_in(c->random, 2) ? BUFFERS : IMAGES, (cl_int)code, true));
}

/* The pool, or another one whose objects have the same functions. */
static enum pool kin(struct call *c, uint64_t pool) {
  if (pool == BUFFERS && one_in(c->random, 3)) return one_in(c->random, 3) ? PIPES : IMAGES;
  return pool == EVENTS && one_in(c->random, 3) ? USER_EVENTS : (enum pool)pool;
}

/* A reference that an earlier retain added, or the pool's own: the object goes away then. */
void a_release(struct call *c, uint64_t pool, uint64_t code) {
  pool = kin(c, pool);
  may_answer(c, (cl_int)code);
  if (one_in(c->random, 16)) {
    push_pointer(c, one_in(c->random, 2) ? NULL : not_an_object);
    c->wrong = "a handle is wrong";
    return;
  }
  struct slot *slot = one_in(c->random, 2) ? pinned_slot(c, (enum pool)pool) : NULL;
  int more = slot ? atomic_load(&slot->more) : 0;
  while (more > 0)
    if (atomic_compare_exchange_weak(&slot->more, &more, more - 1)) {
      push_pointer(c, atomic_load_explicit(&slot->object, memory_order_acquire));
      return;
    }
  slot = pool_take(c->random, (enum pool)pool);
  while (slot && atomic_load(&slot->more)) { /* those go first */
    pool_release((enum pool)pool, atomic_load(&slot->object));
    atomic_fetch_sub(&slot->more, 1);
  }
  if (!slot) c->wrong = "a handle is null";
  push_pointer(c, slot ? pool_drop(slot) : NULL);
}

void a_retain(struct call *c, uint64_t pool, uint64_t code) {
  pool = kin(c, pool);
  int pinned = c->num_pinned;
  push_pointer(c, one_handle(c, (enum pool)pool, (cl_int)code, is_memory((enum pool)pool)));
  if (!c->wrong) c->retained = c->pinned[pinned];
}

static void list_of(struct call *c, enum pool pool, cl_int code, bool any_memory) {
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, code);
  unsigned count = (unsigned)ONE_OF(c->random, 1, 1, 1, 1, 0, 0, 2, 3);
  bool mismatch = one_in(c->random, 20);
  void **list = room(c, 4 * sizeof *list);
  for (unsigned i = 0; i < count; i++) list[i] = one_handle(c, pool, code, any_memory);
  if (mismatch) c->wrong = "a list is null, or is empty without being null";
  push(c, count);
  push_pointer(c, !count != mismatch ? NULL : list);
}

void a_handle_list(struct call *c, uint64_t pool, uint64_t code) {
  list_of(c, (enum pool)pool, (cl_int)code, false);
}

/* Each has got a signal on the same queue just now, and nobody else has it: what waits for a later
 * signal may be what that waits for. */
void signalled_semaphores(struct call *c, uint64_t unused, uint64_t code) {
  unsigned count = (unsigned)ONE_OF(c->random, 1, 1, 1, 1, 0, 2, 3);
  void **list = room(c, 4 * sizeof *list);
  void *signal = function_named("clEnqueueSignalSemaphoresKHR");
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, CL_INVALID_SEMAPHORE_KHR);
  for (unsigned i = 0; i < count; i++) {
    c->alone[i] = one_in(c->random, 40) ? NULL : pool_take(c->random, SEMAPHORES);
    list[i] = c->alone[i] ? atomic_load(&c->alone[i]->object) : NULL;
    if (!list[i]) c->wrong = "a semaphore is null";
    uint64_t args[MOST_ARGS] = {c->args[0], 1, (uintptr_t)&list[i]};
    call_function(signal, args);
  }
  push(c, count);
  push_pointer(c, one_in(c->random, 20) ? NULL : list);
}

void a_memory_list(struct call *c, uint64_t unused, uint64_t code) {
  list_of(c, one_in(c->random, 2) ? BUFFERS : IMAGES, (cl_int)code, true);
}

void a_wait_list(struct call *c, uint64_t pool, uint64_t code) {
  may_answer(c, (cl_int)code);
  may_answer(c, CL_INVALID_CONTEXT);
  unsigned count = one_in(c->random, 2) ? 0 : below(c->random, 4);
  bool mismatch = one_in(c->random, 40);
  void **list = room(c, 4 * sizeof *list);
  for (unsigned i = 0; i < count; i++)
    list[i] = some_handle(c, one_in(c->random, 3) ? USER_EVENTS : EVENTS, (cl_int)code);
  if (mismatch) c->wrong = "a wait list is null, or is empty without being null";
  push(c, count);
  push_pointer(c, !count != mismatch ? NULL : list);
}

void an_event_out(struct call *c, uint64_t unused, uint64_t code) {
  push_pointer(c, one_in(c->random, 3) ? NULL : &c->event);
}

void an_error(struct call *c, uint64_t unused, uint64_t code) {
  push_pointer(c, one_in(c->random, 8) ? NULL : &c->error);
}

/* For calls that make several: how many there is room for, the room, how many there are. */
void an_array_out(struct call *c, uint64_t pool, uint64_t unused) {
  unsigned count = below(c->random, 5);
  may_answer(c, CL_INVALID_VALUE);
  c->out_pool = (enum pool)pool;
  bool null = one_in(c->random, 4);
  push(c, count);
  push_pointer(c, null ? NULL : c->out);
  push_pointer(c, one_in(c->random, 2) ? NULL : room(c, sizeof(cl_uint)));
}

/* --- command-buffers --- */

void a_recording(struct call *c, uint64_t unused, uint64_t code) {
  static const cl_properties none[] = {0}, wrong[] = {0x4711, 1, 0};
  int pinned = c->num_pinned;
  a_handle(c, COMMAND_BUFFERS, (uint64_t)CL_INVALID_COMMAND_BUFFER_KHR);
  if (!c->wrong) c->buffer = c->pinned[pinned];
  may_answer(c, CL_INVALID_COMMAND_QUEUE);
  may_answer(c, CL_INVALID_CONTEXT);
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, CL_INVALID_OPERATION);
  void *queue = one_in(c->random, 16) ? pinned_object(c, QUEUES) : NULL;
  if (queue) c->wrong = "a command-buffer of one queue is recorded without naming it";
  push_pointer(c, queue);
  if (one_in(c->random, 16)) {
    push_pointer(c, wrong);
    c->wrong = "a property is unknown";
  } else {
    push_pointer(c, one_in(c->random, 2) ? none : NULL);
  }
}

void some_points(struct call *c, uint64_t changeable, uint64_t unused) {
  may_answer(c, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  unsigned count = one_in(c->random, 2) ? 0 : below(c->random, 4);
  cl_sync_point_khr *list = room(c, 4 * sizeof *list);
  for (unsigned i = 0; i < count; i++)
    list[i] = (cl_sync_point_khr)ONE_OF(c->random, 1, 1, 1, 2, 3, 0, ~0u);
  push(c, count);
  push_pointer(c, !count != one_in(c->random, 30) ? NULL : list);
  push_pointer(c, one_in(c->random, 2) ? NULL : room(c, sizeof(cl_sync_point_khr)));
  push_pointer(c, one_in(c->random, changeable ? 2 : 12) ? (void *)&c->changeable : NULL);
}

/* --- numbers --- */

static uint64_t edge(uint64_t *random) {
  return ONE_OF(random, SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2 + 1, (uint64_t)1 << 48);
}

static uint64_t number_of(uint64_t *random, unsigned set) {
  bool at_edge = one_in(random, 12);
  switch (set) {
  case BUFFER_SIZES:
    return at_edge ? edge(random)
                   : ONE_OF(random, 1, 4, 16, 64, 100, 256, 1024, 4096, 4096, 4096, 0);
  case SIZES:
    return at_edge ? edge(random) : ONE_OF(random, 1, 3, 4, 4, 8, 8, 16, 16, 64, 256, 4096, 0);
  case SMALL_SIZES: /* memory whose end nobody knows */
    return ONE_OF(random, 1, 3, 4, 8, 16, 32, 64, 0);
  case SHARED_SIZES:
    return at_edge ? edge(random) : ONE_OF(random, 64, 100, 256, 4096, 4096, 4096, 0);
  case HOST_PITCHES:
    return ONE_OF(random, 0, 0, 0, 0, 0, 0, 1, 8, 16, 64, 100, 256);
  case PITCHES:
    return at_edge ? edge(random) : ONE_OF(random, 0, 0, 0, 0, 0, 0, 1, 8, 16, 64, 100, 256);
  case ALIGNMENTS:
    return ONE_OF(random, 0, 0, 0, 1, 4, 64, 128, 3, 4096, 1u << 31, 0xffffffff);
  case COUNTS:
    return ONE_OF(random, 0, 1, 1, 1, 2, 3, 7, 0xffffffff);
  case ARG_INDICES:
    return ONE_OF(random, 0, 0, 0, 1, 1, 2, 3, 4, 0xffffffff);
  case STATUS:
    return ONE_OF(random, 0, 0, 0, 1, 2, 3, 4, (uint64_t)-1, (uint64_t)-5);
  default:
    return at_edge ? edge(random) : ONE_OF(random, 0, 0, 0, 0, 1, 4, 16, 64, 128, 256);
  }
}

void a_number(struct call *c, uint64_t set, uint64_t code) {
  may_answer(c, (cl_int)code);
  push(c, number_of(c->random, (unsigned)set));
}

/* None, one or two of the bits; now and then any. */
void some_flags(struct call *c, uint64_t bits, uint64_t code) {
  uint64_t flags = 0;
  may_answer(c, (cl_int)code);
  for (unsigned n = below(c->random, 3); n; n--)
    flags |= bits & (uint64_t)1 << below(c->random, 32);
  for (unsigned i = 0; i < 32 && !flags && one_in(c->random, 2); i++)
    if (bits >> i & 1 && one_in(c->random, 4)) flags |= (uint64_t)1 << i;
  push(c, one_in(c->random, 24) ? chance(c->random) : flags);
}

void one_value(struct call *c, uint64_t low, uint64_t high) {
  uint64_t value = low + below(c->random, (unsigned)(high - low + 1));
  may_answer(c, CL_INVALID_VALUE);
  push(c, one_in(c->random, 16) ? ONE_OF(c->random, 0, low - 1, high + 1, ~0u) : value);
}

void a_bool(struct call *c, uint64_t blocks, uint64_t unused) {
  bool value = one_in(c->random, blocks ? 6 : 2);
  if (blocks && value) c->blocks = true;
  push(c, value);
}

void fixed_value(struct call *c, uint64_t value, uint64_t unused) {
  push(c, value);
}

void an_origin(struct call *c, uint64_t of_host, uint64_t unused) {
  size_t *origin = room(c, 3 * sizeof *origin);
  may_answer(c, CL_INVALID_VALUE);
  for (int i = 0; i < 3; i++)
    origin[i] = !one_in(c->random, 4)              ? 0
                : of_host || !one_in(c->random, 4) ? ONE_OF(c->random, 1, 2, 4)
                                                   : edge(c->random);
  push_pointer(c, one_in(c->random, 30) ? NULL : origin);
}

void a_region(struct call *c, uint64_t unused, uint64_t code) {
  size_t *region = room(c, 3 * sizeof *region);
  may_answer(c, CL_INVALID_VALUE);
  for (int i = 0; i < 3; i++)
    region[i] = one_in(c->random, i == 2 ? 8 : 2) ? ONE_OF(c->random, 2, 4, 4, 8, 8, 0)
                : one_in(c->random, 40)           ? edge(c->random)
                                                  : 1;
  push_pointer(c, one_in(c->random, 30) ? NULL : region);
}

/* Dimensions, offset, global size, and the local size or a place for it.  What is accepted has to
 * end soon: huge sizes come with an offset beyond which they reach. */
void an_ndrange(struct call *c, uint64_t may_be_huge, uint64_t has_local) {
  size_t *sizes = room(c, 9 * sizeof *sizes), *offset = sizes, *global = sizes + 3,
         *local = sizes + 6;
  unsigned dims = (unsigned)ONE_OF(c->random, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 0, 4, ~0u);
  bool huge = may_be_huge && one_in(c->random, 8), null = one_in(c->random, 30);
  for (int i = 0; i < 3; i++) {
    offset[i] = huge ? SIZE_MAX : ONE_OF(c->random, 0, 0, 0, 1, 64);
    global[i] = huge ? edge(c->random) : ONE_OF(c->random, 1, 2, 7, 8, 8, 16, 64, 64, 0);
    local[i] =
        one_in(c->random, 40) ? edge(c->random) : ONE_OF(c->random, 1, 1, 1, 2, 4, 8, 8, 8, 0);
  }
  if (dims - 1 > 2) c->wrong = "there are one to three dimensions";
  push(c, dims);
  push_pointer(c, huge || one_in(c->random, 2) ? offset : NULL);
  push_pointer(c, null ? NULL : global);
  push_pointer(c, has_local && one_in(c->random, 2) ? NULL : local);
}

/* --- lists of properties --- */

struct list {
  uint64_t values[5];
  bool wrong;
};
#define GOOD(...)                                                                                  \
  { {__VA_ARGS__}, false }
#define BAD(...)                                                                                   \
  { {__VA_ARGS__}, true }

enum { DEVICE_LIST = 0x2053 }; /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR */

void a_property_list(struct call *c, uint64_t which, uint64_t code) {
  static const struct list of_queue[] = {
      GOOD(CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
      GOOD(0),
      GOOD(CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PRIORITY_KHR, 1),
      GOOD(CL_QUEUE_PROPERTIES, 3),
      GOOD(CL_QUEUE_PROPERTIES, 1 | CL_QUEUE_ON_DEVICE),
      GOOD(CL_QUEUE_PROPERTIES, 1 | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, CL_QUEUE_SIZE,
           256),
      BAD(CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE),
      BAD(CL_QUEUE_PROPERTIES, ~0ull),
      BAD(CL_QUEUE_SIZE, 1024),
      BAD(CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0)};
  static const struct list of_sampler[] = {
      GOOD(CL_SAMPLER_NORMALIZED_COORDS, 0), GOOD(0),
      GOOD(CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR),
      BAD(CL_SAMPLER_FILTER_MODE, ~0ull), BAD(0x4711, 1)};
  static const struct list of_memory[] = {GOOD(0), GOOD(0x5000, 1), BAD(0x5000, 7), BAD(0x4711, 1)};
  static const struct list of_partition[] = {GOOD(CL_DEVICE_PARTITION_EQUALLY, 1),
                                             GOOD(CL_DEVICE_PARTITION_BY_COUNTS, 1, 0),
                                             BAD(CL_DEVICE_PARTITION_EQUALLY, 0),
                                             BAD(CL_DEVICE_PARTITION_BY_COUNTS, 1, ~0u, 0),
                                             GOOD(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1),
                                             BAD(0),
                                             BAD(0x4711, 1)};
  static const struct list of_buffer[] = {
      GOOD(0), GOOD(CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR),
      GOOD(CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR),
      BAD(CL_COMMAND_BUFFER_FLAGS_KHR, ~0ull), BAD(0x4711, 1)};
  static const struct list of_usm[] = {GOOD(0), GOOD(CL_MEM_ALLOC_FLAGS_INTEL, 1),
                                       BAD(CL_MEM_ALLOC_FLAGS_INTEL, ~0ull), BAD(0x4711, 1)};
  static const struct list of_semaphore[] = {
      GOOD(CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR),
      BAD(0),
      BAD(0x4711, 1),
      BAD(CL_SEMAPHORE_TYPE_KHR, 2),
      BAD(CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, DEVICE_LIST, 0),
      BAD(DEVICE_LIST, 0x4711, 0)};
#define SET(list)                                                                                  \
  { list, sizeof list / sizeof *list }
  static const struct {
    const struct list *lists;
    size_t count;
  } sets[] = {[OF_QUEUE] = SET(of_queue),           [OF_SAMPLER] = SET(of_sampler),
              [OF_MEMORY] = SET(of_memory),         [OF_PARTITION] = SET(of_partition),
              [OF_COMMAND_BUFFER] = SET(of_buffer), [OF_USM] = SET(of_usm),
              [OF_SEMAPHORE] = SET(of_semaphore)};
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, (cl_int)code);
  if (which == OF_CONTEXT) {
    uint64_t *list = room(c, 5 * sizeof *list);
    bool good = !one_in(c->random, 5);
    list[0] = good ? CL_CONTEXT_PLATFORM : 0x4711;
    list[1] = (uintptr_t)the_platform;
    if (!good) c->wrong = "a property is unknown";
    push_pointer(c, one_in(c->random, 2) && good ? NULL : list);
    return;
  }
  const struct list *list = &sets[which].lists[below(c->random, (unsigned)sets[which].count)];
  bool null = one_in(c->random, 4);
  if (list->wrong && !null) c->wrong = "a list of properties is wrong";
  push_pointer(c, null ? NULL : list->values);
}
