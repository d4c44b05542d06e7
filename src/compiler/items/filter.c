/* A kernel has a filter if all is understood that the engine might find a mistake in: collectives
 * that all work-items surely reach, or of which the filter sees whether they do; accesses to
 * arguments and local variables, each by a pointer of which it is known which one it is of; nothing
 * whose effect cannot be undone. */
#include "filter.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/filter.h"
#include "abi/image.h"
#include "abi/items.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "items.h"

enum { READS_PIXEL = MPL_ACCESS_READ | MPL_ACCESS_USED };
enum { MOST_SIZE = 128, MOST_ELEMENTS = 32, MOST_SHIFT = 4, WORD_SHIFT = 2 };

void mpl_filter_refuse(struct mpl_filter *f, const char *why) {
  if (!f->why) f->why = why;
}

/* --- Accesses --- */

static const void *key_of(const struct mpl_filter *f, const struct mpl_filter_access *a) {
  return a->argument ? (const void *)f->kernel : (const void *)a->base;
}

static bool is_local(const struct mpl_filter *f, const struct mpl_filter_access *a) {
  return !a->argument || f->kernel->args[a->argument - 1].kind == MPL_ARG_LOCAL;
}

/* --- Images --- */

/* The image whose pixels it points to, an argument from 1 on; or 0. */
static unsigned image_of(struct mpl_filter *f, LLVMValueRef pixels) {
  uint64_t place;
  if (!LLVMIsALoadInst(pixels) || !mpl_is_behind_block(f->ir, LLVMGetOperand(pixels, 0), &place)) return 0;
  for (unsigned k = 0; k < f->kernel->num_args; k++) {
    const struct mpl_ir_arg *arg = &f->kernel->args[k];
    if (arg->kind == MPL_ARG_IMAGE && arg->offset + offsetof(struct mpl_image, pixels) == place)
      return k + 1;
  }
  return 0;
}

static bool is_written(const struct mpl_filter *f, unsigned argument) {
  for (size_t i = 0; i < f->count; i++)
    if (f->list[i].argument == argument && f->list[i].flags & MPL_ACCESS_WRITE) return true;
  return false;
}

/* Of an image that the kernel does not write all is known before it runs (check/filter/filter.c):
 * whether there is something in it that nobody has written, or that another argument writes. */
static void drop_reads_of_images(struct mpl_filter *f) {
  for (size_t i = 0; i < f->count; i++) {
    unsigned argument = f->list[i].argument;
    f->list[i].is_known =
        argument && f->kernel->args[argument - 1].kind == MPL_ARG_IMAGE && !is_written(f, argument);
  }
}

/* --- One access --- */

static void add_access(struct mpl_filter *f, const struct mpl_filter_access *a) {
  uint64_t size = LLVMIsAConstantInt(a->size) ? LLVMConstIntGetZExtValue(a->size) : 0;
  if (mpl_function_of(a->before) != f->kernel->group || (!a->argument && !a->whole))
    mpl_filter_refuse(f, "it is not known where a pointer leads to");
  else if (!a->argument && !f->ir->records && mpl_space_of(a->pointer) != MPL_LOCAL_SPACE)
    mpl_filter_refuse(f, "it is not known where a pointer leads to");
  if (f->why) return;
  bool is_range = !size || size > MOST_SIZE;
  unsigned shift = mpl_low_zeros(a->size), most = is_range ? WORD_SHIFT : MOST_SHIFT;
  if (shift > most) shift = most;
  uintptr_t *known = mpl_map_at(&f->shifts, key_of(f, a), a->argument, true);
  if (!*known || shift + 1 < *known) *known = shift + 1;
  MPL_APPEND(f->list, f->count) = *a;
  f->list[f->count - 1].is_range = is_range;
}

/* Accesses of an image's library function are aligned as its pixels are. */
void mpl_filter_access(struct mpl_filter *f, const struct mpl_filter_access *given) {
  struct mpl_filter_access a = *given;
  if (!a.pointer) return; /* a fence: what it orders is for the engine */
  if (!a.argument && !a.whole && (a.argument = image_of(f, a.base)))
    a.flags &= ~((unsigned)MPL_ACCESS_ALIGN_MASK << MPL_ACCESS_ALIGN_SHIFT);
  add_access(f, &a);
}

/* As the library's function does: pixel_size bytes at row + x * pixel_size. */
void mpl_filter_pixel(struct mpl_filter *f, LLVMValueRef call, LLVMValueRef base) {
  struct mpl_module_ir *ir = f->ir;
  bool writes = LLVMTypeOf(call) == ir->void_type;
  LLVMValueRef image = LLVMGetOperand(call, 0), row = LLVMGetOperand(call, 1), size, at;
  unsigned argument = image_of(f, base);
  if (mpl_function_of(call) != f->kernel->group || !argument || LLVMGetNumArgOperands(call) < 3) {
    mpl_filter_refuse(f, "it is not known where a pointer leads to");
    return;
  }
  LLVMPositionBuilderBefore(f->b, call);
  size = mpl_load_behind(ir, f->b, ir->i32, image, offsetof(struct mpl_image, pixel_size));
  size = LLVMBuildZExt(f->b, size, ir->i64, "");
  at = LLVMBuildSExt(f->b, LLVMGetOperand(call, 2), ir->i64, "");
  at = mpl_offset(ir, f->b, row, LLVMBuildMul(f->b, at, size, ""));
  add_access(f, &(struct mpl_filter_access){.before = call,
                                            .pointer = at,
                                            .base = base,
                                            .size = size,
                                            .flags = writes ? MPL_ACCESS_WRITE : READS_PIXEL,
                                            .argument = argument});
}

static unsigned shift_of(struct mpl_filter *f, const struct mpl_filter_access *a) {
  return (unsigned)*mpl_map_at(&f->shifts, key_of(f, a), a->argument, true) - 1;
}

static void check_elements(struct mpl_filter *f) {
  for (size_t i = 0; i < f->count; i++) {
    struct mpl_filter_access *a = &f->list[i];
    if (a->is_known) continue;
    a->is_range =
        a->is_range || LLVMConstIntGetZExtValue(a->size) >> shift_of(f, a) > MOST_ELEMENTS;
  }
}

static LLVMValueRef generic(struct mpl_filter *f, LLVMValueRef pointer) {
  return LLVMBuildAddrSpaceCast(f->b, pointer, f->ir->ptr, ""); /* none if it is one */
}

/* One after another: a call of the run time's for each work-item. */
static void call_for_range(struct mpl_filter *f, const struct mpl_filter_access *a) {
  struct mpl_module_ir *ir = f->ir;
  LLVMValueRef group = LLVMGetParam(f->kernel->group, 1);
  if (f->kernel->uses_lanes)
    group = mpl_load_field(f->b, ir->unit_type, group, MPL_UNIT_FILTER, "filter");
  LLVMValueRef function = mpl_load_behind(ir, f->b, ir->ptr, group, offsetof(struct mpl_filter_group, range));
  LLVMValueRef args[] = {group,
                         generic(f, a->pointer),
                         a->size,
                         mpl_build_marker(ir, f->b, MPL_MARK_LOCAL_LINEAR_ID, ir->i64, NULL, 0),
                         a->argument ? LLVMConstNull(ir->ptr) : generic(f, a->base),
                         mpl_const64(ir, a->whole),
                         mpl_const32(ir, a->argument),
                         mpl_const32(ir, a->flags),
                         mpl_const32(ir, shift_of(f, a)),
                         mpl_const32(ir, is_local(f, a))};
  mpl_call(f->b, function, ir->void_type, args, sizeof args / sizeof *args);
}

void mpl_filter_stop_if(struct mpl_filter *f, LLVMValueRef condition) {
  mpl_build_stop(f->ir, f->b, condition, LLVMGetParam(f->kernel->group, 1));
}

/* Looks see to it that an access begins where an element does; of small ones, where others access
 * less, that is not enough. */
static void stop_if_misaligned(struct mpl_filter *f, const struct mpl_filter_access *a) {
  unsigned align = a->flags >> MPL_ACCESS_ALIGN_SHIFT & MPL_ACCESS_ALIGN_MASK;
  if (align <= shift_of(f, a)) return;
  LLVMValueRef rest = mpl_const64(f->ir, (UINT64_C(1) << align) - 1),
               at = LLVMBuildPtrToInt(f->b, generic(f, a->pointer), f->ir->i64, "");
  rest = LLVMBuildAnd(f->b, at, rest, "");
  mpl_filter_stop_if(f, LLVMBuildICmp(f->b, LLVMIntNE, rest, mpl_const64(f->ir, 0), ""));
}

static void mark(struct mpl_filter *f, const struct mpl_filter_access *a) {
  struct mpl_module_ir *ir = f->ir;
  LLVMPositionBuilderBefore(f->b, a->before);
  stop_if_misaligned(f, a);
  if (a->is_range) {
    call_for_range(f, a);
    return;
  }
  LLVMValueRef args[] = {
      [MPL_FILTER_ADDRESS] = generic(f, a->pointer),
      [MPL_FILTER_GROUP] = LLVMGetParam(f->kernel->group, 1),
      [MPL_FILTER_ITEM] = mpl_build_marker(ir, f->b, MPL_MARK_LOCAL_LINEAR_ID, ir->i64, NULL, 0),
      [MPL_FILTER_BASE] = a->argument ? LLVMConstNull(ir->ptr) : generic(f, a->base),
      [MPL_FILTER_FLAGS] = mpl_const32(ir, a->flags),
      [MPL_FILTER_SIZE] = mpl_const32(ir, (uint32_t)LLVMConstIntGetZExtValue(a->size)),
      [MPL_FILTER_SHIFT] = mpl_const32(ir, shift_of(f, a)),
      [MPL_FILTER_ARGUMENT] = mpl_const32(ir, a->argument),
      [MPL_FILTER_WHOLE] = mpl_const32(ir, (uint32_t)a->whole),
      [MPL_FILTER_IS_LOCAL] = mpl_const32(ir, is_local(f, a)),
      [MPL_FILTER_STEPS] = mpl_const32(ir, f->has_steps),
      [MPL_FILTER_ONLY_READ] = mpl_const32(ir, a->is_only_read)};
  mpl_build_marker(ir, f->b, MPL_MARK_FILTER, ir->void_type, args, MPL_FILTER_OPERANDS);
}

/* --- Phases in which local memory is only read --- */

static bool orders_local(const struct mpl_filter *f, LLVMValueRef i) {
  return mpl_is_group_sync(mpl_marker_of(i)) &&
         mpl_filter_fences(f->ir, i) & 1 << MPL_FILTER_LOCAL;
}

/* Marks the accesses that may come behind `i` before the next barrier; `first` has those in front
 * of an instruction, `next` the others there: numbers from 1 on. */
static void walk_phase(struct mpl_filter *f, LLVMValueRef i, struct mpl_map *first,
                       const size_t *next, bool *reached) {
  MPL_MAP(seen);
  MPL_LIST(LLVMBasicBlockRef, stack);
  size_t depth = 0;
  for (;;) {
    for (; i && !orders_local(f, i); i = LLVMGetNextInstruction(i)) {
      for (size_t a = mpl_map_get(first, i, 0); a; a = next[a - 1]) reached[a - 1] = true;
      for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
        if (!mpl_map_add(&seen, to)) continue;
        MPL_APPEND(stack, depth) = to;
      }
    }
    if (!depth) return;
    i = LLVMGetFirstInstruction(stack[--depth]);
  }
}

/* Another work-item may write the bytes that one reads: only a barrier is between. */
static void note_meetings(struct mpl_filter *f, const bool *reached) {
  for (size_t w = 0; w < f->count; w++) {
    const struct mpl_filter_access *write = &f->list[w];
    if (!reached[w] || !(write->flags & MPL_ACCESS_WRITE) || !is_local(f, write)) continue;
    for (size_t r = 0; r < f->count; r++)
      if (reached[r] && key_of(f, &f->list[r]) == key_of(f, write) &&
          f->list[r].argument == write->argument)
        f->list[r].is_only_read = false;
  }
}

/* Arguments that the kernel only reads, and local memory in such phases. */
static void find_only_read(struct mpl_filter *f) {
  MPL_MAP(first);
  MPL_ARRAY(size_t, next, f->count + 1);
  MPL_ARRAY(bool, reached, f->count + 1);
  for (size_t a = 0; a < f->count; a++) {
    uintptr_t *at = mpl_map_at(&first, f->list[a].before, 0, true);
    next[a] = *at;
    *at = a + 1;
    f->list[a].is_only_read = is_local(f, &f->list[a]) ? !(f->list[a].flags & MPL_ACCESS_WRITE)
                                                       : !is_written(f, f->list[a].argument);
  }
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->kernel->group);
  MPL_EACH_INSTRUCTION_OF(i, f->kernel->group) {
    bool begins = i == LLVMGetFirstInstruction(entry), ends = orders_local(f, i);
    if (!begins && !ends) continue;
    memset(reached, 0, f->count * sizeof *reached);
    walk_phase(f, ends ? LLVMGetNextInstruction(i) : i, &first, next, reached);
    note_meetings(f, reached);
  }
}

/* --- A kernel --- */

void mpl_filter_begin(struct mpl_filter *f, struct mpl_ir_kernel *kernel) {
  f->kernel = kernel;
  f->why = NULL;
  f->count = 0;
  f->has_steps = false;
  mpl_map_free(&f->shifts);
  if (kernel->hides_arrays) mpl_filter_refuse(f, "it has private arrays that cannot be followed");
  for (unsigned i = 0; i < kernel->num_args; i++) {
    unsigned kind = kernel->args[i].kind;
    if (kind == MPL_ARG_PIPE || kind == MPL_ARG_QUEUE || kind == MPL_ARG_UNSUPPORTED)
      mpl_filter_refuse(f, "it has arguments of other kinds than buffers, images and values");
  }
}

/* The contents of memory are known before a launch if nobody writes there. */
static void look_at_roots(struct mpl_filter *f) {
  for (unsigned k = 0; k < f->kernel->num_args && f->kernel->roots; k++)
    if (f->kernel->roots[k].kind == MPL_ROOT_MEMORY && is_written(f, f->kernel->roots[k].from))
      mpl_filter_refuse(f, "it follows pointers that it may change");
}

/* A struct mpl_filter_use for each argument. */
static void note_uses(struct mpl_filter *f) {
  struct mpl_ir_kernel *kernel = f->kernel;
  LLVMTypeRef i8 = f->ir->i8;
  MPL_ARRAY(LLVMValueRef, uses, kernel->num_args + 1);
  for (unsigned k = 0; k < kernel->num_args; k++) {
    unsigned how = 0, shift = 0;
    for (size_t i = 0; i < f->count; i++) {
      const struct mpl_filter_access *a = &f->list[i];
      if (a->argument != k + 1) continue;
      how |= a->flags & MPL_ACCESS_WRITE ? MPL_FILTER_WRITES : MPL_FILTER_READS;
      shift = shift_of(f, a);
    }
    LLVMValueRef fields[] = {LLVMConstInt(i8, how, false), LLVMConstInt(i8, shift, false)};
    uses[k] = LLVMConstStructInContext(f->ir->context, fields, 2, false);
  }
  LLVMTypeRef two[] = {i8, i8}, type = LLVMStructTypeInContext(f->ir->context, two, 2, false);
  kernel->filter_uses =
      mpl_constant(f->ir, LLVMConstArray2(type, uses, kernel->num_args), "mpl.uses");
}

/* On the engine a work-item in C or C++ has no large stack. */
static void look_at_stack(struct mpl_filter *f) {
  enum { MOST_STACK = 32 << 10 };
  uint64_t size = 0;
  MPL_EACH_INSTRUCTION_OF(i, f->kernel->group) {
    if (LLVMIsAAllocaInst(i)) size += mpl_size_of_alloca(f->ir->layout, i);
  }
  if (f->ir->records && size > MOST_STACK) mpl_filter_refuse(f, "its private arrays are large");
}

bool mpl_filter_end(struct mpl_filter *f) {
  look_at_stack(f);
  drop_reads_of_images(f);
  look_at_roots(f);
  if (!f->why) check_elements(f);
  if (!f->why) mpl_filter_look_at_collectives(f);
  if (!f->why) find_only_read(f);
  if (!f->why && mpl_waits_for_others(f->kernel->group))
    mpl_filter_refuse(f, "a work-item may wait for another, and here they run together");
  if (f->why) {
    mpl_remark(f->ir, f->kernel->group, "no filter: %s", f->why);
    LLVMDeleteFunction(f->kernel->group);
  } else {
    for (size_t i = 0; i < f->count; i++)
      if (!f->list[i].is_known) mark(f, &f->list[i]);
    note_uses(f);
  }
  free(f->list);
  f->list = NULL;
  f->count = 0;
  return !f->why;
}
