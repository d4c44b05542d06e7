/* Numbers of which the range is known, and indices made of them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory/maker.h"

unsigned pick(struct maker *m, unsigned n) {
  return (unsigned)(random_next(&m->random) >> 33) % n;
}

bool one_in(struct maker *m, unsigned n) {
  return !pick(m, n);
}

void put(struct maker *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (m->file) vfprintf(m->file, format, args);
  va_end(args);
}

static struct number written(int64_t low, int64_t high, enum rank rank, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* What is not signed and may be below 0 is taken to be signed: the bits are the same. */
static struct number written(int64_t low, int64_t high, enum rank rank, const char *format, ...) {
  struct number n = {.low = low, .high = high, .rank = rank};
  char text[2 * TEXT_SIZE];
  bool mends = low < 0 && (rank == RANK_UINT || rank == RANK_ULONG);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length >= TEXT_SIZE - 16) die("an index is too long: %s", text);
  if (mends) n.rank--;
  const char *cast = !mends ? "" : rank == RANK_UINT ? "(int)" : "(long)";
  snprintf(n.text, sizeof n.text, "%s%s", cast, text);
  return n;
}

static enum rank higher(enum rank a, enum rank b) {
  return a > b ? a : b;
}

struct number number_of(int64_t n) {
  return written(n, n, RANK_INT, n < 0 ? "(%lld)" : "%lld", (long long)n);
}

struct number named(const char *text, int64_t low, int64_t high, enum rank rank) {
  return written(low, high, rank, "%s", text);
}

struct number add(struct number a, struct number b) {
  return written(a.low + b.low, a.high + b.high, higher(a.rank, b.rank), "(%s + %s)", a.text,
                 b.text);
}

static struct number subtract(struct number a, struct number b) {
  return written(a.low - b.high, a.high - b.low, higher(a.rank, b.rank), "(%s - %s)", a.text,
                 b.text);
}

struct number times(struct number a, int64_t by) {
  int64_t low = a.low * by, high = a.high * by;
  if (by == 1) return a;
  return written(low < high ? low : high, low < high ? high : low, a.rank, "(%s * %s)", a.text,
                 number_of(by).text);
}

static struct number product(struct number a, struct number b) {
  if (a.low < 0 || b.low < 0) return add(a, b);
  return written(a.low * b.low, a.high * b.high, higher(a.rank, b.rank), "(%s * %s)", a.text,
                 b.text);
}

static struct number not_below_0(struct number n) {
  return n.low < 0 ? add(n, number_of(-n.low)) : n;
}

struct number at_most(struct maker *m, struct number n, int64_t limit) {
  n = not_below_0(n);
  if (n.high < limit) return n;
  int64_t mask = 1;
  while (2 * mask <= limit) mask *= 2;
  unsigned kind = pick(m, 5);
  if (kind < 2) return written(0, mask - 1, n.rank, "(%s & %lld)", n.text, (long long)mask - 1);
  if (kind == 2)
    return written(n.low < limit ? n.low : limit - 1, limit - 1, RANK_INT, "min((int)%s, %lld)",
                   n.text, (long long)limit - 1);
  return written(0, limit - 1, n.rank, "(%s %% %lld)", n.text, (long long)limit);
}

struct number any_name(struct maker *m) {
  /* The first id, the last counter, or any. */
  unsigned kind = pick(m, 6);
  if (kind < 2) return m->names[0];
  if (kind < 4) return m->names[m->num_names - 1];
  return m->names[pick(m, m->num_names)];
}

static struct number scalar(struct maker *m, unsigned k) {
  const struct memory_scalar *s = &m->kernel->scalars[k];
  enum rank rank = !strcmp(s->type, "uint")   ? RANK_UINT
                   : !strcmp(s->type, "long") ? RANK_LONG
                                              : RANK_INT;
  return named(s->name, s->low, s->high, rank);
}

static int64_t stride(struct maker *m) {
  static const int strides[] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 8, 16, -1, -1, -1, -2, -4};
  return strides[pick(m, sizeof strides / sizeof *strides)];
}

static struct number across(struct maker *m, struct number x) {
  for (unsigned k = 1; k < m->num_ids; k++)
    if (!strcmp(m->names[k].text, "i1") && m->names[k].low >= 0)
      return add(times(m->names[k], (int64_t)m->kernel->shape.global[0]), x);
  return x;
}

/* An id, mostly with a counter, a constant, a stride or a row. */
struct number simple_index(struct maker *m) {
  struct number n = m->names[one_in(m, 3) ? pick(m, m->num_ids) : 0];
  bool inside = m->num_names > m->num_ids;
  struct number counter = m->names[m->num_names - 1];
  unsigned kind = pick(m, inside ? 8 : 4);
  if (kind == 0) n = times(n, stride(m));
  if (kind == 1) n = product(n, scalar(m, 0));
  if (kind == 4 || kind == 5) n = add(n, counter);
  if (kind == 6) n = add(times(n, 1 + pick(m, 12)), counter);
  if (kind == 7) {
    int64_t by = stride(m);
    n = add(n, times(counter, by * (1 + pick(m, 20))));
  }
  if (kind < 4 && one_in(m, 2)) n = across(m, n);
  if (one_in(m, 3)) n = add(n, number_of(pick(m, 9)));
  if (one_in(m, 8)) n = subtract(number_of(n.high), n);
  return n;
}

/* What goes round, as a small number or by a remainder. */
static struct number wrapped(struct maker *m, struct number n) {
  static const struct {
    const char *type;
    int64_t low, high;
  } types[] = {
      {"uchar", 0, 255}, {"ushort", 0, 65535}, {"char", -128, 127}, {"short", -32768, 32767}};
  unsigned kind = pick(m, 8), by = pick(m, 20) + 1, shift = pick(m, 6);
  if (kind < 4 && n.high < 1 << 20)
    return written(types[kind].low, types[kind].high, RANK_INT, "(%s)(%s * %u)", types[kind].type,
                   n.text, by);
  if (kind == 4) return written(0, by, RANK_UINT, "((uint)(%s - %u) %% %u)", n.text, shift, by + 1);
  if (kind == 5) return written(0, 63, n.rank, "((%s - %u) & 63)", n.text, by);
  n = not_below_0(n);
  int64_t most = 1;
  while (most <= n.high || most <= by) most *= 2;
  if (kind == 6) return written(0, most - 1, n.rank, "(%s ^ %u)", n.text, by);
  return written(0, 63, n.rank, "((%s >> %u & 7) | (%s & 7) << 3)", n.text, shift, n.text);
}

static struct number divided(struct maker *m, struct number n) {
  static const unsigned sizes[] = {2, 3, 4, 5, 7, 8, 10, 16, 16, 32, 33, 64};
  unsigned kind = pick(m, 6), size = sizes[pick(m, sizeof sizes / sizeof *sizes)],
           shift = pick(m, 5);
  struct number by = scalar(m, 1);
  n = not_below_0(n);
  if (kind == 0) return written(0, size - 1, n.rank, "(%s %% %u)", n.text, size);
  if (kind == 1) return written(n.low / size, n.high / size, n.rank, "(%s / %u)", n.text, size);
  if (kind == 2)
    return written(n.low >> shift, n.high >> shift, n.rank, "(%s >> %u)", n.text, shift);
  if (kind == 3)
    return written(0, by.high - 1, higher(n.rank, by.rank), "(%s %% %s)", n.text, by.text);
  if (kind == 4) return written(0, n.high, higher(n.rank, by.rank), "(%s / %s)", n.text, by.text);
  return written(0, (int64_t)(size - 1) * (shift + 1) + n.high / size, n.rank,
                 "(%s %% %u * %u + %s / %u)", n.text, size, shift + 1, n.text, size);
}

static struct number at_edge(struct maker *m, struct number n) {
  unsigned kind = pick(m, 5);
  int64_t by = pick(m, 5), least = n.low + by, most = n.high - by;
  if (n.low < -100000 || n.high > 100000 || most <= least) return n;
  n = add(n, number_of(one_in(m, 2) ? by : -by));
  long long low = least, high = most;
  if (kind == 0)
    return written(low, high, RANK_INT, "clamp((int)%s, %lld, %lld)", n.text, low, high);
  if (kind == 1) return written(n.low, high, RANK_INT, "min((int)%s, %lld)", n.text, high);
  if (kind == 2) return written(low, n.high + by, RANK_INT, "max((int)%s, %lld)", n.text, low);
  if (n.low < 0 || n.rank != RANK_INT) return n;
  if (kind == 3)
    return written(n.low, high, RANK_INT, "(%s < %lld ? %s : %lld)", n.text, high, n.text, high);
  return written(low, n.high + by, RANK_INT, "(%s > %lld ? %s : %lld)", n.text, low, n.text, low);
}

static struct number from_memory(struct maker *m, unsigned depth) {
  static const char *const from[] = {"x0", "x0", "x1", "t0"};
  int b = buffer_named(m, from[pick(m, 4)]);
  const struct memory_buffer *x = &m->kernel->buffers[b];
  struct number at = one_in(m, 2) ? any_index(m, depth + 1) : m->names[0];
  at = at_most(m, at, x->fill == MEMORY_ORDER ? (int64_t)x->limit : 1024);
  return written(0, x->limit - 1, x->type->size == 8 ? RANK_ULONG : RANK_INT, "M(%s[%s])", x->name,
                 at.text);
}

static struct number one_of_two(struct maker *m, unsigned depth) {
  struct number a = any_index(m, depth + 1), b = any_index(m, depth + 1);
  const char *by = condition(m);
  enum rank rank = higher(a.rank, b.rank);
  if ((rank == RANK_UINT || rank == RANK_ULONG) && (a.low < 0 || b.low < 0))
    a = not_below_0(a), b = not_below_0(b);
  return written(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, rank,
                 "(%s ? %s : %s)", by, a.text, b.text);
}

struct number any_index(struct maker *m, unsigned depth) {
  if (depth > 2) return any_name(m);
  if (pick(m, 8) >= m->wild) return simple_index(m);
  struct number n = one_in(m, 2) ? simple_index(m) : any_name(m);
  switch (pick(m, 9)) {
  case 0:
  case 1:
    return divided(m, n);
  case 2:
    return wrapped(m, n);
  case 3:
    return at_edge(m, n);
  case 4:
    return from_memory(m, depth);
  case 5:
    return one_of_two(m, depth);
  case 6:
    return written(0, 15, RANK_UINT, "(X & 15)");
  case 7: {
    struct number rows = times(divided(m, n), 1 + pick(m, 40));
    return add(rows, any_index(m, depth + 1));
  }
  default: {
    struct number by = times(any_name(m), stride(m));
    return add(n, by);
  }
  }
}

struct number element(struct maker *m, unsigned size) {
  struct number n = any_index(m, 0);
  return at_most(m, n, MEMORY_LARGEST - size);
}

/* A type that holds it, or one in which it goes round. */
void declare(struct maker *m, const char *name, struct number n) {
  static const struct {
    const char *type;
    int64_t low, high;
    enum rank rank;
  } types[] = {
      {"int", INT32_MIN, INT32_MAX, RANK_INT}, {"uint", 0, UINT32_MAX, RANK_UINT},
      {"size_t", 0, INT64_MAX, RANK_ULONG},    {"long", INT64_MIN, INT64_MAX, RANK_LONG},
      {"ushort", 0, UINT16_MAX, RANK_INT},     {"short", INT16_MIN, INT16_MAX, RANK_INT},
      {"uchar", 0, UINT8_MAX, RANK_INT},       {"char", INT8_MIN, INT8_MAX, RANK_INT},
  };
  static const unsigned char often[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 5, 6, 7};
  unsigned t = often[pick(m, sizeof often)];
  bool fits = n.low >= types[t].low && n.high <= types[t].high;
  if (!fits && types[t].high > UINT16_MAX) t = 3, fits = true;
  put(m, "%s %s = %s;\n", types[t].type, name, n.text);
  if (m->num_names == MOST_NAMES) die("too many names");
  m->names[m->num_names++] =
      named(name, fits ? n.low : types[t].low, fits ? n.high : types[t].high, types[t].rank);
}

const char *condition(struct maker *m) {
  static char texts[8][TEXT_SIZE];
  static unsigned next;
  char *text = texts[next++ % 8];
  struct number n = m->names[one_in(m, 3) ? pick(m, m->num_names) : 0];
  unsigned kind = pick(m, 9), a = pick(m, 40), b = 2 + pick(m, 6);
  long long most = n.high > 1 ? n.high : 1,
            at = most - (long long)(a % (unsigned)(most < 40 ? most : 40));
  switch (kind) {
  case 0:
    snprintf(text, TEXT_SIZE, "(%s < %lld)", n.text, at);
    break;
  case 1:
    snprintf(text, TEXT_SIZE, "(%s %% %u == %u)", n.text, b, a % b);
    break;
  case 2:
    snprintf(text, TEXT_SIZE, "(X & %u)", 1u << a % 4);
    break;
  case 3:
    snprintf(text, TEXT_SIZE, "(n%u > %u)", a % 4, b % 3);
    break;
  case 4:
    snprintf(text, TEXT_SIZE, "(X %% 7u > %u)", b % 5);
    break;
  case 5:
    snprintf(text, TEXT_SIZE, "(%s > %u)", n.text, a % 8);
    break;
  case 6:
    snprintf(text, TEXT_SIZE, m->kernel->any_local ? "(n0 & 1)" : "(get_group_id(0) & 1)");
    break;
  case 7:
    snprintf(text, TEXT_SIZE, "(Y %% 64u == %u)", a);
    break;
  default:
    snprintf(text, TEXT_SIZE, "(%s < n2)", n.text);
    break;
  }
  return text;
}

/* Places of one work-item: structures of slots, slots of structures, backwards, in an order from
 * memory and so on. */
struct number own_place(struct maker *m, unsigned buffer, struct number slot) {
  unsigned layout = m->layout[buffer], slots = m->slots[buffer], items = m->items;
  unsigned order = 1;
  while (order < items) order *= 2;
  struct number own = m->own;
  const char *g = own.text;
  switch (layout) {
  case 0:
    return add(times(own, slots), slot);
  case 1:
    return add(times(slot, items), own);
  case 2:
    return add(times(subtract(number_of(items - 1), own), slots), slot);
  case 3:
    return add(times(written(0, items - 1, RANK_INT, "(int)M(x1[%s])", g), slots), slot);
  case 4:
    return add(times(written(0, items - 1, own.rank, "((%s + 5) %% %u)", g, items), slots), slot);
  case 5:
    return add(times(written(0, order - 1, own.rank, "(%s * 5 & %u)", g, order - 1), slots), slot);
  case 6:
    return add(times(own, slots + 2), slot);
  case 7:
    return add(times(written(0, order - 1, own.rank, "(%s ^ %u)", g, 5 & (order - 1)), slots),
               slot);
  case 8:
    return add(product(own, scalar(m, 3)), slot); /* at least as many as slots */
  default:
    return add(own, number_of(0));
  }
}
