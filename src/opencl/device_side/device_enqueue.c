/* Kernels that kernels enqueue: they are kept, and run once their parent's work-items have ended.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/enqueue.h"
#include "device_event.h"
#include "device_queue.h"
#include "device_records.h"
#include "opencl/enqueue/enqueue.h"
#include "opencl/program/program.h"
#include "runtime/clock.h"
#include "runtime/device.h"
#include "runtime/ndrange.h"
#include "runtime/print/print.h"
#include "runtime/threads/threads.h"
#include "runtime/trace/profile.h"
#include "runtime/trace/trace.h"

/* OpenCL C's CLK_ENQUEUE_FAILURE: that it gives other reasons with -g is left open to us. */
enum { ENQUEUE_FAILURE = -101 };
enum { ARGS_ALIGN = 16 };

struct family;

/* A kernel with its children: the one that the host has enqueued, or one of theirs. */
struct node {
  struct node *next; /* in the family's list of those that have not run */
  struct family *family;
  struct node *parent; /* null: the host's */
  struct mpl_host host;
  struct mpl_launch launch;
  const struct mpl_kernel *kernel; /* null: a marker */
  uint64_t local_size;
  cl_command_queue queue;
  uint32_t bytes;                 /* counted in the queue */
  atomic_uint open;               /* itself, and children that are not complete */
  uint64_t started, ended;        /* ns */
  int status;                     /* CL_COMPLETE, or the error of the first that failed */
  struct mpl_device_event *event; /* or null */
  uint32_t marker;                /* the last of the family's that waits for it */
  uint32_t num_waits;
  struct mpl_device_event *waits[]; /* retained; the argument block follows, then the literal */
};

/* One command's kernel, and all that comes of it. */
struct family {
  struct mpl_device *device;
  cl_context context;
  cl_device_id handle; /* of the device */
  const struct mpl_object *object;
  struct mpl_recorder *recorder; /* null: kernels call us */
  pthread_mutex_t lock;          /* the list */
  struct node *first, **last;
  uint32_t markers; /* of a queue, so far */
  bool broken;      /* a kernel has not run: events that it would have set may never be */
};

static struct node *node_of(uint64_t enqueuer) {
  return (struct node *)(uintptr_t)enqueuer;
}

/* --- Called by kernels --- */

/* The loaded program's kernel of a block, whose address is that of the object's own table. */
static const struct mpl_kernel *kernel_of(const struct family *family, uint64_t code) {
  const struct mpl_object *object = family->object;
  uint64_t index = (code - (uintptr_t)object->enqueued) / sizeof *object->enqueued;
  return index < object->num_blocks ? &object->blocks[index] : NULL;
}

static int refuse(const char *why) {
  return mpl_refuse(ENQUEUE_FAILURE, "enqueue_kernel", "%s", why);
}

static int read_range(const struct family *family, const struct mpl_kernel *kernel,
                      const struct mpl_range *range, struct mpl_launch *launch) {
  struct mpl_refusal why;
  size_t offset[3], global[3], local[3];
  if (range->dims < 1 || range->dims > 3) return refuse("the ND-range must have 1 to 3 dimensions");
  for (uint32_t d = 0; d < 3; d++) {
    offset[d] = range->offset[d];
    global[d] = range->whole[d];
    local[d] = range->group[d];
  }
  if (mpl_ndrange_global(range->dims, global, offset, launch, &why) ||
      mpl_ndrange_local(family->device, kernel, local[0] ? local : NULL, launch, &why))
    return refuse(why.text);
  return 0;
}

static int check_waits(const struct mpl_child *child) {
  const uint64_t *waits = (const uint64_t *)(uintptr_t)child->waits;
  if (!waits != !child->num_waits || (!waits && !child->code))
    return refuse("the wait list is null or empty");
  for (uint32_t i = 0; i < child->num_waits; i++)
    if (!mpl_device_event(waits[i])) return refuse("an entry of the wait list is not an event");
  return 0;
}

static int check_locals(const struct family *family, const struct mpl_kernel *kernel,
                        const struct mpl_child *child) {
  const uint64_t *sizes = (const uint64_t *)(uintptr_t)child->local_sizes;
  uint64_t size = kernel->local_size;
  struct mpl_refusal why;
  if (kernel->num_args != child->num_locals + 1)
    return refuse("the number of local sizes differs from the number of local arguments of the "
                  "block");
  for (uint32_t i = 0; i < child->num_locals; i++) {
    if (!sizes[i] || sizes[i] > UINT32_MAX)
      return refuse("the size of a local argument is 0 or "
                    "more than 4 GB");
    size = mpl_local_end(size) + sizes[i];
  }
  return mpl_ndrange_memory(family->device, kernel, size, &why) ? refuse(why.text) : 0;
}

/* The block's literal is copied: the function that made it may have returned. */
static void set_args(struct node *node, const struct mpl_child *child, unsigned char *block,
                     unsigned char *literal, uint32_t literal_size) {
  const uint64_t *sizes = (const uint64_t *)(uintptr_t)child->local_sizes;
  const struct mpl_arg *args = node->kernel->args;
  memcpy(literal, (const void *)(uintptr_t)child->block, literal_size);
  memcpy(block + args[0].offset, &literal, sizeof literal);
  uint64_t local = node->kernel->local_size;
  for (uint32_t i = 0; i < child->num_locals; i++) {
    local = mpl_local_end(local);
    memcpy(block + args[i + 1].offset, &local, sizeof local);
    local += sizes[i];
  }
  node->local_size = local;
  node->launch.args = block;
}

static size_t rounded(size_t size, size_t align) {
  return (size + align - 1) / align * align;
}

/* A pending launch keeps the queue, which the host may release at any time. */
static void give_room(cl_command_queue queue, size_t bytes) {
  atomic_fetch_sub(&queue->device_used, bytes);
  mpl_queue_handle_release(queue);
}

static bool take_room(cl_command_queue queue, size_t bytes, bool promised) {
  if (!mpl_retain_queue(queue)) return false;
  bool fits = atomic_fetch_add(&queue->device_used, bytes) + bytes <= queue->device_size;
  if (fits || promised) return true;
  give_room(queue, bytes);
  return false;
}

static struct node *new_node(struct node *parent, const struct mpl_kernel *kernel,
                             const struct mpl_child *child, const struct mpl_launch *launch) {
  const uint32_t *literal = (const uint32_t *)(uintptr_t)child->block;
  uint32_t size = kernel ? literal[0] : 0, align = kernel ? literal[1] : 1;
  if (align < ARGS_ALIGN) align = ARGS_ALIGN;
  size_t head = rounded(sizeof(struct node) + child->num_waits * sizeof(void *), ARGS_ALIGN);
  size_t args = kernel ? rounded(kernel->args_size, ARGS_ALIGN) : 0;
  size_t bytes = head + args + align + size;
  cl_command_queue queue = (void *)(uintptr_t)child->queue;
  if (!take_room(queue, bytes, child->promised)) return NULL;
  struct node *node = calloc(1, bytes);
  if (!node) {
    give_room(queue, bytes);
    return NULL;
  }
  node->family = parent->family;
  node->parent = parent;
  node->kernel = kernel;
  node->queue = queue;
  node->bytes = (uint32_t)bytes;
  node->launch = *launch;
  atomic_init(&node->open, 1);
  node->num_waits = child->num_waits;
  for (uint32_t i = 0; i < child->num_waits; i++) {
    node->waits[i] = mpl_device_event(((const uint64_t *)(uintptr_t)child->waits)[i]);
    mpl_device_event_retain(node->waits[i]);
  }
  unsigned char *block = (unsigned char *)node + head;
  uintptr_t behind = (uintptr_t)block + args;
  if (kernel) set_args(node, child, block, (void *)rounded(behind, align), size);
  return node;
}

/* As if it had never been there. */
static void drop(struct node *node) {
  for (uint32_t i = 0; i < node->num_waits; i++) mpl_device_event_release(node->waits[i]);
  give_room(node->queue, node->bytes);
  free(node);
}

static bool give_event(struct node *node, const struct mpl_child *child) {
  void *place = (void *)(uintptr_t)child->event;
  if (!place) return true;
  uint64_t event;
  memcpy(&event, place, sizeof event);
  if (!child->promised) event = mpl_device_event_new(NULL);
  if (!event) return false;
  node->event = mpl_device_event(event);
  mpl_device_event_retain(node->event);
  memcpy(place, &event, sizeof event);
  return true;
}

/* --- Markers of all that is in a queue --- */

static bool is_ancestor(const struct node *of, const struct node *node) {
  while (of && of != node) of = of->parent;
  return of != NULL;
}

/* Its event's number, for which it needs none before. */
static uint64_t event_of(struct node *node) {
  if (!node->event) node->event = mpl_device_event(mpl_device_event_new(NULL));
  return (uintptr_t)node->event;
}

/* Adds to `waits`, unless null, and counts. */
static bool wait_for(struct node *node, uint32_t marker, uint64_t *waits, uint32_t *count) {
  if (node->marker == marker) return true;
  node->marker = marker;
  if (waits && !(waits[*count] = event_of(node))) return false;
  ++*count;
  return true;
}

/* What is not complete has not run, or a child of it has not.  The marker's own ancestors end after
 * it.  What other commands of the host's have enqueued was not before it: nothing orders them. */
static bool wait_for_queue(struct node *parent, cl_command_queue queue, uint64_t *waits,
                           uint32_t *count) {
  struct family *family = parent->family;
  uint32_t marker = ++family->markers;
  *count = 0;
  for (struct node *pending = family->first; pending; pending = pending->next)
    for (struct node *node = pending; node; node = node->parent)
      if (node->queue == queue && !is_ancestor(parent, node) &&
          !wait_for(node, marker, waits, count))
        return false;
  return true;
}

/* Gives the marker its wait list, which is the caller's to free.  What it names stays until the
 * kernel that asks has ended. */
static int find_waits(struct node *parent, cl_command_queue queue, struct mpl_child *marker,
                      uint64_t **waits) {
  mpl_lock(&parent->family->lock);
  wait_for_queue(parent, queue, NULL, &marker->num_waits);
  *waits = malloc((marker->num_waits + 1) * sizeof **waits);
  bool good = *waits && wait_for_queue(parent, queue, *waits, &marker->num_waits);
  mpl_unlock(&parent->family->lock);
  marker->waits = (uintptr_t)*waits;
  return good ? 0 : refuse("there is no memory for events");
}

static int add(struct node *parent, const struct mpl_kernel *kernel, const struct mpl_child *child,
               const struct mpl_launch *launch) {
  struct family *family = parent->family;
  struct node *node = new_node(parent, kernel, child, launch);
  if (!node) return refuse("the queue is full: CL_QUEUE_SIZE sets its size");
  if (!give_event(node, child)) {
    drop(node);
    return refuse("there is no memory for an event");
  }
  atomic_fetch_add(&parent->open, 1);
  mpl_lock(&family->lock);
  *family->last = node;
  family->last = &node->next;
  mpl_unlock(&family->lock);
  return 0;
}

static int enqueue(uint64_t enqueuer, const struct mpl_child *child) {
  struct node *parent = node_of(enqueuer);
  struct family *family = parent->family;
  cl_command_queue queue = (void *)(uintptr_t)child->queue;
  const struct mpl_kernel *kernel = NULL;
  struct mpl_launch launch = {0};
  struct mpl_child marker = *child;
  uint64_t *waits = NULL;
  if (!mpl_valid(queue, MPL_QUEUE) || !mpl_is_on_device(queue) || queue->context != family->context)
    return refuse("the queue is not one on this device, of this context");
  int error = 0;
  if (child->code) {
    kernel = kernel_of(family, child->code);
    if (!kernel) return refuse("the block belongs to another program");
    error = read_range(family, kernel, (const void *)(uintptr_t)child->range, &launch);
    if (!error) error = check_locals(family, kernel, child);
  }
  if (!child->code && child->flags == MPL_MARKER_OF_QUEUE)
    error = find_waits(parent, queue, &marker, &waits);
  else if (!error)
    error = check_waits(child);
  if (!error) error = add(parent, kernel, &marker, &launch);
  free(waits);
  return error;
}

static uint64_t ask(uint64_t enqueuer, uint32_t question, uint64_t code, uint64_t range_at) {
  const struct family *family = node_of(enqueuer)->family;
  const struct mpl_kernel *kernel = kernel_of(family, code);
  struct mpl_launch launch = {0};
  if (question == MPL_ASK_DEFAULT_QUEUE)
    return (uintptr_t)mpl_default_queue(family->context, family->handle);
  if (!kernel) return 0;
  switch (question) {
  case MPL_ASK_WORK_GROUP_SIZE:
    return family->device->info.max_work_group_size;
  case MPL_ASK_MULTIPLE:
    return kernel->sub_group;
  case MPL_ASK_SUB_GROUP_SIZE:
    return kernel->sub_group;
  default:
    if (read_range(family, kernel, (const void *)(uintptr_t)range_at, &launch)) return 0;
    return (launch.local_size[0] * launch.local_size[1] * launch.local_size[2] + kernel->sub_group -
            1) /
           kernel->sub_group;
  }
}

static uint64_t event_call(uint64_t enqueuer, uint32_t call, uint64_t number, uint64_t argument) {
  struct mpl_device_event *event = mpl_device_event(number);
  if (call == MPL_EVENT_CREATE) return mpl_device_event_new(NULL);
  if (call == MPL_EVENT_IS_VALID || !event) return event != NULL;
  switch (call) {
  case MPL_EVENT_RETAIN:
    mpl_device_event_retain(event);
    break;
  case MPL_EVENT_RELEASE:
    mpl_device_event_release(event);
    break;
  case MPL_EVENT_SET:
    mpl_device_event_finish(event, (int)argument < 0 ? (int)argument : CL_COMPLETE, 0, 0);
    break;
  default:
    mpl_device_event_capture(event, node_of(enqueuer)->family->device, argument);
  }
  return 0;
}

static const struct mpl_queue_host queues = {enqueue, ask, event_call};

/* --- Running them --- */

/* One of `node`'s own, or itself, is done: the last of them completes it, and so on. */
static void close_node(struct node *node) {
  while (node && atomic_fetch_sub(&node->open, 1) == 1) {
    struct node *parent = node->parent;
    if (!parent) return;
    if (node->status && !parent->status) parent->status = node->status;
    if (node->event) {
      uint64_t now = node->family->device->ops->now(node->family->device);
      mpl_device_event_finish(node->event, node->status, node->ended - node->started,
                              now - node->started);
      mpl_device_event_release(node->event);
    }
    drop(node);
    node = parent;
  }
}

/* Gives the kernel its literal where the device can read it. */
static bool move_literal(struct node *node) {
  unsigned char *place =
      (unsigned char *)(uintptr_t)node->launch.args + node->kernel->args[0].offset;
  const void *literal;
  memcpy(&literal, place, sizeof literal);
  literal = mpl_recorder_literal(node->family->recorder, literal);
  memcpy(place, &literal, sizeof literal);
  return literal != NULL;
}

/* A device that does not call us: the launches of a kernel are known when it has ended. */
static int perform_recorded(struct node *node, const struct mpl_operation *operation) {
  struct mpl_recorder *recorder = node->family->recorder;
  if (node->parent && !move_literal(node)) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  node->host.queues = NULL;
  node->host.enqueuer = mpl_recorder_begin(recorder);
  if (!node->host.enqueuer) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  int error = mpl_device_perform(node->family->device, operation);
  if (!error) return mpl_recorder_end(recorder, &queues, (uintptr_t)node);
  mpl_recorder_drop(recorder);
  return error;
}

static int perform(struct node *node, const struct mpl_operation *operation) {
  if (!node->kernel) return 0;
  return node->family->recorder ? perform_recorded(node, operation)
                                : mpl_device_perform(node->family->device, operation);
}

static int run(struct node *node, const struct mpl_arg_memory *args) {
  struct mpl_device *device = node->family->device;
  const struct mpl_operation operation = {
      .kind = MPL_LAUNCH, .launch = {node->kernel, &node->launch, node->local_size, args, NULL}};
  node->host =
      (struct mpl_host){.print = mpl_print, .queues = &queues, .enqueuer = (uintptr_t)node};
  node->launch.host = &node->host;
  node->started = device->ops->now(device);
  int error = perform(node, &operation);
  node->ended = device->ops->now(device);
  if (node->parent && node->kernel && mpl_profile_wanted())
    mpl_profile_launch(&operation, node->started, node->ended, MPL_TRACE_UNKNOWN);
  if (node->parent && node->kernel && node->kernel->flags & MPL_KERNEL_PRINTS) mpl_print_flush();
  return error;
}

/* 1: it can run; 0: not yet; negative: an event of its wait list has failed. */
static int readiness(const struct node *node) {
  for (uint32_t i = 0; i < node->num_waits; i++) {
    int status = mpl_device_event_status(node->waits[i]);
    if (status > CL_COMPLETE) return 0;
    if (status < CL_COMPLETE) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  return 1;
}

/* Takes the first that can run, or cannot any more, out of the list. */
static struct node *take(struct family *family, int *ready) {
  mpl_lock(&family->lock);
  struct node **link = &family->first, *node;
  while ((node = *link) && !(*ready = readiness(node))) link = &node->next;
  if (!node && family->broken && family->first) {
    *ready = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    node = *(link = &family->first);
  }
  if (node) {
    *link = node->next;
    if (!node->next) family->last = link;
  }
  mpl_unlock(&family->lock);
  return node;
}

/* Until nothing is left.  What waits for an event that no one of the family sets is waited for: a
 * kernel of another command may set it. */
static void run_children(struct family *family) {
  for (;;) {
    int ready, completed = atomic_load(&mpl_device_events_completed);
    struct node *node = take(family, &ready);
    if (node) {
      node->status = ready < 0 ? ready : run(node, NULL);
      family->broken |= node->status != 0;
      close_node(node);
    } else if (family->first) {
      struct mpl_pool *pool = mpl_pool_current();
      if (pool) mpl_pool_block(pool);
      mpl_sleep(&mpl_device_events_completed, completed);
      if (pool) mpl_pool_unblock(pool);
    } else {
      return;
    }
  }
}

/* Where the program has blocks, the table that they are in; else null. */
static const struct mpl_object *
object_with_blocks(cl_kernel kernel, const struct mpl_device *device, cl_device_id *handle) {
  cl_program program = kernel->program;
  for (cl_uint i = 0; i < program->num_devices; i++) {
    const struct mpl_object *object = kernel->on[i] ? program->builds[i].object : NULL;
    if (program->devices[i]->device != device) continue;
    *handle = program->devices[i];
    return object && object->num_blocks ? object : NULL;
  }
  return NULL;
}

bool mpl_may_have_children(cl_kernel kernel, const struct mpl_device *device) {
  cl_device_id handle;
  return object_with_blocks(kernel, device, &handle) != NULL;
}

int mpl_launch_with_children(const struct mpl_operation *operation, struct mpl_device *device,
                             cl_kernel kernel, uint64_t *ended) {
  struct family family = {
      .device = device, .context = kernel->program->context, .last = &family.first};
  family.object = object_with_blocks(kernel, device, &family.handle);
  if (!family.object) {
    int error = mpl_device_perform(device, operation);
    if (ended) *ended = mpl_clock();
    return error;
  }
  if (!device->info.host_memory) {
    family.recorder =
        mpl_recorder_open(family.context, family.handle, family.object, sizeof(struct node));
    if (!family.recorder) return CL_OUT_OF_HOST_MEMORY;
  }
  pthread_mutex_init(&family.lock, NULL);
  struct node root = {.family = &family,
                      .kernel = operation->launch.kernel,
                      .launch = *operation->launch.launch,
                      .local_size = operation->launch.local_size};
  atomic_init(&root.open, 1);
  int error = run(&root, operation->launch.args);
  family.broken = error != 0;
  if (ended) *ended = mpl_clock();
  run_children(&family);
  mpl_recorder_close(family.recorder);
  pthread_mutex_destroy(&family.lock);
  return error ? error : root.status;
}
