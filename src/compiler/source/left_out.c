/* Kernels that are left out of a program. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/gpu.h"
#include "source.h"

static bool has_possible_size(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  static const unsigned sizes[] = {MPL_SUB_GROUP_SIZES};
  if (ir->gpu) return kernel->sub_group == MPL_GPU_LANES;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (kernel->sub_group == sizes[i]) return true;
  return false;
}

#define TEXT(...)      #__VA_ARGS__
#define TEXT_OF(macro) TEXT(macro)

static void say_why(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel, bool others) {
  char sizes[32] = TEXT_OF(MPL_SUB_GROUP_SIZES), text[1024];
  if (ir->gpu) snprintf(sizes, sizeof sizes, "%u", MPL_GPU_LANES);
  snprintf(text, sizeof text,
           "kernel '%s' %srequires sub-groups of %u; this device has %s "
           "(cl_intel_required_subgroup_size)",
           kernel->name, others ? "is left out: it " : "", kernel->sub_group, sizes);
  if (others)
    mpl_ir_say(kernel->source, "warning", text);
  else
    mpl_report(ir, kernel->source, "%s", text);
}

void mpl_leave_out(struct mpl_module_ir *ir, const bool *out) {
  unsigned count = ir->num_kernels;
  ir->num_kernels = 0;
  for (unsigned k = 0; k < count; k++) {
    struct mpl_ir_kernel *kernel = &ir->kernels[k];
    if (!out[k]) {
      ir->kernels[ir->num_kernels++] = *kernel;
      continue;
    }
    if (kernel->group) LLVMDeleteFunction(kernel->group);
    free(kernel->args);
    free(kernel->name);
    free(kernel->attributes);
  }
}

/* Kernels that this device cannot have, for a reason of their own, are left out of a program; but
 * one without others is an error. */
void mpl_leave_out_sizes(struct mpl_module_ir *ir) {
  bool *out = mpl_allocate(ir->num_kernels + 1, sizeof *out);
  unsigned good = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    out[k] = !has_possible_size(ir, &ir->kernels[k]);
    good += !out[k];
  }
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (out[k]) say_why(ir, &ir->kernels[k], good);
  mpl_leave_out(ir, out);
  free(out);
}
