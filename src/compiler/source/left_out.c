/* Kernels that are left out of a program. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/gpu.h"
#include "source.h"

static const unsigned all_sizes[] = {MPL_SUB_GROUP_SIZES};
enum { COUNT = sizeof all_sizes / sizeof *all_sizes };

static bool is_possible(const struct mpl_module_ir *ir, unsigned size) {
  bool known = false;
  for (unsigned i = 0; i < COUNT; i++) known |= size == all_sizes[i];
  return known && !(ir->gpu && size > MPL_GPU_LANES);
}

static void say_why(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel, bool others) {
  char sizes[32] = "", text[1024];
  for (unsigned i = 0, used = 0; i < COUNT; i++)
    if (is_possible(ir, all_sizes[i]))
      used += (unsigned)snprintf(sizes + used, sizeof sizes - used, "%s%u", used ? ", " : "",
                                 all_sizes[i]);
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
    mpl_ir_free_kernel(kernel);
  }
}

/* Kernels that this device cannot have, for a reason of their own, are left out of a program; but
 * one without others is an error. */
void mpl_leave_out_sizes(struct mpl_module_ir *ir) {
  MPL_ARRAY(bool, out, ir->num_kernels + 1);
  unsigned good = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    out[k] = !is_possible(ir, ir->kernels[k].sub_group);
    good += !out[k];
  }
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (out[k]) say_why(ir, &ir->kernels[k], good);
  mpl_leave_out(ir, out);
}
