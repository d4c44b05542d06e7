/* Semaphores (cl_khr_semaphore), all of them binary.
 *
 * A wait belongs to the signal that was enqueued before it, in the order of the calls, and follows
 * it as a command follows an event; so both calls return at once, and the next signal may be
 * enqueued before anything has run.  A wait for which there is no signal yet follows a gate, a user
 * command that the next signal ends. */
#include "semaphore.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/commands/sequence.h"

/* A command's wait or signal of one semaphore. */
struct use {
  struct mpl_semaphore_state *state;
  uint64_t number;            /* of the signal */
  struct mpl_command *signal; /* of a wait: the signal that it has, with a reference; or null */
  struct mpl_command *gate;   /* of a wait that came before its signal, or null */
  bool queued;                /* in the list of these */
  struct use *next;
};

struct uses {
  bool signals, done;
  cl_uint count;
  struct use list[];
};

struct mpl_semaphore_state {
  atomic_uint refs;           /* the handle's, and the commands' */
  pthread_mutex_t lock;       /* all below */
  uint64_t last;              /* signals have numbers from 1 on, in the order of the calls */
  uint64_t signalled, waited; /* numbers of the last ones that ran */
  struct mpl_command *signal; /* enqueued, and nothing waits for it yet; or null */
  uint64_t number;            /* of that */
  struct use *first, **end;   /* waits without a signal, in the order of the calls */
  unsigned generation;        /* in a later one those are the parent's */
};

static struct mpl_semaphore_state *new_state(void) {
  struct mpl_semaphore_state *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  atomic_init(&state->refs, 1);
  pthread_mutex_init(&state->lock, NULL);
  state->end = &state->first;
  state->generation = mpl_generation();
  return state;
}

static void lock(struct mpl_semaphore_state *state) {
  mpl_lock(&state->lock);
  if (state->generation == mpl_generation()) return;
  for (struct use *use = state->first; use; use = use->next) use->queued = false;
  state->first = NULL;
  state->end = &state->first;
  state->generation = mpl_generation();
}

static void drop(struct mpl_semaphore_state *state) {
  if (atomic_fetch_sub(&state->refs, 1) != 1) return;
  if (state->signal) mpl_command_release(state->signal);
  pthread_mutex_destroy(&state->lock);
  free(state);
}

/* With the lock held. */
static void unqueue(struct use *use) {
  struct use **link = &use->state->first;
  while (*link != use) link = &(*link)->next;
  *link = use->next;
  if (!use->next) use->state->end = link;
  use->queued = false;
}

/* The first wait without a signal gets this one, or none if nobody can signal any more: its gate,
 * with a reference; null if none waits. */
static struct mpl_command *first_gate(struct mpl_semaphore_state *state, uint64_t number,
                                      struct mpl_command *signal) {
  struct use *use = state->first;
  if (!use) return NULL;
  unqueue(use);
  use->number = number;
  use->signal = signal;
  if (signal) mpl_command_retain(signal);
  mpl_command_retain(use->gate);
  return use->gate;
}

static void open_gate(struct mpl_command *signal, int status, void *data) {
  struct mpl_command *gate = data;
  mpl_command_finish(gate, status);
  mpl_command_release(gate);
}

/* A signal is enqueued, or comes back from a wait that failed: a wait that came before it follows
 * it, or the next one.  Twice without a wait in between, the semaphore is signalled, no more; then
 * the wait ends both. */
static void give_signal(struct mpl_semaphore_state *state, uint64_t number,
                        struct mpl_command *signal) {
  struct mpl_command *before = NULL;
  lock(state);
  struct mpl_command *gate = first_gate(state, number, signal);
  if (!gate) {
    before = state->signal;
    if (!before || state->number < number) state->number = number;
    mpl_command_retain(signal);
    state->signal = signal;
  }
  mpl_unlock(&state->lock);
  if (before) mpl_command_release(before);
  if (gate && !mpl_command_on_status(signal, MPL_COMPLETE, false, open_gate, gate))
    open_gate(signal, CL_OUT_OF_HOST_MEMORY, gate);
}

/* --- commands --- */

static int run(void *data, struct mpl_device *device) {
  struct uses *uses = data;
  mpl_sequence_share(); /* who waits may have been enqueued long ago */
  for (cl_uint i = 0; i < uses->count; i++) {
    struct mpl_semaphore_state *state = uses->list[i].state;
    lock(state);
    uint64_t *last = uses->signals ? &state->signalled : &state->waited;
    if (*last < uses->list[i].number) *last = uses->list[i].number;
    mpl_unlock(&state->lock);
  }
  uses->done = true;
  return CL_SUCCESS;
}

/* A wait that did not take place: its gate may still be closed, and its signal is another wait's.
 */
static void give_up(struct use *use) {
  lock(use->state);
  bool closed = use->queued;
  if (closed) unqueue(use);
  mpl_unlock(&use->state->lock);
  if (closed) mpl_command_finish(use->gate, CL_OUT_OF_HOST_MEMORY);
  if (use->signal && mpl_command_status(use->signal) >= 0)
    give_signal(use->state, use->number, use->signal);
}

static void release_uses(void *data) {
  struct uses *uses = data;
  for (cl_uint i = 0; i < uses->count; i++) {
    struct use *use = &uses->list[i];
    if (!uses->done) give_up(use);
    if (use->signal) mpl_command_release(use->signal);
    if (use->gate) mpl_command_release(use->gate);
    drop(use->state);
  }
  free(uses);
}

static struct uses *new_uses(cl_uint count, const cl_semaphore_khr *semaphores, bool signals) {
  struct uses *uses = calloc(1, sizeof *uses + count * sizeof *uses->list);
  if (!uses) return NULL;
  uses->signals = signals;
  uses->count = count;
  for (cl_uint i = 0; i < count; i++) {
    uses->list[i].state = semaphores[i]->state;
    atomic_fetch_add(&uses->list[i].state->refs, 1);
  }
  return uses;
}

/* What the wait follows, with a reference: the signal, or a gate; null if out of memory. */
static struct mpl_command *take_signal(struct use *use) {
  struct mpl_semaphore_state *state = use->state;
  struct mpl_command *gate = mpl_user_command();
  if (!gate) return NULL;
  lock(state);
  struct mpl_command *signal = state->signal;
  if (signal) {
    use->number = state->number;
    use->signal = signal;
    state->signal = NULL;
    mpl_command_retain(signal);
  } else {
    use->gate = gate;
    use->queued = true;
    *state->end = use;
    state->end = &use->next;
    mpl_command_retain(gate);
  }
  mpl_unlock(&state->lock);
  if (!signal) return gate;
  mpl_command_finish(gate, CL_COMPLETE);
  mpl_command_release(gate);
  return signal;
}

static cl_int enqueue_wait(cl_command_queue queue, cl_uint count,
                           const cl_semaphore_khr *semaphores, const struct mpl_deps *deps) {
  struct uses *uses = new_uses(count, semaphores, false);
  struct mpl_command **follows = calloc(count, sizeof *follows);
  cl_uint taken = 0;
  if (uses && follows)
    while (taken < count && (follows[taken] = take_signal(&uses->list[taken]))) taken++;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  struct mpl_work_desc work = {.run = run, .release = release_uses, .data = uses};
  if (taken == count)
    error = mpl_enqueue_behind(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, &work, deps, follows, count);
  else if (uses)
    release_uses(uses);
  for (cl_uint i = 0; i < taken; i++) mpl_command_release(follows[i]);
  free(follows);
  return error;
}

static cl_int enqueue_signal(cl_command_queue queue, cl_uint count,
                             const cl_semaphore_khr *semaphores, const struct mpl_deps *deps) {
  struct uses *uses = new_uses(count, semaphores, true);
  struct uses *given = new_uses(count, semaphores, true); /* the command may be gone first */
  cl_event event = NULL;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (uses && given) {
    for (cl_uint i = 0; i < count; i++) {
      struct mpl_semaphore_state *state = semaphores[i]->state;
      lock(state);
      given->list[i].number = uses->list[i].number = ++state->last;
      mpl_unlock(&state->lock);
    }
    const struct mpl_deps with_event = {deps->count, deps->list, &event};
    struct mpl_work_desc work = {.run = run, .release = release_uses, .data = uses};
    error = mpl_enqueue_behind(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, &work, &with_event, NULL, 0);
  } else if (uses) {
    release_uses(uses);
  }
  for (cl_uint i = 0; !error && i < count; i++)
    give_signal(given->list[i].state, given->list[i].number, event->command);
  if (given) release_uses(given);
  if (!error && !deps->event) clReleaseEvent(event);
  if (!error && deps->event) *deps->event = event;
  return error;
}

/* Nobody can signal it any more: who waits is let go, as those who wait for a user event are. */
static void close_for_ever(struct mpl_semaphore_state *state) {
  for (struct mpl_command *gate;;) {
    lock(state);
    gate = first_gate(state, 0, NULL);
    mpl_unlock(&state->lock);
    if (!gate) return;
    open_gate(NULL, CL_INVALID_SEMAPHORE_KHR, gate);
  }
}

/* --- checks --- */

static cl_int check_semaphore(const char *function, cl_command_queue queue,
                              cl_semaphore_khr semaphore) {
  if (!mpl_valid(semaphore, MPL_SEMAPHORE))
    return mpl_refuse(CL_INVALID_SEMAPHORE_KHR, function, "%p is not a semaphore",
                      (void *)semaphore);
  if (!mpl_context_has(semaphore->context, queue->device) ||
      (semaphore->device && semaphore->device != queue->device))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function,
                      "the semaphore is not for the command-queue's device");
  if (semaphore->context != queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "the semaphore and the command-queue belong to different contexts");
  return CL_SUCCESS;
}

static cl_int check_enqueue(const char *function, cl_command_queue queue, cl_uint count,
                            const cl_semaphore_khr *semaphores, const struct mpl_deps *deps) {
  cl_int error = mpl_validate_enqueue(function, queue, deps);
  if (error) return error;
  if (!count || !semaphores)
    return mpl_refuse(CL_INVALID_VALUE, function, "%u semaphores at %p: at least one is needed",
                      count, (const void *)semaphores);
  for (cl_uint i = 0; !error && i < count; i++)
    error = check_semaphore(function, queue, semaphores[i]);
  for (cl_uint i = 0; !error && i < deps->count; i++)
    if (mpl_command_status(deps->list[i]->command) < 0)
      error = mpl_refuse(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, function,
                         "a command of the wait list has failed");
  return error;
}

cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                              const cl_semaphore_khr *semaphores,
                                              const cl_semaphore_payload_khr *payloads,
                                              cl_uint num_waits, const cl_event *waits,
                                              cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = check_enqueue(__func__, queue, count, semaphores, &deps);
  return error ? error : enqueue_wait(queue, count, semaphores, &deps);
}

cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                                const cl_semaphore_khr *semaphores,
                                                const cl_semaphore_payload_khr *payloads,
                                                cl_uint num_waits, const cl_event *waits,
                                                cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = check_enqueue(__func__, queue, count, semaphores, &deps);
  return error ? error : enqueue_signal(queue, count, semaphores, &deps);
}

/* --- the object --- */

struct wanted {
  bool typed, listed;
  cl_device_id device;
  size_t count; /* of the properties, with the final 0 */
};

/* One device and CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR, at list[1]. */
static cl_int read_device(cl_context context, const cl_semaphore_properties_khr *list,
                          struct wanted *wanted) {
  cl_device_id device = (cl_device_id)(uintptr_t)list[1];
  if (wanted->listed)
    return mpl_refuse(CL_INVALID_PROPERTY, "clCreateSemaphoreWithPropertiesKHR",
                      "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is repeated");
  if (!list[1] || list[2] || !mpl_valid(device, MPL_DEVICE) || !mpl_context_has(context, device))
    return mpl_refuse(CL_INVALID_DEVICE, "clCreateSemaphoreWithPropertiesKHR",
                      "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR must list exactly one device, of the "
                      "context");
  wanted->listed = true;
  wanted->device = device;
  return CL_SUCCESS;
}

static cl_int read_properties(cl_context context, const cl_semaphore_properties_khr *list,
                              struct wanted *wanted) {
  const char *function = "clCreateSemaphoreWithPropertiesKHR";
  cl_int error = CL_SUCCESS;
  size_t n = 0;
  if (!list)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "sema_props is null: CL_SEMAPHORE_TYPE_KHR is needed");
  while (!error && list[n]) {
    if (list[n] == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
      error = read_device(context, list + n, wanted);
      n += 3;
    } else if (list[n] == CL_SEMAPHORE_TYPE_KHR && !wanted->typed &&
               list[n + 1] == CL_SEMAPHORE_TYPE_BINARY_KHR) {
      wanted->typed = true;
      n += 2;
    } else {
      return mpl_refuse(CL_INVALID_PROPERTY, function,
                        "property 0x%llx is unknown or repeated, or its value is unknown",
                        (unsigned long long)list[n]);
    }
  }
  wanted->count = n + 1;
  if (error) return error;
  if (!wanted->typed)
    return mpl_refuse(CL_INVALID_VALUE, function, "CL_SEMAPHORE_TYPE_KHR is missing");
  if (!wanted->listed && context->num_devices > 1)
    return mpl_refuse(CL_INVALID_PROPERTY, function,
                      "the context has several devices: CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR must "
                      "name one");
  return CL_SUCCESS;
}

cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *properties, cl_int *errcode_ret) {
  struct wanted wanted = {0};
  cl_int error =
      mpl_valid(context, MPL_CONTEXT)
          ? read_properties(context, properties, &wanted)
          : mpl_refuse(CL_INVALID_CONTEXT, __func__, "%p is not a context", (void *)context);
  if (error) return mpl_give(NULL, error, errcode_ret);
  size_t size = wanted.count * sizeof *properties;
  cl_semaphore_khr semaphore = calloc(1, sizeof *semaphore);
  if (semaphore) semaphore->properties = malloc(size);
  if (semaphore) semaphore->state = new_state();
  if (!semaphore || !semaphore->properties || !semaphore->state) {
    if (semaphore) free(semaphore->properties);
    if (semaphore) free(semaphore->state);
    free(semaphore);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  mpl_base_init(&semaphore->base, MPL_SEMAPHORE);
  semaphore->context = context;
  semaphore->device = wanted.device;
  semaphore->num_devices = wanted.device ? 1 : context->num_devices;
  memcpy(semaphore->properties, properties, size);
  semaphore->num_properties = wanted.count;
  clRetainContext(context);
  return mpl_give(semaphore, CL_SUCCESS, errcode_ret);
}

static void destroy(cl_semaphore_khr semaphore) {
  close_for_ever(semaphore->state);
  drop(semaphore->state);
  clReleaseContext(semaphore->context);
  free(semaphore->properties);
  mpl_object_free(semaphore);
}

MPL_RETAIN(clRetainSemaphoreKHR, cl_semaphore_khr, MPL_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR)
MPL_RELEASE(clReleaseSemaphoreKHR, cl_semaphore_khr, MPL_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR,
            destroy)

static cl_semaphore_payload_khr payload_of(struct mpl_semaphore_state *state) {
  lock(state);
  bool is_signalled = state->signalled > state->waited;
  mpl_unlock(&state->lock);
  return is_signalled;
}

cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr semaphore,
                                         cl_semaphore_info_khr param_name, size_t size, void *value,
                                         size_t *size_ret) {
  if (!mpl_valid(semaphore, MPL_SEMAPHORE)) return CL_INVALID_SEMAPHORE_KHR;
  switch (param_name) {
    MPL_QUERY(CL_SEMAPHORE_CONTEXT_KHR, cl_context, semaphore->context)
    MPL_QUERY(CL_SEMAPHORE_REFERENCE_COUNT_KHR, cl_uint, atomic_load(&semaphore->base.refs))
    MPL_QUERY_ARRAY(CL_SEMAPHORE_PROPERTIES_KHR, cl_semaphore_properties_khr,
                    semaphore->num_properties, semaphore->properties)
    MPL_QUERY(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR)
    MPL_QUERY(CL_SEMAPHORE_PAYLOAD_KHR, cl_semaphore_payload_khr, payload_of(semaphore->state))
    MPL_QUERY_ARRAY(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, cl_device_id, semaphore->num_devices,
                    semaphore->device ? &semaphore->device : semaphore->context->devices)
  default:
    return CL_INVALID_VALUE;
  }
}

/* Of cl_khr_external_semaphore, which is not offered: no semaphore has a handle outside of OpenCL.
 * Clients of cl_khr_semaphore, the conformance suite too, want the function nevertheless. */
cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr semaphore, cl_device_id device,
                                                  cl_external_semaphore_handle_type_khr type,
                                                  size_t size, void *value, size_t *size_ret) {
  if (!mpl_valid(semaphore, MPL_SEMAPHORE))
    return mpl_refuse(CL_INVALID_SEMAPHORE_KHR, __func__, "%p is not a semaphore",
                      (void *)semaphore);
  if (!mpl_valid(device, MPL_DEVICE) || !mpl_context_has(semaphore->context, device) ||
      (semaphore->device && semaphore->device != device))
    return mpl_refuse(CL_INVALID_DEVICE, __func__, "the semaphore is not for this device");
  return mpl_refuse(CL_INVALID_VALUE, __func__,
                    "the semaphore cannot be exported: no handle type is supported");
}
