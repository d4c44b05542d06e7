/* One run of a kernel. */
#include "kernel_run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/terminal.h"

bool mpl_run_arg_allocate(struct mpl_run *run, struct mpl_run_arg *arg, size_t size) {
  arg->size = size;
  if (size <= run->session->max_allocation) arg->data = calloc(size ? size : 1, 1);
  if (!arg->data)
    mpl_fail("argument %s: %zu bytes are more than this machine can give", arg->param->name, size);
  return arg->data != NULL;
}

/* What clSetKernelArg's refusal means to who wrote the command line. */
static bool set_failed(const struct mpl_run_arg *arg, cl_int error) {
  const struct mpl_param *param = arg->param;
  if (error == CL_INVALID_ARG_SIZE)
    mpl_fail("argument %s: %zu bytes are given, which is not the size of a %s", param->name,
             arg->size, param->type_name);
  else
    mpl_fail("argument %s (%s): clSetKernelArg failed with %s (%d)", param->name, param->type_name,
             mpl_error_name(error), error);
  return false;
}

static bool set_arg(struct mpl_run *run, cl_uint i) {
  const cl_icd_dispatch *cl = run->session->cl;
  struct mpl_run_arg *arg = &run->args[i];
  cl_kernel kernel = run->signature->kernel;
  cl_int error = CL_SUCCESS;
  switch (arg->kind) {
  case MPL_RUN_VALUE:
    error = cl->clSetKernelArg(kernel, i, arg->size, arg->data);
    break;
  case MPL_RUN_LOCAL:
    error = cl->clSetKernelArg(kernel, i, arg->size, NULL);
    break;
  case MPL_RUN_NULL:
    error = cl->clSetKernelArg(kernel, i, sizeof(cl_mem), NULL);
    break;
  case MPL_RUN_BUFFER: {
    /* A buffer of 0 bytes does not exist in OpenCL: one byte stands for it. */
    size_t size = arg->size ? arg->size : 1;
    cl_mem_flags flags = arg->flags ? arg->flags : CL_MEM_READ_WRITE;
    arg->mem = cl->clCreateBuffer(run->session->context, flags | CL_MEM_COPY_HOST_PTR, size,
                                  arg->data, &error);
    if (error != CL_SUCCESS) {
      mpl_fail("argument %s: no buffer of %zu bytes can be made: %s (%d)", arg->param->name, size,
               mpl_error_name(error), error);
      return false;
    }
    error = cl->clSetKernelArg(kernel, i, sizeof(cl_mem), &arg->mem);
    break;
  }
  }
  return error == CL_SUCCESS || set_failed(arg, error);
}

bool mpl_run_prepare(struct mpl_run *run) {
  for (cl_uint i = 0; i < run->signature->num_params; i++)
    if (!set_arg(run, i)) return false;
  return true;
}

static void size_text(const size_t sizes[3], cl_uint dims, char text[80]) {
  int used = snprintf(text, 80, "%zu", sizes[0]);
  for (cl_uint i = 1; i < dims; i++)
    used += snprintf(text + used, 80 - (size_t)used, ",%zu", sizes[i]);
}

static bool launch_failed(const struct mpl_run *run, cl_int error) {
  char global[80], local[80] = "NULL";
  size_text(run->global, run->dims, global);
  if (run->has_local) size_text(run->local, run->dims, local);
  mpl_fail("running %s with global size %s and local size %s failed with %s (%d)",
           run->signature->name, global, local, mpl_error_name(error), error);
  return false;
}

/* Launches and waits; ns between START and END in *ns unless it is null. */
static bool launch(struct mpl_run *run, cl_ulong *ns) {
  const cl_icd_dispatch *cl = run->session->cl;
  cl_event event;
  cl_int error = cl->clEnqueueNDRangeKernel(run->session->queue, run->signature->kernel, run->dims,
                                            run->has_offset ? run->offset : NULL, run->global,
                                            run->has_local ? run->local : NULL, 0, NULL, &event);
  if (error != CL_SUCCESS) return launch_failed(run, error);
  error = cl->clWaitForEvents(1, &event);
  cl_ulong start = 0, end = 0;
  if (!error && ns) {
    cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    *ns = end - start;
  }
  cl->clReleaseEvent(event);
  return error == CL_SUCCESS || launch_failed(run, error);
}

static const struct fault {
  int signal;
  const char *message;
} faults[] = {
    {SIGSEGV, "maniple run: the kernel was stopped: it used memory that is not there (SIGSEGV)\n"},
    {SIGBUS, "maniple run: the kernel was stopped: it used memory that is not there (SIGBUS)\n"},
    {SIGFPE, "maniple run: the kernel was stopped: it divided an integer by zero (SIGFPE)\n"},
    {SIGILL, "maniple run: the kernel was stopped: it ran into an illegal instruction (SIGILL)\n"},
};

static void on_fault(int number) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    if (faults[i].signal != number) continue;
    ssize_t written = write(STDERR_FILENO, faults[i].message, strlen(faults[i].message));
    (void)written;
  }
  _exit(MPL_EXIT_FAILURE);
}

/* A fault of the kernel's ends the program with a sentence, on a stack of its own: the kernel may
 * have used up the thread's. */
static void catch_faults(void) {
  static char stack[1 << 14];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    sigaction(faults[i].signal, &action, NULL);
  }
}

bool mpl_run_once(struct mpl_run *run) {
  const cl_icd_dispatch *cl = run->session->cl;
  catch_faults();
  if (!launch(run, NULL)) return false;
  for (cl_uint i = 0; i < run->signature->num_params; i++) {
    struct mpl_run_arg *arg = &run->args[i];
    if (!arg->mem || !arg->size) continue;
    cl_int error = cl->clEnqueueReadBuffer(run->session->queue, arg->mem, CL_TRUE, 0, arg->size,
                                           arg->data, 0, NULL, NULL);
    if (!mpl_succeeded(error, "clEnqueueReadBuffer")) return false;
  }
  return true;
}

static int by_size(const void *a, const void *b) {
  cl_ulong x = *(const cl_ulong *)a, y = *(const cl_ulong *)b;
  return x < y ? -1 : x > y;
}

static const char *time_text(double ns, char text[32]) {
  if (ns < 1e4)
    snprintf(text, 32, "%.0f ns", ns);
  else if (ns < 1e6)
    snprintf(text, 32, "%.1f us", ns / 1e3);
  else
    snprintf(text, 32, "%.1f ms", ns / 1e6);
  return text;
}

static void report_times(const struct mpl_run *run, const cl_ulong *sorted, unsigned times) {
  char global[80], low[32], middle[32], high[32], size[32], speed[80] = "";
  double median = (double)sorted[times / 2];
  size_t bytes = 0;
  for (cl_uint i = 0; i < run->signature->num_params; i++)
    if (run->args[i].mem) bytes += run->args[i].size;
  if (bytes && median > 0)
    snprintf(speed, sizeof speed, "; %s of buffers, %.2f GB/s", mpl_size_text(bytes, size),
             (double)bytes / median);
  size_text(run->global, run->dims, global);
  mpl_note("%s, %s work-items, %u times: median %s, %s to %s%s", run->signature->name, global,
           times, time_text(median, middle), time_text((double)sorted[0], low),
           time_text((double)sorted[times - 1], high), speed);
}

bool mpl_run_time(struct mpl_run *run, unsigned times) {
  cl_ulong *ns = mpl_need(calloc(times, sizeof *ns));
  bool good = true;
  for (unsigned i = 0; good && i < times; i++) {
    if (mpl_progress_is_due())
      mpl_progress("running %s (%u of %u)", run->signature->name, i + 1, times);
    good = launch(run, &ns[i]);
  }
  mpl_progress_clear();
  qsort(ns, times, sizeof *ns, by_size);
  if (good) report_times(run, ns, times);
  free(ns);
  return good;
}

void mpl_run_free(struct mpl_run *run) {
  for (cl_uint i = 0; run->args && i < run->signature->num_params; i++) {
    if (run->args[i].mem) run->session->cl->clReleaseMemObject(run->args[i].mem);
    free(run->args[i].data);
  }
  free(run->args);
  run->args = NULL;
}
