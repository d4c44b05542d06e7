/* A plan in words: remarks, and split.txt, beside the IR behind each pass.  There a region is a line, and
 * so is a slot:
 *
 *   mpl_group.smooth: 4 regions, 8 bytes for each work-item
 *     region 2, line 5: loop, broadcast of a slot's; then 1, 3
 *     slot 0, line 4: float of region 1, each work-item's, with slot 4; live in 1, 2 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "plan.h"

static const char *const storages[] = {
#define MPL_STORAGE(id, words) words,
#include "tables/split.def"
};
static const struct {
  const char *word, *more;
} visits[] = {
#define MPL_VISIT(id, word, more) {word, more},
#include "tables/split.def"
};
static const struct {
  bool said;
  const char *words;
} works[] = {
#define MPL_GROUP_WORK(id, said, words) {said, words},
#include "tables/split.def"
};

static LLVMValueRef begin_of(const struct mpl_regions *r, unsigned k) {
  LLVMValueRef sync = r->list[k].sync;
  return sync ? sync : LLVMGetFirstInstruction(r->cfg.blocks[r->list[k].head]);
}

void mpl_tell_plan(const struct mpl_split_plan *p) {
  static const char *const along[] = {"", " along y", " along z"};
  const struct mpl_split_unit *u = p->unit;
  for (unsigned k = 0; k < u->regions.count; k++) {
    const struct mpl_region_plan *plan = &p->regions[k];
    bool ids = plan->visit != MPL_VISIT_ONCE && plan->uses_ids;
    mpl_remark(u->ir, begin_of(&u->regions, k), "region %u of %u: %s%s%s%s", k, u->regions.count,
               visits[plan->visit].word, ids ? along[u->inner] : "",
               u->regions.list[k].masked ? ", masked" : "",
               works[plan->work].said ? works[plan->work].words : "");
  }
  for (unsigned h = 0; h < p->num_slots; h++) {
    const struct mpl_slot *slot = p->slots[h];
    if (slot->storage == MPL_IN_SHARED)
      mpl_remark(u->ir, slot->value, "an array of %u bytes: one for all work-items", slot->size);
  }
}

static void print_line(FILE *to, LLVMValueRef i) {
  bool has = i && LLVMIsAInstruction(i) && LLVMInstructionGetDebugLoc(i);
  if (has && LLVMGetDebugLocLine(i)) fprintf(to, ", line %u", LLVMGetDebugLocLine(i));
}

static void print_region(FILE *to, const struct mpl_split_plan *p, unsigned k) {
  const struct mpl_region *region = &p->unit->regions.list[k];
  const struct mpl_region_plan *plan = &p->regions[k];
  unsigned again = 0;
  for (size_t n = 0; n < p->ways.capacity; n++) {
    const struct mpl_map_entry *entry = &p->ways.entries[n];
    again += entry->used && entry->second == k && entry->value == MPL_WAY_AGAIN;
  }
  fprintf(to, "  region %u", k);
  print_line(to, begin_of(&p->unit->regions, k));
  fprintf(to, ": %s%s%s%s", visits[plan->visit].word, visits[plan->visit].more,
          region->masked ? ", masked" : "", works[plan->work].words);
  if (again) fprintf(to, ", %u computed again", again);
  for (unsigned e = 0; e < region->num_exits; e++) {
    fprintf(to, e ? ", " : "; then ");
    if (region->exits[e] < 0)
      fprintf(to, "end");
    else
      fprintf(to, "%d", region->exits[e]);
  }
  fprintf(to, "\n");
}

static void print_slot(FILE *to, const struct mpl_split_plan *p, const struct mpl_slot *slot) {
  char *type = LLVMPrintTypeToString(slot->type);
  bool listed = false;
  fprintf(to, "  slot %u", slot->number);
  print_line(to, slot->value);
  fprintf(to, ": %s of region %u, %s", type, slot->region, storages[slot->storage]);
  LLVMDisposeMessage(type);
  if (slot->unit) fprintf(to, ", units of %u bytes", slot->unit);
  if (slot->joined) fprintf(to, ", with slot %u", slot->joined->number);
  for (unsigned k = 0; k < p->unit->regions.count; k++) {
    if (!mpl_is_live_in(slot, k)) continue;
    fprintf(to, "%s%u", listed ? ", " : "; live in ", k);
    listed = true;
  }
  fprintf(to, "\n");
}

void mpl_dump_plan(const struct mpl_split_plan *p) {
  const struct mpl_split_unit *u = p->unit;
  FILE *to = mpl_open_dump(u->ir, "split.txt");
  if (!to) return;
  fprintf(to, "%s: %u regions, %llu bytes for each work-item\n", LLVMGetValueName(u->function),
          u->regions.count, (unsigned long long)p->bytes);
  for (unsigned k = 0; k < u->regions.count; k++) print_region(to, p, k);
  for (unsigned h = 0; h < p->num_slots; h++) print_slot(to, p, p->slots[h]);
  fclose(to);
}
