/* Messages of the checking engine: the mistake, its place, and notes.  The first of its kind at a
 * place is printed, later ones are counted; MANIPLE_CHECK_REPORT=json prints all at the end. */
#ifndef MPL_CHECK_REPORT_H
#define MPL_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/items.h"
#include "maniple/kernel.h"

enum mpl_check {
#define MPL_CHECK(id, name, finds, help) MPL_CHECK_##id,
#include "tables/checks.def"
#undef MPL_CHECK
  MPL_NUM_CHECKS
};

struct mpl_report;

static inline struct mpl_place mpl_place_of(const struct mpl_site *site) {
  if (!site) return (struct mpl_place){0};
  return (struct mpl_place){.file = site->file, .line = site->line, .column = site->column};
}

/* Begins a message; null if it was printed before and only counts.  The lock of all messages is
 * held until mpl_report_end. */
struct mpl_report *mpl_report_begin(enum mpl_check, const struct mpl_place *, const char *format,
                                    ...) __attribute__((format(printf, 3, 4)));
/* "kernel NAME, work-group (1, 0), local size 16 4": the line below the first. */
void mpl_report_where(struct mpl_report *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `place` null or line 0: a note without a place. */
void mpl_report_note(struct mpl_report *, const struct mpl_place *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What helps against this one, where the check's own sentence does not fit; a constant. */
void mpl_report_help(struct mpl_report *, const char *help);
void mpl_report_end(struct mpl_report *);

/* A note that stands alone, on what is no mistake: the first at a place is printed, and not in
 * JSON. */
void mpl_report_remark(const struct mpl_place *, const char *kernel, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many were found, counting those that were not printed. */
uint64_t mpl_report_total(void);
void mpl_report_after_fork(void);

/* A launch, and so many work-items of it, run under the checker: counted for the summary at exit.
 */
void mpl_report_launch(const char *kernel);
void mpl_report_items(uint64_t count);
/* Work-items met that may have come in different iterations of a loop: the summary says so. */
void mpl_report_no_turns(void);
/* A mistake that ends the process, with one sentence only. */
void mpl_report_lost(void);

#endif
