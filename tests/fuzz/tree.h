/* The random kernels: what the generator makes, the printer prints as OpenCL C, the interpreter
 * runs, and the shrinker cuts down.
 *
 * All arithmetic is on uint or ulong, so that it wraps and no order of evaluation is undefined;
 * variables of other types are converted when read and written.  Every kernel has the parameters
 *   global ulong *out, global const uint *in, global const uint *u, global uint *shared_2,
 *   uint a0, uint a1, local uint *shared_1
 * and a local array shared_0; functions get all but `out`. */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  FUZZ_ITEMS = 640,  /* the largest work-group */
  FUZZ_GROUPS = 32,
  FUZZ_OUTS = 8,     /* results of each work-item */
  FUZZ_INS = 4,      /* inputs of each work-item */
  FUZZ_UNIFORMS = 8, /* elements of u */
  FUZZ_SHARED = 3,   /* arrays that work-items exchange data in: local, local argument, global */
  FUZZ_CELLS = 1024, /* elements of each, for one group */
  MAX_PARAMS = 5,
  MAX_FUNCTIONS = 4,
  MAX_ARMS = 4,
};

#define FUZZ_TYPES(X) \
  X(uchar, uint8_t) X(short, int16_t) X(int, int32_t) X(uint, uint32_t) X(long, int64_t) \
  X(ulong, uint64_t) X(float, float) X(double, double)
enum fuzz_type {
#define X(T, C) T_##T,
  FUZZ_TYPES(X)
#undef X
  T_COUNT
};

struct var {
  int id;             /* its name: v<id> */
  enum fuzz_type type;
  int lanes;          /* 1, or of a vector */
  int length;         /* of a private array, or 0 */
  bool uniform;       /* the generator keeps it the same for all work-items */
  bool fixed;         /* a loop counter: not assigned */
  bool pointer;       /* a parameter that points to the caller's variable */
  uint64_t *values;   /* the interpreter's: slots of item 0, of item 1, ... */
};

enum item_value { LINEAR_ID, LOCAL_X, LOCAL_Y, LOCAL_Z, GROUP_X, GROUP_LINEAR, ITEMS, SIZE_X, GLOBAL_X };

enum expr_kind {
  E_CONST, E_VAR, E_ELEMENT, E_ITEM, E_IN, E_U, E_ARG, E_SHARED,
  E_BINARY, E_NOT, E_CHOOSE, E_AND, E_OR, E_CAST,
  E_REDUCE, E_SCAN_INCLUSIVE, E_SCAN_EXCLUSIVE, E_BROADCAST, E_ALL, E_ANY,
};

enum binary {
  B_ADD, B_SUB, B_MUL, B_AND, B_OR, B_XOR, B_SHL, B_SHR, B_DIV, B_REM, B_LT, B_SLT, B_EQ, B_NE,
  B_MIN, B_MAX, B_COUNT,
};

enum group_op { G_ADD, G_MIN, G_MAX, G_MUL, G_AND, G_OR, G_XOR, G_COUNT };
#define GROUP_TYPES(X) X(int) X(uint) X(long) X(ulong) X(float) X(double) X(half)
enum group_type { GT_int, GT_uint, GT_long, GT_ulong, GT_float, GT_double, GT_half };

struct expr {
  enum expr_kind kind;
  bool wide;          /* ulong, else uint */
  int op, type, index; /* by kind: binary, group_op, item_value, lane, argument, shared array */
  uint64_t bits;
  struct var *var;
  struct expr *a, *b, *c;
};

enum stmt_kind {
  S_DECLARE, S_ASSIGN, S_ELEMENT, S_OUT, S_SHARE, S_ATOMIC, S_BARRIER, S_IF, S_FOR, S_WHILE, S_DO,
  S_SWITCH, S_BREAK, S_CONTINUE, S_RETURN, S_CALL,
};

struct block { struct stmt *first; };

struct stmt {
  struct stmt *next;
  enum stmt_kind kind;
  int op, index;              /* lane, shared array, barrier's flags, output */
  struct var *var;            /* assigned or counted */
  struct expr *a, *b;
  struct block arms[MAX_ARMS]; /* bodies */
  int num_arms;
  unsigned falls;             /* bits: this arm of the switch falls through */
  struct function *function;
  struct expr *args[MAX_PARAMS];
};

struct function {
  int id;
  bool syncs;                 /* called by all work-items together only */
  bool uniform;               /* returns the same to all */
  struct var *params[MAX_PARAMS];
  int num_params;
  struct block body;
};

struct kernel {
  int id;
  int num_vars;
  struct var *vars[512];
  struct function *functions[MAX_FUNCTIONS];
  int num_functions;
  struct block body;
  int qualifier;              /* how the local array and sizes are given */
};

/* What a launch of any of these kernels is given. */
struct fuzz_launch {
  unsigned dims;
  size_t global[3], local[3];
  uint32_t args[2], u[FUZZ_UNIFORMS];
  uint32_t *in;
};

void *fuzz_new(size_t size); /* zeroed; lives until fuzz_free_all() */
void fuzz_free_all(void);

/* generate.c: the same kernel for the same seed, always. */
struct kernel *generate(uint64_t seed, int id, bool collectives);

/* print.c: the OpenCL C of a kernel and its functions; free it. */
char *print_kernel(const struct kernel *k);

/* interpret.c: null, or why the kernel is not legal (a race, a sync point that some miss, too long).
 * `out` has FUZZ_OUTS elements for each work-item, in global linear order. */
const char *interpret(struct kernel *k, const struct fuzz_launch *l, uint64_t *out);

/* shrink.c: cuts the kernel down while `fails` says that it still does. */
void shrink(struct kernel *k, bool (*fails)(struct kernel *, void *), void *data);

#endif
