/* Private arrays of which it is known that they are written before they are read.  The shadow of a
 * filter's array (own_arrays.c) then holds ones wherever it is read, and nobody has to look:
 * stores that are surely made, straight on or in loops with a known number of turns, have been at
 * each byte that a read may see. */
#include <llvm-c/Core.h>
#include <stdlib.h>

#include "compiler/analysis/turns.h"
#include "compiler/passes.h"
#include "filter.h"

enum { MOST_BYTES = 1 << 14, MOST_STEPS = 1 << 16, MOST_NEST = 4 };

struct count {
  LLVMValueRef phi;
  uint64_t value; /* now */
};

/* Ones that are stored. */
struct store {
  LLVMValueRef at, pointer;
  uint64_t size;
  unsigned block;
};

struct shadow {
  struct mpl_module_ir *ir;
  struct mpl_cfg *cfg;
  struct mpl_loops *loops;
  LLVMValueRef alloca;
  uint64_t whole;
  struct store *stores;
  size_t num_stores;
  LLVMValueRef *loads, *clears;
  size_t num_loads, num_clears;
  struct count counts[MOST_NEST];
  unsigned num_counts;
  unsigned steps; /* of counting, for all of the array's stores */
};

/* --- Uses of a shadow --- */

static bool is_store_call(LLVMValueRef user, const char *name) {
  return mpl_calls(user, name) && LLVMGetIntrinsicID(mpl_callee_of(user));
}

/* A store of ones, or of zeros; false: of something else. */
static bool add_store(struct shadow *s, LLVMValueRef at, LLVMValueRef pointer, LLVMValueRef value,
                      uint64_t size) {
  if (LLVMIsConstant(value) && LLVMIsNull(value)) {
    MPL_APPEND(s->clears, s->num_clears) = at;
    return true;
  }
  LLVMTypeRef element = mpl_element_of(LLVMTypeOf(value));
  if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind) return false; /* a pointer has none */
  if (!LLVMIsConstant(value) || value != LLVMConstAllOnes(LLVMTypeOf(value))) return false;
  MPL_APPEND(s->stores, s->num_stores) =
      (struct store){at, pointer, size, mpl_cfg_block_of(s->cfg, at)};
  return true;
}

/* False: it is no shadow. */
static bool find_uses(struct shadow *s, LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsAGetElementPtrInst(user)) {
      if (!find_uses(s, user)) return false;
    } else if (LLVMIsALoadInst(user)) {
      if (LLVMGetVolatile(user)) return false;
      MPL_APPEND(s->loads, s->num_loads) = user;
    } else if (LLVMIsAStoreInst(user)) {
      LLVMValueRef value = LLVMGetOperand(user, 0);
      uint64_t size = LLVMStoreSizeOfType(s->ir->layout, LLVMTypeOf(value));
      if (value == pointer || !add_store(s, user, pointer, value, size)) return false;
    } else if (is_store_call(user, "llvm.memset.p0")) {
      LLVMValueRef size = LLVMGetOperand(user, 2);
      if (!LLVMIsAConstantInt(size) ||
          !add_store(s, user, pointer, LLVMGetOperand(user, 1), LLVMConstIntGetZExtValue(size)))
        return false;
    } else if (!is_store_call(user, "llvm.lifetime.")) {
      return false;
    }
  }
  return true;
}

/* --- Numbers, where loops count --- */

static bool number_of(const struct shadow *, LLVMValueRef, unsigned depth, uint64_t *);

static bool computed(const struct shadow *s, LLVMValueRef value, unsigned depth, uint64_t *out) {
  LLVMOpcode code = LLVMGetInstructionOpcode(value);
  uint64_t a, b;
  if (code != LLVMAdd && code != LLVMSub && code != LLVMMul && code != LLVMOr && code != LLVMShl)
    return false;
  if (!number_of(s, LLVMGetOperand(value, 0), depth, &a) ||
      !number_of(s, LLVMGetOperand(value, 1), depth, &b) || (code == LLVMShl && b > 63))
    return false;
  *out = code == LLVMAdd   ? a + b
         : code == LLVMSub ? a - b
         : code == LLVMMul ? a * b
         : code == LLVMOr  ? a | b
                           : a << b;
  return true;
}

static bool number_of(const struct shadow *s, LLVMValueRef value, unsigned depth, uint64_t *out) {
  if (!mpl_is_number(value)) return false;
  if (LLVMIsAConstantInt(value)) {
    *out = LLVMConstIntGetZExtValue(value);
    return true;
  }
  for (unsigned k = 0; k < s->num_counts; k++) {
    *out = s->counts[k].value;
    if (s->counts[k].phi == value) return true;
  }
  if (depth == MPL_DEEPEST || !LLVMIsAInstruction(value)) return false;
  bool casts = LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value);
  if (casts) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    if (!number_of(s, from, depth + 1, out)) return false;
    if (LLVMIsASExtInst(value)) *out = (uint64_t)mpl_sign_extended(*out, LLVMTypeOf(from));
  } else if (!computed(s, value, depth + 1, out)) {
    return false;
  }
  *out = mpl_masked(*out, LLVMTypeOf(value));
  return true;
}

static bool offset_of_place(const struct shadow *s, LLVMValueRef place, uint64_t *offset) {
  MPL_EACH_INDEX(index, place, s->ir->layout) {
    uint64_t number = 1;
    if (!index.is_member) {
      if (!number_of(s, index.value, 0, &number)) return false;
      number = (uint64_t)mpl_sign_extended(number, LLVMTypeOf(index.value));
    }
    *offset += number * index.bytes;
  }
  return true;
}

/* In bytes from the array's begin. */
static bool offset_of(const struct shadow *s, LLVMValueRef pointer, uint64_t *offset) {
  for (*offset = 0; pointer != s->alloca; pointer = LLVMGetOperand(pointer, 0))
    if (!LLVMIsAGetElementPtrInst(pointer) || !offset_of_place(s, pointer, offset)) return false;
  return true;
}

/* --- Blocks that surely run --- */

static bool comes_before(const struct shadow *s, LLVMValueRef first, LLVMValueRef then) {
  unsigned a = mpl_cfg_block_of(s->cfg, first), b = mpl_cfg_block_of(s->cfg, then);
  if (a >= s->cfg->count || b >= s->cfg->count) return false;
  if (a != b) return mpl_is_on_all_ways(s->cfg, a, b);
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
    if (i == then) return true;
  return false;
}

/* --- Which bytes are written --- */

static void mark_bytes(const struct shadow *s, const struct store *store, bool *written) {
  uint64_t offset;
  if (!offset_of(s, store->pointer, &offset)) return;
  for (uint64_t k = offset; k < s->whole && k - offset < store->size; k++) written[k] = true;
}

/* In each turn of the loops, from `nest` on; false: they are too long. */
static bool mark_turns(struct shadow *s, const struct store *store, const struct mpl_turns *nest,
                       unsigned depth, bool *written) {
  if (!depth) {
    mark_bytes(s, store, written);
    return true;
  }
  uint64_t now = nest->first;
  unsigned own = s->num_counts++;
  bool goes_on = true;
  while (goes_on && s->steps++ < MOST_STEPS) {
    s->counts[own] = (struct count){nest->phi, now};
    if (!mark_turns(s, store, nest + 1, depth - 1, written)) break;
    goes_on = mpl_turns_next(nest, &now);
  }
  s->num_counts--;
  return !goes_on;
}

/* The loops around a store that have ended where the load is, the outermost first; false: it is not
 * known how often they make the store. */
static bool find_nest(const struct shadow *s, const struct store *store, unsigned load,
                      struct mpl_turns *nest, unsigned *depth, unsigned *begin) {
  *depth = 0;
  for (unsigned k = 0; k < s->loops->count; k++) { /* by their headers' numbers */
    const struct mpl_loop *loop = &s->loops->list[k];
    if (!loop->in[store->block] || loop->in[load]) continue;
    if (*depth == MOST_NEST || !mpl_turns_find(&nest[*depth], s->cfg, loop) ||
        !mpl_is_on_all_ways(s->cfg, store->block, loop->latch))
      return false;
    for (size_t c = 0; c < s->num_clears; c++) {
      unsigned clear = mpl_cfg_block_of(s->cfg, s->clears[c]);
      if (clear >= s->cfg->count || loop->in[clear]) return false;
    }
    if (!(*depth)++) *begin = loop->header;
  }
  return true;
}

/* Whoever comes to the load has passed the store, or its loops, after each clear. */
static void mark_before(struct shadow *s, const struct store *store, LLVMValueRef load,
                        bool *written) {
  struct mpl_turns nest[MOST_NEST];
  unsigned depth, begin = 0, block = mpl_cfg_block_of(s->cfg, load);
  if (store->block >= s->cfg->count || !find_nest(s, store, block, nest, &depth, &begin)) return;
  LLVMValueRef first = depth ? LLVMGetFirstInstruction(s->cfg->blocks[begin]) : store->at;
  if (!comes_before(s, first, load)) return;
  for (size_t c = 0; c < s->num_clears; c++)
    if (!comes_before(s, s->clears[c], first)) return;
  MPL_ARRAY(bool, more, s->whole);
  if (mark_turns(s, store, nest, depth, more))
    for (uint64_t k = 0; k < s->whole; k++) written[k] |= more[k];
}

static bool is_written(struct shadow *s, LLVMValueRef load) {
  uint64_t size = LLVMStoreSizeOfType(s->ir->layout, LLVMTypeOf(load)), from, to;
  if (mpl_cfg_block_of(s->cfg, load) >= s->cfg->count) return false;
  bool known = offset_of(s, LLVMGetOperand(load, 0), &from), all = true;
  if (!known) from = 0; /* it may be anywhere in the array, and outside another look stops */
  to = known ? from + size : s->whole;
  if (to > s->whole || from > to) return false;
  MPL_ARRAY(bool, written, s->whole);
  for (size_t k = 0; k < s->num_stores; k++) mark_before(s, &s->stores[k], load, written);
  for (uint64_t k = from; k < to; k++) all &= written[k];
  return all;
}

/* --- A kernel --- */

static void replace_known(struct shadow *s) {
  enum { MOST = 1 << 16 }; /* pairs */
  if (!find_uses(s, s->alloca) || s->num_loads * s->num_stores > MOST) return;
  for (size_t k = 0; k < s->num_loads; k++) {
    if (!is_written(s, s->loads[k])) continue;
    LLVMReplaceAllUsesWith(s->loads[k], LLVMConstAllOnes(LLVMTypeOf(s->loads[k])));
  }
}

static void look_at_array(struct mpl_module_ir *ir, LLVMValueRef alloca, struct mpl_cfg *cfg,
                          struct mpl_loops *loops) {
  struct shadow s = {.ir = ir, .cfg = cfg, .loops = loops, .alloca = alloca};
  s.whole = mpl_size_of_alloca(ir->layout, alloca);
  if (s.whole && s.whole <= MOST_BYTES) replace_known(&s);
  free(s.stores);
  free(s.loads);
  free(s.clears);
}

static void look_at_kernel(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_CFG(cfg, function);
  MPL_LOOPS(loops, &cfg);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (LLVMIsAAllocaInst(i)) look_at_array(ir, i, &cfg, &loops);
  }
}

void mpl_find_written_arrays(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) look_at_kernel(ir, kernel->group);
}
