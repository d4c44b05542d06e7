/* One random call: its arguments, what it may answer, what becomes of what it makes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

/* --- the table --- */

#define IN_ALL 0xffffffffull
#define MEM_FLAGS                                                                                  \
  (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |                \
   CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | \
   CL_MEM_HOST_NO_ACCESS)
#define HANDLE(pool, code)                                                                         \
  { a_handle, pool, (uint64_t)(int64_t)CL_INVALID_##code }
#define DEVICE HANDLE(DEVICES, DEVICE)
#define DEVICE_OR_NULL                                                                             \
  { a_handle_or_null, DEVICES, (uint64_t)(int64_t)CL_INVALID_DEVICE }
#define CONTEXT           HANDLE(CONTEXTS, CONTEXT)
#define QUEUE             HANDLE(QUEUES, COMMAND_QUEUE)
#define BUFFER            HANDLE(BUFFERS, MEM_OBJECT)
#define IMAGE             HANDLE(IMAGES, MEM_OBJECT)
#define PIPE              HANDLE(PIPES, MEM_OBJECT)
#define SAMPLER           HANDLE(SAMPLERS, SAMPLER)
#define PROGRAM           HANDLE(PROGRAMS, PROGRAM)
#define KERNEL            HANDLE(KERNELS, KERNEL)
#define EVENT             HANDLE(EVENTS, EVENT)
#define USER_EVENT        HANDLE(USER_EVENTS, EVENT)
#define COMMAND_BUFFER    HANDLE(COMMAND_BUFFERS, COMMAND_BUFFER_KHR)
#define CHANGEABLE_HANDLE HANDLE(CHANGEABLE, MUTABLE_COMMAND_KHR)
#define SEMAPHORE         HANDLE(SEMAPHORES, SEMAPHORE_KHR)
#define MEMORY                                                                                     \
  { a_memory, 0, (uint64_t)(int64_t)CL_INVALID_MEM_OBJECT }
#define MEMORY_LIST                                                                                \
  { a_memory_list, 0, (uint64_t)(int64_t)CL_INVALID_MEM_OBJECT }
#define PLATFORM                                                                                   \
  { a_platform, 0, 0 }
#define RETAIN(pool, code)                                                                         \
  { a_retain, pool, (uint64_t)(int64_t)CL_INVALID_##code }
#define RELEASE(pool, code)                                                                        \
  { a_release, pool, (uint64_t)(int64_t)CL_INVALID_##code }
#define LIST(pool, code)                                                                           \
  { a_handle_list, pool, (uint64_t)(int64_t)CL_INVALID_##code }
#define SIGNALLED                                                                                  \
  { signalled_semaphores, 0, 0 }
#define ARRAY_OUT(pool)                                                                            \
  { an_array_out, pool, 0 }
#define INFO(low, high)                                                                            \
  { an_info, low, high }
#define ONE(low, high)                                                                             \
  { one_value, low, high }
#define FLAGS(bits, code)                                                                          \
  { some_flags, bits, (uint64_t)(int64_t)(code) }
#define NUMBER(set, code)                                                                          \
  { a_number, set, (uint64_t)(int64_t)(code) }
#define PROPERTIES(which, code)                                                                    \
  { a_property_list, OF_##which, (uint64_t)(int64_t)(code) }
#define CALLBACK(which, code)                                                                      \
  { a_callback, OF_##which, (uint64_t)(int64_t)(code) }
#define CALLBACK_OR_NONE                                                                           \
  { no_callback, 0, 0 }
#define BOOL                                                                                       \
  { a_bool, 0, 0 }
#define BLOCKING                                                                                   \
  { a_bool, 1, 0 }
#define BLOCKS                                                                                     \
  { it_blocks, 0, 0 }
#define ANSWER(size)                                                                               \
  { an_answer, size, 0 }
#define ERROR                                                                                      \
  { an_error, 0, 0 }
#define EVENT_OUT                                                                                  \
  { an_event_out, 0, 0 }
#define WAITS {a_wait_list, EVENTS, (uint64_t)CL_INVALID_EVENT_WAIT_LIST}, EVENT_OUT
#define NO_KIND                                                                                    \
  { nothing_more, 0, 0 }
#define NOT_GIVEN                                                                                  \
  { fixed_value, 0, 0 }
#define FUNCTION_NAME                                                                              \
  { function_name, 0, 0 }
#define SUB_BUFFER                                                                                 \
  { a_sub_buffer, 0, 0 }
#define NEW_IMAGE                                                                                  \
  { an_image, 0, 0 }
#define OLD_IMAGE(dims)                                                                            \
  { an_old_image, dims, 0 }
#define HOST                                                                                       \
  { host_pointer, 0, (uint64_t)CL_INVALID_VALUE }
#define MAYBE_HOST                                                                                 \
  { host_pointer, 1, 0 }
#define SHARED                                                                                     \
  { shared_pointer, 0, 0 }
#define MAYBE_SHARED                                                                               \
  { shared_pointer, 1, 0 }
#define SHARED_RELEASE(pool)                                                                       \
  { shared_release, pool, 0 }
#define SHARED_LIST(frees)                                                                         \
  { shared_list, frees, 0 }
#define SIZES_OF_LIST                                                                              \
  { sizes_of_list, 0, 0 }
#define MAPPED_POINTER                                                                             \
  { mapped_pointer, 0, 0 }
#define PATTERN                                                                                    \
  { a_pattern, 1, 0 }
#define COLOUR                                                                                     \
  { a_pattern, 0, 0 }
#define ORIGIN                                                                                     \
  { an_origin, 0, 0 }
#define HOST_ORIGIN                                                                                \
  { an_origin, 1, 0 }
#define REGION                                                                                     \
  { a_region, 0, 0 }
#define PITCHES_OF_BOTH                                                                            \
  NUMBER(PITCHES, 0), NUMBER(PITCHES, 0), NUMBER(HOST_PITCHES, 0), NUMBER(HOST_PITCHES, 0)
#define COPY_OF_BUFFERS BUFFER, BUFFER, NUMBER(PLACES, 0), NUMBER(PLACES, 0), NUMBER(SIZES, 0)
#define RECT_OF_BUFFERS                                                                            \
  BUFFER, BUFFER, ORIGIN, ORIGIN, REGION, NUMBER(PITCHES, 0), NUMBER(PITCHES, 0),                  \
      NUMBER(PITCHES, 0), NUMBER(PITCHES, 0)
#define NDRANGE                                                                                    \
  { an_ndrange, 1, 1 }
#define SUGGESTED                                                                                  \
  { an_ndrange, 1, 0 }
#define SUB_GROUP_INFO                                                                             \
  { sub_group_info, 0, 0 }
#define SOURCE                                                                                     \
  { some_source, 0, 0 }
#define BINARIES                                                                                   \
  { some_binaries, 0, 0 }
#define IL                                                                                         \
  { some_il, 0, 0 }
#define BUILD_OPTIONS                                                                              \
  { build_options, 0, 0 }
#define BUILD_NOTIFY                                                                               \
  { build_notify, 0, 0 }
#define HEADERS                                                                                    \
  { header_names, 0, 0 }
#define KERNEL_NAME                                                                                \
  { kernel_name, 0, 0 }
#define ARGUMENT                                                                                   \
  { kernel_argument, 0, 0 }
#define EXEC_INFO                                                                                  \
  { exec_info, 0, 0 }
#define NATIVE                                                                                     \
  { native_kernel, 0, 0 }
#define RECORDING                                                                                  \
  { a_recording, 0, 0 }
#define POINTS_OF_COPY                                                                             \
  { some_points, 0, 0 }
#define POINTS_OF_KERNEL                                                                           \
  { some_points, 1, 0 }
#define UPDATES                                                                                    \
  { some_updates, 0, 0 }

#define CODES(...) __VA_ARGS__
#define NONE       0
#define IMAGE_CODES                                                                                \
  CL_INVALID_VALUE, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR,               \
      CL_INVALID_IMAGE_SIZE, CL_INVALID_HOST_PTR, CL_IMAGE_FORMAT_NOT_SUPPORTED,                   \
      CL_INVALID_OPERATION, CL_MEM_OBJECT_ALLOCATION_FAILURE
#define COPY_CODES                                                                                 \
  CL_INVALID_VALUE, CL_INVALID_CONTEXT, CL_MEM_COPY_OVERLAP, CL_IMAGE_FORMAT_MISMATCH,             \
      CL_INVALID_OPERATION, CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED,                  \
      CL_MISALIGNED_SUB_BUFFER_OFFSET
#define HOST_CODES                                                                                 \
  CL_INVALID_VALUE, CL_INVALID_OPERATION, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,            \
      CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MISALIGNED_SUB_BUFFER_OFFSET
#define SHARED_CODES                                                                               \
  CL_INVALID_VALUE, CL_INVALID_OPERATION, CL_MEM_COPY_OVERLAP,                                     \
      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
#define USM_CODES CL_INVALID_VALUE, CL_INVALID_OPERATION
#define ARGUMENT_CODES                                                                             \
  CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_SIZE, CL_INVALID_MEM_OBJECT,          \
      CL_INVALID_SAMPLER, CL_INVALID_OPERATION, CL_INVALID_DEVICE_QUEUE
#define LAUNCH_CODES                                                                               \
  CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_CONTEXT, CL_INVALID_KERNEL_ARGS, CL_INVALID_VALUE,     \
      CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_GLOBAL_OFFSET,            \
      CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_OUT_OF_RESOURCES,                  \
      CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_OPERATION
#define UPDATE_CODES                                                                               \
  CL_INVALID_VALUE, CL_INVALID_OPERATION, ARGUMENT_CODES, CL_INVALID_WORK_GROUP_SIZE,              \
      CL_INVALID_WORK_ITEM_SIZE, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_GLOBAL_OFFSET,            \
      CL_INVALID_KERNEL_ARGS

static void a_platform(struct call *c, uint64_t unused, uint64_t code) {
  may_answer(c, CL_INVALID_PLATFORM);
  unsigned way = below(c->random, 12);
  if (way == 1) c->wrong = "the platform is none";
  push_pointer(c, way > 1 ? (void *)the_platform : way ? (void *)the_device : NULL);
}

static void it_blocks(struct call *c, uint64_t unused, uint64_t code) {
  c->blocks = true;
}

static void nothing_more(struct call *c, uint64_t unused, uint64_t code) {}

static void no_callback(struct call *c, uint64_t unused, uint64_t code) {
  push(c, 0);
  push(c, 0);
}

static void sub_group_info(struct call *c, uint64_t unused, uint64_t code) {
  const cl_kernel_sub_group_info asked[] = {0x2033, 0x2034, 0x11b8, 0x11b9, 0x11ba, 0};
  an_info(c, asked[below(c->random, 6)], 0x2034);
  uint64_t name = one_in(c->random, 8) ? c->args[c->num_args - 4] : asked[below(c->random, 6)];
  uint64_t rest[3];
  memcpy(rest, &c->args[c->num_args - 3], sizeof rest);
  c->num_args -= 4;
  push(c, name);
  an_input(c, 0, 0);
  for (int i = 0; i < 3; i++) push(c, rest[i]);
}

#define ARE_CODE         CODE, NO_POOL
#define ARE_NOTHING      NOTHING, NO_POOL
#define ARE_MAKES(pool)  MAKES, pool
#define ARE_POINTS(pool) POINTS, pool
#define CALL(name, what, rarity, codes, ...)                                                       \
  {#name, ARE_##what, rarity, NULL, {codes}, {__VA_ARGS__}},
struct row rows[] = {
#include "calls.def"
};
const size_t num_rows = sizeof rows / sizeof *rows;

/* Every entry point has a row: else one of these names is not declared. */
enum {
#define CALL(name, ...) HAS_ROW_##name,
#include "calls.def"
};
#define MPL_ENTRY(since, name)       ENTRY_##name = HAS_ROW_##name,
#define MPL_LATER_ENTRY(since, name) ENTRY_##name = HAS_ROW_##name,
#define MPL_EXTENSION_ENTRY(name)    ENTRY_##name = HAS_ROW_##name,
enum {
#include ENTRY_POINTS
};

/* The driver's own: a loader looks at handles itself. */
void *function_named(const char *name) {
  const cl_icd_dispatch *own = *(const cl_icd_dispatch *const *)the_platform;
  return own->clGetExtensionFunctionAddressForPlatform(the_platform, name);
}

bool rows_find(void) {
  for (size_t i = 0; i < num_rows; i++) {
    rows[i].function = function_named(rows[i].name);
    if (rows[i].function) continue;
    fprintf(stderr, "api_calls: no function %s\n", rows[i].name);
    return false;
  }
  return true;
}

/* --- the call --- */

#ifdef __clang__
__attribute__((no_sanitize("function"))) /* types differ on purpose */
#endif
uintptr_t
call_function(void *function, const uint64_t *a) {
  return ((uintptr_t(*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                        uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                        uint64_t, uint64_t, uint64_t, uint64_t))function)(
      a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
      a[15], a[16], a[17]);
}

static void print_call(FILE *to, const struct call *c) {
  fprintf(to, "%s(", c->row->name);
  for (int i = 0; i < c->num_args; i++)
    fprintf(to, "%s0x%llx", i ? ", " : "", (unsigned long long)c->args[i]);
  fprintf(to, ")");
}

void complain(const struct call *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "api_calls: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, ": ");
  print_call(stderr, c);
  fprintf(stderr, "\n");
  va_end(args);
  abort();
}

static bool is_named(const struct call *c, cl_int code) {
  for (int i = 0; i < c->num_codes; i++)
    if (c->codes[i] == code) return true;
  for (int i = 0; c->row->codes[i]; i++)
    if (c->row->codes[i] == code) return true;
  return false;
}

static void check(const struct call *c, cl_int code, bool made) {
  const bool creates = c->row->result == MAKES || (c->row->result == POINTS && c->error != 1);
  const bool has_log = !strcmp(c->row->name, "clLinkProgram"); /* a program also where it failed */
  if (code && !is_named(c, code)) complain(c, "the specification does not name %d", code);
  if (!code && c->wrong) complain(c, "accepted, though %s", c->wrong);
  if (creates && !has_log && made == !!code) complain(c, "%d, and what is made is %d", code, made);
}

static void take_over(struct call *c, void *made) {
  uint64_t *random = c->random;
  if (made && c->row->result != CODE && c->row->result != NOTHING) {
    if (c->row->pool == CONTEXTS) context_made(made);
    bool shared = c->row->pool == SVM || c->row->pool == USM; /* which ends with its context */
    if (!shared || c->args[0] == (uintptr_t)pool_home()) pool_add(random, c->row->pool, made);
  }
  if (c->event) pool_add(random, EVENTS, c->event);
  if (c->changeable && c->buffer) {
    pool_keep(COMMAND_BUFFERS, atomic_load(&c->buffer->object));
    pool_add(random, CHANGEABLE, c->changeable);
  }
  for (int i = 0; i < 4 && c->out_pool != NO_POOL; i++)
    if (c->out[i]) pool_add(random, c->out_pool, c->out[i]);
}

/* What came out of the call, by the pointer or the code that it answers. */
static void finish(struct call *c, uintptr_t answer) {
  bool by_pointer = c->row->result == MAKES || c->row->result == POINTS;
  cl_int code = c->row->result == CODE ? (cl_int)answer : c->error;
  if (c->row->result == NOTHING) code = CL_SUCCESS, c->wrong = NULL;
  if (by_pointer && c->error == 1) code = answer ? CL_SUCCESS : CL_INVALID_VALUE; /* nobody asked */
  bool unknown = by_pointer && c->error == 1 && !answer;
  if (!unknown) check(c, code, answer);
  if (chatty) {
    print_call(stdout, c);
    printf(" = %lld, %d\n", (long long)answer, code);
    fflush(stdout);
  }
  if (c->taken && (code || !c->taken)) pool_put_back(c->taken);
  if (c->taken && !code) pool_drop(c->taken);
  if (c->retained && !code) atomic_fetch_add(&c->retained->more, 1);
  for (int i = 0; i < 4; i++)
    if (c->alone[i]) pool_put_back(c->alone[i]);
  take_over(c, by_pointer ? (void *)answer : NULL);
  for (int i = 0; i < c->num_pinned; i++) pool_unpin(c->pinned[i]);
}

void call_once(uint64_t *random) {
  struct call *c = calloc(1, sizeof *c);
  if (!c) abort();
  do c->row = &rows[below(random, (unsigned)num_rows)];
  while (c->row->rarity > 1 && !one_in(random, c->row->rarity));
  c->random = random;
  c->error = 1; /* what no call sets */
  c->out_pool = NO_POOL;
  for (int i = 0; i < MOST_KINDS && c->row->kinds[i].add; i++)
    c->row->kinds[i].add(c, c->row->kinds[i].a, c->row->kinds[i].b);
  if (c->blocks) pool_settle(random);
  if (chatty) {
    print_call(stdout, c);
    printf("\n");
    fflush(stdout);
  }
  finish(c, call_function(c->row->function, c->args));
  free(c->memory);
  free(c);
}
