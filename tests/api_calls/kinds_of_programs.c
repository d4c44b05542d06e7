/* Programs, kernels, functions of the application, updates of command-buffers. */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

/* --- what programs are made of --- */

void some_source(struct call *c, uint64_t unused, uint64_t code) {
  const char **list = room(c, 3 * sizeof *list);
  size_t *lengths = room(c, 3 * sizeof *lengths);
  unsigned count = (unsigned)ONE_OF(c->random, 1, 1, 1, 2, 0);
  for (unsigned i = 0; i < count; i++) {
    list[i] = i ? "\n" : sources[below(c->random, NUM_SOURCES)];
    lengths[i] = one_in(c->random, 2) ? 0 : strlen(list[i]);
  }
  if (one_in(c->random, 30)) list[0] = NULL;
  if (!count || !list[0]) c->wrong = "there is no source";
  may_answer(c, CL_INVALID_VALUE);
  push(c, count);
  push_pointer(c, list);
  push_pointer(c, one_in(c->random, 2) ? NULL : lengths);
}

/* Devices, and for each the binary that round_begin saved: as it was, damaged, or cut. */
void some_binaries(struct call *c, uint64_t unused, uint64_t code) {
  size_t *lengths = room(c, 4 * sizeof *lengths);
  const unsigned char **list = room(c, 4 * sizeof *list);
  int at = c->num_args;
  a_handle_list(c, DEVICES, (uint64_t)CL_INVALID_DEVICE);
  unsigned char *copy = c->memory = malloc(good_binary_size);
  if (!copy) abort();
  memcpy(copy, good_binary, good_binary_size);
  bool damaged = one_in(c->random, 2);
  for (int i = 0; damaged && i < 3; i++)
    copy[below(c->random, (unsigned)good_binary_size)] ^=
        (unsigned char)(1 + below(c->random, 255));
  for (uint64_t i = 0; i < c->args[at]; i++) {
    lengths[i] =
        one_in(c->random, 6) ? below(c->random, (unsigned)good_binary_size) : good_binary_size;
    list[i] = one_in(c->random, 12) ? NULL : copy;
  }
  may_answer(c, CL_INVALID_BINARY);
  push_pointer(c, one_in(c->random, 20) ? NULL : lengths);
  push_pointer(c, one_in(c->random, 20) ? NULL : list);
  push_pointer(c, one_in(c->random, 2) ? NULL : room(c, 4 * sizeof(cl_int)));
}

void some_il(struct call *c, uint64_t unused, uint64_t code) {
  uint32_t *words = room(c, 64);
  words[0] = one_in(c->random, 2) ? 0x07230203 : (uint32_t)chance(c->random);
  words[1] = 0x10200;
  for (int i = 2; i < 16; i++) words[i] = below(c->random, 32);
  may_answer(c, CL_INVALID_VALUE);
  push_pointer(c, one_in(c->random, 20) ? NULL : words);
  push(c, ONE_OF(c->random, 0, 3, 4, 20, 24, 63, 64));
}

void build_options(struct call *c, uint64_t unused, uint64_t code) {
  may_answer(c, CL_INVALID_BUILD_OPTIONS);
  may_answer(c, CL_INVALID_COMPILER_OPTIONS);
  may_answer(c, CL_INVALID_LINKER_OPTIONS);
  push_pointer(c, options[below(c->random, NUM_OPTIONS)]);
}

void header_names(struct call *c, uint64_t unused, uint64_t code) {
  const char **list = room(c, 4 * sizeof *list);
  for (int i = 0; i < 4; i++) list[i] = one_in(c->random, 16) ? NULL : "a.h";
  int at = c->num_args;
  if (one_in(c->random, 2)) {
    push(c, 0), push(c, 0), push(c, 0);
    return;
  }
  a_handle_list(c, PROGRAMS, (uint64_t)CL_INVALID_PROGRAM);
  push_pointer(c, !c->args[at] ? NULL : list);
}

void kernel_name(struct call *c, uint64_t unused, uint64_t code) {
  bool null = one_in(c->random, 20);
  if (null) c->wrong = "the name is null";
  push_pointer(c, null ? NULL : names[below(c->random, NUM_NAMES)]);
}

void function_name(struct call *c, uint64_t unused, uint64_t code) {
  push_pointer(c, one_in(c->random, 4)   ? NULL
                  : one_in(c->random, 2) ? "clNoSuchFunction"
                                         : rows[below(c->random, (unsigned)num_rows)].name);
}

/* --- functions of the application --- */

static void CL_CALLBACK on_build(cl_program program, void *data) {}
static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data) {}
static void CL_CALLBACK on_context(cl_context context, void *data) {}
static void CL_CALLBACK on_mem(cl_mem mem, void *data) {}
static void CL_CALLBACK on_svm(cl_command_queue queue, cl_uint count, void **list, void *data) {}
static void CL_CALLBACK on_error(const char *text, const void *info, size_t size, void *data) {}
static void CL_CALLBACK on_native(void *args) {}

void build_notify(struct call *c, uint64_t unused, uint64_t code) {
  bool has = one_in(c->random, 4);
  may_answer(c, CL_INVALID_VALUE);
  push_pointer(c, has ? (void *)on_build : NULL);
  push_pointer(c, one_in(c->random, has ? 2 : 20) ? host_memory : NULL);
}

void a_callback(struct call *c, uint64_t which, uint64_t code) {
  void *const functions[] = {[OF_EVENT] = (void *)on_event, [OF_A_CONTEXT] = (void *)on_context,
                             [OF_MEM] = (void *)on_mem,     [OF_PROGRAM] = (void *)on_build,
                             [OF_SVM] = (void *)on_svm,     [OF_ERRORS] = (void *)on_error};
  bool optional = which == OF_ERRORS, null = one_in(c->random, optional ? 2 : 20);
  may_answer(c, (cl_int)code);
  if (null && !optional) c->wrong = "the function is null";
  push_pointer(c, null ? NULL : functions[which]);
  push_pointer(c, null && optional && !one_in(c->random, 20) ? NULL : host_memory);
}

void native_kernel(struct call *c, uint64_t unused, uint64_t code) {
  unsigned char *block = room(c, 64);
  int at = c->num_args;
  bool null = one_in(c->random, 20), no_args = one_in(c->random, 4);
  if (null) c->wrong = "the function is null";
  push_pointer(c, null ? NULL : (void *)on_native);
  push_pointer(c, no_args ? NULL : block);
  push(c, no_args ? one_in(c->random, 8) * 8 : ONE_OF(c->random, 64, 64, 64, 8, 4, 0));
  a_handle_list(c, BUFFERS, (uint64_t)CL_INVALID_MEM_OBJECT);
  const void **places = room(c, 4 * sizeof *places);
  for (int i = 0; i < 4; i++) places[i] = block + ONE_OF(c->random, 0, 8, 16, 24, 1, 57, 64);
  push_pointer(c, !c->args[at + 3] != one_in(c->random, 20) ? NULL : places);
}

/* --- arguments --- */

/* What a value of a handle's size holds is a handle, so that it is a right one, one of another kind
 * or null, whatever the kernel's argument is. */
static void *argument_value(struct call *c, size_t *size) {
  void **value = room(c, 128);
  enum pool pool =
      (enum pool)ONE_OF(c->random, BUFFERS, BUFFERS, BUFFERS, IMAGES, PIPES, SAMPLERS, QUEUES);
  *size = ONE_OF(c->random, 8, 8, 8, 8, 4, 4, 20, 1, 0, 64, 100, SIZE_MAX);
  if (one_in(c->random, 5)) return NULL;
  value[0] = one_in(c->random, 10) ? NULL : pinned_object(c, pool);
  if (value[0]) pool_keep(pool, value[0]); /* a kernel does not hold its arguments */
  return value;
}

void kernel_argument(struct call *c, uint64_t unused, uint64_t code) {
  size_t size;
  a_number(c, ARG_INDICES, (uint64_t)CL_INVALID_ARG_INDEX);
  void *value = argument_value(c, &size);
  push(c, size);
  push_pointer(c, value);
}

static void **some_pointers(struct call *c, unsigned count) {
  void **list = room(c, 4 * sizeof *list);
  for (unsigned i = 0; i < count; i++) {
    shared_pointer(c, 1, 0);
    list[i] = (void *)(uintptr_t)c->args[--c->num_args];
  }
  return list;
}

void exec_info(struct call *c, uint64_t unused, uint64_t code) {
  void **list = some_pointers(c, 4);
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, CL_INVALID_OPERATION);
  push(c, ONE_OF(c->random, CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                 0x4200, 0x4201, 0x4202, 0x4203, 0x5002, 0));
  push(c, ONE_OF(c->random, 0, 4, 8, 16, 32, 3, 8, 8));
  push_pointer(c, one_in(c->random, 20) ? NULL : list);
}

/* What is to be freed may not be in use, and is the command's from then on. */
void shared_list(struct call *c, uint64_t frees, uint64_t unused) {
  unsigned count = frees ? 1 : below(c->random, 4);
  void **list;
  may_answer(c, CL_INVALID_VALUE);
  if (frees) {
    list = room(c, sizeof *list);
    c->taken = pool_take(c->random, SVM);
    if (c->taken) list[0] = atomic_load(&c->taken->object);
  } else {
    list = some_pointers(c, count);
  }
  push(c, count);
  push_pointer(c, one_in(c->random, 20) ? NULL : list);
}

void sizes_of_list(struct call *c, uint64_t unused, uint64_t code) {
  size_t *sizes = room(c, 4 * sizeof *sizes);
  for (int i = 0; i < 4; i++) sizes[i] = ONE_OF(c->random, 0, 1, 64, 4096, SIZE_MAX);
  push_pointer(c, one_in(c->random, 2) ? NULL : sizes);
}

/* --- updates of command-buffers --- */

struct update { /* cl_mutable_dispatch_config_khr, which old headers have differently */
  cl_mutable_command_khr command;
  cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
  const cl_mutable_dispatch_arg_khr *args, *svm_args;
  const cl_mutable_dispatch_exec_info_khr *exec_infos;
  const size_t *offset, *global, *local;
};

static void fill_update(struct call *c, struct update *update) {
  static const size_t ones[3] = {1, 1, 1}, sizes[3] = {8, 2, 1};
  update->command = some_handle(c, CHANGEABLE, 0);
  cl_mutable_dispatch_arg_khr *arg = room(c, sizeof *arg);
  arg->arg_index = (cl_uint)ONE_OF(c->random, 0, 0, 1, 2, 3, ~0u);
  if (one_in(c->random, 2)) {
    arg->arg_value = argument_value(c, &arg->arg_size);
    update->num_args = one_in(c->random, 20) ? 0 : 1;
    update->args = one_in(c->random, 20) ? NULL : arg;
  } else if (one_in(c->random, 2)) {
    arg->arg_value = some_pointers(c, 1)[0];
    update->num_svm_args = 1;
    update->svm_args = arg;
  }
  update->work_dim = (cl_uint)ONE_OF(c->random, 0, 1, 1, 2, 4);
  if (one_in(c->random, 3)) update->offset = ones;
  if (one_in(c->random, 2)) update->global = one_in(c->random, 2) ? sizes : ones;
  if (one_in(c->random, 3)) update->local = ones;
}

void some_updates(struct call *c, uint64_t unused, uint64_t code) {
  unsigned count = (unsigned)ONE_OF(c->random, 1, 1, 2, 0);
  cl_uint *types = room(c, 4 * sizeof *types);
  const void **configs = room(c, 4 * sizeof *configs);
  for (unsigned i = 0; i < count; i++) {
    struct update *update = room(c, sizeof *update);
    fill_update(c, update);
    types[i] = one_in(c->random, 20) ? 17 : 0;
    configs[i] = one_in(c->random, 30) ? NULL : update;
  }
  may_answer(c, CL_INVALID_MUTABLE_COMMAND_KHR);
  push(c, count);
  push_pointer(c, !count != one_in(c->random, 30) ? NULL : types);
  push_pointer(c, !count != one_in(c->random, 30) ? NULL : configs);
}
