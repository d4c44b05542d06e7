/* What a call means to the passes: the rows of markers.def. */
#ifndef MPL_COMPILER_MARKERS_H
#define MPL_COMPILER_MARKERS_H

#include "abi/items.h"
#include "ir.h"

enum mpl_marker {
  MPL_NO_MARKER,
#define MPL_MARKER(id, ...) MPL_MARK_##id,
#include "tables/markers.def"
};

struct mpl_marker_row {
  const char *name;
  enum { MPL_MATCH_WHOLE, MPL_MATCH_PREFIX } match;
  enum { MPL_KIND_OTHER, MPL_KIND_SYNC, MPL_KIND_LOCAL_ID, MPL_KIND_ID, MPL_KIND_PARAMETER } kind;
  enum { MPL_SCOPE_NONE, MPL_SCOPE_GROUP, MPL_SCOPE_LANES } scope;
  enum { MPL_RESULT_VARYING, MPL_RESULT_TOGETHER, MPL_RESULT_UNIFORM } result;
  unsigned own;
  bool in_place;
  enum {
    MPL_DOES_NOTHING,
    MPL_DOES_COMBINE,
    MPL_DOES_BROADCAST,
    MPL_DOES_COMPACT,
    MPL_DOES_ACTIVE,
    MPL_DOES_YIELD,
    MPL_DOES_JOIN,
  } does;
  int item_id;
  enum { MPL_FILTER_UNKNOWN, MPL_FILTER_KNOWN } filter;
  enum { MPL_ONE_SAME, MPL_ONE_COMBINES, MPL_ONE_DIFFERS } one;
};

/* By enum mpl_marker. */
extern const struct mpl_marker_row mpl_markers[];

/* Which marker an instruction calls, if any.  Its callee's name is looked at once. */
enum mpl_marker mpl_marker_of(LLVMValueRef instruction);

static inline const struct mpl_marker_row *mpl_marker_row(LLVMValueRef instruction) {
  return &mpl_markers[mpl_marker_of(instruction)];
}

/* Where work-items meet: those of the work-group, or those of a sub-group. */
static inline bool mpl_is_sync(enum mpl_marker marker) {
  return mpl_markers[marker].kind == MPL_KIND_SYNC;
}
static inline bool mpl_is_group_sync(enum mpl_marker marker) {
  return mpl_is_sync(marker) && mpl_markers[marker].scope == MPL_SCOPE_GROUP;
}

/* The work-item's own place: all that distinguishes it from others. */
static inline bool mpl_is_local_id(enum mpl_marker marker) {
  return mpl_markers[marker].kind == MPL_KIND_LOCAL_ID;
}
static inline bool mpl_is_id(enum mpl_marker marker) {
  return mpl_is_local_id(marker) || mpl_markers[marker].kind == MPL_KIND_ID;
}

/* Its result replaces the operands. */
static inline bool mpl_is_in_place(enum mpl_marker marker) {
  return mpl_markers[marker].in_place;
}

/* Builds a call of a marker. */
LLVMValueRef mpl_build_marker(struct mpl_module_ir *, LLVMBuilderRef, enum mpl_marker,
                              LLVMTypeRef result, LLVMValueRef *args, unsigned count);

/* The function that a sync's last operand is; OpenCL C hands it over as a generic pointer. */
LLVMValueRef mpl_combine_of(LLVMValueRef sync);

/* What a marker stands for that is a parameter of the group function, or a constant; else null. */
LLVMValueRef mpl_parameter_of(struct mpl_module_ir *, const struct mpl_ir_kernel *,
                              enum mpl_marker);

/* Of a filter's sync (items/filter.c): the memories that it orders, bits 1 << enum mpl_filter_kind.
 */
#define MPL_FILTER_FENCES "mpl.fences"
/* Of what is read of a struct mpl_filter_group that changes at barriers only. */
#define MPL_FILTER_STATE "mpl.state"
uint64_t mpl_filter_fences(struct mpl_module_ir *, LLVMValueRef sync);

/* A call of MPL_MARK_FILTER, MPL_MARK_FILTER_STOP or MPL_MARK_FILTER_LANES. */
bool mpl_is_look(LLVMValueRef instruction);

/* The operands of MPL_MARK_FILTER_STOP: a condition, and a struct mpl_filter_group. */
enum { MPL_STOP_CONDITION, MPL_STOP_GROUP, MPL_STOP_OPERANDS };
void mpl_build_stop(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef condition, LLVMValueRef group);
/* The operands of MPL_MARK_FILTER_LANES, in front of a sub-group's function, and what is asked. */
enum mpl_lanes_operand {
  MPL_LANES_GROUP,    /* a struct mpl_filter_group */
  MPL_LANES_ASKED,    /* i32: enum mpl_lanes_asked */
  MPL_LANES_ARGUMENT, /* i64: the function's, if something is asked of it */
  MPL_LANES_FENCES,   /* i32: what it orders, as mpl_filter_fences */
  MPL_LANES_OPERANDS,
};
enum mpl_lanes_asked {
  MPL_LANES_ALL = 1,    /* all lanes of the sub-group have come */
  MPL_LANES_SAME = 2,   /* with one argument */
  MPL_LANES_INSIDE = 4, /* which is a lane's number */
  MPL_LANES_AT = 8,     /* the lane that it says has come: by its number, by xor, so far down, up */
  MPL_LANES_XOR = 16,
  MPL_LANES_DOWN = 32,
  MPL_LANES_UP = 64,
};
/* The operands of MPL_MARK_FILTER: a look at an access that is about to happen. */
enum mpl_filter_operand {
  MPL_FILTER_ADDRESS,
  MPL_FILTER_GROUP, /* a struct mpl_filter_group */
  MPL_FILTER_ITEM,  /* i64: local linear id */
  MPL_FILTER_BASE,  /* of a variable in local memory; or null */
  MPL_FILTER_FLAGS, /* i32, as those behind: enum mpl_access_flags */
  MPL_FILTER_SIZE,
  MPL_FILTER_SHIFT,    /* an element of the memory has 1 << shift bytes */
  MPL_FILTER_ARGUMENT, /* whose memory it is, from 1 on; 0: the variable's */
  MPL_FILTER_WHOLE,    /* of the variable: bytes */
  MPL_FILTER_IS_LOCAL,
  MPL_FILTER_STEPS,     /* barriers of sub-groups order memory */
  MPL_FILTER_ONLY_READ, /* the argument, by the kernel: its memory may be known before; local
                         * memory, in the phase: nobody asks who has read it */
  MPL_FILTER_OPERANDS,
};

/* The function calls something that is of sub-groups. */
bool mpl_uses_lanes(LLVMValueRef function);

#endif
