/* Events of the C interface: commands of the graph. */
#include <stdlib.h>

#include "host/host.h"

static struct mpl_command *command(struct mpl_event *event) {
  return (struct mpl_command *)event;
}

void mpl_retain_event(struct mpl_event *event) {
  mpl_command_retain(command(event));
}

void mpl_release_event(struct mpl_event *event) {
  mpl_command_release(command(event));
}

int mpl_wait(struct mpl_event *event) {
  int status = mpl_command_wait(command(event));
  return status ? mpl_host_fail(status, "the command failed with error %d", status) : 0;
}

int mpl_event_status(struct mpl_event *event) {
  return mpl_command_status(command(event));
}

void mpl_get_event_times(struct mpl_event *event, struct mpl_event_times *times) {
  struct mpl_times t = mpl_command_times(command(event));
  *times = (struct mpl_event_times){t.queued, t.submitted, t.started, t.ended, t.completed};
}

struct on_end {
  void (*function)(int status, void *data);
  void *data;
};

static void call(struct mpl_command *ended, int status, void *data) {
  struct on_end on_end = *(struct on_end *)data;
  free(data);
  on_end.function(status, on_end.data);
}

int mpl_on_end(struct mpl_event *event, void (*function)(int status, void *data), void *data) {
  struct on_end *on_end = malloc(sizeof *on_end);
  if (on_end) *on_end = (struct on_end){function, data};
  if (on_end && mpl_command_on_status(command(event), MPL_COMPLETE, false, call, on_end)) return 0;
  free(on_end);
  return mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a callback");
}

struct mpl_event *mpl_create_event(void) {
  struct mpl_event *event = (struct mpl_event *)mpl_user_command();
  if (!event) mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for an event");
  return event;
}

int mpl_end_event(struct mpl_event *event, int status) {
  if (status > 0)
    return mpl_host_fail(MPL_INVALID_VALUE, "an event ends with 0 or an error, not %d", status);
  if (mpl_command_finish(command(event), status)) return 0;
  return mpl_host_fail(MPL_INVALID_OPERATION, "the event has ended before");
}
