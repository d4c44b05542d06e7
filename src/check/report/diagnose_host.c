#include "diagnose_host.h"

#include "report.h"

static const enum mpl_check checks[] = {[MPL_HOST_RELEASED] = MPL_CHECK_RELEASED,
                                        [MPL_HOST_ACCESS] = MPL_CHECK_HOST,
                                        [MPL_HOST_UNORDERED] = MPL_CHECK_UNORDERED};

void mpl_diagnose_host(const struct mpl_host_mistake *mistake) {
  struct mpl_site site = mistake->at ? mpl_locate_trace(mistake->at) : (struct mpl_site){0};
  struct mpl_place place = mpl_place_of(&site);
  struct mpl_report *report = mpl_report_begin(checks[mistake->kind], &place, "%s", mistake->text);
  if (!report) return;
  for (unsigned i = 0; i < sizeof mistake->notes / sizeof *mistake->notes; i++) {
    const struct mpl_host_note *note = &mistake->notes[i];
    if (!note->text) break;
    struct mpl_site where = note->at ? mpl_locate_trace(note->at) : (struct mpl_site){0};
    struct mpl_place at = mpl_place_of(&where);
    if (at.line || !note->at) mpl_report_note(report, &at, "%s", note->text);
  }
  mpl_report_end(report);
}
