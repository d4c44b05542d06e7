/* Kernels in a command-buffer, which can be changed (cl_khr_command_buffer_mutable_dispatch).
 *
 * A command with a handle keeps a clone of its kernel, which holds its arguments.  An update works on
 * drafts, captured as any launch is; when all are good they take the places of the old ones, in a
 * new recording if executions hold the old one. */
#include <stdlib.h>
#include <string.h>

#include "command_buffer.h"

struct dispatch {
  cl_kernel kernel; /* a clone with the arguments */
  size_t offset[3], global[3], local[3];
  bool has_local;
  struct mpl_recorded *captured; /* of a draft; null if arguments are missing */
};

struct _cl_mutable_command_khr {
  struct mpl_base base;
  cl_mutable_command_khr next;
  cl_command_buffer_khr buffer;
  uint32_t index;     /* in the recording */
  cl_kernel original; /* retained: what the query answers */
  cl_uint dims;
  cl_mutable_dispatch_fields_khr fields;
  cl_command_properties_khr *properties;
  size_t num_properties;
  struct dispatch now, draft; /* draft.kernel is null outside of updates */
  bool complete;
};

enum {
  ALL_FIELDS = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
               CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
               CL_MUTABLE_DISPATCH_EXEC_INFO_KHR,
};

static void free_command(cl_mutable_command_khr command) {
  if (command->now.kernel) clReleaseKernel(command->now.kernel);
  if (command->original) clReleaseKernel(command->original);
  free(command->properties);
  mpl_object_free(command);
}

void mpl_changeable_free(cl_mutable_command_khr list) {
  while (list) {
    cl_mutable_command_khr next = list->next;
    free_command(list);
    list = next;
  }
}

/* --- capturing --- */

/* The launch as one recorded command; CL_INVALID_KERNEL_ARGS if arguments are missing. */
static cl_int capture(cl_command_buffer_khr buffer, cl_uint dims, struct dispatch *d) {
  struct _cl_command_queue recorder = buffer->recorder;
  recorder.recording = mpl_recording_new();
  if (!recorder.recording) return CL_OUT_OF_HOST_MEMORY;
  cl_int error = clEnqueueNDRangeKernel(&recorder, d->kernel, dims, d->offset, d->global,
                                        d->has_local ? d->local : NULL, 0, NULL, NULL);
  if (!error) {
    d->captured = recorder.recording->commands[0];
    atomic_fetch_add(&d->captured->refs, 1);
  }
  mpl_recording_drop(recorder.recording);
  return error;
}

/* --- recording --- */

static cl_int read_properties(const char *function, const cl_command_properties_khr *list,
                              cl_mutable_dispatch_fields_khr *fields, bool *asserts,
                              size_t *count) {
  unsigned seen = 0;
  *fields = ALL_FIELDS;
  *count = 0;
  if (!list) return CL_SUCCESS;
  for (; list[*count]; *count += 2) {
    bool updatable = list[*count] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR;
    if ((!updatable && list[*count] != CL_MUTABLE_DISPATCH_ASSERTS_KHR) ||
        (seen & 1u << updatable) ||
        (!updatable && (list[*count + 1] &
                        ~(cl_properties)CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR)))
      return mpl_refuse(CL_INVALID_VALUE, function,
                        "property 0x%llx is unknown, repeated, or has unknown bits",
                        (unsigned long long)list[*count]);
    seen |= 1u << updatable;
    if (updatable)
      *fields = list[*count + 1];
    else
      *asserts |= list[*count + 1] != 0;
  }
  ++*count;
  if (*fields & ~(cl_mutable_dispatch_fields_khr)ALL_FIELDS)
    return mpl_refuse(CL_INVALID_OPERATION, function, "fields 0x%llx cannot be changed",
                      (unsigned long long)*fields);
  return CL_SUCCESS;
}

static cl_mutable_command_khr new_command(cl_command_buffer_khr buffer, cl_kernel kernel,
                                          const cl_command_properties_khr *properties,
                                          size_t num_properties, cl_int *error) {
  cl_mutable_command_khr command = calloc(1, sizeof *command);
  *error = CL_OUT_OF_HOST_MEMORY;
  if (!command) return NULL;
  mpl_base_init(&command->base, MPL_MUTABLE_COMMAND);
  command->buffer = buffer;
  command->num_properties = num_properties;
  size_t bytes = num_properties * sizeof *properties;
  command->properties = malloc(bytes + 1);
  command->now.kernel = clCloneKernel(kernel, error);
  if (!command->properties || !command->now.kernel) {
    free_command(command);
    return NULL;
  }
  if (bytes) memcpy(command->properties, properties, bytes);
  clRetainKernel(command->original = kernel);
  return command;
}

static void set_sizes(struct dispatch *d, cl_uint dims, const size_t *offset, const size_t *global,
                      const size_t *local) {
  size_t bytes = dims * sizeof *d->offset;
  if (offset) memcpy(d->offset, offset, bytes);
  if (global) memcpy(d->global, global, bytes);
  if (local) memcpy(d->local, local, bytes);
  if (local) d->has_local = true;
}

/* With the buffer's lock held.  A changeable command may get its arguments later, and is nothing
 * until then. */
static cl_int record(cl_command_buffer_khr buffer, cl_mutable_command_khr command, cl_uint dims,
                     const size_t *offset, const size_t *global, const size_t *local) {
  const bool may_wait = buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR &&
                        command->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
  const struct mpl_work_desc nothing = {0};
  cl_int error = clEnqueueNDRangeKernel(&buffer->recorder, command->now.kernel, dims, offset,
                                        global, local, 0, NULL, NULL);
  command->complete = !error;
  if (error == CL_INVALID_KERNEL_ARGS && may_wait)
    error = mpl_record_command(buffer->recording, &nothing);
  if (error) return error;
  buffer->num_incomplete += !command->complete;
  command->index = buffer->recording->count - 1;
  command->dims = dims;
  set_sizes(&command->now, dims, offset, global, local);
  command->next = buffer->changeable;
  buffer->changeable = command;
  return CL_SUCCESS;
}

static cl_int record_kernel(const char *function, cl_command_buffer_khr buffer,
                            const cl_command_properties_khr *properties, cl_kernel kernel,
                            cl_uint dims, const size_t *offset, const size_t *global,
                            const size_t *local, cl_mutable_command_khr *handle) {
  cl_mutable_dispatch_fields_khr fields;
  bool asserts = buffer->asserts_groups;
  size_t count;
  cl_int error = read_properties(function, properties, &fields, &asserts, &count);
  if (error) return error;
  if (asserts && !local)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "the assertion of no additional work-groups needs a local size");
  if (!handle)
    return clEnqueueNDRangeKernel(&buffer->recorder, kernel, dims, offset, global, local, 0, NULL,
                                  NULL);
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  cl_mutable_command_khr command = new_command(buffer, kernel, properties, count, &error);
  if (!command) return error;
  command->fields = fields;
  error = record(buffer, command, dims, offset, global, local);
  if (error)
    free_command(command);
  else
    *handle = command;
  return error;
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(MPL_RECORD_TO, cl_kernel kernel, cl_uint dims,
                                             const size_t *offset, const size_t *global,
                                             const size_t *local, MPL_RECORD_POINTS) {
  cl_int error = mpl_record_begin(__func__, buffer, queue, num_points, points);
  if (error) return error;
  error = record_kernel(__func__, buffer, properties, kernel, dims, offset, global, local, handle);
  return mpl_record_end(buffer, error, point);
}

/* --- updates --- */

static bool is_uniform(const struct dispatch *d, cl_uint dims) {
  for (cl_uint i = 0; i < dims; i++)
    if (d->has_local && d->local[i] && d->global[i] % d->local[i]) return false;
  return true;
}

/* The changes of an update, and whether its lists are whole. */
static cl_int check_update(const char *function, const struct mpl_dispatch_update *u) {
  const cl_mutable_command_khr command = u->command;
  cl_mutable_dispatch_fields_khr wanted =
      (u->global_work_offset ? CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR : 0) |
      (u->global_work_size ? CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR : 0) |
      (u->local_work_size ? CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR : 0) |
      (u->num_args || u->num_svm_args ? CL_MUTABLE_DISPATCH_ARGUMENTS_KHR : 0) |
      (u->num_exec_infos ? CL_MUTABLE_DISPATCH_EXEC_INFO_KHR : 0);
  if (wanted & ~command->fields)
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "fields 0x%llx were not named in CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR "
                      "when the command was recorded",
                      (unsigned long long)(wanted & ~command->fields));
  if (u->work_dim && u->work_dim != command->dims)
    return mpl_refuse(CL_INVALID_OPERATION, function, "the command has %u dimensions, not %u",
                      command->dims, u->work_dim);
  if (!u->num_args != !u->arg_list || !u->num_svm_args != !u->arg_svm_list ||
      !u->num_exec_infos != !u->exec_info_list)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "a list of the update is null with entries, or there without");
  return CL_SUCCESS;
}

static cl_int set_arguments(cl_kernel kernel, const struct mpl_dispatch_update *u) {
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < u->num_args && !error; i++)
    error = clSetKernelArg(kernel, u->arg_list[i].arg_index, u->arg_list[i].arg_size,
                           u->arg_list[i].arg_value);
  for (cl_uint i = 0; i < u->num_svm_args && !error; i++)
    error = clSetKernelArgSVMPointer(kernel, u->arg_svm_list[i].arg_index,
                                     u->arg_svm_list[i].arg_value);
  for (cl_uint i = 0; i < u->num_exec_infos && !error; i++)
    error = clSetKernelExecInfo(kernel, u->exec_info_list[i].param_name,
                                u->exec_info_list[i].param_value_size,
                                u->exec_info_list[i].param_value);
  return error;
}

/* Adds one update to the command's draft. */
static cl_int draft(const char *function, cl_command_buffer_khr buffer,
                    const struct mpl_dispatch_update *u) {
  cl_mutable_command_khr command = u->command;
  if (!mpl_valid(command, MPL_MUTABLE_COMMAND) || command->buffer != buffer)
    return mpl_refuse(CL_INVALID_MUTABLE_COMMAND_KHR, function,
                      "%p is not a mutable command of this command-buffer", (void *)command);
  cl_int error = check_update(function, u);
  if (error) return error;
  struct dispatch *d = &command->draft;
  if (!d->kernel) {
    *d = command->now;
    d->kernel = clCloneKernel(command->now.kernel, &error);
    if (error) return error;
  }
  set_sizes(d, command->dims, u->global_work_offset, u->global_work_size, u->local_work_size);
  if ((u->global_work_size || u->local_work_size) &&
      is_uniform(d, command->dims) != is_uniform(&command->now, command->dims))
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "the update would change whether the last work-groups are smaller than the "
                      "others");
  return set_arguments(d->kernel, u);
}

static cl_int capture_drafts(cl_command_buffer_khr buffer) {
  cl_int error = CL_SUCCESS;
  for (cl_mutable_command_khr c = buffer->changeable; c && !error; c = c->next) {
    if (!c->draft.kernel) continue;
    error = capture(buffer, c->dims, &c->draft);
    if (error == CL_INVALID_KERNEL_ARGS && !c->complete) error = CL_SUCCESS;
  }
  return error;
}

/* A recording that nobody else holds, with the same commands; null if out of memory. */
static struct mpl_recording *own_recording(cl_command_buffer_khr buffer) {
  struct mpl_recording *old = buffer->recording, *copy;
  if (atomic_load(&old->refs) == 1) return old;
  if (!(copy = mpl_recording_new())) return NULL;
  copy->commands = malloc(old->count * sizeof *copy->commands);
  if (!copy->commands) {
    mpl_recording_drop(copy);
    return NULL;
  }
  for (uint32_t i = 0; i < old->count; i++) {
    copy->commands[i] = old->commands[i];
    atomic_fetch_add(&copy->commands[i]->refs, 1);
  }
  copy->count = copy->room = old->count;
  mpl_recording_drop(old);
  return buffer->recording = buffer->recorder.recording = copy;
}

static void forget(struct dispatch *d) {
  if (d->kernel) clReleaseKernel(d->kernel);
  if (d->captured) mpl_recorded_drop(d->captured);
  *d = (struct dispatch){0};
}

static void keep_drafts(cl_command_buffer_khr buffer) {
  for (cl_mutable_command_khr c = buffer->changeable; c; c = c->next) {
    if (!c->draft.kernel) continue;
    if (c->draft.captured) {
      mpl_recorded_drop(buffer->recording->commands[c->index]);
      buffer->recording->commands[c->index] = c->draft.captured;
      buffer->num_incomplete -= !c->complete;
      c->complete = true;
    }
    clReleaseKernel(c->now.kernel);
    c->now = c->draft;
    c->now.captured = NULL;
    c->draft = (struct dispatch){0};
  }
}

/* With the buffer's lock held: all of it, or nothing. */
static cl_int update(const char *function, cl_command_buffer_khr buffer, cl_uint count,
                     const void **configs) {
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && !error; i++) error = draft(function, buffer, configs[i]);
  if (!error) error = capture_drafts(buffer);
  if (!error && !own_recording(buffer)) error = CL_OUT_OF_HOST_MEMORY;
  if (!error) keep_drafts(buffer);
  for (cl_mutable_command_khr c = buffer->changeable; c; c = c->next) forget(&c->draft);
  return error;
}

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr *types,
                                              const void **configs) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER))
    return mpl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, __func__, "%p is not a command-buffer",
                      (void *)buffer);
  if (!(buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
    return mpl_refuse(CL_INVALID_OPERATION, __func__,
                      "the command-buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
  if (!num_configs != !types || !num_configs != !configs)
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "%u updates at %p, of types at %p: both lists are needed with updates, and "
                      "null without",
                      num_configs, (void *)configs, (const void *)types);
  for (cl_uint i = 0; i < num_configs; i++)
    if (types[i] != MPL_UPDATE_DISPATCH || !configs[i])
      return mpl_refuse(CL_INVALID_VALUE, __func__, "update %u is null, or its type %u is unknown",
                        i, types[i]);
  mpl_lock(&buffer->lock);
  cl_int error = buffer->finalized ? update(__func__, buffer, num_configs, configs)
                                   : mpl_refuse(CL_INVALID_OPERATION, __func__,
                                                "the command-buffer is not finalized: call "
                                                "clFinalizeCommandBufferKHR first");
  mpl_unlock(&buffer->lock);
  return error;
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                              cl_mutable_command_info_khr param_name, size_t size,
                                              void *value, size_t *size_ret) {
  if (!mpl_valid(command, MPL_MUTABLE_COMMAND)) return CL_INVALID_MUTABLE_COMMAND_KHR;
  switch (param_name) {
    MPL_QUERY(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, cl_command_queue, command->buffer->queue)
    MPL_QUERY(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, cl_command_buffer_khr, command->buffer)
    MPL_QUERY(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_command_type, CL_COMMAND_NDRANGE_KERNEL)
    MPL_QUERY_ARRAY(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, cl_command_properties_khr,
                    command->num_properties, command->properties)
    MPL_QUERY(CL_MUTABLE_DISPATCH_KERNEL_KHR, cl_kernel, command->original)
    MPL_QUERY(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, cl_uint, command->dims)
    MPL_QUERY_ARRAY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t, command->dims,
                    command->now.offset)
    MPL_QUERY_ARRAY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, size_t, command->dims,
                    command->now.global)
    MPL_QUERY_ARRAY(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t, command->dims,
                    command->now.local)
  default:
    return CL_INVALID_VALUE;
  }
}
