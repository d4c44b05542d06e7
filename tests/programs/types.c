#include "programs/generator.h"

#include <stdio.h>

static const char *const base_names[] = {"char", "uchar", "short", "ushort", "int",
                                         "uint", "long",  "ulong", "float",  "double"};

bool is_real(struct type t) {
  return t.base == FLOAT || t.base == DOUBLE;
}

bool is_integer(struct type t) {
  return t.base < FLOAT;
}

bool is_signed(struct type t) {
  return is_integer(t) && !(t.base & 1);
}

unsigned base_size(enum base base) {
  return base == FLOAT ? 4 : base == DOUBLE ? 8 : 1u << base / 2;
}

struct type with_base(struct type t, enum base base) {
  t.base = (unsigned char)base;
  return t;
}

/* Of the same size, also for floating-point types. */
struct type as_unsigned(struct type t) {
  if (is_real(t)) return with_base(t, t.base == FLOAT ? UINT : ULONG);
  return with_base(t, t.base | 1);
}

struct type as_signed(struct type t) {
  return with_base(t, as_unsigned(t).base & ~1u);
}

unsigned random_width(struct generator *g) {
  static const unsigned char widths[] = {2, 2, 2, 2, 2, 3, 3, 3, 4, 4,
                                         4, 4, 4, 4, 4, 4, 4, 8, 8, 16};
  return widths[below(g, sizeof widths)];
}

struct type random_integer(struct generator *g, unsigned n) {
  static const unsigned char bases[] = {CHAR, UCHAR, SHORT, USHORT, INT,  INT,
                                        INT,  UINT,  UINT,  UINT,   LONG, ULONG};
  return (struct type){bases[below(g, sizeof bases)], (unsigned char)n};
}

static struct type random_real(struct generator *g, unsigned n) {
  return (struct type){chance(g, 70) ? FLOAT : DOUBLE, (unsigned char)n};
}

struct type random_scalar(struct generator *g) {
  return chance(g, 85) ? random_integer(g, 1) : random_real(g, 1);
}

struct type random_value(struct generator *g) {
  if (chance(g, 72)) return random_scalar(g);
  unsigned n = random_width(g);
  return chance(g, 80) ? random_integer(g, n) : random_real(g, n);
}

struct type random_type(struct generator *g) {
  if (g->record_count && chance(g, 20))
    return (struct type){RECORD, (unsigned char)below(g, g->record_count)};
  return random_value(g);
}

const char *type_name(const struct generator *g, struct type t, char buffer[48]) {
  if (t.base == RECORD)
    snprintf(buffer, 48, "%s p%llu_r%u", g->records[t.n].is_union ? "union" : "struct",
             (unsigned long long)g->program->seed, t.n);
  else if (t.n == 1)
    snprintf(buffer, 48, "%s", base_names[t.base]);
  else
    snprintf(buffer, 48, "%s%u", base_names[t.base], t.n);
  return buffer;
}

unsigned type_size(const struct generator *g, struct type t) {
  return t.base == RECORD ? g->records[t.n].size : base_size(t.base) * (t.n == 3 ? 4 : t.n);
}

static struct member random_member(struct generator *g, unsigned inner) {
  struct member member = {random_value(g), 0};
  if (inner && chance(g, 25)) member.type = (struct type){RECORD, (unsigned char)below(g, inner)};
  if (chance(g, 25)) member.count = 2u << (chance(g, 30) ? 1 : 0);
  return member;
}

/* An upper bound of the size: every member may be padded by as much as its own size or 128 bytes.
 */
static void make_record(struct generator *g, unsigned number) {
  struct record *record = &g->records[number];
  unsigned wanted = 1 + below(g, g->small ? 2 : MAX_MEMBERS);
  record->packed = chance(g, 15);
  if (!record->packed && chance(g, 20)) record->aligned = 4u << below(g, 4);
  for (unsigned k = 0; k < wanted; k++) {
    struct member member = random_member(g, number);
    unsigned size = type_size(g, member.type);
    unsigned more = size * (member.count ? member.count : 1) + (size < 128 ? size : 128);
    if (record->size + more > MAX_RECORD / 4) continue;
    record->size += more;
    record->members[record->count++] = member;
  }
  if (!record->count) {
    record->members[record->count++] = (struct member){{UINT, 1}, 0};
    record->size = 8;
  }
  record->size += 128;
}

/* Members of as many bytes, all used: each is of integers, and may be read whichever was written
 * (6.2.4.1). */
static void make_union(struct generator *g, struct record *record) {
  unsigned bytes = 4u << below(g, 4);
  record->is_union = true;
  record->size = bytes + 32;
  for (unsigned wanted = 2 + below(g, MAX_MEMBERS - 1); record->count < wanted;) {
    struct type t = random_integer(g, chance(g, 60) ? 1 : 2u << below(g, 4));
    unsigned size = base_size(t.base) * t.n;
    if (size > bytes) continue;
    record->members[record->count++] = (struct member){t, size == bytes ? 0 : bytes / size};
  }
}

void make_records(struct generator *g) {
  unsigned wanted = 1 + below(g, g->small ? 2 : MAX_RECORDS - 1);
  for (unsigned number = 0; number < wanted; number++) {
    char name[48];
    struct record *record = &g->records[number];
    if (chance(g, 25))
      make_union(g, record);
    else
      make_record(g, number);
    ADD("%s {\n", type_name(g, (struct type){RECORD, (unsigned char)number}, name));
    for (unsigned k = 0; k < record->count; k++) {
      ADD("  %s m%u", type_name(g, record->members[k].type, name), k);
      if (record->members[k].count) ADD("[%u]", record->members[k].count);
      ADD(";\n");
    }
    ADD("}");
    if (record->packed) ADD(" __attribute__((packed))");
    if (record->aligned) ADD(" __attribute__((aligned(%u)))", record->aligned);
    ADD(";\n");
    g->record_count = number + 1;
  }
}

/* Text that takes all bits of a value into `sum`. */
void fold(struct generator *g, struct type t, unsigned count, const char *name) {
  if (count) ADD("for (uint f = 0; f < %u; f++) { ", count);
  const char *index = count ? "[f]" : "";
  if (t.base == RECORD)
    ADD("sum = p%llu_fold%u(sum, %s%s);", (unsigned long long)g->program->seed, t.n, name, index);
  else if (t.n == 1)
    ADD("%s(%s%s);", is_real(t) ? "FOLD_REAL" : "FOLD", name, index);
  else
    for (unsigned k = 0; k < t.n; k++)
      ADD("%s%s(%s%s.s%x);", k ? " " : "", is_real(t) ? "FOLD_REAL" : "FOLD", name, index, k);
  if (count) ADD(" }");
}

void record_folds(struct generator *g) {
  for (unsigned number = 0; number < g->record_count; number++) {
    char name[48];
    ADD("%sulong p%llu_fold%u(ulong sum, %s r) {\n",
        chance(g, 75) ? "__attribute__((noinline)) " : "", (unsigned long long)g->program->seed,
        number, type_name(g, (struct type){RECORD, (unsigned char)number}, name));
    for (unsigned k = 0; k < (g->records[number].is_union ? 1 : g->records[number].count); k++) {
      const struct member *member = &g->records[number].members[k];
      snprintf(name, sizeof name, "r.m%u", k);
      ADD("  ");
      fold(g, member->type, member->count, name);
      ADD("\n");
    }
    ADD("  return sum;\n}\n");
  }
}
