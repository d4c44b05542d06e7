#include "explain_branch.h"

#include "id_ranges.h"

enum { MOST_KINDS = 4 };

/* The way of work-items at a branch: the same for all of a kind. */
static bool same_kind(const struct mpl_trail *a, const struct mpl_trail *b) {
  if (!a->branch || !b->branch) return a->branch == b->branch;
  if (a->branch->is_loop && a->stays != b->stays) return false;
  return a->value == b->value;
}

static bool is_at(const struct mpl_item *item, const struct mpl_meeting *m) {
  return !item->ended && item->at == m;
}

/* The work-items of the unit that have done as `trail` says; `linear`: of the branch's trails. */
static struct mpl_id_ranges who(const struct mpl_run *run, const struct mpl_unit *unit,
                                const struct mpl_trail *trails, const struct mpl_trail *kind) {
  struct mpl_id_ranges ids = {.run = run};
  for (uint32_t i = unit->first; i < unit->first + unit->count; i++)
    if (same_kind(&trails[i], kind)) mpl_id_ranges_add(&ids, i);
  return ids;
}

/* The different kinds of trails in a unit; 0 if those at the meeting have one that others have too,
 * or some have not come to the branch. */
static uint32_t find_kinds(const struct mpl_run *run, const struct mpl_meeting *m,
                           const struct mpl_trail *trails,
                           const struct mpl_trail *kinds[MOST_KINDS + 1]) {
  bool here[MOST_KINDS + 1];
  uint32_t count = 0;
  for (uint32_t i = m->unit->first; i < m->unit->first + m->unit->count; i++) {
    bool at_meeting = is_at(&run->items[i], m);
    uint32_t k = 0;
    if (!trails[i].branch) return 0;
    while (k < count && !same_kind(kinds[k], &trails[i])) k++;
    if (k < count && here[k] != at_meeting) return 0;
    if (k < count || count > MOST_KINDS) continue;
    kinds[count] = &trails[i];
    here[count++] = at_meeting;
  }
  return count;
}

static void say_kind(struct mpl_text *text, const struct mpl_trail *kind, bool first_time) {
  const struct mpl_branch *branch = kind->branch;
  bool stays = kind->value == branch->stay;
  uint32_t turn = kind->stays + !branch->is_at_head;
  if (!branch->is_loop)
    mpl_text_add(text, first_time ? " went one way" : " the other");
  else if (stays)
    mpl_text_add(text, " are in iteration %u", turn);
  else
    mpl_text_add(text, " left it after %u iteration%s", turn, turn == 1 ? "" : "s");
}

void mpl_note_split(struct mpl_report *report, const struct mpl_run *run,
                    const struct mpl_meeting *m) {
  const struct mpl_trail *kinds[MOST_KINDS + 1];
  for (uint32_t b = 0; b < run->num_branches; b++) {
    const struct mpl_trail *trails = run->trails + (size_t)b * run->count;
    uint32_t count = find_kinds(run, m, trails, kinds);
    if (count < 2) continue;
    struct mpl_text text = {0};
    for (uint32_t k = 0; k < count && k < MOST_KINDS; k++) {
      struct mpl_id_ranges ids = who(run, m->unit, trails, kinds[k]);
      mpl_text_add(&text, "%s%s", k ? ", " : "", mpl_id_ranges_text(&ids).bytes);
      say_kind(&text, kinds[k], !k);
    }
    const struct mpl_branch *branch = kinds[0]->branch;
    mpl_report_note(report, &branch->place, "this %s split them: %s%s",
                    branch->is_loop ? "loop" : "branch", text.bytes,
                    count > MOST_KINDS ? ", and others" : "");
    return;
  }
}
