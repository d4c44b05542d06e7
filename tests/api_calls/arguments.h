/* The kinds of arguments that calls.def names; a and b say what of the kind. */
#ifndef MPL_TESTS_API_ARGUMENTS_H
#define MPL_TESTS_API_ARGUMENTS_H

#include "api_calls.h"

/* What the argument functions use (arguments.c). */
void push(struct call *, uint64_t value);
void push_pointer(struct call *, const void *);
void may_answer(struct call *, cl_int code);
void *room(struct call *, size_t size);        /* zeroed, until the call returns */
void *pinned_object(struct call *, enum pool); /* held until then; null if there is none */
void *some_handle(struct call *, enum pool, cl_int code); /* right, wrong or null */

/* One handle, that has to be right; that may be null; its release; its retain. */
void a_handle(struct call *, uint64_t pool, uint64_t code);
void a_handle_or_null(struct call *, uint64_t pool, uint64_t code);
void a_release(struct call *, uint64_t pool, uint64_t code);
void a_retain(struct call *, uint64_t pool, uint64_t code);
void a_memory(struct call *, uint64_t unused, uint64_t code);      /* a buffer or an image */
void a_handle_list(struct call *, uint64_t pool, uint64_t code);   /* count, list */
void signalled_semaphores(struct call *, uint64_t, uint64_t);      /* count, list */
void a_memory_list(struct call *, uint64_t unused, uint64_t code); /* buffers and images */
void a_wait_list(struct call *, uint64_t pool, uint64_t code);     /* count, events */
void an_event_out(struct call *, uint64_t, uint64_t);
void a_recording(struct call *, uint64_t, uint64_t); /* command-buffer, queue, properties */
void some_points(struct call *, uint64_t changeable, uint64_t); /* sync points, what comes out */
void an_error(struct call *, uint64_t, uint64_t);               /* errcode_ret */
void an_array_out(struct call *, uint64_t pool, uint64_t);      /* room, objects, count of them */

/* Numbers. */
void a_number(struct call *, uint64_t set, uint64_t code); /* of one of these sets */
enum {
  SIZES,
  SMALL_SIZES,
  BUFFER_SIZES,
  SHARED_SIZES,
  HOST_PITCHES,
  PITCHES,
  ALIGNMENTS,
  COUNTS,
  ARG_INDICES,
  STATUS,
  PLACES
};
void some_flags(struct call *, uint64_t bits, uint64_t code);
void one_value(struct call *, uint64_t low, uint64_t high); /* or one beside them */
void a_bool(struct call *, uint64_t blocks, uint64_t);
void fixed_value(struct call *, uint64_t value, uint64_t);

/* Memory. */
void an_info(struct call *, uint64_t low, uint64_t high); /* name, size, value, size_ret */
void an_input(struct call *, uint64_t, uint64_t);         /* a few sizes */
void an_answer(struct call *, uint64_t size, uint64_t);   /* a place for one */
void host_pointer(struct call *, uint64_t may_be_null, uint64_t code);
void shared_pointer(struct call *, uint64_t may_be_null, uint64_t code);
void shared_release(struct call *, uint64_t pool, uint64_t);
void mapped_pointer(struct call *, uint64_t, uint64_t);
void a_pattern(struct call *, uint64_t has_size, uint64_t);
void an_origin(struct call *, uint64_t of_host, uint64_t);
void a_region(struct call *, uint64_t, uint64_t);
void an_ndrange(struct call *, uint64_t may_be_huge, uint64_t has_local);
void a_property_list(struct call *, uint64_t which, uint64_t code);
enum {
  OF_CONTEXT,
  OF_QUEUE,
  OF_SAMPLER,
  OF_MEMORY,
  OF_PARTITION,
  OF_COMMAND_BUFFER,
  OF_USM,
  OF_SEMAPHORE
};
void a_sub_buffer(struct call *, uint64_t, uint64_t);
void an_image(struct call *, uint64_t, uint64_t); /* flags, format, description, host pointer */
void an_old_image(struct call *, uint64_t dims, uint64_t);
void a_format(struct call *, uint64_t, uint64_t);

/* Programs and kernels (kinds_of_programs.c). */
void some_source(struct call *, uint64_t, uint64_t);   /* count, strings, lengths */
void some_binaries(struct call *, uint64_t, uint64_t); /* devices, lengths, binaries, status */
void some_il(struct call *, uint64_t, uint64_t);       /* bytes, length */
void build_options(struct call *, uint64_t, uint64_t);
void header_names(struct call *, uint64_t, uint64_t); /* count, programs, names */
void build_notify(struct call *, uint64_t, uint64_t); /* function, data */
void a_callback(struct call *, uint64_t which, uint64_t code);
enum { OF_EVENT, OF_A_CONTEXT, OF_MEM, OF_PROGRAM, OF_SVM, OF_ERRORS };
void kernel_name(struct call *, uint64_t, uint64_t);
void kernel_argument(struct call *, uint64_t, uint64_t); /* index, size, value */
void exec_info(struct call *, uint64_t, uint64_t);       /* name, size, value */
void native_kernel(struct call *, uint64_t, uint64_t);
void shared_list(struct call *, uint64_t frees, uint64_t); /* count, pointers */
void sizes_of_list(struct call *, uint64_t, uint64_t);
void some_updates(struct call *, uint64_t, uint64_t); /* count, types, configurations */
void function_name(struct call *, uint64_t, uint64_t);

#endif
