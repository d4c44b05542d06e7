/* What the parts of the generator share.  Every part appends to `out`, and keeps this promise: the
 * text has no undefined or implementation-defined behaviour, and its results depend on no order.
 *  - Integers: what can overflow is done unsigned, or on operands of few bits; divisors are odd.
 *  - Floating-point values are integers of at most REAL_BOUND, also within expressions, so that all
 *    operations are exact; nothing looks at the sign of a zero.
 *  - Every variable has a value from its declaration on; indices are masked; pointers point at what
 *    lives at least as long as they do.
 *  - A value is written at most once in an expression, and by statements only. */
#ifndef TESTS_PROGRAMS_GENERATOR_H
#define TESTS_PROGRAMS_GENERATOR_H

#include "programs/program.h"

enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, RECORD };
enum { REAL_BOUND = 1024 };

/* A scalar (n = 1), a vector of n, or the structure with number n. */
struct type {
  unsigned char base, n;
};

enum space { PRIVATE, LOCAL, GLOBAL, CONSTANT };

enum {
  MAX_MEMBERS = 4,
  MAX_RECORDS = 4,
  MAX_VARIABLES = 300,
  MAX_FUNCTIONS = 8,
  MAX_PARAMETERS = 5
};

struct member {
  struct type type;
  unsigned count; /* elements of an array, a power of two; 0: none */
};

struct record {
  struct member members[MAX_MEMBERS]; /* m0, m1, ... */
  unsigned count, size;               /* size: at most that many bytes */
  bool packed, is_union;              /* a union's members are integers of as many bytes in all */
  unsigned aligned;                   /* 0: not said */
};

struct variable {
  char name[40];
  struct type type;
  unsigned count;    /* elements of an array or behind a pointer, a power of two; 0: one */
  unsigned stars;    /* of a pointer: 1 or 2 */
  enum space space;  /* of the value */
  bool read_only;    /* never written, nor pointed at */
  bool uniform;      /* one value for the work-group */
  unsigned scope;    /* of how many blocks it is inside */
  unsigned of_scope; /* of a pointer to a pointer: that one's scope */
  bool fixed;        /* a pointer that always points at the same */
};

struct function {
  char name[40];
  struct type result; /* always something */
  struct member parameters[MAX_PARAMETERS];
  bool pointer[MAX_PARAMETERS]; /* written by the function; the memory is the caller's alone */
  unsigned count;
  bool pure; /* no pointers: may be called in expressions */
  double cost;
};

struct generator {
  struct program *program;
  bool small;
  struct text *out;
  struct text locals;   /* declarations at the head of a kernel */
  unsigned local_bytes; /* of these, at most */
  const struct drops *drops;
  uint64_t random;
  unsigned nodes, names, indent;
  struct record records[MAX_RECORDS];
  unsigned record_count;
  struct variable variables[MAX_VARIABLES];
  unsigned variable_count, scope;
  struct function functions[MAX_FUNCTIONS];
  unsigned function_count;
  struct type result; /* of the function that is made */
  bool in_kernel, in_function, uniform_flow;
  unsigned kernel;    /* its number */
  unsigned loops;     /* loops that break and continue may leave */
  bool in_switch;     /* the innermost of these is a switch */
  double times, cost; /* how often the current statement runs at most; all so far */
  int left;           /* statements that may still be made */
  unsigned prints;
  unsigned indices; /* of how many the current expression is inside */
};

/* Chance. */
unsigned below(struct generator *g, unsigned n); /* 0 to n - 1 */
static inline bool chance(struct generator *g, unsigned percent) {
  return below(g, 100) < percent;
}

/* Nodes (generator.c). */
struct node {
  unsigned id;
  size_t start;
};
struct node node_begin(struct generator *g);
bool node_dropped(struct generator *g, struct node node); /* cuts the text, if so */

#define ADD(...) text_add(g->out, __VA_ARGS__)
void new_line(struct generator *g);

/* Types (types.c). */
bool is_real(struct type t);
bool is_integer(struct type t);
bool is_signed(struct type t);
unsigned base_size(enum base base);
struct type with_base(struct type t, enum base base);
struct type as_unsigned(struct type t);
struct type as_signed(struct type t);
struct type random_integer(struct generator *g, unsigned n); /* n: of elements */
struct type random_scalar(struct generator *g);
struct type random_value(struct generator *g); /* scalar or vector */
struct type random_type(struct generator *g);  /* or structure */
unsigned random_width(struct generator *g);
unsigned type_size(const struct generator *g, struct type t); /* at most */
const char *type_name(const struct generator *g, struct type t, char buffer[48]);
void make_records(struct generator *g);
void record_folds(struct generator *g);

/* Places: variables and what is inside of them (places.c). */
struct variable *declare(struct generator *g, struct type type, unsigned count);
struct wish {
  struct type type;
  bool any_value; /* scalars and vectors, not just `type` */
  bool writable;  /* and not read meanwhile by others */
  bool addressable;
  int space;      /* or -1 */
  unsigned scope; /* outermost variables only: at most this deep; ~0u: all */
};
struct place {
  unsigned variable, steps;
  signed char step[8]; /* a member, or -1: an element */
  unsigned mask[8];
  struct type type;
};
bool find_place(struct generator *g, const struct wish *wish, struct place *place);
void add_place(struct generator *g, const struct place *place);

/* Expressions (expressions.c, forms.c, reals.c). */
void expression(struct generator *g, struct type t, int depth);
void condition(struct generator *g, int depth);
void uniform_condition(struct generator *g);
void literal(struct generator *g, struct type t);
void constant(struct generator *g, struct type t); /* the one that stands for a dropped node */
void initialiser(struct generator *g, struct type t, unsigned count, int depth);
void real(struct generator *g, struct type t, int depth, double bound);
void real_literal(struct generator *g, struct type t, double bound);
void leaf(struct generator *g, struct type t);
void converted_leaf(struct generator *g, struct type t);
void form(struct generator *g, struct type t, int depth);
void expand(struct generator *g, const char *pattern, struct type t, int depth, double bound);
void call(struct generator *g, const struct function *f, int depth);
const struct function *find_function(struct generator *g, const struct type *result, bool pure);
void fold(struct generator *g, struct type t, unsigned count, const char *name);

/* Statements (statements.c, memory.c, atomics.c, exchange.c, print.c). */
void statement(struct generator *g);
void block(struct generator *g, unsigned statements);
void declaration(struct generator *g);
void constants(struct generator *g); /* tables in constant memory */
bool pointer_statement(struct generator *g);
bool pointer_declaration(struct generator *g);
bool vector_load(struct generator *g, struct type t);
bool bytes_statement(struct generator *g);
bool vector_store(struct generator *g);
void atomic_statement(struct generator *g);
void exchange(struct generator *g); /* between work-items: in uniform flow only */
void print_statement(struct generator *g);
void collective_declaration(struct generator *g);

#endif
