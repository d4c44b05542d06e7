/* The messages on races, and on reads of unwritten memory. */
#include "check/memory/memory.h"
#include "diagnose_pointer.h"
#include "id_ranges.h"
#include "report.h"

/* "local id 3", and the work-group if it is another one than the run's; "work-item 3" where the
 * program gave no work-groups. */
static struct mpl_text who(const struct mpl_run *run, struct mpl_record record) {
  const struct mpl_launch *launch = run->launch;
  uint32_t group = mpl_phase_of(record.phase)->group, dims = launch->work_dim;
  bool is_own = group == run->memory->group, whole = mpl_has_no_groups(run->check);
  const uint64_t *num = launch->num_groups, *size = launch->local_size;
  uint64_t at[] = {group % num[0], group / num[0] % num[1], group / num[0] / num[1]};
  uint64_t now[3], id[3]; /* the size of its group: the last ones may be smaller */
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t left = launch->global_size[d] - at[d] * size[d];
    now[d] = left < size[d] ? left : size[d];
  }
  id[0] = record.item % now[0];
  id[1] = record.item / now[0] % now[1];
  id[2] = record.item / now[0] / now[1];
  for (uint32_t d = 0; d < 3 && whole; d++) id[d] += at[d] * size[d];
  struct mpl_text text = {0};
  mpl_text_add(&text, "%s %s", whole ? "work-item" : "local id", dims > 1 ? "(" : "");
  mpl_text_add_each(&text, run, id, ", ");
  if (dims > 1) mpl_text_add(&text, ")");
  if (is_own || whole) return text;
  mpl_text_add(&text, " of work-group (");
  mpl_text_add_each(&text, run, at, ", ");
  mpl_text_add(&text, ")");
  return text;
}

static const char *atomically(struct mpl_record record) {
  return record.atomic ? " atomically" : "";
}

/* "local memory `tile`" */
static struct mpl_text memory_name(enum mpl_memory_kind kind, uint16_t number) {
  struct mpl_text text = {0};
  const char *variable = mpl_access_variable(number);
  static const char *const names[] = {[MPL_MEMORY_LOCAL] = "local memory",
                                      [MPL_MEMORY_GLOBAL] = "global memory",
                                      [MPL_MEMORY_PRIVATE] = "a private variable"};
  mpl_text_add(&text, "%s", names[kind]);
  if (variable) mpl_text_add(&text, " '%s'", variable);
  return text;
}

/* An atomic access of one came behind an atomic write of the other: the order that they lack. */
static void note_atomics(struct mpl_report *report, const struct mpl_run *run,
                         struct mpl_record own, struct mpl_record other) {
  uint32_t group = mpl_phase_of(other.phase)->group;
  bool same_group = group == run->memory->group;
  const struct mpl_item_clocks *clocks = &run->memory->clocks[own.item];
  if (!mpl_clock_knows(&clocks->followed, group, other.item, other.phase)) {
    if (!mpl_clock_is_empty(&clocks->acquired))
      mpl_report_note(report, NULL,
                      "%s has acquired what others released, which orders their accesses, not %s's",
                      who(run, own).bytes, who(run, other).bytes);
    return;
  }
  mpl_report_note(report, NULL,
                  "atomic accesses are between them, and would order the two if the first released "
                  "(memory_order_release, or a fence in front) and the second acquired "
                  "(memory_order_acquire, or a fence behind), in %s or a wider one",
                  same_group ? "memory_scope_work_group" : "memory_scope_device");
}

/* The last that it combined were values of its sub-group. */
static bool combined_sub_group(const struct mpl_run *run, uint32_t item) {
  const struct mpl_function *left = run->items[item].left;
  return left && left->flags & MPL_FUNCTION_SUB_GROUP && *left->type;
}

/* The synchronisation that might have ordered them, and did not. */
static void note_reasons(struct mpl_report *report, const struct mpl_run *run,
                         enum mpl_memory_kind kind, struct mpl_record own,
                         struct mpl_record other, bool both_write) {
  const struct mpl_order *order = &run->memory->order[kind];
  const struct mpl_lanes_order *lanes = &run->memory->lanes[own.item / run->sub_group_size];
  note_atomics(report, run, own, other);
  if (mpl_access_is_volatile(own.access) && mpl_access_is_volatile(other.access))
    mpl_report_note(report, NULL,
                    "both are volatile, which orders nothing between work-items: a barrier between "
                    "the two does (in one sub-group sub_group_barrier), or atomics; "
                    "MANIPLE_CHECK_VOLATILE=0 has volatile accesses count as atomic");
  if (mpl_has_no_groups(run->check)) {
    mpl_report_note(report, NULL,
                    "nothing orders work-items without a work-group but atomics; a "
                    "reduction combines a value of each");
    return;
  }
  if (mpl_phase_of(other.phase)->group != run->memory->group) {
    mpl_report_note(report, NULL,
                    "nothing orders the work-groups of one launch but atomics with "
                    "acquire and release, of device scope");
    return;
  }
  if (order->weak_phase && other.phase < order->weak_phase)
    mpl_report_note(report, &order->weak,
                    "this barrier is between them, but does not order %s memory: it %s%s",
                    kind == MPL_MEMORY_LOCAL ? "local" : "global",
                    order->weak_scope          ? "is in "
                    : kind == MPL_MEMORY_LOCAL ? "lacks CLK_LOCAL_MEM_FENCE"
                                               : "lacks CLK_GLOBAL_MEM_FENCE",
                    order->weak_scope ?: "");
  else if (own.item / run->sub_group_size == other.item / run->sub_group_size && lanes->weak.line)
    mpl_report_note(report, &lanes->weak,
                    "this barrier of their sub-group does not order them: it is in "
                    "memory_scope_work_item");
  else if (own.item / run->sub_group_size == other.item / run->sub_group_size)
    mpl_report_note(
        report, NULL,
        "they are in one sub-group (of %u), which does not order them either: no device "
        "has to run it in lock-step",
        run->sub_group_size);
  else if (both_write && combined_sub_group(run, own.item) && combined_sub_group(run, other.item))
    mpl_report_note(report, NULL,
                    "they are in two sub-groups (of %u): '%s' combines values of one, and the "
                    "work-group has %llu work-items",
                    run->sub_group_size, run->items[own.item].left->name,
                    (unsigned long long)run->count);
}

/* The message stands at a write, whichever was first: so it is one for both orders. */
void mpl_diagnose_race(const struct mpl_run *run, enum mpl_memory_kind kind, struct mpl_record own,
                       bool writes, struct mpl_record other, bool other_writes) {
  struct mpl_record writer = writes ? own : other, rival = writes ? other : own;
  bool rival_writes = writes && other_writes;
  struct mpl_place place = mpl_access_place(writer.access), at = mpl_access_place(rival.access);
  struct mpl_text memory = memory_name(kind, writer.access), a = who(run, writer),
                  b = who(run, rival);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_RACE, &place, "%s writes %s%s, which %s %s%s, and nothing orders the two", a.bytes,
      memory.bytes, atomically(writer), b.bytes, rival_writes ? "writes" : "reads",
      atomically(rival));
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_note(report, &at, "%s %s%s here", b.bytes, rival_writes ? "writes" : "reads",
                  atomically(rival));
  note_reasons(report, run, kind, own, other, writes && other_writes);
  mpl_report_end(report);
}

void mpl_diagnose_unwritten(const struct mpl_run *run, const struct mpl_item *item,
                            enum mpl_memory_kind kind, uint16_t number) {
  struct mpl_place place = mpl_access_place(number);
  struct mpl_id_ranges ids = {.run = run};
  struct mpl_text memory = memory_name(kind, number);
  mpl_id_ranges_add(&ids, item->linear);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_UNWRITTEN, &place, "%s reads %s that %s written so far",
      mpl_id_ranges_text(&ids).bytes, memory.bytes,
      kind == MPL_MEMORY_PRIVATE ? "it has not" : "no work-item of the work-group has");
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_end(report);
}

void mpl_diagnose_unwritten_global(const struct mpl_run *run, const struct mpl_item *item,
                                   uint16_t number, const void *address,
                                   const struct mpl_allocation *memory, bool used) {
  const struct mpl_order *order = &run->memory->order[MPL_MEMORY_GLOBAL];
  struct mpl_record reader = {.phase = order->phase, .item = (uint16_t)item->linear};
  struct mpl_place place = mpl_access_place(number);
  struct mpl_text name = memory_name(MPL_MEMORY_GLOBAL, number);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_UNWRITTEN, &place,
      used ? "%s reads %s that nobody has written, neither a kernel nor the host"
           : "%s copies %s, of which nobody has written anything, neither a kernel nor the host",
      who(run, reader).bytes, name.bytes);
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_note(report, NULL, "it is byte %zu of %zu bytes of %s",
                  (size_t)((const char *)address - memory->base), memory->size, memory->what);
  mpl_note_memory(report, memory);
  mpl_report_end(report);
}

static void diagnose_allowed(const struct mpl_run *run, const struct mpl_item *item,
                             enum mpl_check check, const char *what, uint16_t number) {
  struct mpl_place place = mpl_access_place(number);
  const char *variable = mpl_access_variable(number);
  struct mpl_id_ranges ids = {.run = run};
  mpl_id_ranges_add(&ids, item->linear);
  bool writes = check == MPL_CHECK_READ_ONLY;
  struct mpl_report *report = mpl_report_begin(
      check, &place, "%s %s '%s', a %s that kernels may only %s", mpl_id_ranges_text(&ids).bytes,
      writes ? "writes to" : "reads", variable ? variable : "?", what, writes ? "read" : "write");
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_end(report);
}

void mpl_diagnose_read_only(const struct mpl_run *run, const struct mpl_item *item,
                            const char *what, uint16_t number) {
  diagnose_allowed(run, item, MPL_CHECK_READ_ONLY, what, number);
}

void mpl_diagnose_write_only(const struct mpl_run *run, const struct mpl_item *item,
                             const char *what, uint16_t number) {
  diagnose_allowed(run, item, MPL_CHECK_WRITE_ONLY, what, number);
}

void mpl_diagnose_ended(const struct mpl_run *run, const struct mpl_item *item, bool writes,
                        uint16_t number) {
  struct mpl_place place = mpl_access_place(number);
  struct mpl_id_ranges ids = {.run = run};
  mpl_id_ranges_add(&ids, item->linear);
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_POINTER, &place, "%s %s a private variable whose scope has ended",
                       mpl_id_ranges_text(&ids).bytes, writes ? "writes to" : "reads");
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_end(report);
}

void mpl_diagnose_misaligned(const struct mpl_run *run, const struct mpl_item *item,
                             const struct mpl_access *access, uint16_t number) {
  struct mpl_place place = mpl_access_place(number);
  struct mpl_id_ranges ids = {.run = run};
  mpl_id_ranges_add(&ids, item->linear);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_ALIGNMENT, &place,
      "%s %s at an address that is not a multiple of %u, as the pointer's type asks",
      mpl_id_ranges_text(&ids).bytes, access->flags & MPL_ACCESS_WRITE ? "writes" : "reads",
      (unsigned)mpl_alignment_mask(access) + 1);
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_end(report);
}
