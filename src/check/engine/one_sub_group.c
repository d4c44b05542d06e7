/* A note on kernels of SYCL and C that may count on one sub-group being the whole work-group, or on
 * its size: they reduce over a sub-group, their work-group is larger, and they ask neither for
 * sizes and lanes of sub-groups nor for their number.  No mistake is counted, as such a kernel may
 * want what it says. */
#include "engine.h"
#include "runtime/options.h"

/* Functions for the lanes that are there, and for parts of a sub-group, are chosen as such. */
static bool is_of_whole_sub_group(const struct mpl_function *function) {
  return !(function->flags & MPL_FUNCTION_ANY_LANES) && !function->argument;
}

void mpl_note_reduction(const struct mpl_meeting *m) {
  struct mpl_run *run = m->first->run;
  enum mpl_function_kind kind = m->function->kind;
  bool joins = kind == MPL_FUNCTION_REDUCE || kind == MPL_FUNCTION_SCAN_INCLUSIVE ||
               kind == MPL_FUNCTION_SCAN_EXCLUSIVE;
  if (!m->unit->sub_group) {
    run->knows_sub_groups |= joins;
  } else if (kind == MPL_FUNCTION_VOTE) { /* also an election, or a ballot */
    run->knows_sub_groups = true;
  } else if (kind == MPL_FUNCTION_REDUCE && is_of_whole_sub_group(m->function) && !run->reduces) {
    run->reduces = true;
    run->reduced = m->place;
  }
}

void mpl_remark_one_sub_group(const struct mpl_run *run) {
  const struct mpl_kernel_record *record = run->check->record;
  if (!run->reduces || run->knows_sub_groups || run->num_lanes < 2) return;
  if (run->ended < run->count) return; /* what it would have asked is not known */
  if (!record || record->reqd_sub_group || !mpl_option_number(MPL_OPTION_CHECK)) return;
  mpl_report_remark(&run->reduced, run->check->kernel->name,
                    "this reduces over a sub-group of %u work-items, of which the work-group of %u "
                    "has %u, and the kernel asks for no size and no lane; if it counts on larger "
                    "sub-groups, build it with `maniple c++ -fsycl-default-sub-group-size=32` or "
                    "64, or reduce over the work-group",
                    run->sub_group_size, run->count, run->num_lanes);
}
