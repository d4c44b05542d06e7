/* The random kernels: what the generator makes, the printer prints as OpenCL C, the interpreter
 * runs, and the shrinker cuts down.
 *
 * All arithmetic is on uint or ulong, so that it wraps and no order of evaluation is undefined;
 * variables of other types are converted when read and written, and what is computed in other types
 * is exact in them.  Every kernel has the parameters
 *   global ulong *out, global const uint *in, global const uint *u, global uint *shared_2,
 *   uint a0, uint a1, local uint *shared_1, global struct record *records
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
  FUZZ_UNIFORMS = 256, /* elements of u */
  FUZZ_RECORD = 8,   /* ulongs of a record, of which each work-item has one */
  FUZZ_WORDS = FUZZ_OUTS + FUZZ_RECORD,
  FUZZ_SHARED = 3,   /* arrays that work-items exchange data in: local, local argument, global */
  FUZZ_CELLS = 1024, /* elements of each, for one group */
  MAX_PARAMS = 5,
  MAX_FUNCTIONS = 4,
  MAX_ARMS = 4,
};

#define FUZZ_TYPES(X) \
  X(uchar, uint8_t) X(short, int16_t) X(int, int32_t) X(uint, uint32_t) X(long, int64_t) \
  X(ulong, uint64_t) X(char, int8_t) X(ushort, uint16_t) X(float, float) X(double, double)
enum fuzz_type {
#define X(T, C) T_##T,
  FUZZ_TYPES(X)
#undef X
  T_COUNT
};
enum { INTEGERS = T_float }; /* types before it */

/* The fields of struct record: X(name, type, lanes, length, byte).  A byte at 5 is padding. */
#define FUZZ_FIELDS(X) \
  X(a, uint, 1, 0, 0) X(b, uchar, 1, 0, 4) X(c, short, 1, 0, 6) X(d, ulong, 1, 0, 8) \
  X(e, float, 4, 0, 16) X(f, uchar, 4, 0, 32) X(g, int, 1, 3, 36) X(h, double, 2, 0, 48)
struct field { const char *name; enum fuzz_type type; int lanes, length, byte; };
enum { FIELDS = 8, RECORD_SLOTS = 17, RECORD_BYTES = 64, PADDING = 5 };
extern const struct field fields[FIELDS];

/* Who has the same value, or is at a place together: perhaps nobody, a sub-group, the work-group. */
enum level { VARYING, TEAM, GROUP };

struct var {
  int id;             /* its name: v<id> */
  enum fuzz_type type;
  int lanes;          /* 1, or of a vector */
  int length;         /* of a private array, or 0 */
  enum level level;   /* the generator keeps it the same for these */
  bool fixed;         /* a loop counter: not assigned */
  bool pointer;       /* a parameter that points to the caller's variable */
  bool record;        /* a struct record */
  uint64_t *values;   /* the interpreter's: slots of item 0, of item 1, ... */
};

enum item_value {
  LINEAR_ID, LOCAL_X, LOCAL_Y, LOCAL_Z, GLOBAL_X, GLOBAL_Y, GLOBAL_Z, GLOBAL_LINEAR,
  GROUP_X, GROUP_Y, GROUP_Z, GROUP_LINEAR, ITEMS, SIZE_X, SIZE_Y, SIZE_Z, GROUPS_X, GLOBALS, OFFSET_X,
  LANE, LANES, TEAM_ID, TEAMS, LANES_MAX, ITEM_VALUES,
};

enum expr_kind {
  E_CONST, E_VAR, E_ELEMENT, E_ITEM, E_IN, E_U, E_ARG, E_SHARED,
  E_TABLE, E_FIELD, E_STRIDE, E_CALC, E_DIVIDE, E_CONVERT, E_ROUND, E_EXACT,
  E_BINARY, E_NOT, E_CHOOSE, E_AND, E_OR, E_CAST,
  E_REDUCE, E_SCAN_INCLUSIVE, E_SCAN_EXCLUSIVE, E_BROADCAST, E_ALL, E_ANY, E_LANES,
};

enum binary {
  B_ADD, B_SUB, B_MUL, B_AND, B_OR, B_XOR, B_SHL, B_SHR, B_DIV, B_REM, B_LT, B_SLT, B_EQ, B_NE,
  B_MIN, B_MAX, B_COUNT,
};

/* Functions of integers of any type: X(name, operands). */
#define FUZZ_CALCS(X) \
  X(cast, 1) X(clz, 1) X(ctz, 1) X(popcount, 1) X(abs, 1) X(rotate, 2) X(mul_hi, 2) \
  X(abs_diff, 2) X(hadd, 2) X(rhadd, 2) X(add_sat, 2) X(sub_sat, 2) X(min, 2) X(max, 2) \
  X(upsample, 2) X(shr, 2) X(bitselect, 3) X(mad_hi, 3) X(mad_sat, 3)
enum calc {
#define X(name, operands) C_##name,
  FUZZ_CALCS(X)
#undef X
  C_COUNT
};

/* What is exact in int, long, float and double, of numbers below 2048: X(id, operands). */
#define FUZZ_EXACTS(X) \
  X(add, 2) X(sub, 2) X(mul, 2) X(mad, 3) X(less, 3) X(square, 1) X(halved, 1) X(divide, 2)
enum exact {
#define X(id, operands) X_##id,
  FUZZ_EXACTS(X)
#undef X
  X_COUNT
};

/* How elements of `in` are read, and of u by an index. */
enum in_form { IN_PLAIN, IN_VLOAD4, IN_VLOAD2, IN_VECTOR, IN_TYPE, IN_TYPE4, IN_FORMS };
enum table_form { TABLE_UCHAR, TABLE_MASK, TABLE_CHAR, TABLE_USHORT, TABLE_INT, TABLE_CONSTANT, TABLE_FORMS };
/* Constant tables, of 4 to 32 elements, in prelude.cl: what is at a place. */
enum { FUZZ_TABLE_SIZES = 4 };
#define FUZZ_IN_TABLE(place) ((place) * 7 + 3 & 127)
enum rounding { ROUND_DEFAULT, ROUND_rte, ROUND_rtz, ROUND_rtp, ROUND_rtn, ROUNDINGS };

enum group_op { G_ADD, G_MIN, G_MAX, G_MUL, G_AND, G_OR, G_XOR, G_COUNT };
#define GROUP_TYPES(X) X(int) X(uint) X(long) X(ulong) X(float) X(double) X(half)
enum group_type { GT_int, GT_uint, GT_long, GT_ulong, GT_float, GT_double, GT_half };

/* Sub-group functions: X(id, function or prefix of it, what it takes, who must arrive, whose the
 * result is).  SAFE_ ones are in prelude.cl: around a shuffle whose source may not be there. */
#define LANES_OPS(X) \
  X(REDUCE, "sub_group_reduce_", NUMBER, TEAM, TEAM) \
  X(SCAN, "sub_group_scan_inclusive_", NUMBER, TEAM, VARYING) \
  X(BEFORE, "sub_group_scan_exclusive_", NUMBER, TEAM, VARYING) \
  X(ALL, "sub_group_all", TRUTH, TEAM, TEAM) \
  X(ANY, "sub_group_any", TRUTH, TEAM, TEAM) \
  X(BROADCAST, "sub_group_broadcast", PAIR, TEAM, TEAM) \
  X(SOME_REDUCE, "sub_group_non_uniform_reduce_", NUMBER, VARYING, TEAM) \
  X(SOME_SCAN, "sub_group_non_uniform_scan_inclusive_", NUMBER, VARYING, VARYING) \
  X(SOME_BEFORE, "sub_group_non_uniform_scan_exclusive_", NUMBER, VARYING, VARYING) \
  X(CLUSTERED, "sub_group_clustered_reduce_", NUMBER, VARYING, VARYING) \
  X(SOME_ALL, "sub_group_non_uniform_all", TRUTH, VARYING, TEAM) \
  X(SOME_ANY, "sub_group_non_uniform_any", TRUTH, VARYING, TEAM) \
  X(ELECT, "sub_group_elect", NOTHING, VARYING, VARYING) \
  X(ALL_EQUAL, "sub_group_non_uniform_all_equal", OPERAND, VARYING, TEAM) \
  X(FIRST, "sub_group_broadcast_first", OPERAND, VARYING, TEAM) \
  X(BALLOT, "ballot_bits", TRUTH, VARYING, TEAM) \
  X(RANK, "ballot_rank", TRUTH, VARYING, VARYING) \
  X(SHUFFLE, "safe_shuffle_", PAIR, VARYING, VARYING) \
  X(XOR, "safe_shuffle_xor_", PAIR, VARYING, VARYING) \
  X(UP, "safe_shuffle_up_", PAIR, VARYING, VARYING) \
  X(DOWN, "safe_shuffle_down_", PAIR, VARYING, VARYING) \
  X(ROTATE, "safe_rotate_", PAIR, VARYING, VARYING)
enum lanes_takes { NOTHING, TRUTH, OPERAND, NUMBER, PAIR };
enum lanes_op {
#define X(id, function, takes, arrive, result) L_##id,
  LANES_OPS(X)
#undef X
  L_COUNT
};

struct expr {
  enum expr_kind kind;
  bool wide;          /* ulong, else uint */
  int op, type, index; /* by kind: binary, group_op, item_value, lane, argument, shared array, ... */
  int more;            /* E_STRIDE: what is added; E_CONVERT: the type before */
  enum lanes_op lanes; /* of E_LANES; index is then the size of clusters */
  uint64_t bits;
  struct var *var;
  struct expr *a, *b, *c;
};

enum stmt_kind {
  S_DECLARE, S_ASSIGN, S_ELEMENT, S_OUT, S_SHARE, S_ATOMIC, S_BARRIER, S_IF, S_FOR, S_WHILE, S_DO,
  S_SWITCH, S_BREAK, S_CONTINUE, S_RETURN, S_CALL, S_EXCHANGE, S_FIELD, S_COPY, S_SWAP, S_VECTOR,
};

/* Operators between vectors: those of enum calc between its `min` and `max`, or these. */
enum vector_op { V_ADD = C_COUNT, V_SUB, V_MUL, V_AND, V_XOR, V_CHOOSE, V_END };


struct block { struct stmt *first; };

struct stmt {
  struct stmt *next;
  enum stmt_kind kind;
  int op, index;              /* lane, shared array, barrier's flags, output, field, default */
  struct var *var;            /* assigned or counted; a record: null is that in global memory */
  struct var *from[2];        /* S_COPY, S_VECTOR, a declaration of a record */
  uint8_t swizzle[2][16];     /* S_VECTOR: components of those */
  struct expr *a, *b, *c;     /* S_FOR: bound, start, step */
  struct block arms[MAX_ARMS]; /* bodies */
  int num_arms;
  unsigned falls;             /* bits: this arm of the switch falls through */
  struct function *function;
  struct expr *args[MAX_PARAMS];
};

struct function {
  int id;
  enum level together;        /* called by all of these together only */
  enum level level;           /* returns the same to all of these */
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
  int ids;                    /* how GLOBAL and LINEAR are written */
  unsigned sub_group;         /* size of its sub-groups, 0 if it has no sub-group functions */
};

/* What a launch of any of these kernels is given. */
struct fuzz_launch {
  unsigned dims;
  size_t global[3], local[3], offset[3];
  uint32_t args[2], u[FUZZ_UNIFORMS];
  uint32_t *in;
};

void *fuzz_new(size_t size); /* zeroed; lives until fuzz_free_all() */
void fuzz_free_all(void);

/* generate.c: the same kernel for the same seed, always. */
struct kernel *generate(uint64_t seed, int id, bool collectives, unsigned sub_group);

/* A remainder by a number that is never 0: an index. */
static inline bool divides_by_count(const struct expr *e) {
  return e->b->kind == E_ITEM && !e->b->wide &&
         (e->b->op == ITEMS || e->b->op == LANES || e->b->op == GLOBALS);
}

/* lanes.c: the answers of a sub-group function for the work-items `first` to before `end` of one
 * sub-group, of those that are `on`.  a, b: its operands.  Null, or why the call is not legal. */
const char *lanes_answer(const struct expr *e, unsigned max_size, size_t first, size_t end,
                         const uint8_t *on, const uint64_t *a, const uint64_t *b, uint64_t *to);
/* interpret.c: arithmetic of collectives. */
uint64_t group_operand(int type, uint64_t bits);
uint64_t group_identity(int op, int type);
uint64_t group_combine(int op, int type, uint64_t a, uint64_t b);

/* calculate.c: an integer of the type, sign- or zero-extended. */
uint64_t convert(enum fuzz_type type, uint64_t bits);
unsigned bits_of(enum fuzz_type type);
uint64_t calculate_typed(const struct expr *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t calculate_vector(enum fuzz_type type, int op, uint64_t a, uint64_t b);
bool less_in(enum fuzz_type type, uint64_t a, uint64_t b);
/* The places of an element of a field in the slots and in the bytes of a record. */
int field_slot(int field, int element);
uint64_t record_start(size_t item, int slot);
void pack_record(const uint64_t *slots, void *bytes);

/* print_expr.c, print.c: the OpenCL C of a kernel and its functions; free it. */
char *print_kernel(const struct kernel *k);

/* interpret.c: null, or why the kernel is not legal (a race, a sync point that some miss, too long).
 * `out` has FUZZ_OUTS elements for each work-item, in global linear order, then all records. */
const char *interpret(struct kernel *k, const struct fuzz_launch *l, uint64_t *out);

/* shrink.c: cuts the kernel down while `fails` says that it still does. */
void shrink(struct kernel *k, bool (*fails)(struct kernel *, void *), void *data);

#endif
