#include "runtime/commands/loss.h"

#include <stdio.h>
#include <string.h>

#include "runtime/commands/graph.h"
#include "runtime/print/log.h"

enum { MOST_NAMED = 4 };

/* The kernels that have been issued to a device and are not known to have ended. */
struct suspects {
  struct mpl_device *device;
  const char *names[MOST_NAMED]; /* each once */
  unsigned count;
  bool more;
  char reason[sizeof((struct mpl_device *)0)->reason]; /* of the first that has one, or "" */
};

static void suspect(struct suspects *s, const char *name) {
  for (unsigned i = 0; i < s->count; i++)
    if (!strcmp(s->names[i], name)) return;
  if (s->count < MOST_NAMED)
    s->names[s->count++] = name;
  else
    s->more = true;
}

/* Names of kernels live as long as the commands, which the lane's lock keeps there. */
static void write_text(const struct suspects *s, const char *why, char *text, size_t size) {
  int used =
      snprintf(text, size, "%s%s", s->count ? "kernel " : "", s->count > 1 ? "(one of) " : "");
  for (unsigned i = 0; i < s->count && used < (int)size; i++)
    used += snprintf(text + used, size - (size_t)used, "%s%.100s", i ? ", " : "", s->names[i]);
  if (used < (int)size)
    snprintf(text + used, size - (size_t)used, "%s%s%s", s->more ? ", others" : "",
             s->count ? ": " : "", why);
}

static void look_at_lane(struct mpl_lane *lane, struct suspects *s) {
  for (struct mpl_command *c = lane->first; c; c = c->next) {
    const struct mpl_operation *operation = c->work.operation;
    if (!operation || operation->kind != MPL_LAUNCH) continue;
    suspect(s, operation->launch.kernel->name);
    if (!*s->reason) mpl_given_of_host(s->device, operation, s->reason, sizeof s->reason);
  }
}

static void look_at_queue(struct mpl_queue *queue, void *data) {
  struct suspects *s = data;
  for (uint32_t i = 0; queue->device == s->device && i < queue->num_lanes; i++) {
    mpl_lock(&queue->lanes[i].lock);
    look_at_lane(&queue->lanes[i], s);
    mpl_unlock(&queue->lanes[i].lock);
  }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*_Atomic tell)(struct mpl_device *, const char *);

void mpl_loss_listen(void (*listener)(struct mpl_device *, const char *)) {
  atomic_store(&tell, listener);
}

void mpl_loss_forget(struct mpl_device *device) {
  atomic_store(&device->told, false);
  atomic_store(&device->has_reason, false);
}

static void set_reason(struct mpl_device *device, const char *reason) {
  if (!*reason) return;
  strcpy(device->reason, reason); /* as large as that */
  atomic_store(&device->has_reason, true);
}

void mpl_loss_look(struct mpl_device *device) {
  struct suspects s = {.device = device, .reason = ""};
  char text[1024];
  const char *why = mpl_device_lost(device);
  if (!why) return;
  pthread_mutex_lock(&lock); /* others end no command before its name is taken */
  bool first = !atomic_exchange(&device->told, true);
  if (first) {
    mpl_queues_visit(look_at_queue, &s);
    set_reason(device, s.reason);
    if (*s.reason) why = mpl_device_lost(device); /* says it now */
    write_text(&s, why ? why : "", text, sizeof text);
  }
  pthread_mutex_unlock(&lock);
  if (!first) return;
  mpl_log(MPL_LOG_ERROR, "%s", text);
  void (*listener)(struct mpl_device *, const char *) = atomic_load(&tell);
  if (listener) listener(device, text);
}
