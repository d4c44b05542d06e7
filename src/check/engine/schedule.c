/* Schedules: in order, reverse, shuffled.  A shuffle depends on the seed and the group's id only,
 * so that a run repeats whatever the number of threads. */
#include "schedule.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/options.h"

enum kind { IN_ORDER, REVERSE, SHUFFLE };

static enum kind kind;
static uint64_t seed;

static void read_option(void) {
  const char *text = mpl_option_text(MPL_OPTION_CHECK_SCHEDULE);
  char *end;
  if (!strcmp(text, "reverse")) {
    kind = REVERSE;
  } else if (!strncmp(text, "shuffle", 7) && (!text[7] || text[7] == ':')) {
    kind = SHUFFLE;
    seed = text[7] ? strtoull(text + 8, &end, 10) : 1;
    if (text[7] && (end == text + 8 || *end))
      fprintf(stderr, "maniple: MANIPLE_CHECK_SCHEDULE=%s: no seed after the colon\n", text);
  } else if (*text && strcmp(text, "order") != 0) {
    fprintf(stderr, "maniple: MANIPLE_CHECK_SCHEDULE does not know \"%s\" (%s)\n", text,
            mpl_options()[MPL_OPTION_CHECK_SCHEDULE].values);
  }
}

static enum kind schedule(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_option);
  return kind;
}

/* splitmix64 */
static uint64_t draw(struct mpl_run *run) {
  uint64_t z = run->random += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

bool mpl_schedule_order(struct mpl_run *run) {
  enum kind k = schedule();
  if (k == IN_ORDER) return true;
  if (!run->order) run->order = malloc(run->capacity * sizeof *run->order);
  if (!run->order) return false;
  const uint64_t *id = run->group->id;
  run->random = seed * 0x2545f4914f6cdd1d + id[0] + (id[1] << 20) + (id[2] << 40);
  for (uint32_t i = 0; i < run->count; i++) {
    uint32_t at = k == SHUFFLE ? (uint32_t)(draw(run) % (i + 1)) : i;
    uint32_t item = k == REVERSE ? run->count - 1 - i : i;
    run->order[i] = run->order[at];
    run->order[at] = item;
  }
  return true;
}

bool mpl_schedule_prefers_start(struct mpl_run *run) {
  return kind == SHUFFLE && draw(run) & 1;
}

void mpl_schedule_shuffle(struct mpl_run *run, struct mpl_item **first, struct mpl_item **last) {
  if (kind != SHUFFLE) return;
  (*last)->next = NULL;
  struct mpl_item *lists[2] = {NULL, NULL}, *ends[2] = {NULL, NULL};
  for (struct mpl_item *item = *first, *rest; item; item = rest) {
    rest = item->next;
    uint64_t bits = draw(run), which = bits & 1;
    struct mpl_item **list = &lists[which];
    if (bits & 2 || !*list) { /* in front, or after the first */
      item->next = *list;
      if (!*list) ends[which] = item;
      *list = item;
    } else {
      item->next = (*list)->next;
      if (!item->next) ends[which] = item;
      (*list)->next = item;
    }
  }
  if (lists[0] && lists[1]) ends[0]->next = lists[1];
  *first = lists[0] ? lists[0] : lists[1];
  *last = lists[1] ? ends[1] : ends[0];
}
