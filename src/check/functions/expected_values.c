/* Values that all work-items have to bring to their next meeting, besides the call's argument. */
#include <stdlib.h>
#include <string.h>

#include "check/engine/engine.h"
#include "check/engine/fibre.h"

static void expect_same(bool sub_group, const struct mpl_expected *value) {
  struct mpl_item *item = mpl_item_now;
  if (!item) return;
  struct mpl_expected *expected = item->run->spare_expected;
  if (expected)
    item->run->spare_expected = expected->next;
  else if (!(expected = malloc(sizeof *expected)))
    return;
  *expected = *value;
  expected->next = item->expected[sub_group];
  item->expected[sub_group] = expected;
}

void mpl_expected_drop(struct mpl_item *item, bool sub_group) {
  struct mpl_expected *list = item->expected[sub_group], *next;
  for (; list; list = next) {
    next = list->next;
    list->next = item->run->spare_expected;
    item->run->spare_expected = list;
  }
  item->expected[sub_group] = NULL;
}

/* An address on the work-item's own stack differs from work-item to work-item, and says nothing of
 * what is there. */
static uint64_t comparable(uint64_t word) {
  const struct mpl_stack *stack = mpl_item_now ? mpl_item_now->stack : NULL;
  bool own = stack && word >= (uintptr_t)stack->low && word < (uintptr_t)stack->top;
  return own ? 0 : word;
}

static void expect_same_bytes(bool sub_group, const char *what, const char *bytes, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
    expect_same(sub_group, &(struct mpl_expected){.what = what, .value = comparable(word)});
  }
}

#define SAME(scope, sub_group)                                                                     \
  void mpl_##scope##_same(const char *what, uint64_t value, const struct mpl_site *site) {         \
    expect_same(sub_group, &(struct mpl_expected){.what = what, .value = value});                  \
  }                                                                                                \
  void mpl_##scope##_same_bytes(const char *what, const void *bytes, size_t size,                  \
                                const struct mpl_site *site) {                                     \
    expect_same_bytes(sub_group, what, bytes, size);                                               \
  }                                                                                                \
  void mpl_##scope##_same_text(const char *what, const char *text, const struct mpl_site *site) {  \
    expect_same(sub_group,                                                                         \
                &(struct mpl_expected){.what = what, .value = (uintptr_t)text, .is_text = true});  \
  }
SAME(work_group, false)
SAME(sub_group, true)
