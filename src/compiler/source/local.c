/* Local variables: the front end makes them globals in address space 3; each kernel that uses one
 * gets a place for it in the group's local memory.  Those that begin with a value are filled by one
 * work-item at the kernel's beginning. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "compiler/analysis/markers.h"
#include "compiler/items/items.h"
#include "compiler/passes.h"
#include "source.h"

static const char program_section[] = MPL_LOCAL_SECTION,
                  initialised_section[] = MPL_LOCAL_SECTION "=";

/* -cl-zero-init-local-mem-vars: builtins/opencl.h.in has a variable in this section. */
static const char zero_section[] = "maniple.zero_local";

struct variable {
  LLVMValueRef global;
  LLVMValueRef initialiser; /* null: its value is undefined, or zero */
};

struct placing {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  bool zero;           /* those without an initialiser begin with zero */
  LLVMValueRef *marks; /* of each kernel: the instruction in front of which variables are filled */
};

static bool is_in(LLVMValueRef global, const char *wanted) {
  const char *section = LLVMGetSection(global);
  return section && !strcmp(section, wanted);
}

bool mpl_is_program_local(LLVMValueRef global) {
  return is_in(global, program_section) || is_in(global, initialised_section);
}

bool mpl_is_own_section(const char *name) {
  return !strcmp(name, program_section) || !strcmp(name, initialised_section) ||
         !strcmp(name, zero_section);
}

static LLVMValueRef local_base(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef group) {
  return mpl_load_field(b, ir->group_type, LLVMGetParam(group, 1), MPL_GROUP_LOCAL_BASE,
                        "local_base");
}

static uint64_t alignment(struct mpl_module_ir *ir, LLVMValueRef variable) {
  uint64_t align = LLVMGetAlignment(variable);
  uint64_t natural = LLVMABIAlignmentOfType(ir->layout, LLVMGlobalGetValueType(variable));
  return align < natural ? natural : align;
}

/* With room to move a variable that needs more alignment than the memory of the group has. */
static uint64_t allocate(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                         LLVMValueRef variable) {
  uint64_t align = alignment(ir, variable), room = 0;
  if (align > MPL_LOCAL_ALIGN) {
    room = align - MPL_LOCAL_ALIGN;
    align = MPL_LOCAL_ALIGN;
  }
  uint64_t offset = (kernel->local_size + align - 1) / align * align;
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  kernel->local_size = offset + LLVMABISizeOfType(ir->layout, type) + room;
  return offset;
}

static LLVMValueRef aligned(struct placing *p, LLVMValueRef at, LLVMValueRef variable) {
  uint64_t align = alignment(p->ir, variable);
  if (align <= MPL_LOCAL_ALIGN) return at;
  LLVMValueRef number = LLVMBuildPtrToInt(p->b, at, p->ir->i64, "");
  LLVMValueRef behind =
      LLVMBuildAnd(p->b, LLVMBuildNeg(p->b, number, ""), mpl_const64(p->ir, align - 1), "");
  return mpl_offset(p->ir, p->b, at, behind);
}

/* --- Values at the kernel's beginning --- */

/* Where work-item 0 fills variables: a block of its own; all wait for it.  It is at the beginning
 * of the work-item's code: behind the entry block, which is the group's (mpl_hoist_launch), or,
 * where kernels stay functions of one work-item, behind that instruction of the entry block. */
static LLVMValueRef add_filling(struct placing *p, LLVMValueRef group, LLVMValueRef behind) {
  struct mpl_module_ir *ir = p->ir;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(group);
  LLVMValueRef first = LLVMGetNextInstruction(behind);
  if (!ir->by_item) {
    entry = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(entry), 0);
    first = LLVMGetFirstInstruction(entry);
  }
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) /* they stay in the entry block */
    if (LLVMIsAAllocaInst(i)) first = LLVMGetNextInstruction(i);
  LLVMBasicBlockRef fill = mpl_ir_split(first, "local.fill");
  LLVMBasicBlockRef rest = mpl_ir_split(first, "local.filled");
  LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(entry));
  LLVMValueRef item = mpl_build_marker(ir, p->b, MPL_MARK_LOCAL_LINEAR_ID, ir->i64, NULL, 0);
  LLVMValueRef is_first = LLVMBuildICmp(p->b, LLVMIntEQ, item, mpl_const64(ir, 0), "");
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(entry));
  LLVMPositionBuilderAtEnd(p->b, entry);
  LLVMBuildCondBr(p->b, is_first, fill, rest);
  LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(rest));
  mpl_build_marker(ir, p->b, MPL_MARK_BARRIER, ir->void_type, NULL, 0);
  return LLVMGetBasicBlockTerminator(fill);
}

static void fill(struct placing *p, struct mpl_ir_kernel *kernel, const struct variable *v,
                 LLVMValueRef at, LLVMValueRef behind) {
  struct mpl_module_ir *ir = p->ir;
  LLVMValueRef *mark = &p->marks[kernel - ir->kernels];
  LLVMTypeRef type = LLVMGlobalGetValueType(v->global);
  LLVMValueRef size = mpl_const64(ir, LLVMABISizeOfType(ir->layout, type));
  unsigned align = (unsigned)alignment(ir, v->global);
  if (!v->initialiser && !p->zero) return;
  if (!*mark) *mark = add_filling(p, kernel->group, behind);
  LLVMPositionBuilderBefore(p->b, *mark);
  if (!v->initialiser || LLVMIsNull(v->initialiser)) {
    LLVMBuildMemSet(p->b, at, LLVMConstInt(ir->i8, 0, false), size, align);
    return;
  }
  LLVMValueRef constant = mpl_constant(ir, v->initialiser, "local.value");
  LLVMSetAlignment(constant, align);
  LLVMBuildMemCpy(p->b, at, align, constant, align, size);
}

/* --- Places --- */

static bool is_used_by(LLVMValueRef user, const struct mpl_ir_kernel *kernel) {
  return mpl_function_of(user) == kernel->group;
}

/* What ends a name in C++ behind the variable's own: of a namespace or class, or that it is not the
 * first of its name in the function. */
static bool is_end_of_name(const char *rest) {
  if (!*rest || !strcmp(rest, "E")) return true;
  return *rest == '_' && strspn(rest, "_0123456789") == strlen(rest);
}

/* The last of the names with lengths in front, as in _ZZ6kernelE4tile_0. */
static bool copy_own_name(const char *mangled, char *name, size_t room) {
  size_t length = strlen(mangled);
  bool found = false;
  for (size_t i = 2; i < length && !strncmp(mangled, "_Z", 2); i++) {
    if (!isdigit((unsigned char)mangled[i]) || isdigit((unsigned char)mangled[i - 1])) continue;
    char *own;
    size_t size = strtoul(mangled + i, &own, 10);
    if (!size || size > strlen(own) || !is_end_of_name(own + size)) continue;
    snprintf(name, room, "%.*s", (int)size, own);
    found = true;
  }
  return found;
}

/* The front end calls it FUNCTION.VARIABLE, or FUNCTION.VARIABLE.NUMBER; in C++ it mangles. */
static void name_pointer(struct mpl_module_ir *ir, LLVMValueRef pointer, LLVMValueRef variable) {
  char name[128];
  const char *full = LLVMGetValueName(variable), *dot = strchr(full, '.');
  snprintf(name, sizeof name, "%s", dot ? dot + 1 : full);
  if (dot) name[strcspn(name, ".")] = 0;
  copy_own_name(full, name, sizeof name);
  mpl_name_variable(ir, pointer, name);
}

/* Replaces a kernel's uses of a variable. */
static void place(struct placing *p, struct mpl_ir_kernel *kernel, const struct variable *v) {
  struct mpl_module_ir *ir = p->ir;
  LLVMValueRef variable = v->global, pointer = NULL, at = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_used_by(user, kernel)) continue;
    if (!pointer) {
      LLVMBasicBlockRef setup = LLVMGetEntryBasicBlock(kernel->group);
      LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(setup));
      LLVMValueRef offset = mpl_const64(ir, allocate(ir, kernel, variable));
      at = mpl_offset(ir, p->b, local_base(ir, p->b, kernel->group), offset);
      at = aligned(p, at, variable);
      name_pointer(ir, at, variable);
      mpl_size_variable(ir, at, LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(variable)));
      if (ir->plain && LLVMIsAInstruction(at)) mpl_ir_declare(variable, at);
      mpl_remark(ir, user, "'%s' placed in the group's local memory", LLVMGetValueName(variable));
      pointer = LLVMBuildAddrSpaceCast(p->b, at, LLVMTypeOf(variable), LLVMGetValueName(variable));
    }
    mpl_replace_operand(user, variable, pointer);
    next = LLVMGetFirstUse(variable); /* the list changed: begin again, past other kernels' uses */
    while (next && !is_used_by(LLVMGetUser(next), kernel)) next = LLVMGetNextUse(next);
  }
  if (at) fill(p, kernel, v, at, pointer);
}

static LLVMValueRef into_local_space(struct mpl_module_ir *ir, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  LLVMValueRef local = LLVMAddGlobalInAddressSpace(ir->module, type, "", MPL_LOCAL_SPACE);
  LLVMSetAlignment(local, LLVMGetAlignment(variable));
  LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(local, LLVMTypeOf(variable)));
  mpl_ir_take_name(local, variable);
  LLVMDeleteGlobal(variable);
  return local;
}

/* Program scope has no time at which a group's memory is there: constants only. */
static void refuse_code(struct mpl_module_ir *ir, LLVMValueRef variable) {
  MPL_EACH_USER(user, variable)
  MPL_EACH_KERNEL(kernel, ir) {
    const char *name = kernel->name;
    if ((strcmp(name, MPL_CONSTRUCT) && strcmp(name, MPL_DESTRUCT)) || !is_used_by(user, kernel))
      continue;
    char *readable = mpl_ir_demangle(LLVMGetValueName(variable));
    mpl_report(ir, user,
               "local variable '%s' of program scope has a constructor, a destructor or an "
               "initialiser that is no constant expression, or another variable's initialiser "
               "uses it (OpenCL C++ 1.0, section 2.5)",
               readable);
    LLVMDisposeMessage(readable);
    return;
  }
}

static void place_everywhere(struct placing *p, const struct variable *v) {
  mpl_ir_expand_constants(v->global);
  MPL_EACH_KERNEL(kernel, p->ir) place(p, kernel, v);
  LLVMUseRef use = LLVMGetFirstUse(v->global);
  if (use)
    mpl_report(p->ir, LLVMGetUser(use), "local variable '%s' is used outside a kernel",
               LLVMGetValueName(v->global));
  else
    LLVMDeleteGlobal(v->global);
}

/* --- Memory that a launch adds, of kernels in C and C++ --- */

/* Where a kernel asks for it. */
static void find_dynamic(struct mpl_module_ir *ir, struct mpl_map *loads) {
  for (unsigned k = 0; k < ir->num_kernels && (ir->records || ir->single_source); k++) {
    MPL_EACH_INSTRUCTION_OF(i, ir->kernels[k].group) {
      if (mpl_is_dynamic_local(ir, i)) mpl_map_set(loads, i, 1);
    }
  }
}

/* It begins behind the kernel's variables. */
static void move_dynamic(struct placing *p, struct mpl_map *loads) {
  struct mpl_module_ir *ir = p->ir;
  for (unsigned k = 0; k < ir->num_kernels && loads->count; k++) {
    LLVMValueRef size = mpl_const64(ir, mpl_local_end(ir->kernels[k].local_size));
    MPL_EACH_INSTRUCTION_OF(i, ir->kernels[k].group) {
      if (!ir->kernels[k].local_size || !mpl_map_has(loads, i)) continue;
      LLVMPositionBuilderBefore(p->b, LLVMGetNextInstruction(i));
      LLVMValueRef behind = mpl_offset(ir, p->b, i, size);
      LLVMReplaceAllUsesWith(i, behind);
      LLVMSetOperand(behind, 0, i);
    }
  }
}

bool mpl_place_local_memory(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_MAP(dynamic);
  MPL_BUILDER(b, ir->context);
  MPL_ARRAY(LLVMValueRef, marks, ir->num_kernels);
  struct placing p = {.ir = ir, .b = b, .marks = marks};
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
    p.zero |= is_in(g, zero_section);
  find_dynamic(ir, &dynamic);
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module), next; g && !ir->failed; g = next) {
    struct variable v = {g, NULL};
    bool initialised = is_in(g, initialised_section);
    next = LLVMGetNextGlobal(g);
    if (mpl_is_program_local(g)) {
      if (initialised) v.initialiser = LLVMGetInitializer(g);
      v.global = into_local_space(ir, g);
      ir->local_as_global = true;
      mpl_ir_expand_constants(v.global);
      refuse_code(ir, v.global);
    }
    if (mpl_space_of(v.global) != MPL_LOCAL_SPACE || ir->failed) continue;
    place_everywhere(&p, &v);
    changed = true;
  }
  move_dynamic(&p, &dynamic);
  return changed;
}
