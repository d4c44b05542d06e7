/* Values of many sizes, moved between work-items as words, as a program in C does it: both engines
 * have to bring each byte to where it belongs. */
#include "engines.h"

enum { ITEMS = 96, LOCAL = 24, CHOSEN = 5, LARGEST = 31 };

static unsigned char byte_of(size_t item, size_t k) {
  return (unsigned char)(item * 89 + k * 37 + 1);
}

/* Functions that take a value and return one: what fits two registers comes as a word and the rest,
 * a number of 40 bits of 13 bytes.  The words lie in memory, in a loop that stays one.  Sub-groups'
 * functions are compiled in another way than the group's. */
#define KERNELS(N)                                                                                 \
  struct bytes_##N {                                                                               \
    unsigned char c[N];                                                                            \
  };                                                                                               \
  MOVE(N, broadcast, work_group_broadcast(word[k], CHOSEN))                                        \
  MOVE(N, last, sub_group_broadcast(word[k], get_sub_group_size() - 1))                            \
  MOVE(N, other, sub_group_shuffle(word[k], other_lane()))                                         \
  mpl_kernel(group_##N, (const struct bytes_##N *)in, (struct bytes_##N *)out) {                   \
    size_t i = get_global_id(0);                                                                   \
    out[i] = broadcast_##N(in[i]);                                                                 \
  }                                                                                                \
  mpl_kernel(lanes_##N, (const struct bytes_##N *)in, (struct bytes_##N *)out) {                   \
    size_t i = get_global_id(0), n = get_global_size(0);                                           \
    out[i] = last_##N(in[i]);                                                                      \
    out[n + i] = other_##N(in[i]);                                                                 \
  }

#define MOVE(N, name, call)                                                                        \
  static struct bytes_##N name##_##N(struct bytes_##N value) {                                     \
    ulong word[(N + 7) / 8] = {0};                                                                 \
    memcpy(word, &value, N);                                                                       \
    for (int k = 0; k < (N + 7) / 8; k++) word[k] = call;                                          \
    memcpy(&value, word, N);                                                                       \
    return value;                                                                                  \
  }

static unsigned other_lane(void) {
  return (get_sub_group_local_id() * 5 + 3) % get_sub_group_size();
}

/* Tails of several sizes, in rows of one word, of two, and of more. */
#define SIZES(of) of(7) of(11) of(13) of(15) of(31)
SIZES(KERNELS)

static unsigned char in[ITEMS * LARGEST], out[2 * ITEMS * LARGEST];

mpl_kernel(sizes, (unsigned *)lane, (unsigned *)size) {
  lane[get_global_id(0)] = get_sub_group_local_id();
  size[get_global_id(0)] = get_sub_group_size();
}

static void compare(const struct mpl_kernel_record *record, size_t bytes, size_t op,
                    const size_t *from) {
  for (size_t i = 0; i < ITEMS; i++)
    for (size_t k = 0; k < bytes; k++)
      EXPECT(out[(op * ITEMS + i) * bytes + k] == byte_of(from[i], k),
             "%s: byte %zu of item %zu, operation %zu", record->name, k, i, op);
}

static void test(const struct mpl_kernel_record *group, const struct mpl_kernel_record *lanes,
                 size_t bytes) {
  static unsigned lane[ITEMS], size[ITEMS];
  size_t chosen[ITEMS], last[ITEMS], other[ITEMS];
  EXPECT(!mpl_launch(sizes, mpl_1d(ITEMS, LOCAL), lane, size), "%s", mpl_error_text());
  for (size_t i = 0; i < ITEMS; i++) {
    chosen[i] = i / LOCAL * LOCAL + CHOSEN;
    last[i] = i - lane[i] + size[i] - 1;
    other[i] = i - lane[i] + (lane[i] * 5 + 3) % size[i];
    for (size_t k = 0; k < bytes; k++) in[i * bytes + k] = byte_of(i, k);
  }
  compare_engines(group, ITEMS, LOCAL, in, out, ITEMS * bytes);
  compare(group, bytes, 0, chosen);
  compare_engines(lanes, ITEMS, LOCAL, in, out, 2 * ITEMS * bytes);
  compare(lanes, bytes, 0, last);
  compare(lanes, bytes, 1, other);
}

int main(void) {
#define TEST(N) test(&mpl_record_group_##N, &mpl_record_lanes_##N, N);
  SIZES(TEST)
  return result();
}
