/* Filters' looks at accesses (abi/filter.h): in front of each, whether it stays within its memory,
 * whether what it reads was written, and whether somebody else was there whom nothing orders. Lanes
 * at one place, or one beside the other, need what one work-item needs; others gather.
 *
 * A look may be mistaken in one direction only: it stops the kernel where nothing is wrong.  Lanes
 * that all read one place leave there that several have; of lanes that have written to one place by
 * one instruction, the last one's stamp stays, and the others see that. */
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "abi/filter.h"
#include "abi/items.h"
#include "compiler/passes.h"
#include "widen.h"

enum how { ONE, BESIDE, APART };

struct look {
  struct mpl_module_ir *ir;
  struct mpl_widen *w; /* null: one work-item */
  LLVMBuilderRef b;
  LLVMValueRef function, call, group;
  enum how how;
  unsigned lanes; /* of work-items */
  unsigned each;  /* elements that each of them accesses */
  unsigned size, shift;
  bool writes, is_local;
  LLVMValueRef mask; /* null: all lanes are there */
  LLVMValueRef some; /* a condition: there is one; null: there surely is */
  LLVMValueRef at;   /* i64: of the first lane, or (APART) of each */
  LLVMValueRef own;  /* i32: the work-items' stamps; of each lane */
  LLVMValueRef phase, several;
  LLVMValueRef low, units, wrote, read; /* of the memory */
  LLVMBasicBlockRef stop;
};

/* --- Values --- */

static LLVMValueRef operand(const struct look *l, enum mpl_filter_operand k) {
  LLVMValueRef value = LLVMGetOperand(l->call, k);
  return l->w ? mpl_scalar(l->w, value) : value;
}

static uint64_t number(const struct look *l, enum mpl_filter_operand k) {
  return LLVMConstIntGetZExtValue(LLVMGetOperand(l->call, k));
}

static LLVMValueRef const64(const struct look *l, uint64_t value) {
  return mpl_const64(l->ir, value);
}

static LLVMTypeRef vector_of(LLVMTypeRef type, unsigned count) {
  return count > 1 ? LLVMVectorType(type, count) : type;
}

static LLVMValueRef splat(const struct look *l, LLVMValueRef value, unsigned count) {
  LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(l->ir->i32, count));
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(value), count);
  if (count == 1) return value;
  value = LLVMBuildInsertElement(l->b, LLVMGetPoison(type), value, const64(l, 0), "");
  return LLVMBuildShuffleVector(l->b, value, LLVMGetPoison(type), zeros, "");
}

/* So that both are of one type. */
static LLVMValueRef like(const struct look *l, LLVMValueRef value, LLVMValueRef other) {
  LLVMTypeRef type = LLVMTypeOf(other);
  bool wide = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  bool is_wide = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
  return wide && !is_wide ? splat(l, value, LLVMGetVectorSize(type)) : value;
}

/* Each lane's so many times, one beside the other. */
static LLVMValueRef repeated(const struct look *l, LLVMValueRef vector, unsigned times) {
  LLVMValueRef each[4096];
  if (times == 1 || !vector) return vector;
  unsigned count = l->lanes * times;
  for (unsigned k = 0; k < count; k++) each[k] = mpl_const32(l->ir, k / times);
  LLVMTypeRef type = LLVMTypeOf(vector);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return splat(l, vector, count);
  return LLVMBuildShuffleVector(l->b, vector, LLVMGetPoison(type), LLVMConstVector(each, count),
                                "");
}

static LLVMValueRef compare(const struct look *l, LLVMIntPredicate is, LLVMValueRef a,
                            LLVMValueRef b) {
  a = like(l, a, b);
  return LLVMBuildICmp(l->b, is, a, like(l, b, a), "");
}

/* Of those that are there; a condition. */
static LLVMValueRef any(const struct look *l, LLVMValueRef condition, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(condition);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return condition;
  if (mask) condition = LLVMBuildSelect(l->b, mask, condition, LLVMConstNull(type), "");
  LLVMTypeRef bits = LLVMIntTypeInContext(l->ir->context, LLVMGetVectorSize(type));
  condition = LLVMBuildBitCast(l->b, condition, bits, "");
  return LLVMBuildICmp(l->b, LLVMIntNE, condition, LLVMConstNull(bits), "");
}

/* Without a lane there the condition may be poison, and that of a branch must not be. */
static LLVMValueRef if_some(const struct look *l, LLVMValueRef condition) {
  LLVMValueRef none = LLVMConstNull(l->ir->i1);
  return l->some ? LLVMBuildSelect(l->b, l->some, condition, none, "") : condition;
}

static LLVMValueRef place(const struct look *l, LLVMValueRef base, LLVMValueRef bytes) {
  return LLVMBuildGEP2(l->b, l->ir->i8, base, &bytes, 1, "");
}

/* --- What the group has --- */

static LLVMValueRef load(const struct look *l, LLVMTypeRef type, LLVMValueRef base, uint64_t offset,
                         bool fixed) {
  LLVMValueRef value =
      LLVMBuildLoad2(l->b, type, mpl_offset(l->ir, l->b, base, const64(l, offset)), "");
  LLVMMetadataRef none = LLVMMDNodeInContext2(l->ir->context, NULL, 0);
  if (fixed) mpl_set_metadata(l->ir, value, "invariant.load", none);
  if (!fixed) mpl_set_metadata(l->ir, value, MPL_FILTER_STATE, none);
  return value;
}

#define GROUP(type, name, fixed)                                                                   \
  load(l, l->ir->type, l->group, offsetof(struct mpl_filter_group, name), fixed)

static void find_variable(struct look *l) {
  LLVMValueRef base = operand(l, MPL_FILTER_BASE), local = GROUP(ptr, group.local_base, true);
  l->low = LLVMBuildPtrToInt(l->b, base, l->ir->i64, "");
  l->units = const64(l, number(l, MPL_FILTER_WHOLE) >> l->shift);
  LLVMValueRef from = LLVMBuildPtrToInt(l->b, local, l->ir->i64, "");
  LLVMValueRef stamps = LLVMBuildShl(l->b, LLVMBuildSub(l->b, l->low, from, ""), const64(l, 2), "");
  l->wrote = place(l, GROUP(ptr, local_wrote, true), stamps);
  l->read = place(l, GROUP(ptr, local_read, true), stamps);
}

static void find_argument(struct look *l, uint64_t argument) {
  LLVMValueRef views = GROUP(ptr, views, true);
  uint64_t offset = (argument - 1) * sizeof(struct mpl_filter_view);
#define VIEW(type, name)                                                                           \
  load(l, l->ir->type, views, offset + offsetof(struct mpl_filter_view, name), true)
  l->low = LLVMBuildPtrToInt(l->b, VIEW(ptr, low), l->ir->i64, "");
  l->units = l->writes ? VIEW(i64, writable) : VIEW(i64, units);
  l->wrote = VIEW(ptr, wrote);
  l->read = VIEW(ptr, read);
#undef VIEW
}

/* --- Stopping --- */

static void set_weights(const struct look *l, LLVMValueRef branch) {
  LLVMMetadataRef weights[] = {LLVMMDStringInContext2(l->ir->context, "branch_weights", 14),
                               LLVMValueAsMetadata(mpl_const32(l->ir, 1)),
                               LLVMValueAsMetadata(mpl_const32(l->ir, 100000))};
  mpl_set_metadata(l->ir, branch, "prof", LLVMMDNodeInContext2(l->ir->context, weights, 3));
}

static LLVMBasicBlockRef new_block(const struct look *l, const char *name) {
  return LLVMAppendBasicBlockInContext(l->ir->context, l->function, name);
}

static void make_stop(struct look *l) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(l->b);
  l->stop = new_block(l, "filter.stop");
  LLVMPositionBuilderAtEnd(l->b, l->stop);
  LLVMValueRef stop = GROUP(ptr, stop, true);
  mpl_call(l->b, stop, l->ir->void_type, &l->group, 1);
  LLVMBuildUnreachable(l->b);
  LLVMPositionBuilderAtEnd(l->b, here);
}

static void stop_if(struct look *l, LLVMValueRef condition) {
  LLVMBasicBlockRef go = new_block(l, "filter.go");
  if (!l->stop) make_stop(l);
  set_weights(l, LLVMBuildCondBr(l->b, condition, l->stop, go));
  LLVMPositionBuilderAtEnd(l->b, go);
}

/* --- Bounds --- */

/* The first element's number; what is not aligned becomes too large. */
static LLVMValueRef unit_of(const struct look *l, LLVMValueRef offset) {
  if (!l->shift) return offset;
  LLVMValueRef right = like(l, const64(l, l->shift), offset),
               left = like(l, const64(l, 64 - l->shift), offset);
  return LLVMBuildOr(l->b, LLVMBuildLShr(l->b, offset, right, ""),
                     LLVMBuildShl(l->b, offset, left, ""), "");
}

/* The first that is no place for so many elements. */
static LLVMValueRef end_for(const struct look *l, uint64_t count) {
  if (count == 1) return l->units;
  LLVMValueRef less = const64(l, count - 1);
  LLVMValueRef fits = LLVMBuildICmp(l->b, LLVMIntUGT, l->units, less, "");
  return LLVMBuildSelect(l->b, fits, LLVMBuildSub(l->b, l->units, less, ""), const64(l, 0), "");
}

static LLVMValueRef steps(const struct look *l, uint64_t by) {
  LLVMValueRef each[256];
  for (unsigned k = 0; k < l->lanes; k++) each[k] = const64(l, k * by);
  return LLVMConstVector(each, l->lanes);
}

static void look_at_bounds(struct look *l, LLVMValueRef offset) {
  if (l->how == BESIDE && l->mask) /* the first lane need not be inside */
    offset = LLVMBuildAdd(l->b, splat(l, offset, l->lanes), steps(l, l->size), "");
  LLVMValueRef outside, unit = unit_of(l, offset);
  if (l->how == BESIDE && !l->mask) {
    outside = compare(l, LLVMIntUGE, unit, end_for(l, (uint64_t)l->lanes * l->each));
  } else {
    outside = any(l, compare(l, LLVMIntUGE, unit, end_for(l, l->each)), l->mask);
    if (l->how == ONE) outside = if_some(l, outside);
  }
  stop_if(l, outside);
}

/* --- Words in memory: stamps, and what is read --- */

/* Of one lane, of all lanes one beside the other (`times` words each), or of each lane one. */
static LLVMValueRef get(const struct look *l, LLVMValueRef at, unsigned times) {
  unsigned count = l->how == ONE ? 1 : l->how == BESIDE ? l->lanes * times : l->lanes;
  LLVMTypeRef type = vector_of(l->ir->i32, count);
  LLVMValueRef value;
  if (l->how == APART) return mpl_gather(l->w, type, at, 4);
  if (l->how == BESIDE && l->mask)
    return mpl_masked_load(l->w, type, at, 4, repeated(l, l->mask, times));
  value = LLVMBuildLoad2(l->b, type, at, "");
  LLVMSetAlignment(value, 4);
  return value;
}

static void put(const struct look *l, LLVMValueRef value, LLVMValueRef at) {
  if (l->how == APART)
    mpl_scatter(l->w, value, at, 4);
  else if (l->how == BESIDE && l->mask)
    mpl_masked_store(l->w, value, at, 4, repeated(l, l->mask, l->each));
  else
    LLVMSetAlignment(LLVMBuildStore(l->b, value, at), 4);
}

/* Where nobody looks, if there is no lane. */
static LLVMValueRef safe(const struct look *l, LLVMValueRef at) {
  if (l->how != ONE || !l->some) return at;
  LLVMValueRef nowhere = l->w->nowhere;
  if (LLVMTypeOf(nowhere) != LLVMTypeOf(at))
    nowhere = LLVMBuildAddrSpaceCast(l->b, nowhere, LLVMTypeOf(at), "");
  return LLVMBuildSelect(l->b, l->some, at, nowhere, "");
}

static LLVMValueRef pointers(const struct look *l, LLVMValueRef numbers) {
  LLVMTypeRef type = l->ir->ptr;
  if (LLVMGetTypeKind(LLVMTypeOf(numbers)) == LLVMVectorTypeKind)
    type = LLVMVectorType(type, LLVMGetVectorSize(LLVMTypeOf(numbers)));
  return LLVMBuildIntToPtr(l->b, numbers, type, "");
}

/* Words that nobody has written hold one number. */
static LLVMValueRef is_unwritten(const struct look *l, LLVMValueRef words, LLVMValueRef mask) {
  return any(l, compare(l, LLVMIntEQ, words, mpl_const32(l->ir, MPL_UNWRITTEN)), mask);
}

static LLVMValueRef word_below(const struct look *l, LLVMValueRef at) {
  return LLVMBuildAnd(l->b, at, like(l, const64(l, ~UINT64_C(3)), at), "");
}

static LLVMValueRef address(const struct look *l) {
  LLVMValueRef pointer = LLVMGetOperand(l->call, MPL_FILTER_ADDRESS);
  if (!l->w) return pointer;
  return l->how == APART ? mpl_vector(l->w, pointer) : mpl_scalar(l->w, pointer);
}

/* Bytes and half words one beside the other: the words that they are in. */
static LLVMValueRef words_around(const struct look *l) {
  uint64_t bytes = (uint64_t)l->lanes * l->size;
  LLVMValueRef last = LLVMBuildAdd(l->b, l->at, const64(l, bytes - 1), "");
  LLVMTypeRef type = vector_of(l->ir->i32, (unsigned)((bytes + 3) / 4));
  LLVMValueRef words = LLVMBuildLoad2(l->b, type, pointers(l, word_below(l, l->at)), "");
  LLVMSetAlignment(words, 4);
  LLVMValueRef end = LLVMBuildLoad2(l->b, l->ir->i32, pointers(l, word_below(l, last)), "");
  LLVMSetAlignment(end, 4);
  return LLVMBuildOr(l->b, is_unwritten(l, words, NULL), is_unwritten(l, end, NULL), "");
}

static void look_for_unwritten(struct look *l) {
  LLVMValueRef found = NULL, at = address(l);
  bool whole = l->size % 4 == 0;
  if (l->how == BESIDE && whole) {
    LLVMValueRef words = get(l, at, l->size / 4);
    stop_if(l, is_unwritten(l, words, repeated(l, l->mask, l->size / 4)));
    return;
  }
  if (l->how == BESIDE && !l->mask) {
    stop_if(l, words_around(l));
    return;
  }
  struct look one = *l;
  if (l->how == BESIDE) {
    one.how = APART;
    one.at = LLVMBuildAdd(l->b, splat(l, l->at, l->lanes), steps(l, l->size), "");
  }
  if (!whole) at = pointers(l, word_below(l, one.at));
  for (unsigned k = 0; k < (l->size + 3) / 4; k++) {
    LLVMValueRef from = safe(&one, k ? place(l, at, const64(l, 4 * k)) : at);
    LLVMValueRef is = is_unwritten(l, get(&one, from, 1), one.how == APART ? l->mask : NULL);
    found = found ? LLVMBuildOr(l->b, found, is, "") : is;
  }
  stop_if(l, l->how == ONE ? if_some(l, found) : found);
}

/* --- Stamps --- */

/* Somebody else's, in this phase, or a group's that nothing orders. */
static LLVMValueRef is_other(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  LLVMValueRef now = compare(l, LLVMIntUGE, stamp, l->phase);
  return LLVMBuildAnd(l->b, like(l, now, own), compare(l, LLVMIntNE, stamp, own), "");
}

/* Who wrote that is not in order; of local memory that is read also that nobody did in this group.
 */
static LLVMValueRef is_wrong_writer(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  if (!l->is_local || l->writes) return is_other(l, stamp, own);
  LLVMValueRef first = GROUP(i32, first, true);
  LLVMValueRef since = LLVMBuildSub(l->b, stamp, like(l, first, stamp), "");
  LLVMValueRef wrong = compare(l, LLVMIntUGE, since, LLVMBuildSub(l->b, l->phase, first, ""));
  return LLVMBuildAnd(l->b, like(l, wrong, own), compare(l, LLVMIntNE, stamp, own), "");
}

static LLVMValueRef umax(const struct look *l, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(l->b, compare(l, LLVMIntUGT, a, b), a, like(l, b, a), "");
}

/* The stamp of who has read, after one more. */
static LLVMValueRef read_by(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  LLVMValueRef alone = LLVMBuildOr(l->b, compare(l, LLVMIntULT, stamp, l->phase),
                                   compare(l, LLVMIntEQ, stamp, own), "");
  return LLVMBuildSelect(l->b, alone, own, umax(l, stamp, l->several), "");
}

/* One place for all lanes: whether there is but one of them, and its stamp. */
struct alone {
  LLVMValueRef is, own;
};

static struct alone find_alone(const struct look *l) {
  struct alone alone = {LLVMConstInt(l->ir->i1, l->lanes == 1, false), l->own};
  if (l->lanes == 1 || !l->mask) return alone;
  LLVMTypeRef type = LLVMIntTypeInContext(l->ir->context, l->lanes);
  LLVMValueRef bits = LLVMBuildBitCast(l->b, l->mask, type, "");
  LLVMValueRef rest = LLVMBuildSub(l->b, bits, LLVMConstInt(type, 1, false), "");
  rest = LLVMBuildAnd(l->b, bits, rest, "");
  alone.is = LLVMBuildICmp(l->b, LLVMIntEQ, rest, LLVMConstNull(type), "");
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(l->ir->module, LLVMLookupIntrinsicID("llvm.cttz", 9), &type, 1);
  LLVMValueRef args[] = {bits, LLVMConstInt(l->ir->i1, 0, false)};
  LLVMValueRef lane = LLVMBuildCall2(l->b, LLVMGlobalGetValueType(function), function, args, 2, "");
  lane = LLVMBuildZExtOrBitCast(l->b, lane, l->ir->i64, "");
  lane = LLVMBuildAnd(l->b, lane, const64(l, l->lanes - 1), "");
  alone.own = LLVMBuildExtractElement(l->b, l->own, lane, "");
  return alone;
}

static void stamp_one(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  struct alone alone = find_alone(l);
  bool many = l->lanes > 1 && !l->mask; /* and all are there */
  LLVMValueRef writer = get(l, wrote, 1), reader = get(l, read, 1);
  LLVMValueRef own = l->lanes == 1 ? l->own : alone.own;
  if (l->writes) {
    LLVMValueRef wrong =
        many ? LLVMConstInt(l->ir->i1, 1, false)
             : LLVMBuildOr(l->b, is_wrong_writer(l, writer, own), is_other(l, reader, own), "");
    if (l->lanes > 1) wrong = LLVMBuildOr(l->b, wrong, LLVMBuildNot(l->b, alone.is, ""), "");
    stop_if(l, if_some(l, wrong));
    put(l, many ? l->several : own, wrote);
    return;
  }
  LLVMValueRef wrong = l->lanes == 1 ? is_wrong_writer(l, writer, own)
                                     : any(l, is_wrong_writer(l, writer, l->own), l->mask);
  stop_if(l, if_some(l, wrong));
  LLVMValueRef now = umax(l, reader, l->several);
  if (l->lanes == 1)
    now = read_by(l, reader, own);
  else if (l->mask)
    now = LLVMBuildSelect(l->b, alone.is, read_by(l, reader, own), now, "");
  put(l, now, read);
}

static void stamp_beside(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  LLVMValueRef own = repeated(l, l->own, l->each), mask = repeated(l, l->mask, l->each);
  LLVMValueRef writer = get(l, wrote, l->each), reader = get(l, read, l->each);
  LLVMValueRef wrong = is_wrong_writer(l, writer, own);
  if (l->writes) wrong = LLVMBuildOr(l->b, wrong, is_other(l, reader, own), "");
  stop_if(l, any(l, wrong, mask));
  if (l->writes)
    put(l, own, wrote);
  else
    put(l, read_by(l, reader, own), read);
}

/* Stamps that change are put; then those of lanes that have met others say so. */
static void read_apart(struct look *l, LLVMValueRef read, LLVMValueRef reader) {
  LLVMBasicBlockRef change = new_block(l, "filter.read"), lost = new_block(l, "filter.met"),
                    done = new_block(l, "filter.done");
  LLVMValueRef now = read_by(l, reader, l->own), mask = l->mask;
  LLVMValueRef changes = any(l, compare(l, LLVMIntNE, now, reader), mask);
  LLVMBuildCondBr(l->b, changes, change, done);
  LLVMPositionBuilderAtEnd(l->b, change);
  put(l, now, read);
  LLVMValueRef met = compare(l, LLVMIntNE, get(l, read, 1), now);
  if (mask) met = LLVMBuildSelect(l->b, mask, met, LLVMConstNull(LLVMTypeOf(met)), "");
  LLVMBuildCondBr(l->b, any(l, met, NULL), lost, done);
  LLVMPositionBuilderAtEnd(l->b, lost);
  l->w->mask = met;
  put(l, umax(l, now, l->several), read);
  l->w->mask = mask;
  LLVMBuildBr(l->b, done);
  LLVMPositionBuilderAtEnd(l->b, done);
}

static void stamp_apart(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  LLVMValueRef writer = get(l, wrote, 1), reader = NULL;
  LLVMValueRef wrong = is_wrong_writer(l, writer, l->own);
  reader = get(l, read, 1);
  if (l->writes) wrong = LLVMBuildOr(l->b, wrong, is_other(l, reader, l->own), "");
  stop_if(l, any(l, wrong, l->mask));
  if (!l->writes) {
    read_apart(l, read, reader);
    return;
  }
  put(l, l->own, wrote);
  stop_if(l, any(l, compare(l, LLVMIntNE, get(l, wrote, 1), l->own), l->mask));
}

static void stamp(struct look *l, LLVMValueRef offset) {
  offset = LLVMBuildAShr(l->b, offset, like(l, const64(l, l->shift), offset), "");
  offset = LLVMBuildShl(l->b, offset, like(l, const64(l, 2), offset), "");
  for (unsigned k = 0; k < (l->how == BESIDE ? 1 : l->each); k++) {
    LLVMValueRef at = offset;
    if (k) at = LLVMBuildAdd(l->b, offset, like(l, const64(l, 4 * k), offset), "");
    LLVMValueRef wrote = safe(l, place(l, l->wrote, at)), read = safe(l, place(l, l->read, at));
    if (l->how == ONE)
      stamp_one(l, wrote, read);
    else if (l->how == BESIDE)
      stamp_beside(l, wrote, read);
    else
      stamp_apart(l, wrote, read);
  }
}

/* --- One access --- */

static LLVMValueRef own_stamps(const struct look *l, unsigned block) {
  LLVMValueRef item = LLVMGetOperand(l->call, MPL_FILTER_ITEM);
  LLVMTypeRef i32 = l->ir->i32;
  int stride = l->w ? mpl_stride_at(l->w, item, block) : 0;
  if (stride == MPL_ANY_STRIDE) {
    LLVMValueRef items = mpl_vector(l->w, item);
    items = LLVMBuildTrunc(l->b, items, LLVMVectorType(i32, l->lanes), "");
    return LLVMBuildAdd(l->b, items, splat(l, l->phase, l->lanes), "");
  }
  LLVMValueRef first = LLVMBuildTrunc(l->b, l->w ? mpl_scalar(l->w, item) : item, i32, "");
  first = LLVMBuildAdd(l->b, first, l->phase, "");
  if (l->lanes == 1) return first;
  return LLVMBuildAdd(l->b, splat(l, first, l->lanes), mpl_steps(l->w, i32, stride), "");
}

static void look_at(struct look *l, unsigned block) {
  unsigned flags = (unsigned)number(l, MPL_FILTER_FLAGS);
  uint64_t argument = number(l, MPL_FILTER_ARGUMENT);
  l->size = (unsigned)number(l, MPL_FILTER_SIZE);
  l->shift = (unsigned)number(l, MPL_FILTER_SHIFT);
  l->each = l->size >> l->shift;
  l->writes = flags & MPL_ACCESS_WRITE;
  l->is_local = number(l, MPL_FILTER_IS_LOCAL);
  l->group = operand(l, MPL_FILTER_GROUP);
  l->at = address(l);
  l->at = LLVMBuildPtrToInt(
      l->b, l->at, l->how == APART ? LLVMVectorType(l->ir->i64, l->lanes) : l->ir->i64, "");
  unsigned kind = l->is_local ? MPL_FILTER_LOCAL : MPL_FILTER_GLOBAL;
  l->phase = load(l, l->ir->i32, l->group,
                  offsetof(struct mpl_filter_group, phase) + kind * sizeof(uint32_t), false);
  l->several = LLVMBuildAdd(l->b, l->phase, GROUP(i32, several, true), "");
  l->own = own_stamps(l, block);
  if (argument)
    find_argument(l, argument);
  else
    find_variable(l);
  LLVMValueRef offset = LLVMBuildSub(l->b, l->at, like(l, l->low, l->at), "");
  look_at_bounds(l, offset);
  if (!l->writes && !l->is_local && flags & (MPL_ACCESS_USED | MPL_ACCESS_COPIED))
    look_for_unwritten(l);
  stamp(l, offset);
}

void mpl_widen_filter(struct mpl_widen *w, LLVMValueRef call) {
  unsigned block = mpl_cfg_block_of(w->cfg, call);
  int stride = mpl_stride_at(w, LLVMGetOperand(call, MPL_FILTER_ADDRESS), block);
  struct look l = {.ir = w->ir,
                   .w = w,
                   .b = w->b,
                   .function = w->function,
                   .call = call,
                   .lanes = w->width,
                   .mask = w->mask};
  int size = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(call, MPL_FILTER_SIZE));
  l.how = !stride ? ONE : stride == size ? BESIDE : APART;
  if (w->mask != w->all) l.some = mpl_any_lane(w, w->mask);
  look_at(&l, block);
}

/* --- What was not widened, and what runs a group --- */

static void look_alone(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  LLVMValueRef function = mpl_function_of(call), next = LLVMGetNextInstruction(call);
  LLVMBasicBlockRef rest = mpl_ir_split(next, "filter.rest");
  LLVMBasicBlockRef from = LLVMGetInstructionParent(call);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
  LLVMPositionBuilderAtEnd(b, from);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  struct look l = {.ir = ir, .b = b, .function = function, .call = call, .lanes = 1};
  look_at(&l, 0);
  LLVMBuildBr(b, rest);
  LLVMInstructionEraseFromParent(call);
}

/* void (launch, group) { host->items->filter(launch, group, what was compiled, uses); } */
static void make_group_function(struct mpl_module_ir *ir, LLVMBuilderRef b,
                                struct mpl_ir_kernel *kernel) {
  LLVMTypeRef two[] = {ir->ptr, ir->ptr};
  LLVMValueRef f =
      LLVMAddFunction(ir->module, "mpl_filter", LLVMFunctionType(ir->void_type, two, 2, false));
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(ir->context, f, "entry"));
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMValueRef launch = LLVMGetParam(f, 0);
  LLVMValueRef host = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "host");
  LLVMValueRef items = mpl_const64(ir, offsetof(struct mpl_host, items));
  items = LLVMBuildLoad2(b, ir->ptr, mpl_offset(ir, b, host, items), "items");
  LLVMValueRef filter = mpl_const64(ir, offsetof(struct mpl_item_host, filter));
  filter = LLVMBuildLoad2(b, ir->ptr, mpl_offset(ir, b, items, filter), "filter");
  LLVMValueRef args[] = {launch, LLVMGetParam(f, 1), kernel->group, kernel->filter_uses};
  mpl_call(b, filter, ir->void_type, args, 4);
  LLVMBuildRetVoid(b);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
  kernel->group = f;
}

/* What the group's phase is nobody changes but at a barrier: so it stays in a register. */
static void tell_state_apart(struct mpl_module_ir *ir, LLVMValueRef function) {
  static const char name[] = "maniple filter";
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, sizeof name - 1);
  LLVMMetadataRef domain = LLVMMDNodeInContext2(ir->context, &text, 1);
  LLVMMetadataRef of_scope[] = {text, domain}, scope, state;
  scope = LLVMMDNodeInContext2(ir->context, of_scope, 2);
  state = LLVMMDNodeInContext2(ir->context, &scope, 1);
  unsigned noalias = LLVMGetMDKindIDInContext(ir->context, "noalias", 7);
  unsigned of_state =
      LLVMGetMDKindIDInContext(ir->context, MPL_FILTER_STATE, sizeof MPL_FILTER_STATE - 1);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    bool stores = LLVMIsAStoreInst(i) || (callee && LLVMGetIntrinsicID(callee));
    if (LLVMIsALoadInst(i) && LLVMGetMetadata(i, of_state)) {
      mpl_set_metadata(ir, i, "alias.scope", state);
      LLVMSetMetadata(i, of_state, NULL);
    } else if (stores) {
      LLVMMetadataRef scopes[16] = {scope};
      LLVMValueRef old = LLVMGetMetadata(i, noalias), each[15];
      unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 0;
      if (count > 15) continue;
      if (old) LLVMGetMDNodeOperands(old, each);
      for (unsigned k = 0; k < count; k++) scopes[k + 1] = LLVMValueAsMetadata(each[k]);
      mpl_set_metadata(ir, i, "noalias", LLVMMDNodeInContext2(ir->context, scopes, count + 1));
    }
  }
}

bool mpl_finish_filters(struct mpl_module_ir *ir) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  MPL_EACH_FUNCTION(f, ir->module) {
    for (bool again = true; again;) {
      again = false;
      MPL_EACH_INSTRUCTION_OF(i, f) {
        if (mpl_marker_of(i) != MPL_MARK_FILTER) continue;
        look_alone(ir, b, i);
        again = true;
        break;
      }
    }
    tell_state_apart(ir, f);
  }
  for (unsigned k = 0; k < ir->num_kernels; k++) make_group_function(ir, b, &ir->kernels[k]);
  LLVMDisposeBuilder(b);
  return true;
}
