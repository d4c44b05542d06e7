/* The twin of NVIDIA's driver: a library that the CUDA device loads in place of libcuda.so.1
 * (MANIPLE_CUDA_LIBRARY), and that runs PTX one instruction after another on the host, work-item
 * for work-item in random order.  What hardware leaves undefined ends the process: lanes that meet
 * with different masks or at different instructions, or never; shared memory is poisoned. */
#ifndef TESTS_CUDA_TWIN_H
#define TESTS_CUDA_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PTX's types: their names, and bytes. */
#define TWIN_TYPES(type) \
  type(B8, "b8", 1) type(B16, "b16", 2) type(B32, "b32", 4) type(B64, "b64", 8) \
  type(U8, "u8", 1) type(U16, "u16", 2) type(U32, "u32", 4) type(U64, "u64", 8) \
  type(S8, "s8", 1) type(S16, "s16", 2) type(S32, "s32", 4) type(S64, "s64", 8) \
  type(F16, "f16", 2) type(F16X2, "f16x2", 4) type(F32, "f32", 4) type(F64, "f64", 8) \
  type(PRED, "pred", 1)
enum twin_type {
#define TYPE(type, name, size) type,
  TWIN_TYPES(TYPE)
#undef TYPE
};
enum twin_kind { REGISTER, NUMBER, VARIABLE, SPECIAL, LABEL, FUNCTION, NOWHERE };
enum twin_special {
  TID,
  NTID,
  CTAID,
  NCTAID,
  LANE,
  LANES_LT,
  LANES_LE,
  LANES_GT,
  LANES_GE,
  LANES_EQ,
  CLOCK
};

/* VARIABLE: of a frame's parameters (`frame`) or shared memory, whose places differ; those of
 * global memory are NUMBERs. */
struct twin_operand {
  enum twin_kind kind : 8;
  bool negated, in_frame, in_local, dynamic;
  uint64_t value; /* of a register: its number; of a special one: which + 16 * dimension */
  uint64_t mask;  /* of a register: the bits that it has */
  int64_t offset;
  const struct twin_function *function;
};

struct twin_instruction;
struct twin_thread;
typedef void twin_do(struct twin_thread *, const struct twin_instruction *);

/* What is looked at whenever it runs, in one line of the processor's cache. */
struct twin_instruction {
  twin_do *run;
  struct twin_operand *operands;
  uint64_t words;                /* those of TWIN_WORDS in it, as bits */
  enum twin_type type : 8, from : 8; /* the last type in it, and the one before or the same */
  bool unless;
  unsigned char holds; /* of a comparison: twin_prepare */
  int guard;       /* predicate's register, or -1 */
  unsigned vector; /* registers of the first operand in braces */
  unsigned count;
  char *name; /* the whole opcode */
};

struct twin_parameter {
  char *name;
  uint64_t offset, size;
};

struct twin_function {
  char *name;
  struct twin_instruction *code;
  size_t count, registers, frame_size, local_size, parameter_bytes;
  uint64_t shared_size; /* of the module: static, in front of what is dynamic */
  bool unloaded, spills;
  struct twin_parameter *parameters, result;
  unsigned num_parameters;
};

struct twin_module {
  struct twin_function **functions;
  size_t num_functions;
  struct twin_variable {
    char *name;
    bool shared, dynamic;
    uint64_t at, size; /* an address, or an offset in shared memory */
  } * variables;
  size_t num_variables;
  uint64_t shared_size;
};

/* text.c: null if it cannot be read, which is said. */
struct twin_module *twin_read(const char *text, int device);
/* execute.c: how an instruction is run; null: it is not known. */
twin_do *twin_find(const char *name);
/* Once its types and words are known. */
void twin_prepare(struct twin_instruction *);
/* Parts of names that say what an instruction does. */
#define TWIN_WORDS(word)                                                                           \
  word(add) word(sub) word(min) word(max) word(and) word(or) word(xor) word(exch) word(cas)        \
      word(inc) word(dec) word(lt) word(le) word(gt) word(ge) word(eq) word(ne) word(lo) word(ls)  \
          word(hi) word(hs) word(ltu) word(leu) word(gtu) word(geu) word(equ) word(neu) word(num)  \
              word(nan) word(wide) word(rn) word(rz) word(rm) word(rp) word(rni) word(rzi)         \
                  word(rmi) word(rpi) word(full) word(sat) word(up) word(down) word(bfly)          \
                      word(idx) word(all) word(any) word(ballot) word(popc) word(red) word(l) word(r) word(wrap)       \
                          word(clamp) word(approx) word(param) word(local) word(shared)            \
                              word(global) word(to) word(sync) word(warp) word(shiftamt)
enum twin_word {
#define TWIN_WORD(name) TWIN_##name,
  TWIN_WORDS(TWIN_WORD)
#undef TWIN_WORD
};
#define TWIN_HAS(i, word) ((i)->words >> TWIN_##word & 1)

struct twin_frame {
  const struct twin_function *function;
  struct twin_frame *caller;
  size_t at; /* the next instruction */
  uint64_t *registers;
  unsigned char *parameters, *local;
};

enum twin_state { RUNS, AT_BARRIER, AMONG_LANES, OVER };
struct twin_thread {
  struct twin_group *group;
  struct twin_frame *frame;
  uint32_t id[3], lane, warp;
  enum twin_state state;
  bool carry;                           /* of the last sum or difference (carry.c) */
  uint32_t mask;                        /* of lanes that it waits for */
  const struct twin_instruction *waits; /* at which */
};

struct twin_group {
  struct twin_thread *threads;
  uint32_t count, size[3], id[3], groups[3];
  int device;
  bool strict; /* TWIN_STRICT */
  unsigned char *shared;
  size_t shared_size;
};

uint64_t twin_address(const struct twin_thread *, const struct twin_operand *);
/* group.c: is the address in the memory of the thread's group; in its own? */
bool twin_is_shared(const struct twin_thread *, uint64_t at);
bool twin_is_local(const struct twin_thread *, uint64_t at);
uint64_t twin_special(const struct twin_thread *, const struct twin_operand *);
static inline uint64_t twin_value(const struct twin_thread *t, const struct twin_operand *o) {
  uint64_t value = o->kind == REGISTER ? t->frame->registers[o->value]
                   : o->kind == NUMBER ? o->value
                                       : twin_special(t, o);
  return o->negated ? !value : value;
}
static inline void twin_set(struct twin_thread *t, const struct twin_operand *o, uint64_t value) {
  if (o->kind == REGISTER) t->frame->registers[o->value] = value & o->mask;
}
static inline unsigned twin_size(enum twin_type type) {
  static const unsigned char sizes[] = {
#define TYPE(type, name, size) [type] = size,
      TWIN_TYPES(TYPE)
#undef TYPE
  };
  return sizes[type];
}
/* carry.c: add.cc, addc, sub.cc, subc. */
twin_do twin_with_carry;
/* meet.c: the instructions that work-items do together, once all are there. */
twin_do twin_at_barrier, twin_among_lanes;
void twin_finish_barrier(struct twin_group *);
void twin_finish_lanes(struct twin_thread **lanes, uint32_t mask);

/* group.c: a grid, some of its groups after others. */
struct twin_grid {
  const struct twin_function *function;
  uint32_t grid[3], block[3];
  size_t dynamic_shared;
  int device;
  void *parameters; /* of malloc() */
  size_t size;
  uint64_t next; /* group */
};
bool twin_run(struct twin_grid *, uint64_t groups); /* false if none are left */
struct twin_frame *twin_enter(const struct twin_function *, struct twin_frame *caller);
void twin_leave(struct twin_thread *);

/* memory.c: where the bytes at an address are that a device may use, or null; an address that no
 * memory of the twin's is at is the host's.  `device`: -1 for any. */
void *twin_reach(uint64_t at, size_t size, int device);
bool twin_is_memory(uint64_t at); /* perhaps freed */
bool twin_is_lent(uint64_t at); /* it is the host's, which the driver has for now */
/* Of 1, 2, 4 or 8 aligned bytes, at once: the host may look at them meanwhile. */
uint64_t twin_load(const void *from, unsigned size);
void twin_store(void *to, uint64_t value, unsigned size);
bool twin_replace(void *at, uint64_t old, uint64_t now, unsigned size); /* if `old` is there */
/* text.c: gives back what a module's variables are in. */
void twin_forget(struct twin_module *);

void twin_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
