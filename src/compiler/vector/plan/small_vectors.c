/* Which accesses are components of one small vector, or fields side by side (emit/small_vectors.c).
 *
 * All are read at the first of the loads; nothing between them may write, but into contexts, where
 * each component may go at once.  All are written at the last of the stores; nothing between them
 * may touch memory, but stores beside them.  Of a long row, as a loop that was unrolled makes it,
 * the first 16 bytes are a whole, and then what follows. */
#include "recipes.h"

static bool is_known(const struct mpl_small_vector *v, int64_t offset) {
  for (unsigned k = 0; k < v->count; k++)
    if (v->offsets[k] == offset) return true;
  return false;
}

/* What may be in one whole with the first one. */
static void add(struct mpl_small_vector *v, LLVMValueRef access, int64_t offset) {
  int64_t apart = offset - v->low;
  if (is_known(v, offset) || apart <= -MPL_LARGEST_VECTOR || apart >= MPL_LARGEST_VECTOR) return;
  v->members[v->count] = access;
  v->offsets[v->count++] = offset;
}

static bool has_all(const struct mpl_small_vector *v, int64_t low, unsigned bytes) {
  for (unsigned at = 0; at < bytes; at += v->size)
    if (!is_known(v, low + at)) return false;
  return true;
}

/* Only those from there on.  `v->low` was where the first one is. */
static void keep(struct mpl_small_vector *v, int64_t low, unsigned bytes) {
  unsigned count = 0, before = (unsigned)(v->low - low);
  if (before && (before & -before) < v->align) v->align = before & -before;
  for (unsigned k = 0; k < v->count; k++) {
    if (v->offsets[k] < low || v->offsets[k] >= low + bytes) continue;
    v->members[count] = v->members[k];
    v->offsets[count++] = v->offsets[k];
  }
  v->count = count;
  v->low = low;
  v->bytes = bytes;
}

/* 16, 8 or 4 bytes that are accessed, the first one's among them.  Words have gathers of their own:
 * two of a longer row are no better together.  The order in which places are tried is that of
 * choice, so that what is left out changes nothing when a store asks again. */
static bool choose(struct mpl_small_vector *v) {
  for (unsigned bytes = MPL_LARGEST_VECTOR; bytes >= 4 && bytes > v->size; bytes /= 2) {
    if (v->size == 4 && bytes < MPL_LARGEST_VECTOR && v->count * v->size != bytes) continue;
    for (unsigned before = 0; before < bytes; before += v->size) {
      int64_t low = v->low - before;
      if (!has_all(v, low, bytes)) continue;
      keep(v, low, bytes);
      return true;
    }
  }
  return false;
}

bool mpl_small_vector_of(struct mpl_module_ir *ir, LLVMValueRef first, const struct mpl_map *taken,
                         struct mpl_small_vector *v) {
  bool store = LLVMIsAStoreInst(first) != NULL;
  LLVMTypeRef type = mpl_accessed_type(first);
  int64_t offset;
  *v = (struct mpl_small_vector){.size = (unsigned)LLVMABISizeOfType(ir->layout, type),
                      .align = LLVMGetAlignment(first)};
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMPointerTypeKind || v->size > 4 || !mpl_fits_memory(type)) return false;
  v->base = mpl_base_of(ir, LLVMGetOperand(first, store), &v->low);
  add(v, first, v->low);
  for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i)) {
    bool same = LLVMGetInstructionOpcode(i) == LLVMGetInstructionOpcode(first) &&
                mpl_accessed_type(i) == type && !mpl_is_seen_by_others(i) &&
                mpl_base_of(ir, LLVMGetOperand(i, store), &offset) == v->base;
    bool apart = same && (offset - v->low) % v->size == 0 && !is_known(v, offset);
    if (same && (apart || !store)) {
      if (apart && !(store && mpl_map_has(taken, i))) add(v, i, offset);
    } else if ((mpl_has_effect(i) && (store || !mpl_is_element(ir, i))) ||
               (store && LLVMIsALoadInst(i))) {
      break;
    }
  }
  return choose(v);
}
