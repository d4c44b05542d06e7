/* For the checking engine: the collectives that the program calls, by name, before the library puts
 * its own functions in their place.  In front of each call stands then
 *
 *   __mpl_at(&description of the function, flags and scope)
 *
 * which per_item.c turns into a call of the engine. */
#include <string.h>

#include "abi/items.h"
#include "called.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* --- Descriptions for the engine --- */

static const struct {
  const char *part;
  enum mpl_function_kind kind;
  bool typed;
} kinds[] = {
    {"named_barrier", MPL_FUNCTION_OTHER, false},
    {"barrier", MPL_FUNCTION_BARRIER, false},
    {"scan_inclusive", MPL_FUNCTION_SCAN_INCLUSIVE, true},
    {"scan_exclusive", MPL_FUNCTION_SCAN_EXCLUSIVE, true},
    {"ballot", MPL_FUNCTION_OTHER, false},
    {"reduce", MPL_FUNCTION_REDUCE, true},
    {"broadcast", MPL_FUNCTION_BROADCAST, true},
    {"shuffle", MPL_FUNCTION_SHUFFLE, true},
    {"rotate", MPL_FUNCTION_SHUFFLE, true},
    {"all_equal", MPL_FUNCTION_VOTE, true},
    {"group_all", MPL_FUNCTION_VOTE, false},
    {"group_any", MPL_FUNCTION_VOTE, false},
    {"async_work_group_copy_fence", MPL_FUNCTION_OTHER, false},
    {"async_work_group", MPL_FUNCTION_COPY, false},
    {"", MPL_FUNCTION_OTHER, false},
};

/* Sub-group functions that some of the lanes may call alone. */
static bool is_apart(const char *name) {
  enum { TOGETHER, APART };
  static const struct {
    const char *name;
    int flow;
  } functions[] = {
#define MPL_SUB_GROUP_FUNCTION(name, types, value, first, second, third, flow, result, extension)  \
  {#name, flow},
#include "tables/collectives.def"
  };
  static const struct {
    const char *prefix;
    int flow;
  } forms[] = {
#define MPL_SUB_GROUP_FORM(prefix, form, operations, types, size, flow, result, extension)         \
  {#prefix "_" #form, flow},
#include "tables/collectives.def"
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(name, functions[i].name)) return functions[i].flow == APART;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (mpl_begins(name, forms[i].prefix)) return forms[i].flow == APART;
  return mpl_begins(name, "intel_sub_group_");
}

static unsigned flags_of(const char *name, unsigned kind) {
  bool lanes = mpl_begins(name, "sub_group_") || mpl_begins(name, "intel_sub_group_");
  unsigned flags = lanes ? MPL_FUNCTION_SUB_GROUP : 0;
  if (lanes && is_apart(name)) flags |= MPL_FUNCTION_ANY_LANES;
  if (kind == MPL_FUNCTION_BROADCAST && !strstr(name, "first"))
    flags |= MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE;
  if (kind == MPL_FUNCTION_BARRIER || strstr(name, "clustered_reduce"))
    flags |= MPL_FUNCTION_UNIFORM;
  return flags;
}

static const char *argument_of(unsigned kind, unsigned flags) {
  if (!(flags & MPL_FUNCTION_UNIFORM)) return NULL;
  if (kind == MPL_FUNCTION_BARRIER) return "fence and scope";
  if (kind == MPL_FUNCTION_REDUCE) return "cluster size";
  return flags & MPL_FUNCTION_SUB_GROUP ? "sub-group local id" : "local id";
}

/* "add" of work_group_scan_inclusive_add. */
static const char *operation_of(const char *name, const char *part) {
  const char *at = *part ? strstr(name, part) : NULL;
  return at && at[strlen(part)] == '_' ? at + strlen(part) + 1 : "";
}

static LLVMValueRef text(struct mpl_module_ir *ir, const char *value) {
  return value ? mpl_text(ir, value, strlen(value), "mpl.name") : LLVMConstNull(ir->ptr);
}

/* The fields of a struct mpl_function. */
enum field { NAME, OPERATION, TYPE, ARGUMENT, COMPUTE, KIND, FLAGS, FIELDS };

static LLVMValueRef make_function(struct mpl_module_ir *ir, LLVMValueRef fields[FIELDS],
                                  unsigned kind, unsigned flags, const char *name) {
  LLVMTypeRef i16 = LLVMInt16TypeInContext(ir->context);
  fields[COMPUTE] = LLVMConstNull(ir->ptr);
  fields[KIND] = LLVMConstInt(i16, kind, false);
  fields[FLAGS] = LLVMConstInt(i16, flags, false);
  return mpl_constant(ir, LLVMConstStructInContext(ir->context, fields, FIELDS, false), name);
}

static LLVMValueRef described(LLVMValueRef function, enum field field) {
  LLVMValueRef value = LLVMIsAGlobalVariable(function) ? LLVMGetInitializer(function) : NULL;
  return value ? LLVMGetAggregateElement(value, field) : NULL;
}

unsigned mpl_described_kind(LLVMValueRef function) {
  LLVMValueRef kind = described(function, KIND);
  return kind ? (unsigned)LLVMConstIntGetZExtValue(kind) : MPL_FUNCTION_EXPECT;
}

unsigned mpl_described_flags(LLVMValueRef function) {
  LLVMValueRef flags = described(function, FLAGS);
  return flags ? (unsigned)LLVMConstIntGetZExtValue(flags) : 0;
}

bool mpl_is_described_as(LLVMValueRef function, const char *name) {
  LLVMValueRef text = described(function, NAME);
  size_t length, wanted = strlen(name);
  if (!text || !LLVMIsAGlobalVariable(text)) return false;
  const char *is = LLVMGetAsString(LLVMGetInitializer(text), &length);
  return length >= wanted && !memcmp(is, name, wanted) && (length == wanted || !is[wanted]);
}

/* A struct mpl_function. */
static LLVMValueRef describe(struct mpl_module_ir *ir, struct mpl_called *call) {
  unsigned k = 0;
  while (*kinds[k].part && !strstr(call->name, kinds[k].part)) k++;
  if (kinds[k].typed) mpl_read_type(call);
  unsigned flags = flags_of(call->name, kinds[k].kind);
  const char *operation = kinds[k].typed ? operation_of(call->name, kinds[k].part) : "";
  LLVMValueRef fields[FIELDS] = {[NAME] = text(ir, call->name),
                                 [OPERATION] = text(ir, operation),
                                 [TYPE] = text(ir, call->type),
                                 [ARGUMENT] = text(ir, argument_of(kinds[k].kind, flags))};
  return make_function(ir, fields, kinds[k].kind, flags, "mpl.function");
}

/* The flags of a barrier and its scope, as the engine compares them.  The scope of one that names
 * none is the group's (OpenCL C 3.0, 6.15.8). */
static LLVMValueRef flags_and_scope(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                                    const char *name) {
  LLVMValueRef flags = LLVMBuildZExt(b, LLVMGetOperand(call, 0), ir->i64, "");
  LLVMValueRef scope = mpl_const64(
      ir, mpl_begins(name, "sub_group_") ? MPL_FENCE_SUB_GROUP : MPL_FENCE_WORK_GROUP);
  if (LLVMGetNumArgOperands(call) > 1)
    scope = LLVMBuildZExt(b, LLVMGetOperand(call, 1), ir->i64, "");
  scope = LLVMBuildShl(b, scope, mpl_const64(ir, MPL_FENCE_SCOPE_SHIFT), "");
  return LLVMBuildOr(b, flags, scope, "");
}

/* The id of a broadcast, if it has two or three dimensions (abi/items.h); else 0. */
static LLVMValueRef ids_of_broadcast(struct mpl_module_ir *ir, LLVMBuilderRef b,
                                     LLVMValueRef call) {
  const uint64_t most = (1u << MPL_IDS_BITS) - 1;
  unsigned count = LLVMGetNumArgOperands(call), ids = 0;
  LLVMValueRef all = mpl_const64(ir, (uint64_t)1 << MPL_IDS_GIVEN_SHIFT);
  while (ids < count && LLVMTypeOf(LLVMGetOperand(call, count - 1 - ids)) == ir->i64) ids++;
  if (ids == count) ids--; /* the value */
  if (ids < 2) return mpl_const64(ir, 0);
  for (unsigned k = 0; k < ids; k++) {
    LLVMValueRef id = LLVMGetOperand(call, count - ids + k);
    LLVMValueRef less = LLVMBuildICmp(b, LLVMIntULT, id, mpl_const64(ir, most), "");
    id = LLVMBuildSelect(b, less, id, mpl_const64(ir, most), "");
    id = LLVMBuildShl(b, id, mpl_const64(ir, MPL_IDS_BITS * k), "");
    all = LLVMBuildOr(b, all, id, "");
  }
  return all;
}

/* The number beside the call, for the engine. */
static LLVMValueRef told_with(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                              const char *name) {
  if (mpl_is_barrier_name(name)) return flags_and_scope(ir, b, call, name);
  if (!strcmp(name, "work_group_broadcast")) return ids_of_broadcast(ir, b, call);
  return mpl_const64(ir, 0);
}

/* A struct mpl_function of a function that is not in collectives.def. */
static LLVMValueRef expectation(struct mpl_module_ir *ir, const char *what, unsigned flags) {
  LLVMValueRef empty = text(ir, "");
  LLVMValueRef fields[FIELDS] = {[NAME] = text(ir, what),
                                 [OPERATION] = empty,
                                 [TYPE] = empty,
                                 [ARGUMENT] = LLVMConstNull(ir->ptr)};
  return make_function(ir, fields, MPL_FUNCTION_EXPECT, flags, "mpl.expected");
}

static LLVMValueRef describe_nameless(struct mpl_module_ir *ir, unsigned kind, const char *name) {
  LLVMValueRef empty = text(ir, "");
  LLVMValueRef fields[FIELDS] = {empty, empty, empty, LLVMConstNull(ir->ptr)};
  return make_function(ir, fields, kind, 0, name);
}

LLVMValueRef mpl_describe_turns(struct mpl_module_ir *ir) {
  return describe_nameless(ir, MPL_FUNCTION_TURNS, "mpl.turns");
}

static LLVMValueRef put_mark(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef description,
                             LLVMValueRef value) {
  LLVMValueRef args[] = {description, value};
  return mpl_build_marker(ir, b, MPL_MARK_AT, ir->void_type, args, 2);
}

/* Of a copy's arguments: destination and source, then numbers, and an event, which is each one's.
 */
static void expect_same(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  bool has_destination = false;
  for (unsigned k = 0; k + 1 < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef value = LLVMGetOperand(call, k);
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    const char *what = !is_pointer       ? "a number"
                       : has_destination ? "the source"
                                         : "the destination";
    has_destination |= is_pointer;
    value = is_pointer ? LLVMBuildPtrToInt(b, value, ir->i64, "")
                       : LLVMBuildIntCast2(b, value, ir->i64, false, "");
    put_mark(ir, b, expectation(ir, what, 0), value);
  }
}

/* mpl_work_group_same(what, value, site) of the C interface, and its like.  False: it is more than
 * a few words. */
static bool expect_value(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                         const char *name) {
  enum { MOST_SIZE = 64 };
  bool lanes = mpl_begins(name, "sub_group_"), of_bytes = strstr(name, "_bytes");
  LLVMValueRef value = LLVMGetOperand(call, 1),
               same = expectation(ir, "value", lanes ? MPL_FUNCTION_SUB_GROUP : 0);
  if (!of_bytes) {
    if (LLVMTypeOf(value) == ir->ptr) value = LLVMBuildPtrToInt(b, value, ir->i64, "");
    put_mark(ir, b, same, value);
    return true;
  }
  LLVMValueRef size = LLVMGetOperand(call, 2);
  if (!LLVMIsAConstantInt(size) || LLVMConstIntGetZExtValue(size) > MOST_SIZE) return false;
  for (uint64_t at = 0, left = LLVMConstIntGetZExtValue(size), one; left; at += one, left -= one) {
    one = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    LLVMTypeRef type = LLVMIntTypeInContext(ir->context, (unsigned)(8 * one));
    LLVMValueRef word = mpl_aligned_load(b, type, mpl_offset(ir, b, value, mpl_const64(ir, at)), 1);
    put_mark(ir, b, same, LLVMBuildZExt(b, word, ir->i64, ""));
  }
  return true;
}

static uint64_t num_events(LLVMValueRef call) {
  enum { MOST = 16 };
  LLVMValueRef count = LLVMGetOperand(call, 0);
  uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
  return n < MOST ? n : MOST;
}

static LLVMValueRef event_at(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                             uint64_t k) {
  LLVMValueRef index = mpl_const64(ir, k), list = LLVMGetOperand(call, 1);
  return k ? LLVMBuildGEP2(b, ir->ptr, list, &index, 1, "") : list;
}

/* wait_group_events does not ask what the events are.  A read that stays says that they have to be
 * something, and what they are has to be what a copy has returned. */
static void read_events(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  for (uint64_t k = 0; k < num_events(call); k++) {
    LLVMValueRef event = LLVMBuildLoad2(b, ir->ptr, event_at(ir, b, call, k), "");
    LLVMSetVolatile(event, true);
    LLVMValueRef description = describe_nameless(ir, MPL_FUNCTION_EVENT, "mpl.event");
    put_mark(ir, b, description, LLVMBuildPtrToInt(b, event, ir->i64, ""));
  }
}

/* The events are released after the wait (OpenCL C 3.0, 6.15.11). */
static void release_events(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call) {
  LLVMValueRef released = LLVMConstIntToPtr(mpl_const64(ir, MPL_EVENT_RELEASED), ir->ptr);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(call));
  for (uint64_t k = 0; k < num_events(call); k++)
    LLVMBuildStore(b, released, event_at(ir, b, call, k));
}

static void mark_event(struct mpl_module_ir *ir, LLVMValueRef copy) {
  if (LLVMTypeOf(copy) != ir->ptr) return;
  LLVMValueRef event = mpl_const64(ir, MPL_EVENT_OF_COPY);
  LLVMReplaceAllUsesWith(copy, LLVMConstIntToPtr(event, ir->ptr));
}

static void put_before(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef call,
                       LLVMValueRef function, const char *name) {
  LLVMPositionBuilderBefore(b, call);
  if (mpl_is_copy_name(name)) {
    expect_same(ir, b, call);
    mark_event(ir, call);
  }
  if (strstr(name, "_group_same") && expect_value(ir, b, call, name)) return;
  if (!strcmp(name, "wait_group_events")) read_events(ir, b, call);
  LLVMValueRef mark = put_mark(ir, b, function, told_with(ir, b, call, name));
  mpl_add_attribute_to_call(mark, "nomerge");
  if (!strcmp(name, "wait_group_events")) release_events(ir, b, call);
}

/* An atomic function, or a fence, that is given its scope: the last argument. */
static bool has_scope(const struct mpl_called *call) {
  return mpl_begins(call->name, "atomic_") && strstr(call->rest, "12memory_scope");
}

static void put_scope(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef instruction,
                      LLVMValueRef scope) {
  LLVMPositionBuilderBefore(b, instruction);
  LLVMValueRef description = describe_nameless(ir, MPL_FUNCTION_SCOPE, "mpl.scope");
  put_mark(ir, b, description, LLVMBuildZExt(b, scope, ir->i64, ""));
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(instruction));
  put_mark(ir, b, description, mpl_const64(ir, MPL_NO_SCOPE));
}

static void put_scopes(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef function) {
  MPL_EACH_USER(user, function) {
    if (mpl_callee_of(user) == function)
      put_scope(ir, b, user, LLVMGetOperand(user, LLVMGetNumArgOperands(user) - 1));
  }
}

/* Of atomics that are instructions, as those of SPIR-V. */
static bool put_known_scopes(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef function) {
  bool any = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef scope = mpl_noted(ir, i, MPL_SCOPE_METADATA);
    if (!scope) continue;
    put_scope(ir, b, i, scope);
    any = true;
  }
  return any;
}

bool mpl_name_calls(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_BUILDER(b, ir->context);
  MPL_EACH_FUNCTION(f, ir->module) {
    struct mpl_called call = {0};
    if (!LLVMIsDeclaration(f)) changed |= put_known_scopes(ir, b, f);
    if (!LLVMIsDeclaration(f) || !mpl_read_called(LLVMGetValueName(f), &call)) continue;
    if (has_scope(&call)) {
      put_scopes(ir, b, f);
      changed = true;
    }
    if (!mpl_is_collective_name(call.name)) continue;
    LLVMValueRef function = describe(ir, &call);
    MPL_EACH_USER(user, f) {
      if (mpl_callee_of(user) == f) put_before(ir, b, user, function, call.name);
      changed = true;
    }
  }
  return changed;
}
