/* The beginning and the end of a launch on the checking engine. */
#include "checked_launch.h"

#include "check/memory/allocations.h"
#include "check/memory/shadow.h"
#include "runtime/print.h"

void mpl_check_launch_begin(struct mpl_check_launch *check) {
  check->host = (struct mpl_host){.print = mpl_print, .items = &mpl_check_items};
  atomic_init(&check->error, 0);
  atomic_init(&check->incomplete, false);
  check->number = mpl_shadow_begin();
  mpl_report_launch();
  mpl_faults_catch();
  if (mpl_check_wanted()) mpl_allocations_verify(NULL);
}

int mpl_check_launch_end(struct mpl_check_launch *check, int error) {
  enum { INVALID_OPERATION = -59 };
  int own = atomic_load(&check->error);
  mpl_shadow_end();
  if (mpl_check_wanted()) mpl_allocations_verify(check);
  if (error || own) return error ? error : own;
  return atomic_load(&check->incomplete) && !mpl_check_wanted() ? INVALID_OPERATION : 0;
}

void mpl_stop_launch(int error) {
  if (mpl_item_now) atomic_store(&mpl_item_now->run->check->error, error);
}
