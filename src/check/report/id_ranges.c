/* Work-items in messages: local ids as ranges. */
#include "id_ranges.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_RANGES = 8 };

void mpl_text_add(struct mpl_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format, list);
  va_end(list);
  if (n > 0) text->length += (size_t)n;
  if (text->length >= sizeof text->bytes) text->length = sizeof text->bytes - 1;
}

void mpl_text_add_each(struct mpl_text *text, const struct mpl_run *run, const uint64_t each[3],
                       const char *between) {
  const struct mpl_kernel_record *record = run->check->record;
  bool rows_first = record && record->flags & MPL_RECORD_ROWS_FIRST;
  uint32_t dims = run->launch->work_dim;
  for (uint32_t d = 0; d < dims; d++)
    mpl_text_add(text, "%s%llu", d ? between : "",
                 (unsigned long long)each[rows_first ? dims - 1 - d : d]);
}

void mpl_text_add_id(struct mpl_text *text, const struct mpl_run *run, uint32_t linear) {
  uint64_t x = run->group->size[0], y = run->group->size[1];
  uint64_t id[] = {linear, 0, 0};
  bool one = run->launch->work_dim == 1;
  if (!one) id[0] = linear % x, id[1] = linear / x % y, id[2] = linear / x / y;
  mpl_text_add(text, one ? "" : "(");
  mpl_text_add_each(text, run, id, ", ");
  mpl_text_add(text, one ? "" : ")");
}

static void end_range(struct mpl_id_ranges *ids) {
  if (++ids->ranges > MOST_RANGES) return;
  mpl_text_add(&ids->text, ids->ranges == 1 ? "" : ", ");
  mpl_text_add_id(&ids->text, ids->run, ids->first);
  if (ids->first == ids->last) return;
  mpl_text_add(&ids->text, "-");
  mpl_text_add_id(&ids->text, ids->run, ids->last);
}

void mpl_id_ranges_add(struct mpl_id_ranges *ids, uint32_t linear) {
  if (ids->count && linear != ids->last + 1) end_range(ids);
  if (!ids->count || linear != ids->last + 1) ids->first = linear;
  if (!ids->count) ids->lowest = linear;
  if (ids->count == 1) ids->step = linear - ids->last;
  if (ids->count > 1 && linear - ids->last != ids->step) ids->step = 0;
  ids->last = linear;
  ids->count++;
}

struct mpl_text mpl_id_ranges_text(struct mpl_id_ranges *ids) {
  struct mpl_text text = {0};
  if (ids->count > 3 && ids->step > 1) {
    mpl_text_add(&text, "local ids ");
    mpl_text_add_id(&text, ids->run, ids->lowest);
    mpl_text_add(&text, ", ");
    mpl_text_add_id(&text, ids->run, ids->lowest + ids->step);
    mpl_text_add(&text, ", ... ");
    mpl_text_add_id(&text, ids->run, ids->last);
    return text;
  }
  end_range(ids);
  mpl_text_add(&text, "local id%s %s", ids->count == 1 ? "" : "s", ids->text.bytes);
  if (ids->ranges > MOST_RANGES) mpl_text_add(&text, " and others: %u in all", ids->count);
  return text;
}
