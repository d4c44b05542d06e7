#include "repeats.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/items.h"
#include "repeats_place.h"

enum {
  WORD_SHIFT = 2,
  MOST_ALIGN_SHIFT = 4,
  MOST_SIZE = 128,
  MOST_SPAN = 1 << 16,
  MOST_WORDS = 96
};

struct mpl_told {
  LLVMValueRef kernel, first, behind, pointer, base;
  unsigned argument, align_shift, run;
  uint64_t size, whole;
  bool writes, is_local;
  size_t leader; /* the first of those that are looked at together; itself, at first */
  struct mpl_repeats_place place;
};

/* Memory of which accesses are looked at: an argument's, or a variable's. */
struct mpl_view_ir {
  LLVMValueRef low, words, writable, stamps;
};

/* --- Notes --- */

void mpl_repeats_note(struct mpl_repeats *r, LLVMValueRef first, LLVMValueRef behind,
                      LLVMValueRef pointer, LLVMValueRef base, LLVMValueRef size, unsigned flags,
                      unsigned argument, uint64_t whole) {
  enum { GENERIC = 0, LOCAL = 3 };
  const unsigned what_becomes_of_it = MPL_ACCESS_USED | MPL_ACCESS_COPIED;
  if (flags & MPL_ACCESS_PIECE) return; /* its holes need not have been written */
  unsigned kind = flags & ((1u << MPL_ACCESS_ALIGN_SHIFT) - 1) & ~what_becomes_of_it;
  unsigned space = mpl_space_of(pointer);
  unsigned align_shift = flags >> MPL_ACCESS_ALIGN_SHIFT & MPL_ACCESS_ALIGN_MASK;
  if ((kind != MPL_ACCESS_READ && kind != MPL_ACCESS_WRITE) || space == GENERIC ||
      !LLVMIsAConstantInt(size) || (!argument && (!whole || space != LOCAL)) ||
      align_shift > MOST_ALIGN_SHIFT)
    return;
  struct mpl_told told = {.kernel = mpl_function_of(first),
                          .first = first,
                          .behind = behind,
                          .pointer = pointer,
                          .base = base,
                          .argument = argument,
                          .align_shift = align_shift < WORD_SHIFT ? WORD_SHIFT : align_shift,
                          .size = LLVMConstIntGetZExtValue(size),
                          .whole = whole,
                          .writes = kind == MPL_ACCESS_WRITE,
                          .is_local = space == LOCAL,
                          .run = r->run,
                          .leader = r->count};
  if (!told.size || told.size > MOST_SIZE || told.size % (1u << told.align_shift)) return;
  mpl_repeats_find_place(r->ir, pointer, &told.place);
  MPL_APPEND(r->told, r->count) = told;
}

void mpl_repeats_end_run(struct mpl_repeats *r) {
  r->run++;
}

/* --- Views --- */

static LLVMValueRef load_field(struct mpl_repeats *r, LLVMTypeRef type, LLVMValueRef of,
                               size_t offset, bool is_fixed) {
  LLVMValueRef load = mpl_load_behind(r->ir, r->b, type, of, offset);
  if (is_fixed) mpl_mark(r->ir, load, "invariant.load");
  return load;
}

static struct mpl_view_ir load_view(struct mpl_repeats *r, LLVMValueRef from) {
  struct mpl_module_ir *ir = r->ir;
#define FIELD(type, name) load_field(r, type, from, offsetof(struct mpl_watched_view, name), true)
  return (struct mpl_view_ir){FIELD(ir->ptr, low), FIELD(ir->i64, words), FIELD(ir->i64, writable),
                              FIELD(ir->ptr, stamps)};
#undef FIELD
}

static struct mpl_view_ir argument_view(struct mpl_repeats *r, unsigned number) {
  LLVMPositionBuilderBefore(r->b, LLVMGetNextInstruction(r->watch));
  LLVMValueRef views =
      load_field(r, r->ir->ptr, r->watch, offsetof(struct mpl_watch_now, views), true);
  size_t offset = (number - 1) * sizeof(struct mpl_watched_view);
  return load_view(r, mpl_offset(r->ir, r->b, views, mpl_const64(r->ir, offset)));
}

/* A part of the group's. */
static struct mpl_view_ir variable_view(struct mpl_repeats *r, LLVMValueRef base, uint64_t whole) {
  struct mpl_module_ir *ir = r->ir;
  LLVMPositionBuilderBefore(r->b, LLVMGetNextInstruction(base));
  LLVMSetCurrentDebugLocation2(r->b, NULL);
  size_t offset = offsetof(struct mpl_watch_now, local);
  struct mpl_view_ir view = load_view(r, mpl_offset(ir, r->b, r->watch, mpl_const64(ir, offset)));
  LLVMValueRef low = LLVMBuildPtrToInt(r->b, base, ir->i64, "");
  LLVMValueRef from = LLVMBuildSub(r->b, low, LLVMBuildPtrToInt(r->b, view.low, ir->i64, ""), "");
  LLVMValueRef none = LLVMBuildICmp(r->b, LLVMIntEQ, view.words, mpl_const64(ir, 0), "");
  LLVMValueRef own = mpl_const64(ir, whole >> WORD_SHIFT);
  view.stamps = mpl_offset(ir, r->b, view.stamps, LLVMBuildShl(r->b, from, mpl_const64(ir, 1), ""));
  view.low = base;
  view.words = view.writable = LLVMBuildSelect(r->b, none, mpl_const64(ir, 0), own, "");
  return view;
}

static const struct mpl_view_ir *view_of(struct mpl_repeats *r, const struct mpl_told *t) {
  LLVMContextRef context = r->ir->context;
  const void *key = t->argument ? (const void *)context : t->base;
  uintptr_t *at = mpl_map_at(&r->views, key, t->argument, true);
  if (!*at) {
    MPL_APPEND(r->known, r->num_known) =
        t->argument ? argument_view(r, t->argument) : variable_view(r, t->base, t->whole);
    *at = r->num_known;
  }
  return &r->known[*at - 1];
}

/* --- A look at the stamps of several accesses --- */

struct look {
  struct mpl_repeats *r;
  struct mpl_told **members;
  size_t count;
  int64_t from; /* bytes from the first member's place to the lowest */
  uint64_t span;
  uint32_t words[MOST_WORDS]; /* from the lowest, ascending, each once */
  unsigned num_words;
  LLVMValueRef stamps; /* of the lowest */
};

/* Whether all lies inside and is aligned; `look` gets the stamps then. */
static LLVMValueRef is_inside(struct look *look) {
  struct mpl_repeats *r = look->r;
  struct mpl_module_ir *ir = r->ir;
  LLVMBuilderRef b = r->b;
  const struct mpl_told *t = look->members[0];
  const struct mpl_view_ir *view = view_of(r, t);
  unsigned shift = t->align_shift;
  LLVMPositionBuilderBefore(b, t->first);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(t->behind));
  LLVMValueRef at = LLVMBuildPtrToInt(b, t->pointer, ir->i64, "");
  LLVMValueRef offset = LLVMBuildSub(b, at, LLVMBuildPtrToInt(b, view->low, ir->i64, ""), "");
  if (look->from) offset = LLVMBuildAdd(b, offset, mpl_const64(ir, (uint64_t)look->from), "");
  /* An unaligned address becomes a number that is too large. */
  LLVMValueRef turn[] = {offset, offset, mpl_const64(ir, shift)};
  LLVMValueRef unit = mpl_call_intrinsic(r->b, "llvm.fshr", r->ir->i64, turn, 3);
  LLVMValueRef units = t->writes ? view->writable : view->words;
  if (shift > WORD_SHIFT) units = LLVMBuildLShr(b, units, mpl_const64(ir, shift - WORD_SHIFT), "");
  uint64_t needed = look->span >> shift;
  LLVMValueRef less[] = {units, mpl_const64(ir, needed - 1)};
  if (needed > 1)
    units = mpl_call_intrinsic(r->b, "llvm.usub.sat", r->ir->i64, less, 2);
  LLVMValueRef bytes = LLVMBuildShl(b, unit, mpl_const64(ir, shift + 1), "");
  look->stamps = mpl_offset(ir, b, view->stamps, bytes);
  return LLVMBuildICmp(b, LLVMIntULT, unit, units, "");
}

static LLVMValueRef expected(struct look *look, size_t offset) {
  return load_field(look->r, look->r->ir->i64, look->r->watch, offset, false);
}

/* Zero if `words` stamps from one on are all as expected, in those bits. */
static LLVMValueRef differ(struct look *look, unsigned first, unsigned words, LLVMValueRef as,
                           uint64_t mask) {
  struct mpl_module_ir *ir = look->r->ir;
  LLVMBuilderRef b = look->r->b;
  LLVMTypeRef type = words > 1 ? LLVMVectorType(ir->i64, words) : ir->i64;
  uint64_t offset = (uint64_t)look->words[first] * sizeof(uint64_t);
  LLVMValueRef at = mpl_offset(ir, b, look->stamps, mpl_const64(ir, offset)),
               load = mpl_aligned_load(b, type, at, sizeof(uint64_t));
  LLVMValueRef by = mpl_const64(ir, mask), each[MOST_WORDS];
  if (words > 1) {
    LLVMValueRef none = LLVMGetUndef(type), zeros[MOST_WORDS];
    for (unsigned i = 0; i < words; i++) zeros[i] = mpl_const32(ir, 0), each[i] = by;
    as = LLVMBuildInsertElement(b, none, as, mpl_const32(ir, 0), "");
    as = LLVMBuildShuffleVector(b, as, none, LLVMConstVector(zeros, words), "");
    by = LLVMConstVector(each, words);
  }
  LLVMValueRef bits = LLVMBuildXor(b, load, as, "");
  return ~mask ? LLVMBuildAnd(b, bits, by, "") : bits;
}

/* All of them are as expected: neighbours as vectors. */
static LLVMValueRef are(struct look *look, size_t field, uint64_t mask) {
  enum { LANES = 8 };
  struct mpl_module_ir *ir = look->r->ir;
  LLVMBuilderRef b = look->r->b;
  LLVMValueRef as = expected(look, field), ones = NULL, vectors = NULL;
  for (unsigned i = 0, n; i < look->num_words; i += n) {
    for (n = 1; n < LANES && i + n < look->num_words; n++)
      if (look->words[i + n] != look->words[i] + n) break;
    n = n == LANES ? LANES : 1;
    LLVMValueRef bits = differ(look, i, n, as, mask), *sum = n > 1 ? &vectors : &ones;
    *sum = *sum ? LLVMBuildOr(b, *sum, bits, "") : bits;
  }
  if (vectors)
    vectors = mpl_call_intrinsic(b, "llvm.vector.reduce.or", LLVMTypeOf(vectors), &vectors, 1);
  if (vectors && ones) ones = LLVMBuildOr(b, ones, vectors, "");
  return LLVMBuildICmp(b, LLVMIntEQ, ones ? ones : vectors, mpl_const64(ir, 0), "");
}

/* The kinds of stamps, the most frequent first. */
static unsigned find_expected(const struct mpl_told *t, size_t fields[3]) {
  unsigned kind = t->is_local ? MPL_WATCH_LOCAL : MPL_WATCH_GLOBAL, n = 0;
  size_t each = sizeof(uint64_t) * kind;
  if (!t->writes && !t->is_local) fields[n++] = offsetof(struct mpl_watch_now, anywhere);
  if (!t->writes) fields[n++] = offsetof(struct mpl_watch_now, shared) + each;
  /* Behind a write of its own, what it reads of global memory may be what was never written. */
  bool only_read = !t->writes && !t->is_local;
  fields[n++] = (only_read ? offsetof(struct mpl_watch_now, own_read)
                           : offsetof(struct mpl_watch_now, own) + each);
  return n;
}

/* In front of the first member: whether all of them are repeats. */
static LLVMValueRef look_at(struct look *look) {
  struct mpl_repeats *r = look->r;
  struct mpl_module_ir *ir = r->ir;
  const struct mpl_told *t = look->members[0];
  LLVMValueRef inside = is_inside(look), no = LLVMConstInt(ir->i1, 0, false), values[4];
  LLVMBasicBlockRef from[4], rest = mpl_ir_split(t->first, "looked");
  from[0] = LLVMGetInstructionParent(inside);
  values[0] = no;
  size_t fields[3];
  unsigned count = find_expected(t, fields);
  LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(ir->context, rest, "repeat");
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from[0]));
  LLVMPositionBuilderAtEnd(r->b, from[0]);
  LLVMBuildCondBr(r->b, inside, next, rest);
  for (unsigned k = 0; k < count; k++) {
    bool is_own = k == count - 1;
    LLVMPositionBuilderAtEnd(r->b, from[k + 1] = next);
    uint32_t how = t->writes     ? MPL_STAMP_WROTE
                   : t->is_local ? MPL_STAMP_READ
                                 : MPL_STAMP_READ | MPL_STAMP_WROTE;
    values[k + 1] = are(look, fields[k], is_own ? mpl_stamp_mask(how) : UINT64_MAX);
    if (is_own) {
      LLVMBuildBr(r->b, rest);
    } else {
      next = LLVMInsertBasicBlockInContext(ir->context, rest, "repeat");
      LLVMBuildCondBr(r->b, values[k + 1], rest, next);
      values[k + 1] = LLVMConstInt(ir->i1, 1, false);
    }
  }
  LLVMPositionBuilderBefore(r->b, LLVMGetFirstInstruction(rest));
  LLVMValueRef phi = LLVMBuildPhi(r->b, ir->i1, "");
  LLVMAddIncoming(phi, values, from, count + 1);
  return phi;
}

/* The calls happen only if it is none. */
static void leave_out(struct mpl_repeats *r, const struct mpl_told *t, LLVMValueRef is_repeat) {
  struct mpl_module_ir *ir = r->ir;
  LLVMBasicBlockRef before = LLVMGetInstructionParent(t->first);
  LLVMBasicBlockRef tell = mpl_ir_split(t->first, "tell"), go = mpl_ir_split(t->behind, "go");
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
  LLVMPositionBuilderAtEnd(r->b, before);
  LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(t->behind));
  mpl_set_weights(ir, LLVMBuildCondBr(r->b, is_repeat, go, tell), 1000, 1);
}

/* --- Groups --- */

static bool belongs(const struct mpl_told *a, const struct mpl_told *b) {
  return a->run == b->run && a->base == b->base && a->argument == b->argument &&
         a->writes == b->writes && a->align_shift == b->align_shift &&
         mpl_repeats_same_variables(&a->place, &b->place) &&
         (a->place.constant - b->place.constant) % (1 << a->align_shift) == 0;
}

/* Its words become the group's, if that stays small. */
static bool add_words(struct look *look, const struct mpl_told *t, int64_t low) {
  uint32_t first = (uint32_t)((t->place.constant - low) >> WORD_SHIFT);
  for (uint32_t w = first; w < first + (t->size >> WORD_SHIFT); w++) {
    unsigned at = 0;
    while (at < look->num_words && look->words[at] < w) at++;
    if (at < look->num_words && look->words[at] == w) continue;
    if (look->num_words == MOST_WORDS) return false;
    memmove(&look->words[at + 1], &look->words[at], (look->num_words - at) * sizeof *look->words);
    look->words[at] = w;
    look->num_words++;
  }
  return true;
}

/* Takes those behind `index` that belong to it, as far as it stays small. */
static void lead(struct mpl_repeats *r, size_t index) {
  struct mpl_told *first = &r->told[index];
  int64_t low = first->place.constant, high = low + (int64_t)first->size;
  size_t count = 1;
  for (size_t i = index + 1; i < r->count && r->told[i].run == first->run; i++) {
    struct mpl_told *t = &r->told[i];
    if (t->leader != i || !belongs(first, t)) continue;
    int64_t end = t->place.constant + (int64_t)t->size;
    int64_t new_low = t->place.constant < low ? t->place.constant : low;
    int64_t new_high = end > high ? end : high;
    if (new_high - new_low > MOST_SPAN || count == MOST_WORDS) continue;
    low = new_low;
    high = new_high;
    t->leader = index;
    count++;
  }
}

void mpl_repeats_group(struct mpl_repeats *r) {
  for (; r->grouped < r->count; r->grouped++)
    if (r->told[r->grouped].leader == r->grouped) lead(r, r->grouped);
  mpl_repeats_end_run(r);
}

/* False: too many words. */
static bool gather(struct look *look, size_t index, bool alone) {
  struct mpl_repeats *r = look->r;
  const struct mpl_told *first = &r->told[index];
  int64_t low = first->place.constant, high = low + (int64_t)first->size;
  look->count = look->num_words = 0;
  for (size_t i = index; i < r->count && r->told[i].run == first->run; i++) {
    struct mpl_told *t = &r->told[i];
    if (alone ? i != index : t->leader != index) continue;
    int64_t end = t->place.constant + (int64_t)t->size;
    if (t->place.constant < low) low = t->place.constant;
    if (end > high) high = end;
    look->members[look->count++] = t;
  }
  look->from = low - first->place.constant;
  look->span = (uint64_t)(high - low);
  for (size_t i = 0; i < look->count; i++)
    if (!add_words(look, look->members[i], low)) return false;
  return true;
}

static void look_for(struct mpl_repeats *r, size_t index, bool alone) {
  struct mpl_told *members[MOST_WORDS];
  struct look look = {.r = r, .members = members};
  if (!gather(&look, index, alone)) {
    for (size_t k = 0; k < look.count; k++) look_for(r, (size_t)(members[k] - r->told), true);
    return;
  }
  LLVMValueRef is_repeat = look_at(&look);
  for (size_t k = 0; k < look.count; k++) leave_out(r, members[k], is_repeat);
}

static void begin_kernel(struct mpl_repeats *r, LLVMValueRef kernel) {
  enum { GROUP = 1 };
  LLVMPositionBuilderBefore(r->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
  LLVMSetCurrentDebugLocation2(r->b, NULL);
  LLVMValueRef group = LLVMGetParam(kernel, GROUP);
  r->watch = load_field(r, r->ir->ptr, group, offsetof(struct mpl_watch, now), true);
  r->num_known = 0;
  mpl_map_free(&r->views);
}

bool mpl_leave_out_repeats(struct mpl_module_ir *ir) {
  struct mpl_repeats *r = ir->repeats;
  if (!r) return false;
  ir->repeats = NULL;
  r->b = LLVMCreateBuilderInContext(ir->context);
  for (size_t i = 0; i < r->count; i++) {
    if (!i || r->told[i].kernel != r->told[i - 1].kernel) begin_kernel(r, r->told[i].kernel);
    if (r->told[i].leader == i) look_for(r, i, false);
  }
  bool any = r->count;
  LLVMDisposeBuilder(r->b);
  mpl_map_free(&r->views);
  free(r->told);
  free(r->known);
  free(r);
  return any;
}
