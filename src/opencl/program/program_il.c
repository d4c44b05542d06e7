/* Programs in SPIR-V: clCreateProgramWithIL and clSetProgramSpecializationConstant (OpenCL 3.0,
 * sections 5.8.1 and 5.8.2.3).  Whether the module is valid is seen when it is built. */
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "runtime/device.h"
#include "spirv/binary.h"
#include "toolchain/compile.h"

static bool takes_spirv(cl_context context) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i]->device->info.offers & MPL_OFFERS_SPIRV) return true;
  return false;
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *errcode_ret) {
  const char *why;
  if (!mpl_valid(context, MPL_CONTEXT)) return mpl_give(NULL, CL_INVALID_CONTEXT, errcode_ret);
  if (!takes_spirv(context))
    return mpl_give(
        NULL, mpl_refuse(CL_INVALID_OPERATION, __func__, "no device of the context takes SPIR-V"),
        errcode_ret);
  if (!il || !length)
    return mpl_give(NULL, mpl_refuse(CL_INVALID_VALUE, __func__, "il is null, or length is 0"),
                    errcode_ret);
  uint32_t *words = mpl_spirv_copy(il, length, &why);
  if (!words && why)
    return mpl_give(NULL, mpl_refuse(CL_INVALID_VALUE, __func__, "%s", why), errcode_ret);
  free(words);
  void *copy = words ? malloc(length) : NULL;
  cl_program program =
      copy ? mpl_program_new(context, context->num_devices, context->devices) : NULL;
  if (!program) {
    free(copy);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  program->il = memcpy(copy, il, length);
  program->il_size = length;
  return mpl_give(program, CL_SUCCESS, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                                cl_int *errcode_ret) {
  return clCreateProgramWithIL(context, il, length, errcode_ret);
}

/* 0: the module has no such constant. */
static cl_int size_of_constant(cl_program program, cl_uint number, size_t *size) {
  const char *why;
  struct mpl_spirv_binary binary;
  uint32_t *words = mpl_spirv_copy(program->il, program->il_size, &why);
  if (!words) return CL_OUT_OF_HOST_MEMORY;
  mpl_spirv_open(&binary, words, program->il_size / sizeof *words);
  *size = mpl_spirv_constant_size(&binary, number);
  free(words);
  return CL_SUCCESS;
}

static cl_int set_constant(cl_program program, cl_uint number, uint64_t bits) {
  for (size_t i = 0; i < program->num_constants; i++) {
    if (program->constants[i].number != number) continue;
    program->constants[i].bits = bits;
    return CL_SUCCESS;
  }
  struct mpl_constant *list =
      realloc(program->constants, (program->num_constants + 1) * sizeof *list);
  if (!list) return CL_OUT_OF_HOST_MEMORY;
  program->constants = list;
  list[program->num_constants++] = (struct mpl_constant){number, bits};
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint number,
                                                      size_t size, const void *value) {
  size_t needed;
  uint64_t bits = 0;
  if (!mpl_valid(program, MPL_PROGRAM)) return CL_INVALID_PROGRAM;
  if (!program->il)
    return mpl_refuse(CL_INVALID_PROGRAM, __func__, "the program was not created from SPIR-V");
  cl_int error = size_of_constant(program, number, &needed);
  if (error) return error;
  if (!needed)
    return mpl_refuse(CL_INVALID_SPEC_ID, __func__, "the module has no specialisation constant %u",
                      number);
  if (!value || size != needed)
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "specialisation constant %u has %zu bytes: spec_size must be that", number,
                      needed);
  memcpy(&bits, value,
         size); /* the least significant come first on the processors that there are */
  mpl_program_lock_building(program);
  error = set_constant(program, number, bits);
  pthread_mutex_unlock(&program->building);
  return error;
}
