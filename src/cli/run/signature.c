/* Names and arguments of a program's kernels. */
#include "cli/run/signature.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static char *arg_text(struct mpl_session *s, cl_kernel kernel, cl_uint i, cl_kernel_arg_info what) {
  size_t size = 0;
  if (s->cl->clGetKernelArgInfo(kernel, i, what, 0, NULL, &size) || !size) return NULL;
  char *text = mpl_need(calloc(size + 1, 1));
  if (s->cl->clGetKernelArgInfo(kernel, i, what, size, text, NULL)) text[0] = 0;
  if (text[0]) return text;
  free(text);
  return NULL;
}

/* `const T*`; of OpenCL C++ also CLASS<const T[]>, the pointer classes, and CLASS<T>*. */
static void read_type(struct mpl_param *param, bool *is_const) {
  const char *name = param->type_name, *inner = strchr(name, '<');
  size_t length = strlen(name);
  param->pointer = length && name[length - 1] == '*';
  if (param->pointer) length--;
  while (length && name[length - 1] == ' ') length--;
  if (inner && length && name[length - 1] == '>' && param->space != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
    length -= (size_t)(inner + 1 - name) + 1;
    name = inner + 1;
    if (length > 2 && !strncmp(name + length - 2, "[]", 2)) length -= 2;
    *is_const = !strncmp(name, "const ", 6);
    param->pointer = true;
  }
  if (length > 6 && !strncmp(name, "const ", 6)) {
    name += 6;
    length -= 6;
  }
  param->type = mpl_type_parse(name, length);
}

static void read_param(struct mpl_session *s, cl_kernel kernel, cl_uint i,
                       struct mpl_param *param) {
  char number[16];
  snprintf(number, sizeof number, "%u", i);
  param->name = arg_text(s, kernel, i, CL_KERNEL_ARG_NAME);
  if (!param->name) param->name = mpl_need(strdup(number));
  param->type_name = arg_text(s, kernel, i, CL_KERNEL_ARG_TYPE_NAME);
  if (!param->type_name) param->type_name = mpl_need(strdup("?"));
  param->space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  s->cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof param->space,
                            &param->space, NULL);
  cl_kernel_arg_type_qualifier qualifier = 0;
  s->cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier,
                            NULL);
  bool is_const = false;
  read_type(param, &is_const);
  param->read_only = is_const || (qualifier & CL_KERNEL_ARG_TYPE_CONST) ||
                     param->space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

static bool read_signature(struct mpl_session *s, cl_kernel kernel, struct mpl_signature *sig) {
  size_t size = 0;
  sig->kernel = kernel;
  cl_int error = s->cl->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof sig->num_params,
                                        &sig->num_params, NULL);
  if (!error) error = s->cl->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size);
  if (!mpl_succeeded(error, "clGetKernelInfo")) return false;
  sig->name = mpl_need(calloc(size + 1, 1));
  s->cl->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, sig->name, NULL);
  sig->params = mpl_need(calloc(sig->num_params + 1, sizeof *sig->params));
  for (cl_uint i = 0; i < sig->num_params; i++) read_param(s, kernel, i, &sig->params[i]);
  return true;
}

void mpl_signature_close(struct mpl_session *s, struct mpl_signature *sig) {
  for (cl_uint i = 0; sig->params && i < sig->num_params; i++) {
    free(sig->params[i].name);
    free(sig->params[i].type_name);
  }
  free(sig->params);
  free(sig->name);
  if (sig->kernel) s->cl->clReleaseKernel(sig->kernel);
  *sig = (struct mpl_signature){0};
}

/* All kernels of the program; free the list.  Null, after saying why, if there are none. */
static cl_kernel *all_kernels(struct mpl_session *s, cl_program program, cl_uint *count) {
  cl_int error = s->cl->clCreateKernelsInProgram(program, 0, NULL, count);
  if (!mpl_succeeded(error, "clCreateKernelsInProgram")) return NULL;
  if (!*count) {
    mpl_fail("there is no kernel in the program");
    return NULL;
  }
  cl_kernel *kernels = mpl_need(calloc(*count, sizeof(cl_kernel)));
  error = s->cl->clCreateKernelsInProgram(program, *count, kernels, NULL);
  if (mpl_succeeded(error, "clCreateKernelsInProgram")) return kernels;
  free(kernels);
  return NULL;
}

static const char *space_name(cl_kernel_arg_address_qualifier space) {
  switch (space) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    return "global ";
  case CL_KERNEL_ARG_ADDRESS_LOCAL:
    return "local ";
  case CL_KERNEL_ARG_ADDRESS_CONSTANT:
    return "constant ";
  default:
    return "";
  }
}

static void print_signature(FILE *out, const struct mpl_signature *sig) {
  fprintf(out, "kernel %s(", sig->name);
  for (cl_uint i = 0; i < sig->num_params; i++) {
    const struct mpl_param *param = &sig->params[i];
    bool is_const = param->read_only && param->space == CL_KERNEL_ARG_ADDRESS_GLOBAL;
    fprintf(out, "%s%s%s%s %s", i ? ", " : "", space_name(param->space), is_const ? "const " : "",
            param->type_name, param->name);
  }
  fprintf(out, ")\n");
}

bool mpl_signature_list(struct mpl_session *s, cl_program program, FILE *out) {
  cl_uint count;
  cl_kernel *kernels = all_kernels(s, program, &count);
  if (!kernels) return false;
  bool good = true;
  for (cl_uint i = 0; i < count; i++) {
    struct mpl_signature sig = {0};
    if (read_signature(s, kernels[i], &sig))
      print_signature(out, &sig);
    else
      good = false;
    mpl_signature_close(s, &sig);
  }
  free(kernels);
  return good;
}

bool mpl_signature_open(struct mpl_session *s, cl_program program, const char *name,
                        struct mpl_signature *sig) {
  *sig = (struct mpl_signature){0};
  cl_kernel kernel;
  if (name) {
    cl_int error;
    kernel = s->cl->clCreateKernel(program, name, &error);
    if (error == CL_INVALID_KERNEL_NAME) {
      mpl_fail("there is no kernel '%s' in the program; it has:", name);
      mpl_signature_list(s, program, stderr);
      return false;
    }
    if (!mpl_succeeded(error, "clCreateKernel")) return false;
  } else {
    cl_uint count;
    cl_kernel *kernels = all_kernels(s, program, &count);
    if (!kernels) return false;
    kernel = kernels[0];
    for (cl_uint i = 1; i < count; i++) s->cl->clReleaseKernel(kernels[i]);
    free(kernels);
    if (count > 1) {
      mpl_usage("the program has %u kernels; choose one with -k:", count);
      s->cl->clReleaseKernel(kernel);
      mpl_signature_list(s, program, stderr);
      return false;
    }
  }
  if (read_signature(s, kernel, sig)) return true;
  mpl_signature_close(s, sig);
  return false;
}
