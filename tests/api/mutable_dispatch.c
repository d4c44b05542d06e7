/* Commands of a command-buffer that are changed: arguments, sizes, all or nothing, executions that
 * are under way. */
#include "command_buffers.h"
#include "opencl/device/extensions.h"

struct update { /* cl_mutable_dispatch_config_khr of 0.9.5 */
  cl_mutable_command_khr command;
  cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
  const cl_mutable_dispatch_arg_khr *arg_list, *arg_svm_list;
  const cl_mutable_dispatch_exec_info_khr *exec_info_list;
  const size_t *offset, *global, *local;
};
typedef cl_int CL_API_CALL update_fn(cl_command_buffer_khr, cl_uint, const cl_uint *, const void **);
typedef cl_int CL_API_CALL command_info_fn(cl_mutable_command_khr, cl_uint, size_t, void *, size_t *);
static update_fn *change;
static command_info_fn *command_info;

enum { COUNT = 64, ASSERTS = 0x12B8 /* CL_MUTABLE_DISPATCH_ASSERTS_KHR */ };
static const char *const source =
    "kernel void put(global int *x, int n) { x[get_global_id(0)] = n + get_local_size(0); }";
static cl_kernel put;
static cl_mem x, y;
static const cl_command_buffer_properties_khr changeable[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                              CL_COMMAND_BUFFER_MUTABLE_KHR, 0};

static cl_int update(cl_command_buffer_khr buffer, struct update a) {
  const cl_uint type = 0;
  const void *list = &a;
  return change(buffer, 1, &type, &list);
}

static void zero(void) {
  cl_int none = 0;
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, x, &none, 4, 0, 4 * COUNT, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, y, &none, 4, 0, 4 * COUNT, 0, NULL, NULL));
}

/* `value` from `first` to `last`, 0 elsewhere. */
static void expect(cl_mem mem, int first, int last, int value) {
  cl_int got[COUNT];
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++) CHECK(got[i] == (i >= first && i <= last ? value : 0));
}

static void run(cl_command_buffer_khr buffer) {
  zero();
  EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
}

static cl_command_buffer_khr record(const cl_properties *properties, cl_mutable_command_khr *handle) {
  cl_int error, n = 100;
  size_t global = COUNT / 2, local = 8;
  cl_command_buffer_khr buffer = create(1, &queue, changeable, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArg(put, 0, sizeof x, &x));
  EXPECT(CL_SUCCESS, clSetKernelArg(put, 1, sizeof n, &n));
  EXPECT(CL_SUCCESS,
         launch(buffer, NULL, properties, put, 1, NULL, &global, &local, 0, NULL, NULL, handle));
  EXPECT(CL_SUCCESS, finalize(buffer));
  return buffer;
}

static void check_changes(void) {
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = record(NULL, &command);
  cl_int error, n = 200;
  size_t offset = 16, global = 24, local = 4, sizes[3];
  cl_mutable_dispatch_arg_khr args[2] = {{1, sizeof n, &n}, {0, sizeof y, &y}};
  run(buffer);
  expect(x, 0, 31, 108);
  EXPECT(CL_SUCCESS,
         update(buffer, (struct update){.command = command, .num_args = 2, .arg_list = args}));
  run(buffer);
  expect(x, 0, -1, 0);
  expect(y, 0, 31, 208);
  EXPECT(CL_SUCCESS, update(buffer, (struct update){.command = command,
                                                    .work_dim = 1,
                                                    .offset = &offset,
                                                    .global = &global,
                                                    .local = &local}));
  run(buffer);
  expect(y, 16, 39, 204);
  EXPECT(CL_SUCCESS, command_info(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof sizes,
                                  sizes, NULL));
  CHECK(sizes[0] == 24);
  /* An execution that has not begun stays as it was enqueued. */
  cl_event user = clCreateUserEvent(context, &error);
  zero();
  EXPECT(CL_SUCCESS, enqueue(0, NULL, buffer, 1, &user, NULL));
  n = 300;
  EXPECT(CL_SUCCESS,
         update(buffer, (struct update){.command = command, .num_args = 1, .arg_list = args}));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT(CL_SUCCESS, clFinish(queue));
  expect(y, 16, 39, 204);
  run(buffer);
  expect(y, 16, 39, 304);
  clReleaseEvent(user);
  EXPECT(CL_SUCCESS, release(buffer));
}

/* One bad update of two: none is kept. */
static void check_all_or_nothing(void) {
  cl_mutable_command_khr command;
  cl_command_buffer_khr buffer = record(NULL, &command);
  cl_int n = 500;
  size_t odd = 7;
  cl_mutable_dispatch_arg_khr good = {1, sizeof n, &n}, bad = {1, 3, &n}, none = {9, sizeof n, &n};
  struct update updates[] = {{.command = command, .num_args = 1, .arg_list = &good},
                             {.command = command, .num_args = 1, .arg_list = &bad}};
  const cl_uint types[2] = {0, 0};
  const void *list[] = {&updates[0], &updates[1]};
  EXPECT(CL_INVALID_ARG_SIZE, change(buffer, 2, types, list));
  updates[1].arg_list = &none;
  EXPECT(CL_INVALID_ARG_INDEX, change(buffer, 2, types, list));
  EXPECT(CL_INVALID_OPERATION, /* no longer uniform */
         update(buffer, (struct update){.command = command, .local = &odd}));
  EXPECT(CL_INVALID_OPERATION, update(buffer, (struct update){.command = command, .work_dim = 2}));
  EXPECT(CL_INVALID_VALUE, update(buffer, (struct update){.command = command, .num_args = 1}));
  EXPECT(CL_INVALID_MUTABLE_COMMAND_KHR, update(buffer, (struct update){0}));
  EXPECT(CL_INVALID_MUTABLE_COMMAND_KHR,
         update(buffer, (struct update){.command = WRONG(cl_mutable_command_khr)}));
  EXPECT(CL_INVALID_VALUE, change(buffer, 1, types, NULL));
  EXPECT(CL_INVALID_VALUE, change(buffer, 0, types, list));
  EXPECT(CL_INVALID_VALUE, change(buffer, 1, (const cl_uint[]){7}, list));
  EXPECT(CL_INVALID_COMMAND_BUFFER_KHR, change(NULL, 1, types, list));
  EXPECT(CL_INVALID_MUTABLE_COMMAND_KHR, command_info(NULL, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, command_info(command, 1, 0, NULL, NULL));
  run(buffer);
  expect(x, 0, 31, 108);
  EXPECT(CL_SUCCESS, release(buffer));
}

/* What was not recorded as changeable; arguments that come behind the end of recording. */
static void check_fields(void) {
  cl_mutable_command_khr command;
  cl_int error, n = 7;
  size_t global = COUNT, local = 8;
  const cl_properties only_sizes[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                      CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0},
                      unknown[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 9, 0},
                      asserts[] = {ASSERTS, 1, 0};
  cl_mutable_dispatch_arg_khr args[2] = {{0, sizeof y, &y}, {1, sizeof n, &n}};
  cl_command_buffer_khr buffer = record(only_sizes, &command);
  EXPECT(CL_INVALID_OPERATION,
         update(buffer, (struct update){.command = command, .num_args = 1, .arg_list = args + 1}));
  EXPECT(CL_SUCCESS, update(buffer, (struct update){.command = command, .global = &global}));
  run(buffer);
  expect(x, 0, 63, 108);
  EXPECT(CL_SUCCESS, release(buffer));

  buffer = create(1, &queue, changeable, &error);
  cl_program program = build(source, "");
  cl_kernel bare = clCreateKernel(program, "put", &error);
  EXPECT(CL_INVALID_OPERATION,
         launch(buffer, NULL, unknown, bare, 1, NULL, &global, &local, 0, NULL, NULL, &command));
  EXPECT(CL_INVALID_VALUE,
         launch(buffer, NULL, asserts, bare, 1, NULL, &global, NULL, 0, NULL, NULL, &command));
  EXPECT(CL_INVALID_KERNEL_ARGS,
         launch(buffer, NULL, only_sizes, bare, 1, NULL, &global, &local, 0, NULL, NULL, &command));
  EXPECT(CL_SUCCESS,
         launch(buffer, NULL, NULL, bare, 1, NULL, &global, &local, 0, NULL, NULL, &command));
  clReleaseKernel(bare);
  clReleaseProgram(program);
  EXPECT(CL_INVALID_OPERATION, update(buffer, (struct update){.command = command}));
  EXPECT(CL_SUCCESS, finalize(buffer));
  EXPECT(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         update(buffer, (struct update){.command = command, .num_args = 1, .arg_list = args}));
  cl_uint state;
  EXPECT(CL_SUCCESS, info(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
  CHECK(state == 2); /* CL_COMMAND_BUFFER_STATE_FINALIZED_KHR */
  EXPECT(CL_SUCCESS,
         update(buffer, (struct update){.command = command, .num_args = 1, .arg_list = args + 1}));
  run(buffer);
  expect(y, 0, 63, 15);
  EXPECT(CL_SUCCESS, release(buffer));
}

int main(void) {
  cl_int error;
  open_command_buffers();
  change = (update_fn *)address("clUpdateMutableCommandsKHR");
  command_info = (command_info_fn *)address("clGetMutableCommandInfoKHR");
  cl_program program = build(source, "");
  put = clCreateKernel(program, "put", &error);
  x = clCreateBuffer(context, 0, 4 * COUNT, NULL, &error);
  y = clCreateBuffer(context, 0, 4 * COUNT, NULL, &error);
  check_changes();
  check_all_or_nothing();
  check_fields();
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseKernel(put);
  clReleaseProgram(program);
  return finish();
}
