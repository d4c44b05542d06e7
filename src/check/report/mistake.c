/* Mistakes that the headers of a language find themselves, and report to the engine. */
#include "check/engine/engine.h"
#include "runtime/mistakes/locate.h"

static enum mpl_check check_of(enum mpl_mistake mistake) {
  switch (mistake) {
  case MPL_MISTAKE_INDEX:
    return MPL_CHECK_INDEX;
  case MPL_MISTAKE_ACCESS:
    return MPL_CHECK_ACCESS;
  default:
    return MPL_CHECK_WAIT;
  }
}

void mpl_report_mistake(enum mpl_mistake mistake, const char *message,
                        const struct mpl_site *given) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_site site = given ? *given : mpl_locate_caller();
  mpl_diagnose_mistake(item, check_of(mistake), message, &site);
  if (!item) return;
  item->run->given_up = true;
  mpl_run_abandon(item->run);
}

void *mpl_get_arguments(void) {
  return mpl_item_now ? (void *)mpl_item_now->run->launch->args : NULL;
}
