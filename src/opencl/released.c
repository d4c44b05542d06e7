/* Objects that were released.  Under the check they stay for a while: their dispatch table, through
 * which a loader calls, and who released them. */
#include <stdio.h>
#include <stdlib.h>

#include "objects.h"
#include "runtime/mistakes/host_mistake.h"

enum { MOST_KEPT = 4096 };

struct released {
  struct mpl_base *object;
  struct mpl_trace at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct released *kept; /* a ring of them */
static size_t count;          /* that have been in it */

/* Takes the place of the oldest, which is returned. */
static void *keep(struct mpl_base *object, const struct mpl_trace *at) {
  void *oldest = object;
  mpl_lock(&lock);
  if (!kept) kept = calloc(MOST_KEPT, sizeof *kept);
  if (kept) {
    struct released *place = &kept[count++ % MOST_KEPT];
    oldest = place->object;
    object->magic = ~object->magic;
    *place = (struct released){object, *at};
  }
  mpl_unlock(&lock);
  return oldest;
}

void mpl_object_free(void *object) {
  struct mpl_base *base = object;
  if (mpl_host_is_checked()) {
    struct mpl_trace at;
    mpl_trace_take(&at);
    base = keep(base, &at);
  }
  if (base) base->magic = 0;
  free(base);
}

static const char *name_of(enum mpl_magic magic) {
  static const struct {
    enum mpl_magic magic;
    const char *name;
  } names[] = {{MPL_DEVICE, "a sub-device"},
               {MPL_CONTEXT, "a context"},
               {MPL_QUEUE, "a command-queue"},
               {MPL_MEM, "a memory object"},
               {MPL_PROGRAM, "a program"},
               {MPL_KERNEL, "a kernel"},
               {MPL_EVENT, "an event"},
               {MPL_SAMPLER, "a sampler"},
               {MPL_COMMAND_BUFFER, "a command-buffer"},
               {MPL_SEMAPHORE, "a semaphore"}};
  size_t i = 0, n = sizeof names / sizeof *names;
  while (i < n && names[i].magic != magic) i++;
  return i < n ? names[i].name : "an object";
}

void mpl_tell_released(const struct mpl_base *object, enum mpl_magic magic) {
  struct mpl_trace here, released = {0};
  char text[80];
  mpl_trace_take(&here);
  mpl_lock(&lock);
  for (size_t i = 0; kept && i < MOST_KEPT; i++)
    if (kept[i].object == object) released = kept[i].at;
  mpl_unlock(&lock);
  snprintf(text, sizeof text, "%s is used that was released", name_of(magic));
  mpl_host_tell(&(struct mpl_host_mistake){.kind = MPL_HOST_RELEASED,
                                           .text = text,
                                           .at = &here,
                                           .notes = {{"released here", &released}}});
}
