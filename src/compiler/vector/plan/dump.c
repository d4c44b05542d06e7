/* A plan as text, beside the IR behind each pass: plan.txt.  A loop's copies are a line; then each
 * copy is one, and each of its accesses another:
 *
 *   mpl_group.scale, line 2: copies, whole chunks, what is left
 *   mpl_group.scale, line 2: 16 lanes, whole chunks
 *     line 4: load i32, wide
 *     line 4: load float, small-vector of 8 bytes */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "cost.h"
#include "plan.h"
#include "recipes.h"

static const char *const words[] = {
#define MPL_RECIPE(id, word, ...) word,
#include "tables/recipes.def"
};

static unsigned line_of(LLVMValueRef i) {
  return LLVMInstructionGetDebugLoc(i) ? LLVMGetDebugLocLine(i) : 0;
}

static unsigned line_of_block(LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, block)
  if (line_of(i)) return line_of(i);
  return 0;
}

static unsigned first_line(const struct mpl_item_loop *items) {
  unsigned line = 0;
  MPL_EACH_ITEM_BLOCK(b, items) line = line ? line : line_of_block(items->cfg->blocks[b]);
  return line;
}

static void print_distance(FILE *to, const struct mpl_recipe *r) {
  if (r->fields)
    fprintf(to, " %u of %d", r->fields->count, r->fields->stride / r->fields->size);
  else if (r->vector)
    fprintf(to, " of %u bytes", r->vector->bytes);
  else if (r->stride == MPL_ANY_STRIDE)
    fprintf(to, ", places vary");
  else if (r->form == MPL_RECIPE_GATHER || r->form == MPL_RECIPE_SCATTER ||
           r->form == MPL_RECIPE_WORD_GATHER)
    fprintf(to, ", %d bytes apart", r->stride);
}

static void print_access(FILE *to, const struct mpl_recipe *r, LLVMValueRef i) {
  char *type = LLVMPrintTypeToString(mpl_accessed_type(i));
  fprintf(to, "  line %u: %s %s, %s", line_of(i), LLVMIsAStoreInst(i) ? "store" : "load", type,
          words[r->form]);
  static const char *const borders[] = {"", " or clamped", " or wrapped"};
  if (mpl_is_speculated(r)) fprintf(to, ", else %s%s", words[r->otherwise], borders[r->border.kind]);
  print_distance(to, r);
  fprintf(to, "%s%s\n", r->masked ? ", masked" : "", r->all_or_some ? ", asks for all" : "");
  LLVMDisposeMessage(type);
}

static void print_pass(FILE *to, enum mpl_pass pass, LLVMBasicBlockRef block) {
  static const char *const said[] = {NULL, "it takes long", "it is rare"};
  if (said[pass]) fprintf(to, "  line %u: passed by where no lane is: %s\n", line_of_block(block), said[pass]);
}

static void print(FILE *to, const struct mpl_recipes *recipes, const char *what) {
  const struct mpl_lanes *lanes = recipes->lanes;
  const struct mpl_item_loop *items = lanes->items;
  const char *kernel = LLVMGetValueName(items->function);
  fprintf(to, "%s, line %u: %u lanes, %s%s\n", kernel, first_line(items), lanes->width, what,
          mpl_begins_again(lanes) ? ", ids and bounds are tested" : "");
  MPL_EACH_ITEM_BLOCK(b, items) {
    bool full = false;
    print_pass(to, recipes->flow.pass[b], items->cfg->blocks[b]);
    for (unsigned l = 0; l < items->num_loops; l++)
      full |= items->loops[l].header == b && recipes->flow.full_turns[l];
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (!mpl_accessed_place(i)) continue;
      if (full) print_access(to, mpl_recipe_of(recipes, i, true), i);
      print_access(to, mpl_recipe_of(recipes, i, false), i);
    }
  }
}

static const char *what_for(const struct mpl_copy *copy) {
  return mpl_is_masked(copy) ? "what is left" : copy->chunks > 1 ? "several chunks" : "whole chunks";
}

void mpl_dump_copy(const struct mpl_copy *copy) {
  FILE *to = copy->chunks ? mpl_open_dump(copy->recipes.lanes->items->ir, "plan.txt") : NULL;
  if (!to) return;
  print(to, &copy->recipes, what_for(copy));
  fclose(to);
}

/* --- versions --- */

static void print_rows(FILE *to, const struct mpl_row_version *rows) {
  fprintf(to, ", rows of %llu", (unsigned long long)(rows->most ? rows->least : rows->lanes));
  if (rows->most) fprintf(to, " to %llu", (unsigned long long)rows->most - 1);
  fprintf(to, rows->whole ? " by %u" : rows->lanes ? " in pieces of %u" : " gathered", rows->lanes);
}

void mpl_dump_versions(const struct mpl_loop_versions *v) {
  const struct mpl_item_loop *items = v->masked->items;
  FILE *to = mpl_open_dump(items->ir, "plan.txt");
  if (!to) return;
  fprintf(to, "%s, line %u: copies", LLVMGetValueName(items->function), first_line(items));
  for (unsigned k = 0; k < v->num_rows; k++) print_rows(to, &v->rows[k]);
  for (unsigned k = 0; k < v->num_wide; k++)
    fprintf(to, ", all %u at once", v->wide[k].recipes.lanes->width);
  if (v->several.chunks) fprintf(to, ", %u chunks at a time", v->several.chunks);
  if (v->one.chunks) fprintf(to, ", whole chunks");
  if (v->rest.chunks)
    fprintf(to, v->one.chunks ? ", what is left" : v->lone ? ", all chunks or lone lanes" : ", all chunks");
  fprintf(to, "\n");
  fclose(to);
  mpl_dump_copy(&v->rest);
  mpl_dump_copy(&v->one);
  mpl_dump_copy(&v->several);
  for (unsigned k = 0; k < v->num_wide; k++) mpl_dump_copy(&v->wide[k]);
}

/* --- costs --- */

static void print_costs(FILE *to, const struct mpl_loop_costs *c) {
  static const char *const rows[] = {
#define MPL_COST(id, word, ...) word,
#include "tables/costs.def"
  };
  fprintf(to, "  parent %d trips %llu simple %d live %u carried %u", c->parent,
          (unsigned long long)c->trip_count, c->simple, c->live, c->carried);
  fprintf(to, " lane-chain %u item-chain %u path %u item %llu:", c->lane_chain, c->item_chain,
          c->path, (unsigned long long)c->item);
  for (enum mpl_cost row = 0; row < MPL_NUM_COSTS; row++)
    for (enum mpl_fill fill = 0; fill < MPL_NUM_FILLS; fill++)
      for (unsigned size = 0; size < 4; size++)
        if (c->count[row][fill][size])
          fprintf(to, " %s/%d/%u*%u", rows[row], fill, 1u << size, c->count[row][fill][size]);
  fprintf(to, "\n");
}

void mpl_dump_costs(const struct mpl_costs *costs, const struct mpl_item_loop *items,
                    unsigned most) {
  FILE *to = mpl_open_dump(items->ir, "costs.txt");
  if (!to) return;
  fprintf(to, "%s, line %u: %s, arrays %u, own rows %u%s%s, most %u, item %llu, chunks",
          LLVMGetValueName(items->function), first_line(items), costs->target->name, costs->arrays,
          costs->own_rows, costs->has_rows ? ", rows" : "", costs->has_pieces ? ", pieces" : "",
          most, (unsigned long long)mpl_cost_of_item(costs));
  for (unsigned width = 4; width <= MPL_MOST_LANES; width *= 2)
    fprintf(to, " %u:%llu", width, (unsigned long long)mpl_cost_in_rows(costs, width));
  fprintf(to, "\n");
  for (unsigned l = 0; l <= costs->num_loops; l++) print_costs(to, &costs->loops[l]);
  fclose(to);
}
