#include "clock.h"

static void raise(uint32_t *to, uint32_t value) {
  if (value > *to) *to = value;
}

/* The oldest goes, so that as little as possible counts as known that is not. */
static struct mpl_known *make_room(struct mpl_clock *clock) {
  struct mpl_known *oldest = &clock->known[0];
  if (clock->count < MPL_MOST_KNOWN_RANGES) return &clock->known[clock->count++];
  for (uint32_t i = 1; i < clock->count; i++)
    if (clock->known[i].until < oldest->until) oldest = &clock->known[i];
  raise(&clock->time, oldest->until);
  return oldest;
}

uint32_t mpl_clock_end(const struct mpl_clock *clock) {
  uint32_t end = clock->time;
  for (uint32_t i = 0; i < clock->count; i++) raise(&end, clock->known[i].until);
  return end;
}

void mpl_clock_add(struct mpl_clock *clock, struct mpl_known known) {
  if (known.until <= clock->time) return;
  for (uint32_t i = 0; i < clock->count; i++) {
    struct mpl_known *k = &clock->known[i];
    if (k->group != known.group || k->first != known.first || k->last != known.last) continue;
    raise(&k->until, known.until);
    return;
  }
  struct mpl_known *room = make_room(clock);
  if (known.until > clock->time)
    *room = known;
  else
    *room = clock->known[--clock->count];
}

void mpl_clock_join(struct mpl_clock *clock, const struct mpl_clock *other) {
  raise(&clock->time, other->time);
  for (uint32_t i = 0; i < other->count; i++) mpl_clock_add(clock, other->known[i]);
}
