/* Strides: the shape of what an instruction computes, from those of its operands. */
#include "markers.h"
#include "shape.h"

enum { MOST_STEPS = 256, NARROWEST_PART = 32 };

const struct mpl_shape mpl_uniform = {MPL_UNIFORM, .bits = 64, .nsw = true, .nuw = true};
const struct mpl_shape mpl_by_ones = {MPL_STRIDED, .stride = 1, .bits = MPL_ID_BITS, .nsw = true,
                                      .nuw = true};
static const struct mpl_shape varying = {MPL_VARYING, .bits = 64};

unsigned mpl_shape_width(const struct mpl_shapes *s, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMPointerTypeKind && kind != LLVMIntegerTypeKind) return 0;
  unsigned width = LLVMSizeOfTypeInBits(s->layout, type);
  return width <= 64 ? width : 0;
}

static unsigned bits_of(uint64_t number) {
  return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* How many ones it ends in, if it is nothing else. */
static unsigned mask_bits(LLVMValueRef value) {
  uint64_t mask = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
  return mask & (mask + 1) ? 0 : bits_of(mask);
}

struct mpl_shape mpl_shape_of(const struct mpl_shapes *s, LLVMValueRef value) {
  const uintptr_t *at = mpl_map_find(&s->index, value, 0);
  if (at) return s->list[*at];
  struct mpl_shape shape = mpl_uniform;
  if (LLVMIsAConstantInt(value) && mpl_shape_width(s, LLVMTypeOf(value)))
    shape.bits = bits_of(LLVMConstIntGetZExtValue(value));
  return shape;
}

LLVMValueRef mpl_through_casts(LLVMValueRef value) {
  enum { BITS = MPL_ID_BITS };
  for (; LLVMIsAInstruction(value); value = LLVMGetOperand(value, 0)) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool cast = opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt;
    if (!cast && (opcode != LLVMAnd || mask_bits(LLVMGetOperand(value, 1)) < BITS)) break;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(value, 0)), to = LLVMTypeOf(value);
    if (mpl_integer_bits(from) <= BITS || mpl_integer_bits(to) <= BITS) break;
  }
  return value;
}

/* Where operands' shapes come from: the analysis, or a leaf first. */
struct source {
  struct mpl_shapes *s;
  mpl_shape_leaf *leaf;
  const void *data;
  unsigned left; /* steps */
  bool all;      /* the leaf knows all operands */
};

static struct mpl_shape look_up(struct source *, LLVMValueRef);

static bool is_flat(const struct mpl_shape *a) {
  return a->kind <= MPL_UNIFORM || (a->kind == MPL_STRIDED && !a->stride && !a->wraps);
}

/* As a number of so many bits.  Those of a bit less differ by what their difference looks like. */
static struct mpl_shape fit(struct mpl_shape a, unsigned width) {
  int64_t stride = (int64_t)((uint64_t)a.stride << (64 - width)) >> (64 - width);
  bool same = stride == a.stride;
  a.stride = stride;
  if (a.bits > width) a.bits = width;
  a.nsw = (a.nsw && same) || a.bits < width;
  a.nuw = (a.nuw && same) || a.bits < width;
  return a;
}

static struct mpl_shape truncated(struct mpl_shape a, unsigned width) {
  a.nsw = false;
  a.nuw &= a.bits <= width;
  return fit(a, width);
}

static void add_wraps(struct mpl_shape *a, const struct mpl_shape *b) {
  bool same = a->narrow == b->narrow && a->is_signed == b->is_signed;
  if (!b->wraps || (a->wraps == b->wraps && same)) return;
  a->wraps = a->wraps ? MPL_WRAPS_SEVERAL : b->wraps;
  a->narrow = a->wraps == MPL_WRAPS_ONE ? b->narrow : NULL;
  a->is_signed = a->narrow && b->is_signed;
}

/* A number of `width` bits, which `narrow` is if not null, as one of more. */
static struct mpl_shape extended(struct mpl_shape a, unsigned width, bool is_signed, bool exact,
                                 LLVMValueRef narrow) {
  struct mpl_shape part = {.wraps = narrow ? MPL_WRAPS_ONE : MPL_WRAPS_SEVERAL,
                           .narrow = narrow,
                           .is_signed = narrow && is_signed};
  bool positive = !is_signed || a.bits < width;
  if (a.kind == MPL_STRIDED && a.stride && !exact) {
    if (a.wraps) part.wraps = MPL_WRAPS_SEVERAL, part.narrow = NULL;
    a.wraps = MPL_EXACT;
    add_wraps(&a, &part);
  }
  a.nsw = true;
  a.nuw = positive;
  if (!positive) a.bits = 64;
  return a;
}

static struct mpl_shape extension(struct source *f, LLVMValueRef i) {
  LLVMValueRef narrow = LLVMGetOperand(i, 0);
  struct mpl_shape a = look_up(f, narrow);
  bool is_signed = LLVMIsASExtInst(i);
  bool exact = is_signed ? a.nsw : a.nuw || (a.nsw && LLVMGetNNeg(i));
  return extended(a, mpl_shape_width(f->s, LLVMTypeOf(narrow)), is_signed, exact, narrow);
}

/* x + c, as numbers of `width` bits. */
static struct mpl_shape moved(struct mpl_shape a, int64_t c, unsigned width) {
  bool positive = a.bits < width;
  if (c >= 0) {
    unsigned bits = bits_of((uint64_t)c);
    a.bits = (a.bits > bits ? a.bits : bits) + 1;
    a.nsw = false;
    a.nuw &= a.bits <= width;
    return fit(a, width);
  }
  a.nsw &= positive;
  a.nuw = false;
  a.bits = width;
  return a;
}

/* x << left, or x * (factor << left) with `left` at most `right`; null: it is neither. */
static LLVMValueRef shifted(LLVMValueRef value, uint64_t right, uint64_t *left, int64_t *factor) {
  *factor = 1;
  bool shift = mpl_is_op(value, LLVMShl);
  if (!shift && !mpl_is_op(value, LLVMMul)) return NULL;
  LLVMValueRef by = LLVMGetOperand(value, 1);
  if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) return NULL;
  *left = shift ? LLVMConstIntGetZExtValue(by) : right;
  if (!shift) {
    int64_t number = LLVMConstIntGetSExtValue(by);
    if (right > 62 || number & (((int64_t)1 << right) - 1)) return NULL;
    *factor = number >> right;
  }
  return LLVMGetOperand(value, 0);
}

/* The low bits of a wider number: x & 0xffffffff, and what InstCombine makes of an int that has
 * come from a size_t and is extended again: (x << 32) >> 32, or by less for the address of an
 * element; with a constant added in between, or multiplied with before. */
static struct mpl_shape low_part(struct source *f, LLVMValueRef i, unsigned width) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1);
  unsigned part = mask_bits(second), up = 0;
  int64_t added = 0, factor = 1;
  if (opcode != LLVMAnd) {
    if (mpl_is_op(first, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(first, 1))) {
      added = LLVMConstIntGetSExtValue(LLVMGetOperand(first, 1));
      first = LLVMGetOperand(first, 0);
    }
    if (!LLVMIsAConstantInt(second)) return varying;
    uint64_t left, right = LLVMConstIntGetZExtValue(second);
    first = shifted(first, right, &left, &factor);
    if (!first || left >= width || right > left || added & (((int64_t)1 << left) - 1))
      return varying;
    part = width - left;
    up = left - right;
    added >>= left;
  }
  struct mpl_shape a = look_up(f, first);
  if (part < NARROWEST_PART || part == width || a.kind != MPL_STRIDED) return varying;
  if (factor != 1) {
    if (__builtin_mul_overflow(a.stride, factor, &a.stride)) return varying;
    a.bits = 64;
    a.nuw = false;
  }
  a = truncated(a, part);
  if (added) a = moved(a, added, part);
  a = extended(a, part, opcode == LLVMAShr, opcode == LLVMAShr ? a.nsw : a.nuw, NULL);
  a.bits += up;
  return __builtin_mul_overflow(a.stride, (int64_t)1 << up, &a.stride) ? varying : a;
}

/* x & -2^k, where that takes the same from neighbours: InstCombine's (n / 4 + i) * 4. */
static struct mpl_shape cleared(struct source *f, LLVMValueRef i) {
  LLVMValueRef mask = LLVMGetOperand(i, 1);
  uint64_t unit = LLVMIsAConstantInt(mask) ? -(uint64_t)LLVMConstIntGetSExtValue(mask) : 0;
  if (unit < 2 || unit & (unit - 1)) return varying;
  struct mpl_shape a = look_up(f, LLVMGetOperand(i, 0));
  return a.kind == MPL_STRIDED && !((uint64_t)a.stride & (unit - 1)) ? a : varying;
}

/* Bytes between neighbouring elements of an index, times the index's stride. */
static struct mpl_shape address(struct source *f, LLVMValueRef gep) {
  struct mpl_shape sum = look_up(f, LLVMGetOperand(gep, 0));
  if (sum.kind == MPL_VARYING) return varying;
  MPL_EACH_INDEX(index, gep, f->s->layout) {
    struct mpl_shape a = look_up(f, index.value);
    unsigned width = mpl_shape_width(f->s, LLVMTypeOf(index.value));
    if (a.kind == MPL_VARYING) return varying;
    if (index.is_member) continue;
    if (index.of && LLVMGetTypeKind(index.of) != LLVMArrayTypeKind) return varying;
    if (width < 64) a = extended(a, width, true, a.nsw, index.value);
    int64_t bytes = (int64_t)index.bytes;
    if (__builtin_mul_overflow(a.stride, bytes, &bytes)) return varying;
    if (__builtin_add_overflow(sum.stride, bytes, &sum.stride)) return varying;
    add_wraps(&sum, &a);
  }
  sum.kind = MPL_STRIDED;
  sum.bits = 64;
  sum.nsw = sum.nuw = false;
  return sum;
}

static struct mpl_shape arithmetic(struct source *f, LLVMValueRef i, unsigned width) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef second = LLVMGetOperand(i, 1);
  struct mpl_shape a = look_up(f, LLVMGetOperand(i, 0)), b = look_up(f, second);
  bool is_or = opcode == LLVMOr, constant = LLVMIsAConstantInt(second), lost = false;
  if (a.kind == MPL_VARYING || b.kind == MPL_VARYING) return varying;
  a.nsw &= b.nsw && (is_or || LLVMGetNSW(i));
  a.nuw &= b.nuw;
  add_wraps(&a, &b);
  int64_t factor = constant ? LLVMConstIntGetSExtValue(second) : 0;
  unsigned most = a.bits > b.bits ? a.bits : b.bits;
  switch (opcode) {
  case LLVMOr:
    if (!LLVMGetIsDisjoint(i)) return varying;
    /* fallthrough */
  case LLVMAdd:
    lost = __builtin_add_overflow(a.stride, b.stride, &a.stride);
    a.bits = most + !is_or;
    break;
  case LLVMSub:
    lost = __builtin_sub_overflow(a.stride, b.stride, &a.stride);
    a.bits = 65;
    break;
  case LLVMShl:
    if (!constant || factor < 0 || factor > 62) return varying;
    a.bits += factor;
    lost = __builtin_mul_overflow(a.stride, (int64_t)1 << factor, &a.stride);
    break;
  default: /* a product */
    if (!constant) return varying;
    a.bits += b.bits;
    a.nuw &= factor >= 0;
    lost = __builtin_mul_overflow(a.stride, factor, &a.stride);
  }
  a.kind = MPL_STRIDED;
  a.nuw &= is_or || LLVMGetNUW(i) || a.bits <= width;
  return lost ? varying : a;
}

/* ~x is -1 - x, and wraps where x does. */
static struct mpl_shape opposite(struct source *f, LLVMValueRef i, unsigned width) {
  LLVMValueRef mask = LLVMGetOperand(i, 1);
  if (!LLVMIsAConstantInt(mask) || LLVMConstIntGetSExtValue(mask) != -1) return varying;
  struct mpl_shape a = look_up(f, LLVMGetOperand(i, 0));
  if (a.stride == INT64_MIN) return varying;
  a.stride = -a.stride;
  a.bits = width;
  return a;
}

static struct mpl_shape strided(struct source *f, LLVMValueRef i, unsigned width) {
  struct mpl_shape a;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMOr:
    return arithmetic(f, i, width);
  case LLVMGetElementPtr:
    return address(f, i);
  case LLVMZExt:
  case LLVMSExt:
    return extension(f, i);
  case LLVMAnd:
    a = cleared(f, i);
    return a.kind == MPL_VARYING ? low_part(f, i, width) : a;
  case LLVMAShr:
  case LLVMLShr:
    return low_part(f, i, width);
  case LLVMXor:
    return opposite(f, i, width);
  case LLVMTrunc:
    return truncated(look_up(f, LLVMGetOperand(i, 0)), width);
  case LLVMAddrSpaceCast:
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    a = look_up(f, LLVMGetOperand(i, 0));
    return mpl_shape_width(f->s, LLVMTypeOf(LLVMGetOperand(i, 0))) == width ? a : varying;
  default:
    return varying;
  }
}

/* Of something that only computes: rows in which all operands are the same give the same. */
static struct mpl_shape computed(struct source *f, LLVMValueRef i) {
  unsigned width = mpl_shape_width(f->s, LLVMTypeOf(i));
  struct mpl_shape flat = mpl_uniform;
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    struct mpl_shape a = look_up(f, LLVMGetOperand(i, k));
    if (is_flat(&a) && flat.kind != MPL_VARYING)
      flat.kind = a.kind > flat.kind ? a.kind : flat.kind;
    else
      flat.kind = MPL_VARYING;
  }
  if (flat.kind == MPL_UNIFORM) return flat;
  if (LLVMGetInstructionOpcode(i) == LLVMFreeze) { /* what is poison for one becomes any number */
    LLVMValueRef of = LLVMGetOperand(i, 0);
    flat = look_up(f, of);
    if (LLVMIsACallInst(of) && mpl_is_id(mpl_marker_of(of))) return flat;
    flat.wraps = MPL_WRAPS_SEVERAL;
    flat.narrow = NULL;
    return flat;
  }
  if (flat.kind != MPL_VARYING) return flat;
  struct mpl_shape a = width >= 8 ? strided(f, i, width) : varying;
  return a.kind == MPL_VARYING ? varying : fit(a, width);
}

static struct mpl_shape look_up(struct source *f, LLVMValueRef value) {
  struct mpl_shape shape = mpl_shape_of(f->s, value), known;
  if (f->all && f->leaf(f->data, value, &known)) return known;
  if (!f->leaf || shape.kind <= MPL_UNIFORM) return shape;
  if (f->leaf(f->data, value, &known)) return known;
  if (!mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER) || !f->left)
    return varying;
  f->left--;
  return computed(f, value);
}

struct mpl_shape mpl_shape_by(struct mpl_shapes *s, LLVMValueRef value, mpl_shape_leaf *leaf,
                              const void *data) {
  struct source f = {s, leaf, data, MOST_STEPS, false};
  return look_up(&f, value);
}

struct mpl_shape mpl_shape_of_operation(struct mpl_shapes *s, LLVMValueRef i) {
  struct source f = {.s = s};
  return computed(&f, i);
}

struct mpl_shape mpl_shape_computed(LLVMTargetDataRef layout, LLVMValueRef instruction,
                                    mpl_shape_leaf *leaf, const void *data) {
  struct mpl_shapes none = {.layout = layout};
  struct source f = {&none, leaf, data, 0, true};
  return computed(&f, instruction);
}

struct mpl_shape mpl_shape_join(struct mpl_shape a, struct mpl_shape b) {
  if (a.kind == MPL_UNSEEN || b.kind == MPL_UNSEEN) return a.kind == MPL_UNSEEN ? b : a;
  if (a.kind == MPL_VARYING || b.kind == MPL_VARYING || a.stride != b.stride) return varying;
  if (b.kind > a.kind) a.kind = b.kind;
  if (b.bits > a.bits) a.bits = b.bits;
  a.nsw &= b.nsw;
  a.nuw &= b.nuw;
  add_wraps(&a, &b);
  return a;
}
