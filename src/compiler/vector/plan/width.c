/* How many lanes a chunk has: one width for all loops of a kernel, which share vectors
 * (cached_broadcasts.c).
 *
 * Two registers of the type that most is computed with, in loops above all: two chains of
 * operations hide some of each other's latency.  More, where a loop waits for what it carries from
 * one iteration to the next: as many as keep the processor busy meanwhile.  Fewer, where what lives
 * at the same time would not fit the registers; of 16 of them, as AVX2 has, fewer lanes would need
 * memory too, and gain nothing until they are far too many; but what a loop carries from one
 * iteration to the next is to fit them, as iterations wait for each other there.
 * Where lanes walk along rows of their own, in the loops that are nested deepest, no more than the
 * ways of the first cache: of rows a power of two apart all are in one set, and would be gone
 * before their next element is asked for; but as many as a register has, if other such loops gain.
 * Of two rows each, half of the lines come from the next cache; half of the lanes would cost more.
 * Fields smaller than a word, as those of pixels, are taken apart and put together by shuffles: of
 * 64 bytes, since of more LLVM makes moves of single elements.
 * Before AVX-512 the masks of lanes that part are vectors too, which LLVM takes apart bit by bit if
 * there are more lanes than a register has bytes.
 * No more than there are work-items of a group that do loops of their own: the others have theirs.
 * Rows of two-dimensional groups are mostly 8 to 32 work-items long.  More than 16 lanes are for
 * kernels that wait for an inner loop and are small enough to have copies for short rows; and a
 * register of bytes, where all lanes are side by side, and the processor has masks for what is
 * left, which costs nothing: short rows share chunks, or nothing else is computed with. */
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "runtime/options.h"
#include "cost.h"
#include "plan.h"

enum { ONE_BY_ONE = 8 /* operations */, SHUFFLED = 64 /* bytes */, FEW_FIELDS = 16 /* lanes */ };
enum { OF_ROWS = 16, FEWEST = 4, USUAL = 64, DEEPEST = 4, NEAR = 1 << 14, WAYS = 8 };

static bool varies(const struct mpl_lanes *lanes, LLVMValueRef value) {
  return mpl_stride_of(lanes, value) == MPL_ANY_STRIDE;
}

/* --- which type most is computed with --- */

/* A number that only addresses are made of. */
static bool is_place(LLVMValueRef i, unsigned depth) {
  enum { FARTHEST = 4 };
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user)) continue;
    if (depth == FARTHEST || !mpl_only_computes(user, MPL_INTEGER) || !is_place(user, depth + 1))
      return false;
  }
  return true;
}

static bool is_of_places(LLVMValueRef i, unsigned bytes) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool counts = bytes > 4 && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMPHI);
  return counts || LLVMIsACastInst(i) || is_place(i, 0);
}

/* What its code is made of (budget.c).  Where a filter looks at what an access does, there will be
 * some 60 instructions, most of them on the lanes' stamps (look_stamps.c). */
static void measure(const struct mpl_lanes *lanes, LLVMValueRef i, struct mpl_work *work) {
  enum { LOOK = 60 };
  LLVMTypeRef type = mpl_accessed_type(i);
  work->instructions += mpl_is_look(i) ? LOOK : 1;
  if (mpl_is_look(i)) work->bytes += LOOK;
  if (mpl_has_no_vector_form(lanes, i)) work->each_lane++;
  if (LLVMTypeIsSized(type) && !LLVMIsAAllocaInst(i) && (LLVMIsAStoreInst(i) || varies(lanes, i)))
    work->bytes += LLVMABISizeOfType(lanes->items->ir->layout, type);
}

/* The processor does not gather small elements: it takes one after another by its place, which has
 * at least 4 bytes.  More lanes do not make that faster; but in a loop they do not wait for it. */
static bool is_one_by_one(const struct mpl_lanes *lanes, LLVMValueRef access, unsigned block) {
  LLVMValueRef at = mpl_accessed_place(access);
  return lanes->items->inner[block] < 0 && mpl_stride_at(lanes, at, block) == MPL_ANY_STRIDE &&
         !mpl_array_of(lanes, at) && mpl_guessed_stride(lanes, access) == MPL_ANY_STRIDE;
}

/* `bytes`: of its type. */
static unsigned weigh_access(const struct mpl_lanes *lanes, LLVMValueRef i, unsigned block,
                             unsigned bytes, struct mpl_work *work) {
  LLVMValueRef at = mpl_accessed_place(i);
  int stride = mpl_stride_at(lanes, at, block);
  const struct mpl_fields *fields = (const struct mpl_fields *)mpl_map_get(&lanes->fields, i, 0);
  work->apart |= stride && (!mpl_is_beside(stride, (int)bytes) || mpl_array_of(lanes, at));
  if (fields && fields->count > 1 && bytes < 4 && (unsigned)stride > work->fields)
    work->fields = (unsigned)stride;
  return bytes < 4 && is_one_by_one(lanes, i, block) ? ONE_BY_ONE : 1;
}

static void weigh(const struct mpl_lanes *lanes, LLVMValueRef i, unsigned block,
                  struct mpl_work *work) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef at = mpl_accessed_place(i);
  LLVMTypeRef type = mpl_accessed_type(i);
  unsigned depth = 1, count = 1;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    count = LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
  }
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned bytes = kind == LLVMPointerTypeKind ? 0 : mpl_lane_bytes(type);
  if (!bytes || !(at || varies(lanes, i))) return;
  unsigned times = at ? weigh_access(lanes, i, block, bytes, work) : 1;
  if (kind == LLVMIntegerTypeKind && !at && is_of_places(i, bytes)) return;
  for (int l = items->inner[block]; l >= 0; l = items->loops[l].parent) depth++;
  if (depth > DEEPEST) depth = DEEPEST;
  unsigned size = bytes > 4 ? 3 : bytes > 2 || times > 1 ? 2 : bytes - 1;
  work->of[size] += (uint64_t)count * times << 3 * depth;
}

/* --- what a loop waits for --- */

enum { EACH_LANE = 40, DIVISION = 16 };

/* Cycles until the result is there. */
static unsigned latency(const struct mpl_lanes *lanes, LLVMValueRef i) {
  enum { ARITHMETIC = 4, DIVIDED = 13, LOADED = 7, GATHERED = 30 };
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMMul:
    return ARITHMETIC;
  case LLVMCall:
    return mpl_has_no_vector_form(lanes, i) ? EACH_LANE : ARITHMETIC;
  case LLVMFDiv:
    return DIVIDED;
  case LLVMUDiv: /* through double */
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return DIVIDED + 5 * ARITHMETIC;
  case LLVMLoad:
    return varies(lanes, LLVMGetOperand(i, 0)) ? GATHERED : LOADED;
  case LLVMSelect:
  case LLVMBitCast:
    return 0;
  default:
    return 1;
  }
}

/* Time that a register of results takes, in quarters of a cycle: as if there were four units for
 * integers and two for the rest. */
static unsigned effort(const struct mpl_lanes *lanes, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore)
    return varies(lanes, LLVMGetOperand(i, opcode == LLVMStore)) ? EACH_LANE : 2;
  if (opcode == LLVMCall) return mpl_has_no_vector_form(lanes, i) ? EACH_LANE : 2 * !mpl_is_hint(i);
  if (opcode == LLVMPHI || opcode == LLVMBitCast || !varies(lanes, i)) return 0;
  if (opcode >= LLVMUDiv && opcode <= LLVMFRem) return DIVISION;
  return mpl_lane_bytes(LLVMTypeOf(i)) && !mpl_only_computes(i, MPL_INTEGER) ? 2 : 1;
}

/* Cycles from the phi of a loop's header to what it is in the next iteration. */
static unsigned time_chain(const struct mpl_lanes *lanes, const struct mpl_inner_loop *l,
                           LLVMValueRef phi) {
  const struct mpl_item_loop *items = lanes->items;
  struct mpl_map ends = {0}; /* value -> 1 + the cycle in which it is there */
  mpl_map_set(&ends, phi, 1);
  for (unsigned b = l->header; b <= l->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      bool merges = LLVMIsAPHINode(i);
      uintptr_t begin = 0;
      if (!varies(lanes, i) || (merges && b == l->header)) continue;
      for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t at = mpl_map_get(&ends, LLVMGetOperand(i, k), 0);
        if (at > begin) begin = at;
      }
      if (begin) mpl_map_set(&ends, i, begin + (merges ? 0 : latency(lanes, i)));
    }
  }
  unsigned chain = 0;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    unsigned from = (unsigned)mpl_map_get(&items->cfg->index, LLVMGetIncomingBlock(phi, k), 0),
             at = (unsigned)mpl_map_get(&ends, LLVMGetIncomingValue(phi, k), 0);
    if (!mpl_is_outside(l, from) && at > chain + 1) chain = at - 1;
  }
  mpl_map_free(&ends);
  return chain;
}

/* The processor looks so far ahead that it begins with the next chunk's loop meanwhile. */
static bool is_seen_through(const struct mpl_lanes *lanes, unsigned number) {
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_inner_loop *l = &items->loops[number];
  enum { WINDOW = 256, REGISTERS = 2 };
  uint64_t turns = mpl_trip_count(items, l), count = 0;
  if (!turns) turns = UINT64_MAX;
  for (unsigned b = l->header; b <= l->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b])
    count += varies(lanes, i) && !LLVMIsAPHINode(i);
  }
  return l->parent < 0 && !lanes->masked[number] && turns < WINDOW &&
         turns * count * REGISTERS <= WINDOW;
}

static bool is_apart(const struct mpl_lanes *lanes, LLVMValueRef i) {
  LLVMValueRef place = mpl_accessed_place(i);
  return place && varies(lanes, place);
}

/* So many of them keep the processor busy in the loop; and a short one is busy with itself.  Where
 * it gathers most of the time, and lanes leave one after the other, those that have left cost as
 * much as the others: one. */
static unsigned registers_for(const struct mpl_lanes *lanes, unsigned l, bool alone) {
  const struct mpl_item_loop *items = lanes->items;
  enum { ONE = 1, FEW = 2, MANY = 4, CHAINS = 8, SHORT = 24 };
  unsigned chain = 0, beside = 0, apart = 0;
  const struct mpl_inner_loop *loop = &items->loops[l];
  for (unsigned k = 0; k < items->num_loops; k++)
    if (items->loops[k].parent == (int)l) return FEW;
  for (unsigned b = loop->header; b <= loop->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      beside += effort(lanes, i);
      if (is_apart(lanes, i)) apart += effort(lanes, i);
      if (b != loop->header || !LLVMIsAPHINode(i) || !varies(lanes, i)) continue;
      unsigned own = time_chain(lanes, loop, i);
      if (own > chain) chain = own;
    }
  }
  bool waits = 8 * chain >= 3 * beside;
  if (lanes->masked[l] && !waits && 2 * apart > beside) return ONE;
  if (lanes->masked[l] && !alone) return FEW;
  if (4 * chain >= 6 * beside && !lanes->masked[l]) return CHAINS;
  return waits || (beside <= SHORT && alone) ? MANY : FEW;
}

/* --- what lives at the same time --- */

/* --- where work-items part --- */

static bool leads_to_loop(const struct mpl_item_loop *items, unsigned block, unsigned meet,
                          unsigned depth) {
  enum { DEEPEST = 8 };
  if (block == meet || !items->in[block] || depth > DEEPEST) return false;
  for (unsigned l = 0; l < items->num_loops; l++)
    if (items->loops[l].header == block) return true;
  for (unsigned s = 0; s < items->cfg->succs[block].count; s++) {
    unsigned to = items->cfg->succs[block].to[s];
    if (to > block && leads_to_loop(items, to, meet, depth + 1)) return true;
  }
  return false;
}

uint64_t mpl_part_at_id(const struct mpl_item_loop *items, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  if (items->inner[block] >= 0 || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return 0;
  LLVMValueRef asks = LLVMGetCondition(end);
  if (!LLVMIsAICmpInst(asks) || !LLVMIsAConstantInt(LLVMGetOperand(asks, 1))) return 0;
  LLVMIntPredicate by = LLVMGetICmpPredicate(asks);
  uint64_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(asks, 1));
  if (mpl_through_casts(LLVMGetOperand(asks, 0), MPL_ID_BITS) != items->counter) return 0;
  if (by == LLVMIntUGT || by == LLVMIntSGT)
    at++;
  else if (by != LLVMIntULT && by != LLVMIntSLT)
    return 0;
  for (unsigned s = 0; s < 2; s++)
    if (!leads_to_loop(items, items->cfg->succs[block].to[s], items->cfg->ipdom[block], 0))
      return 0;
  return at;
}

/* --- the choice --- */

void mpl_weigh_loop(const struct mpl_lanes *lanes, bool alone, struct mpl_work *work) {
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    uint64_t at = mpl_part_at_id(lanes->items, b);
    if (at && (!work->parts || at < work->parts)) work->parts = at;
    work->parted |= mpl_is_diverged(lanes, b);
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      weigh(lanes, i, b, work);
      measure(lanes, i, work);
    }
  }
  unsigned arrays = 0;
  MPL_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(items->function))
  if (LLVMIsAAllocaInst(i) && mpl_array_kind(lanes, i) == MPL_INTERLEAVED_ARRAY)
    arrays += (unsigned)mpl_array_size(lanes, i);
  if (arrays > work->arrays) work->arrays = arrays;
  for (unsigned l = 0; l < items->num_loops; l++) {
    unsigned registers = registers_for(lanes, l, alone), carried = mpl_carried_bytes(lanes, l);
    if (carried > work->carried) work->carried = carried;
    if (registers > work->of_rows) work->of_rows = registers;
    if (registers > work->registers && !is_seen_through(lanes, l))
      work->registers = registers;
  }
  work->rows_alone |= !mpl_takes_pieces(lanes);
  unsigned bytes = mpl_live_bytes(lanes, NULL);
  if (alone) {
    struct mpl_steps steps = {.lanes = lanes};
    work->rows = mpl_count_rows(&steps);
    mpl_steps_free(&steps);
  }
  if (bytes > work->live) work->live = bytes;
}

unsigned mpl_required_row(const struct mpl_ir_kernel *kernel) {
  return kernel->reqd_local[kernel->flags & MPL_KERNEL_ALONG_Y   ? 1
                            : kernel->flags & MPL_KERNEL_ALONG_Z ? 2
                                                                 : 0];
}

static unsigned most_used(const struct mpl_work *work) {
  unsigned size = 2;
  for (unsigned k = 0; k < 4; k++)
    if (work->of[k] > work->of[size]) size = k;
  return size;
}

unsigned mpl_narrow_width(const struct mpl_target *target, const struct mpl_work *work,
                          unsigned width) {
  unsigned one = target->register_bytes >> most_used(work);
  if (one < FEWEST) one = FEWEST;
  return one < width ? one : width;
}

unsigned mpl_choose_width(const struct mpl_ir_kernel *kernel, const struct mpl_target *target,
                          const struct mpl_work *work) {
  unsigned set = (unsigned)mpl_option_number(MPL_OPTION_VECTOR_WIDTH);
  if (set) return set;
  unsigned size = most_used(work), all = mpl_all_bytes(target);
  unsigned one = target->register_bytes >> size, two = 2 * one < USUAL ? 2 * one : USUAL,
           waits = kernel->has_rows ? work->of_rows : work->registers,
           most = work->instructions > MPL_MOST_COPIED && waits > 2 ? 2 : waits,
           limit = most > 4 ? MPL_MOST_LANES : USUAL,
           width = most > 2    ? most * one
                   : most == 1 ? one
                               : two;
  bool near = one * work->arrays <= NEAR;
  while (width > limit || (width > two && width * work->live > all)) width /= 2;
  while (width > (near ? one : two) && width * work->arrays > NEAR) width /= 2;
  while (width > one && width * work->live > (target->registers > 16 ? all : 3 * all)) width /= 2;
  if (width > one && width * work->carried > all && width / 2 * work->carried <= all) width /= 2;
  while (width > FEW_FIELDS && width * work->fields > SHUFFLED) width /= 2;
  while (target->registers <= 16 && work->parted && width > target->register_bytes) width /= 2;
  bool wider = work->of[1] || work->of[2] || work->of[3];
  bool bytes =
      target->registers > 16 && one > OF_ROWS && !work->apart && !(work->rows_alone && wider);
  unsigned of_rows = bytes ? one : OF_ROWS;
  if (kernel->has_rows && width > of_rows) width = most > 2 ? two : of_rows;
  unsigned least = work->rows.elsewhere ? one : FEWEST;
  bool walks = work->rows.count && !kernel->has_rows;
  while (walks && width > least && (width > WAYS || width * work->rows.count > 2 * WAYS))
    width /= 2;
  for (unsigned row = mpl_required_row(kernel); row && width > FEWEST && width >= 2 * row;)
    width /= 2;
  while (width > 2 * FEWEST && width > work->parts && work->parts >= 2 * FEWEST) width /= 2;
  return width;
}
