/* How many lanes a chunk has: one width for all loops of a kernel, which share vectors (spread.c).
 *
 * Two registers of the type that is computed with most, in loops above all: two chains of
 * operations hide some of each other's latency, and of 16 registers (AVX2) more would be spilled.
 * Rows of two-dimensional groups are mostly 8 to 32 work-items long.  More than 16 lanes are for
 * kernels that wait for an inner loop and are small enough to have copies for short rows. */
#include "abi/kernel.h"
#include "compiler/analysis/loops.h"
#include "runtime/options.h"
#include "widen.h"

enum { OF_ROWS = 16, FEWEST = 4, DEEPEST = 4 };

static unsigned register_bytes(LLVMValueRef function) {
  const char *features = mpl_attribute_value(function, "target-features");
  return mpl_has_feature(features, "avx512f") ? 64 : mpl_has_feature(features, "avx") ? 32 : 16;
}

/* Bytes of what is computed with, or read and written; 0 for addresses, counters, conditions. */
static unsigned bytes_of(LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
  bool memory = LLVMIsAStoreInst(i) || LLVMIsALoadInst(i);
  switch (LLVMGetTypeKind(type)) {
  case LLVMDoubleTypeKind:
    return 8;
  case LLVMFloatTypeKind:
  case LLVMHalfTypeKind: /* computed as float */
    return 4;
  case LLVMIntegerTypeKind:
    return !memory ? 0 : LLVMGetIntTypeWidth(type) > 32 ? 8 : 4;
  default:
    return 0;
  }
}

struct body {
  uint64_t wide, narrow; /* instructions, those in loops more */
  unsigned count;
  bool loops; /* there is one inside of a work-item loop */
};

static bool has_loops(struct mpl_module_ir *ir, const struct mpl_cfg *cfg,
                      const struct mpl_loops *loops) {
  for (unsigned l = 0; l < loops->count; l++) {
    const struct mpl_loop *items = &loops->list[l];
    if (!mpl_is_work_item_loop(ir, LLVMGetBasicBlockTerminator(cfg->blocks[items->latch])))
      continue;
    for (unsigned k = 0; k < loops->count; k++)
      if (loops->list[k].header != items->header && items->in[loops->list[k].header]) return true;
  }
  return false;
}

static struct body weigh(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct mpl_cfg cfg;
  struct mpl_loops loops;
  struct body body = {0};
  mpl_cfg_build(&cfg, function);
  mpl_loops_find(&loops, &cfg);
  for (unsigned b = 0; b < cfg.count; b++) {
    unsigned depth = 0;
    for (unsigned l = 0; l < loops.count; l++) depth += loops.list[l].in[b];
    if (!depth) continue;
    if (depth > DEEPEST) depth = DEEPEST;
    MPL_EACH_INSTRUCTION(i, cfg.blocks[b]) {
      unsigned bytes = bytes_of(i);
      body.count++;
      if (bytes) *(bytes == 8 ? &body.wide : &body.narrow) += (uint64_t)1 << 3 * depth;
    }
  }
  body.loops = has_loops(ir, &cfg, &loops);
  mpl_loops_free(&loops);
  mpl_cfg_free(&cfg);
  return body;
}

unsigned mpl_required_row(const struct mpl_ir_kernel *kernel) {
  return kernel->reqd_local[kernel->flags & MPL_KERNEL_ALONG_Y   ? 1
                            : kernel->flags & MPL_KERNEL_ALONG_Z ? 2
                                                                 : 0];
}

unsigned mpl_choose_width(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel,
                          LLVMValueRef function) {
  unsigned set = (unsigned)mpl_option_number(MPL_OPTION_VECTOR_WIDTH);
  if (set) return set;
  struct body body = weigh(ir, function);
  unsigned width = 2 * register_bytes(function) / (body.wide > body.narrow ? 8 : 4);
  bool waits = body.loops && body.count <= MPL_MOST_COPIED;
  if (kernel->has_rows && !waits && width > OF_ROWS) width = OF_ROWS;
  for (unsigned row = mpl_required_row(kernel); row && width > FEWEST && width >= 2 * row;)
    width /= 2;
  return width;
}
