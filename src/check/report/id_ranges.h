/* Work-items in messages: local ids as ranges, and text of a bounded length. */
#ifndef MPL_CHECK_ID_RANGES_H
#define MPL_CHECK_ID_RANGES_H

#include "check/engine/engine.h"

struct mpl_text {
  size_t length;
  char bytes[400];
};

/* Cuts off what there is no room for. */
void mpl_text_add(struct mpl_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "3, 0", of as many dimensions as the launch has, in the order that the program's language has. */
void mpl_text_add_each(struct mpl_text *, const struct mpl_run *, const uint64_t each[3],
                       const char *between);

/* The collective of a meeting, as the program calls it. */
struct mpl_text mpl_called(const struct mpl_meeting *);

/* A work-item's local id: "5", "(1, 2)". */
void mpl_text_add_id(struct mpl_text *, const struct mpl_run *, uint32_t linear);

struct mpl_id_ranges { /* of one unit, added in ascending order */
  const struct mpl_run *run;
  struct mpl_text text;
  uint32_t count, ranges, lowest, first, last;
  uint32_t step; /* between all of them, 0 if it varies */
};

void mpl_id_ranges_add(struct mpl_id_ranges *, uint32_t linear);

/* "local id 3", "local ids 0-7, 12", "local ids 0, 2, ... 30" */
struct mpl_text mpl_id_ranges_text(struct mpl_id_ranges *);

#endif
