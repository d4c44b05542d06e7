/* A look at one access, as it is being made (filter.c, look_stamps.c), and what it is made of
 * (look.c).  `mpl_look_...` build at the builder's place. */
#ifndef MPL_COMPILER_LOOK_H
#define MPL_COMPILER_LOOK_H

#include "compiler/vector/emit/memory.h"

/* Where the lanes' places are: at one, one beside the other, or anywhere. */
enum mpl_look_how { ONE, BESIDE, APART };

struct look {
  struct mpl_module_ir *ir;
  struct mpl_emit *e; /* null: one work-item */
  LLVMBuilderRef b;
  LLVMValueRef function, call, group;
  enum mpl_look_how how;
  unsigned lanes; /* of work-items */
  unsigned each;  /* elements that each of them accesses */
  unsigned size, shift;
  bool reads, writes, is_atomic, is_local;
  bool is_only_read; /* MPL_FILTER_ONLY_READ */
  bool has_steps;    /* of the sub-group: struct mpl_filter_steps */
  LLVMValueRef mask; /* null: all lanes are there */
  LLVMValueRef some; /* a condition: there is one; null: there surely is */
  LLVMValueRef at;   /* i64: of the first lane, or (APART) of each */
  LLVMValueRef own;  /* i32: the work-items' stamps; of each lane */
  LLVMValueRef phase, several, atomics;
  struct look_steps {
    LLVMValueRef several, from, before, low, done, next;
  } steps;
  LLVMValueRef low, units, wrote, read; /* of the memory */
  LLVMBasicBlockRef stop;
};

/* A constant operand of the call. */
uint64_t mpl_look_number(const struct look *, unsigned operand);
/* Values: of a lane or, as vectors, of each. */
LLVMTypeRef mpl_look_vector_of(LLVMTypeRef, unsigned count);
LLVMValueRef mpl_look_splat(const struct look *, LLVMValueRef, unsigned count);
LLVMValueRef mpl_look_like(const struct look *, LLVMValueRef, LLVMValueRef other); /* a type */
LLVMValueRef mpl_look_repeated(const struct look *, LLVMValueRef vector, unsigned times);
LLVMValueRef mpl_look_compare(const struct look *, LLVMIntPredicate, LLVMValueRef, LLVMValueRef);
LLVMValueRef mpl_look_any(const struct look *, LLVMValueRef condition, LLVMValueRef mask);
LLVMValueRef mpl_look_if_some(const struct look *, LLVMValueRef condition);
LLVMValueRef mpl_look_place(const struct look *, LLVMValueRef base, LLVMValueRef bytes);

/* What a look's group operand leads to: of a sub-group's function the group that it is of. */
LLVMValueRef mpl_look_group(const struct look *, LLVMValueRef operand);
/* A field of a struct mpl_filter_group or of what it leads to; `fixed`: it does not change. */
LLVMValueRef mpl_look_load(const struct look *, LLVMTypeRef, LLVMValueRef base, uint64_t offset,
                           bool fixed);
#define MPL_LOOK_GROUP(type, name, fixed)                                                          \
  mpl_look_load(l, l->ir->type, l->group, offsetof(struct mpl_filter_group, name), fixed)

/* The memory of a variable, and of an argument. */
void mpl_look_find_variable(struct look *);
void mpl_look_find_argument(struct look *, uint64_t argument);

void mpl_look_stop_if(struct look *, LLVMValueRef condition);
/* The same of lanes that are there. */
void mpl_look_stop_if_any(struct look *, LLVMValueRef condition, LLVMValueRef mask);
LLVMBasicBlockRef mpl_look_new_block(const struct look *, const char *name);

/* Words in memory: of one lane, of all lanes one beside the other (`times` words each), or of each
 * lane one.  `safe` is where nobody looks, if there is no lane. */
LLVMValueRef mpl_look_get(const struct look *, LLVMValueRef at, unsigned times);
void mpl_look_put(const struct look *, LLVMValueRef value, LLVMValueRef at);
LLVMValueRef mpl_look_safe(const struct look *, LLVMValueRef at);

/* look_stamps.c: at the place in the memory, in bytes. */
void mpl_look_at_stamps(struct look *, LLVMValueRef offset);

/* look_lanes.c: in front of a function of the sub-group. */
void mpl_look_at_lanes(struct look *);

/* filter.c: at a call of a marker of which mpl_is_look, without lanes. */
void mpl_look_at_call(struct look *, unsigned block);

#endif
