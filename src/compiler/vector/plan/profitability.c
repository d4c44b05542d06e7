/* Whether lanes pay.  Where each work-item walks through memory of its own, as along the row of a
 * sparse matrix or the letters of a word, lanes take one element each of as many cache lines, by
 * gathers, wait for the one that walks longest, and hand values from one step to the next through
 * memory; one work-item after another takes its elements from one line and needs no masks.
 *
 * Both ways are estimated, in operations of a processor that does the same number of them in each
 * cycle whatever their width.  What waits for memory one access after another (a search, a list) or
 * branches at random is much faster in lanes, which wait together. */
#include <stdlib.h>

#include "runtime/options.h"
#include "plan.h"

enum {
  DEEPEST = 4,
  PART = 3, /* a chunk that lanes have left, or did not come to, is mostly empty; */
  MORE = 2, /* those that are left may leave other loops inside of it, with masks or as neighbours
             * do that look at nothing which differs: about when they do */
  GUESSED = 4,  /* the test of a guess */
  MISTAKEN = 6, /* a branch that is often not foreseen */
  DIVISION = 4,
  QUOTIENT = 60, /* of integers, the same for all: once for all lanes, or for each work-item */
  HALVES = 12, /* a product of 64 bits, made of three of 32 */
  CALL = 16,
  ATOMIC = 4,
  EXCHANGE = 60,  /* which is asked at once whether it took place */
  SOME = 24,    /* a loop over the lanes that are there ends unforeseen */
  APART = 2,      /* without masks: places are taken out of vectors, and elements put into them */
  WORD = 4,       /* bytes: of what is smaller a line of the cache lasts longer, */
  ONE_BY_ONE = 4, /* and no processor gathers it; or in arrays of lanes that part, */
  IN_WORD = 2,    /* or of what is smaller it gathers the words that they are in */
};

/* Percent of what one after another takes that lanes may be estimated at: of some 360 kernels that
 * were measured both ways most lose above. */
enum { LESS = 75 };

/* Of one work-item alone: how long an operation of floating point takes whose result the next one
 * waits for, or of integers, or a load whose place does, in operations that the processor could
 * have done meanwhile.  Private arrays are near.  Without masks lanes load one after another,
 * which keeps the processor from doing much else meanwhile. */
enum { LATENCY = 4 * 6, DIVIDED = 12 * 6, LOADED = 5 * 6, LOADED_EACH = 2 * 6 };
enum { COUNTED = 1 * 6, MULTIPLIED = 3 * 6 };


struct worth {
  const struct mpl_lanes *lanes;
  unsigned unit;         /* bytes that an operation of lanes computes */
  struct mpl_steps steps;
  bool *ragged;          /* per loop: lanes leave it at quite different iterations */
  bool *writes;          /* per loop: lanes write where they walk */
  bool *looks;           /* per loop: lanes read what is their own */
  bool *simple;          /* per loop: it could be done several iterations at a time */
  unsigned *chain;       /* per loop: what an iteration waits for the last one, in operations */
  uint64_t *inside;      /* per loop: operations of one work-item alone in an iteration */
  uint64_t in_lanes, alone; /* operations */
};

static bool is_floating(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static unsigned waits_for(struct worth *o, LLVMValueRef value) {
  if (LLVMIsALoadInst(value) && mpl_array_of(o->lanes, LLVMGetOperand(value, 0))) return 0;
  if (LLVMIsALoadInst(value)) return o->lanes->items->ir->target->mask_bits ? LOADED : LOADED_EACH;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMGetElementPtr) return 0;
  if (is_floating(value)) return opcode == LLVMFDiv ? DIVIDED : LATENCY;
  return LLVMIsACastInst(value) ? 0 : opcode == LLVMMul ? MULTIPLIED : COUNTED;
}

/* How long the next iteration waits for what this one has made, and no count. */
static unsigned longest_chain(struct worth *o, int loop, struct mpl_map *handed) {
  const struct mpl_lanes *lanes = o->lanes;
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_inner_loop *l = &items->loops[loop];
  struct mpl_map ends = {0}; /* value -> 1 + when it is there */
  unsigned longest = 0;
  for (unsigned b = l->header; b <= l->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      uintptr_t begin = 0;
      if (b == l->header && LLVMIsAPHINode(i)) {
        if (mpl_step_of(&o->steps, i, loop) == MPL_ANY_STEP) mpl_map_set(&ends, i, 1);
        continue;
      }
      for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t at = mpl_map_get(&ends, LLVMGetOperand(i, k), 0);
        if (at > begin) begin = at;
      }
      bool is_handed = mpl_map_has(handed, i);
      if (is_handed && LLVMIsALoadInst(i))
        mpl_map_set(&ends, i, 1 + LOADED);
      else if (is_handed && begin > longest + 1)
        longest = (unsigned)begin - 1;
      else if (begin)
        mpl_map_set(&ends, i, begin + waits_for(o, i));
    }
  }
  MPL_EACH_INSTRUCTION(phi, items->cfg->blocks[l->header])
  for (unsigned k = 0; LLVMIsAPHINode(phi) && k < LLVMCountIncoming(phi); k++) {
    uintptr_t end = mpl_map_get(&ends, LLVMGetIncomingValue(phi, k), 0);
    if (end > longest + 1) longest = (unsigned)end - 1;
  }
  mpl_map_free(&ends);
  return longest;
}

/* Rows of each lane's own, and of different lengths: one work-item alone is done with a row before
 * the sums along it are, and goes on to the next one's meanwhile. */
static bool goes_on(struct worth *o, int loop, bool walked) {
  return o->simple[loop] || (o->ragged[loop] && walked);
}

/* At what is each lane's own; tables of constants, as functions have, are all lanes'. */
static bool looks(const struct mpl_lanes *lanes, LLVMValueRef access, unsigned block) {
  LLVMValueRef place = mpl_accessed_place(access);
  return LLVMIsALoadInst(access) && mpl_stride_at(lanes, place, block) == MPL_ANY_STRIDE &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(place)) != MPL_CONSTANT_SPACE;
}

static void look_at_loops(struct worth *o) {
  const struct mpl_lanes *lanes = o->lanes;
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned l = 0; l < items->num_loops; l++) {
    bool walked = false;
    o->ragged[l] = mpl_is_ragged(lanes, (int)l);
    struct mpl_map handed = {0};
    mpl_find_handed(&o->steps, (int)l, &handed);
    o->simple[l] = !handed.count && mpl_is_simple(&o->steps, (int)l);
    for (unsigned b = items->loops[l].header; b <= items->loops[l].last; b++) {
      if (!items->in[b] || items->inner[b] != (int)l) continue;
      MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
        LLVMValueRef place = mpl_accessed_place(i);
        if (!place || mpl_array_of(lanes, place)) continue;
        o->looks[l] |= looks(lanes, i, b);
        if (!mpl_walks(&o->steps, i, b)) continue;
        int stride = mpl_guessed_stride(lanes, i);
        bool apart = stride == MPL_ANY_STRIDE || stride % MPL_ALIAS == 0;
        walked |= stride && apart;
        o->writes[l] |= LLVMIsAStoreInst(i) && stride && apart;
      }
    }
    o->chain[l] = goes_on(o, (int)l, walked) ? 0 : longest_chain(o, (int)l, &handed);
    mpl_map_free(&handed);
  }
}

/* --- operations --- */

static unsigned registers(struct worth *o, LLVMTypeRef type) {
  unsigned bytes = (unsigned)LLVMABISizeOfType(o->lanes->items->ir->layout, type) * o->lanes->width;
  return bytes > o->unit ? bytes / o->unit : 1;
}

static unsigned of_access(struct worth *o, LLVMValueRef i, unsigned block) {
  const struct mpl_lanes *lanes = o->lanes;
  const struct mpl_item_loop *items = lanes->items;
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef pointer = mpl_accessed_place(i);
  LLVMTypeRef type = mpl_accessed_type(i);
  int size = (int)LLVMABISizeOfType(items->ir->layout, type),
      stride = mpl_stride_at(lanes, pointer, block);
  struct mpl_fields *fields = (struct mpl_fields *)mpl_map_get(&lanes->fields, i, 0);
  unsigned wide = registers(o, type);
  if (!stride || mpl_is_slot(items->ir, pointer)) return mpl_array_of(lanes, pointer) ? wide : 1;
  if (stride == size && !mpl_array_of(lanes, pointer)) return wide;
  if (fields && mpl_may_widen_fields(lanes, fields, false)) return 2 * wide;
  if (stride == MPL_ANY_STRIDE) stride = mpl_guessed_stride(lanes, i);
  if (stride == size || (!stride && !store)) return wide + GUESSED;
  unsigned each = store ? 2 : 1;
  bool own = mpl_array_of(lanes, pointer);
  if (!items->ir->target->mask_bits) each *= own && lanes->diverged[block] ? ONE_BY_ONE : APART;
  if (own) return each * lanes->width;
  unsigned near = each;
  bool written = items->inner[block] >= 0 && o->writes[items->inner[block]];
  if (mpl_walks(&o->steps, i, block)) each *= written ? 4 : 2;
  if (stride != MPL_ANY_STRIDE && stride % MPL_ALIAS == 0) each *= written ? 4 : 2;
  if (size < WORD)
    each = (mpl_gathers_words(lanes->items, i) ? IN_WORD : ONE_BY_ONE) +
           (each - near) * (unsigned)size / WORD;
  return each * lanes->width;
}

static unsigned depth_of(const struct mpl_item_loop *items, int loop) {
  unsigned depth = 0;
  for (; loop >= 0; loop = items->loops[loop].parent) depth++;
  return depth < DEEPEST ? depth : DEEPEST;
}

static void add(struct worth *o, unsigned block, unsigned lanes, unsigned alone) {
  int loop = o->lanes->items->inner[block];
  o->in_lanes += (uint64_t)lanes << 3 * depth_of(o->lanes->items, loop);
  if (loop >= 0)
    o->inside[loop] += alone;
  else
    o->alone += alone;
}

/* An iteration takes as long as its operations, or as it waits for the last one. */
static void add_loops(struct worth *o) {
  for (unsigned l = 0; l < o->lanes->items->num_loops; l++) {
    uint64_t each = o->inside[l] > o->chain[l] ? o->inside[l] : o->chain[l];
    o->alone += each << 3 * (depth_of(o->lanes->items, (int)l) - o->simple[l]);
  }
}

static bool leaves_loop(const struct mpl_item_loop *items, unsigned block) {
  int l = items->inner[block];
  for (unsigned s = 0; l >= 0 && s < items->cfg->succs[block].count; s++) {
    unsigned to = items->cfg->succs[block].to[s];
    if (to < items->loops[l].header || to > items->loops[l].last) return true;
  }
  return false;
}

/* Before AVX-512 only halves have a product. */
static bool is_long_product(struct worth *o, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetInstructionOpcode(i) != LLVMMul || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != 64 || o->lanes->items->ir->target->mask_bits)
    return false;
  LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  bool is_signed = LLVMIsASExtInst(a) && LLVMIsASExtInst(b);
  return !is_signed && !(LLVMIsAZExtInst(a) && (LLVMIsAZExtInst(b) || LLVMIsAConstantInt(b)));
}

/* A quotient or remainder that the processor divides for. */
static bool divides_integers(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool floating = opcode == LLVMFDiv || opcode == LLVMFRem;
  return opcode >= LLVMUDiv && opcode <= LLVMFRem && !floating &&
         !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
}

static void add_instruction(struct worth *o, LLVMValueRef i, unsigned block, unsigned part) {
  const struct mpl_lanes *lanes = o->lanes;
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (LLVMIsATerminatorInst(i)) {
    bool varies = LLVMGetNumSuccessors(i) > 1 && !lanes->tested[block] &&
                  block != lanes->items->latch && mpl_stride_at(lanes, LLVMGetOperand(i, 0), block);
    if (varies)
      add(o, block, 4 * part, leaves_loop(lanes->items, block) ? 1 : MISTAKEN);
    else if (LLVMGetNumSuccessors(i) > 1)
      add(o, block, 1, 1);
    return;
  }
  if (opcode == LLVMPHI || opcode == LLVMAlloca || (opcode == LLVMCall && mpl_is_hint(i))) return;
  if (mpl_is_look(i)) return; /* as it goes without */
  if (mpl_has_no_vector_form(lanes, i)) {
    unsigned each = opcode == LLVMCall            ? CALL
                    : opcode == LLVMAtomicCmpXchg ? EXCHANGE
                                                  : ATOMIC;
    add(o, block, each * lanes->width + (lanes->diverged[block] ? SOME : 0), each);
  } else if (opcode == LLVMLoad || opcode == LLVMStore) {
    bool in_turn = part > 1 && LLVMIsAStoreInst(i) && mpl_stores_in_turn(lanes->items, i);
    add(o, block, in_turn ? of_access(o, i, block) + SOME : of_access(o, i, block) * part, 1);
  } else if (opcode == LLVMGetElementPtr) {
    return;
  } else if (mpl_stride_of(lanes, i) != MPL_ANY_STRIDE) {
    unsigned each = divides_integers(i) ? QUOTIENT : 1;
    add(o, block, each, each);
  } else {
    bool divides = opcode >= LLVMUDiv && opcode <= LLVMFRem;
    unsigned each = opcode == LLVMCall ? 2 : divides ? DIVISION : 1;
    unsigned wide = is_long_product(o, i) ? HALVES : each;
    add(o, block, wide * registers(o, type) * part, each);
  }
}

/* How much emptier than whole a chunk is there. */
static unsigned part_of(struct worth *o, unsigned block) {
  const struct mpl_lanes *lanes = o->lanes;
  const struct mpl_item_loop *items = lanes->items;
  unsigned part = items->inner[block] < 0 && lanes->diverged[block] ? PART : 1;
  bool looks = false;
  for (int l = items->inner[block]; l >= 0; l = items->loops[l].parent) {
    looks |= o->looks[l];
    if (o->ragged[l]) part *= part == 1 || (looks && !items->ir->target->mask_bits) ? PART : MORE;
  }
  return part;
}

/* Each work-item has a structure of its own, and mostly copies: its fields are neighbours, which
 * LLVM's vectoriser of straight lines moves several at a time, and lanes would take apart and put
 * together again by shuffles of as many registers as the structure has fields. */
static bool only_moves_structures(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  enum { STRUCTURE = 32 /* bytes */ };
  unsigned moved = 0, computed = 0;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    if (lanes->diverged[b]) return false;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
      LLVMValueRef pointer = mpl_accessed_place(i);
      int stride = pointer ? mpl_stride_at(lanes, pointer, b) : mpl_stride_of(lanes, i);
      if (pointer && (mpl_array_of(lanes, pointer) || mpl_is_slot(items->ir, pointer)))
        return false;
      if (pointer && (stride || opcode == LLVMStore)) {
        if (stride == MPL_ANY_STRIDE || abs(stride) < STRUCTURE) return false;
        moved++;
      } else if (mpl_has_no_vector_form(lanes, i)) {
        return false;
      } else if (stride == MPL_ANY_STRIDE && opcode != LLVMPHI) {
        bool divides = opcode >= LLVMUDiv && opcode <= LLVMFRem;
        computed += opcode == LLVMCall ? 2 : divides ? DIVISION : 1;
      }
    }
  }
  return moved > 1 && computed <= moved;
}

bool mpl_lanes_pay(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  struct worth o = {
      .lanes = lanes, .steps.lanes = lanes, .unit = items->ir->target->register_bytes};
  if (mpl_option_number(MPL_OPTION_VECTOR_WIDTH)) return true;
  if (!items->num_loops) return !only_moves_structures(lanes);
  o.ragged = mpl_allocate(items->num_loops + 1, sizeof *o.ragged);
  o.writes = mpl_allocate(items->num_loops + 1, sizeof *o.writes);
  o.looks = mpl_allocate(items->num_loops + 1, sizeof *o.looks);
  o.simple = mpl_allocate(items->num_loops + 1, sizeof *o.simple);
  o.chain = mpl_allocate(items->num_loops + 1, sizeof *o.chain);
  o.inside = mpl_allocate(items->num_loops + 1, sizeof *o.inside);
  look_at_loops(&o);
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    unsigned part = part_of(&o, b);
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b])
    add_instruction(&o, i, b, part);
  }
  add_loops(&o);
  mpl_steps_free(&o.steps);
  free(o.ragged);
  free(o.writes);
  free(o.looks);
  free(o.simple);
  free(o.chain);
  free(o.inside);
  return 100 * o.in_lanes < LESS * o.alone * lanes->width;
}
