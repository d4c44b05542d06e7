/* Says what became of each source line: of loads and stores what their recipes say, so that it
 * cannot say what is not so. */
#include <llvm-c/DebugInfo.h>

#include "values.h"

static bool has_line(LLVMValueRef i) {
  return LLVMInstructionGetDebugLoc(i) && LLVMGetDebugLocLine(i);
}

/* The splitter's own memory: it is no variable of the program, whose other ones are global, local
 * or constant. */
static bool is_hidden(const struct mpl_lanes *lanes, LLVMValueRef pointer) {
  return !mpl_space_of(pointer) && !mpl_array_of(lanes, pointer);
}

/* What the report says of a recipe; NONE and PLACES of tables/recipes.def are no facts. */
enum { MPL_FACT_NONE = -1, MPL_FACT_PLACES = -2 };
static const struct {
  int fact;
  const char *text;
} rows[] = {
#define MPL_RECIPE(id, word, load, store, fact, text) {MPL_FACT_##fact, text},
#include "tables/recipes.def"
};

static void tell_places(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef i,
                        const char *array) {
  enum mpl_fact fact = LLVMIsAStoreInst(i) ? MPL_FACT_SCATTER : MPL_FACT_GATHER;
  if (r->vector)
    mpl_tell(e->ir, i, fact, "%splaces vary, %u bytes at each", array, r->vector->bytes);
  else if (r->stride != MPL_ANY_STRIDE)
    mpl_tell(e->ir, i, fact, "%splaces are %d bytes apart", array, r->stride);
  else
    mpl_tell(e->ir, i, fact, "%splaces vary", array);
}

static void tell_access(struct mpl_emit *e, LLVMValueRef i) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, i, e->full_turn);
  const char *does = LLVMIsAStoreInst(i) ? "stored" : "loaded", *text = rows[r->form].text,
             *array = mpl_array_of(e->lanes, mpl_accessed_place(i)) ? "private array: " : "";
  int fact = rows[r->form].fact;
  if (fact == MPL_FACT_NONE || is_hidden(e->lanes, mpl_accessed_place(i))) return;
  if (fact == MPL_FACT_PLACES)
    tell_places(e, r, i, array);
  else if (fact == MPL_FACT_FIELDS)
    mpl_tell(e->ir, i, MPL_FACT_FIELDS, "%s together with fields beside it, %d bytes apart", does,
             r->fields->stride);
  else
    mpl_tell(e->ir, i, (enum mpl_fact)fact, "%s%s%s", array, *text == ' ' ? does : "", text);
}

/* Of what is no access. */
static void tell_other(struct mpl_emit *e, LLVMValueRef i) {
  if (mpl_is_look(i)) return;
  if (mpl_is_combined(e->lanes, i)) {
    mpl_tell(e->ir, i, MPL_FACT_SHARED, "combined, then done once for all");
  } else if (mpl_is_lanes_call(i)) {
    if (mpl_marker_row(i)->does != MPL_DOES_NOTHING)
      mpl_tell(e->ir, i, MPL_FACT_CALL, "for all work-items at once");
  } else if (mpl_has_no_vector_form(e->lanes, i)) {
    mpl_tell(e->ir, i, MPL_FACT_SERIAL, "for one work-item after another");
  } else if (LLVMIsACallInst(i) && mpl_callee_of(i) && !mpl_calls(i, "llvm.") &&
             mpl_varies(e->lanes, i)) {
    mpl_tell(e->ir, i, MPL_FACT_CALL, "for all work-items at once");
  }
}

void mpl_tell_instruction(struct mpl_emit *e, LLVMValueRef i) {
  if (e->told || !has_line(i)) return;
  unsigned line = LLVMGetDebugLocLine(i);
  if (e->mask && e->mask != e->all && line != e->masked_line) {
    mpl_tell(e->ir, i, MPL_FACT_MASKED, "for some work-items only");
    e->masked_line = line;
  }
  if (mpl_accessed_place(i))
    tell_access(e, i);
  else
    tell_other(e, i);
}

void mpl_tell_flow(const struct mpl_copy *copy) {
  const struct mpl_lanes *lanes = copy->recipes.lanes;
  const struct mpl_item_loop *items = lanes->items;
  MPL_EACH_ITEM_BLOCK(b, items) {
    if (b == items->latch) continue;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[b]);
    int l = items->inner[b];
    if (l >= 0 && lanes->loops[l].masked && items->loops[l].header == b && has_line(end))
      mpl_tell(items->ir, end, MPL_FACT_LOOP, "runs until the last work-item has left%s",
               copy->recipes.flow.full_turns[l] ? ", without a mask while all stay" : "");
    else if (has_line(end) && mpl_branch_varies(lanes, b))
      mpl_tell(items->ir, end, MPL_FACT_BRANCH, "%s",
               lanes->blocks[b].tested ? "one way where all take it, else both ways, under masks"
                                       : "both ways, under masks");
  }
}
