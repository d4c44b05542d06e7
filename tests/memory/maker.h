/* What the parts of the generator share.  Nothing depends on the order in which arguments are
 * evaluated: that is the compiler's. */
#ifndef TESTS_MEMORY_MAKER_H
#define TESTS_MEMORY_MAKER_H

#include "memory/memory.h"

enum { TEXT_SIZE = 1024, MOST_NAMES = 24, DEEPEST = 3 };

/* A whole number and the range it is in.  Ranks: int, uint, long, ulong. */
enum rank { RANK_INT, RANK_UINT, RANK_LONG, RANK_ULONG };
struct number {
  char text[TEXT_SIZE];
  int64_t low, high;
  enum rank rank;
};

struct maker {
  FILE *file;
  uint64_t random;
  struct memory_kernel *kernel;
  const bool *left_out;
  unsigned statement, labels, depth, loops, budget, tiles;
  struct number names[MOST_NAMES]; /* that may be in indices: ids, then counters */
  unsigned num_names, num_ids;
  struct number own; /* of this work-item alone: below `items` */
  unsigned items, layout[MEMORY_BUFFERS], slots[MEMORY_BUFFERS];
  struct near { /* arrays that nothing writes to any more */
    char name[8];
    unsigned size;
  } near[MOST_NAMES];
  unsigned num_near;
  bool plain; /* as short as most kernels are */
  bool meets,
      restricts; /* has barriers, so nothing returns early; no two arguments are one buffer */
  unsigned wild; /* of 8 indices, so many are not affine */
};

unsigned pick(struct maker *, unsigned n);
bool one_in(struct maker *, unsigned n);
void put(struct maker *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- types.c --- */

extern const struct memory_type memory_types[];
enum { MEMORY_SIMPLE = 10 };
unsigned memory_num_types(void);
const struct memory_type *memory_type_of(const char *name);
struct memory_field {
  const char *of, *path; /* a field's name and what stands before it */
  enum { A_NUMBER, A_FLOAT, A_DOUBLE } is;
};
unsigned memory_fields_of(const struct memory_type *, const struct memory_field **first);

/* --- index.c --- */

struct number number_of(int64_t);
struct number named(const char *text, int64_t low, int64_t high, enum rank);
struct number add(struct number, struct number);
struct number times(struct number, int64_t);
struct number at_most(struct maker *, struct number, int64_t limit); /* below it, not below 0 */
struct number any_name(struct maker *);
struct number simple_index(struct maker *);
struct number any_index(struct maker *, unsigned depth);
struct number element(struct maker *,
                      unsigned size); /* an index into a buffer, so that `size` fit behind it */
void add_near(struct maker *, const char *name, unsigned size);
void declare(struct maker *, const char *name, struct number);
const char *condition(struct maker *); /* a static text */
struct number own_place(struct maker *, unsigned buffer, struct number slot);

/* --- the statements --- */

unsigned input(struct maker *);  /* a buffer that is only read */
unsigned output(struct maker *); /* one in which each work-item has places */
int buffer_named(struct maker *, const char *name);
void load(struct maker *, unsigned buffer, struct number index);
void put_load(struct maker *);
void put_store(struct maker *);
void put_special(struct maker *); /* special.c */
void put_local(struct maker *);   /* local.c */
/* Nothing is written of one that is left out; the result is what `file` is again behind it. */
FILE *begin_statement(struct maker *);
void statement(struct maker *);
void statements(struct maker *, unsigned most);

#endif
