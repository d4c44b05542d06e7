/* Finds the kernels, reads what the front end says of them, and makes each its group function:
 *
 *   void mpl_group.NAME(const struct mpl_launch *, const struct mpl_group *) {
 *     NAME(arguments read from the launch's block);
 *   }
 *
 * The call is inlined later, so a kernel that other kernels call needs no second treatment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "abi/image.h"
#include "compiler/items/items.h"
#include "compiler/passes.h"
#include "runtime/options.h"
#include "source.h"

/* Operand `index` of a function's metadata node `name`, or null. */
static LLVMValueRef metadata_operand(struct mpl_module_ir *ir, LLVMValueRef function,
                                     const char *name, unsigned index) {
  unsigned kind = LLVMGetMDKindIDInContext(ir->context, name, strlen(name));
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  LLVMValueRef found = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) != kind) continue;
    LLVMValueRef node =
        LLVMMetadataAsValue(ir->context, LLVMValueMetadataEntriesGetMetadata(entries, i));
    unsigned size = LLVMGetMDNodeNumOperands(node);
    if (index >= size) break;
    MPL_ARRAY(LLVMValueRef, operands, size);
    LLVMGetMDNodeOperands(node, operands);
    found = operands[index];
  }
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

static const char *metadata_text(struct mpl_module_ir *ir, LLVMValueRef function, const char *name,
                                 unsigned index) {
  unsigned length;
  LLVMValueRef operand = metadata_operand(ir, function, name, index);
  const char *text = operand ? LLVMGetMDString(operand, &length) : NULL;
  return text ? text : "";
}

static void read_three(struct mpl_module_ir *ir, LLVMValueRef function, const char *name,
                       unsigned three[3]) {
  for (unsigned i = 0; i < 3; i++) {
    LLVMValueRef operand = metadata_operand(ir, function, name, i);
    three[i] = operand ? LLVMConstIntGetZExtValue(operand) : 0;
  }
}

/* Whether a type is an image's, as the front end spells it. */
static bool is_image(const char *type) {
  static const char *const names[] = {
#define MPL_IMAGE_OBJECT(object, type, depth_type, dim, axes, layered) type, depth_type,
#include "tables/image_objects.def"
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(type, names[i])) return *type;
  return false;
}

static unsigned arg_kind(const struct mpl_ir_arg *arg, const char *base_type, bool pointer,
                         bool by_value) {
  if (arg->qualifier & MPL_TYPE_PIPE) return MPL_ARG_PIPE;
  if (is_image(base_type)) return MPL_ARG_IMAGE;
  if (!strcmp(base_type, "sampler_t") || !strcmp(base_type, "cl::sampler")) return MPL_ARG_SAMPLER;
  if (!strcmp(base_type, "queue_t")) return MPL_ARG_QUEUE;
  if (!pointer || by_value) return MPL_ARG_VALUE;
  return arg->address_space == 3 ? MPL_ARG_LOCAL : MPL_ARG_POINTER;
}

static unsigned type_qualifiers(const char *text) {
  return (strstr(text, "const") ? MPL_TYPE_CONST : 0) |
         (strstr(text, "restrict") ? MPL_TYPE_RESTRICT : 0) |
         (strstr(text, "volatile") ? MPL_TYPE_VOLATILE : 0) |
         (strstr(text, "pipe") ? MPL_TYPE_PIPE : 0);
}

static unsigned access_qualifier(const char *text) {
  return !strcmp(text, "read_only")    ? 1
         : !strcmp(text, "write_only") ? 2
         : !strcmp(text, "read_write") ? 3
                                       : 0;
}

/* The type of a by-value aggregate, which arrives as a pointer; else null. */
static LLVMTypeRef by_value_type(LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute =
      LLVMGetEnumAttributeAtIndex(function, index + 1, mpl_enum_attribute("byval"));
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* The pointer in an argument of OpenCL C++'s classes global_ptr<T>, local_ptr<T>, constant_ptr<T>
 * and image<...> (include/opencl_cpp/opencl_memory, opencl_image): to the host they are pointers
 * and an image.  Else null. */
static LLVMTypeRef pointer_of_class(struct mpl_module_ir *ir, LLVMValueRef function, unsigned index,
                                    LLVMTypeRef aggregate) {
  static const char *const classes[] = {"cl::global_ptr<", "cl::local_ptr<", "cl::constant_ptr<",
                                        "cl::image<"};
  const char *name = metadata_text(ir, function, "kernel_arg_base_type", index);
  if (!aggregate || LLVMGetTypeKind(aggregate) != LLVMStructTypeKind ||
      LLVMCountStructElementTypes(aggregate) != 1)
    return NULL;
  LLVMTypeRef element = LLVMStructGetTypeAtIndex(aggregate, 0);
  if (LLVMGetTypeKind(element) != LLVMPointerTypeKind) return NULL;
  for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
    if (!strncmp(name, classes[i], strlen(classes[i]))) return element;
  return NULL;
}

/* OpenCL C's name and access of an argument of OpenCL C++'s
 * image<T, image_access::A, image_dim::D, is depth, is array, false>, as the front end spells it;
 * false if it is none. */
static bool read_image_class(const char *name, struct mpl_ir_arg *arg) {
#define SORT(dim, depth, layered) "::image_dim::" dim ", " depth ", " BOOL_##layered ", false>"
#define BOOL_0                    "false"
#define BOOL_1                    "true"
  static const struct {
    const char *sort, *type;
  } sorts[] = {
#define MPL_IMAGE_OBJECT(object, type, depth_type, dim, axes, layered)                             \
  {SORT(dim, "false", layered), type}, {SORT(dim, "true", layered), depth_type},
#include "tables/image_objects.def"
  };
  static const char *const accesses[] = {"image_access::read,", "image_access::write,",
                                         "image_access::read_write_,", "image_access::sample,"};
  const char *type = NULL;
  unsigned access = 0;
  if (strncmp(name, "cl::image<", strlen("cl::image<"))) return false;
  for (unsigned i = 0; i < sizeof sorts / sizeof *sorts; i++)
    if (strstr(name, sorts[i].sort)) type = sorts[i].type;
  for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++)
    if (strstr(name, accesses[i])) access = i == 3 ? 1 : i + 1; /* what is sampled is read */
  if (!type || !*type || !access) return false;
  arg->type_name = type;
  arg->access = access;
  return true;
}

static void read_arg(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel, unsigned index) {
  struct mpl_ir_arg *arg = &kernel->args[index];
  LLVMValueRef f = kernel->source;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, index)), aggregate = by_value_type(f, index);
  LLVMTypeRef in_class = pointer_of_class(ir, f, index, aggregate);
  if (in_class) {
    type = in_class;
    aggregate = NULL;
  }
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  arg->name = metadata_text(ir, f, "kernel_arg_name", index);
  arg->type_name = metadata_text(ir, f, "kernel_arg_type", index);
  arg->qualifier = type_qualifiers(metadata_text(ir, f, "kernel_arg_type_qual", index));
  arg->access = access_qualifier(metadata_text(ir, f, "kernel_arg_access_qual", index));
  arg->address_space = pointer ? LLVMGetPointerAddressSpace(type) : 0;
  const char *base_type = metadata_text(ir, f, "kernel_arg_base_type", index);
  if (in_class && read_image_class(base_type, arg)) base_type = arg->type_name;
  arg->kind = arg_kind(arg, base_type, pointer, aggregate != NULL);
  if (arg->kind == MPL_ARG_IMAGE) arg->type_name = base_type;
  if (arg->kind != MPL_ARG_VALUE) type = ir->i64;
  if (aggregate) type = aggregate;
  arg->size = LLVMABISizeOfType(ir->layout, type);
  arg->align = LLVMABIAlignmentOfType(ir->layout, type);
  if (arg->kind == MPL_ARG_IMAGE && !ir->gpu) arg->size = sizeof(struct mpl_image);
  LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(f, index + 1, mpl_enum_attribute("align"));
  arg->pointee_align = in_class           ? 128 /* whatever it points to */
                       : pointer && align ? LLVMGetEnumAttributeValue(align)
                                          : 1;
  arg->offset = (kernel->args_size + arg->align - 1) / arg->align * arg->align;
  kernel->args_size = arg->offset + arg->size;
}

/* OpenCL's name of a type as vec_type_hint has it. */
static void type_name(LLVMTypeRef type, bool is_signed, char *text, size_t room) {
  unsigned lanes = 1;
  if (mpl_is_vector_type(type)) {
    lanes = LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
  }
  const char *name = "int";
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
    name = "half";
    break;
  case LLVMFloatTypeKind:
    name = "float";
    break;
  case LLVMDoubleTypeKind:
    name = "double";
    break;
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(type)) {
    case 8:
      name = is_signed ? "char" : "uchar";
      break;
    case 16:
      name = is_signed ? "short" : "ushort";
      break;
    case 64:
      name = is_signed ? "long" : "ulong";
      break;
    default:
      name = is_signed ? "int" : "uint";
      break;
    }
    break;
  default:
    break;
  }
  if (lanes > 1)
    snprintf(text, room, "%s%u", name, lanes);
  else
    snprintf(text, room, "%s", name);
}

static void append_three(char *text, size_t room, const char *name, const unsigned three[3]) {
  size_t used = strlen(text);
  if (three[0])
    snprintf(text + used, room - used, "%s%s(%u,%u,%u)", used ? " " : "", name, three[0], three[1],
             three[2]);
}

static void read_attributes(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  char text[512] = "", hint[32];
  LLVMValueRef f = kernel->source;
  LLVMValueRef lanes = metadata_operand(ir, f, "intel_reqd_sub_group_size", 0);
  kernel->reqd_sub_group = lanes ? LLVMConstIntGetZExtValue(lanes) : 0;
  kernel->sub_group = kernel->reqd_sub_group ? kernel->reqd_sub_group
                      : ir->gpu              ? MPL_GPU_LANES
                                : (unsigned)mpl_option_number(MPL_OPTION_PASS_SUBGROUP_SIZE);
  read_three(ir, f, "reqd_work_group_size", kernel->reqd_local);
  read_three(ir, f, "work_group_size_hint", kernel->hint_local);
  append_three(text, sizeof text, "reqd_work_group_size", kernel->reqd_local);
  append_three(text, sizeof text, "work_group_size_hint", kernel->hint_local);
  LLVMValueRef type = metadata_operand(ir, f, "vec_type_hint", 0);
  if (type) {
    LLVMValueRef is_signed = metadata_operand(ir, f, "vec_type_hint", 1);
    type_name(LLVMTypeOf(type), is_signed && LLVMConstIntGetZExtValue(is_signed), hint,
              sizeof hint);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%svec_type_hint(%s)", used ? " " : "", hint);
  }
  kernel->attributes = strdup(text);
  if (!kernel->attributes) abort();
}

/* An object of the class, whose one member is the pointer; without a class, the pointer. */
static LLVMValueRef in_object(LLVMBuilderRef b, LLVMTypeRef class, LLVMValueRef pointer) {
  if (!class) return pointer;
  LLVMValueRef object = LLVMBuildAlloca(b, class, "");
  LLVMBuildStore(b, pointer, object);
  return object;
}

/* The value of one argument, read from the launch. */
static LLVMValueRef load_arg(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef group,
                             struct mpl_ir_kernel *kernel, unsigned index, LLVMValueRef block) {
  const struct mpl_ir_arg *arg = &kernel->args[index];
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->source, index));
  LLVMValueRef place = mpl_offset(ir, b, block, mpl_const64(ir, arg->offset));
  LLVMTypeRef aggregate = by_value_type(kernel->source, index);
  if (aggregate && arg->kind != MPL_ARG_LOCAL && arg->kind != MPL_ARG_IMAGE) return place;
  if (aggregate) type = LLVMStructGetTypeAtIndex(aggregate, 0);
  if (arg->kind == MPL_ARG_IMAGE)
    return in_object(b, aggregate,
                     ir->gpu ? LLVMBuildLoad2(b, type, place, arg->name)
                             : LLVMBuildAddrSpaceCast(b, place, type, arg->name));
  if (arg->kind == MPL_ARG_LOCAL) {
    LLVMValueRef base = mpl_load_field(b, ir->group_type, LLVMGetParam(group, 1),
                                       MPL_GROUP_LOCAL_BASE, "local_base");
    LLVMValueRef offset = LLVMBuildLoad2(b, ir->i64, place, "");
    LLVMValueRef at = mpl_offset(ir, b, base, offset);
    LLVMValueRef local = LLVMBuildAddrSpaceCast(b, at, type, arg->name);
    mpl_name_argument(ir, at, arg->name, index);
    return in_object(b, aggregate, local);
  }
  LLVMValueRef value = LLVMBuildLoad2(b, type, place, arg->name);
  LLVMSetAlignment(value, arg->align < 16 ? arg->align : 16);
  if (arg->kind == MPL_ARG_POINTER) mpl_name_argument(ir, value, arg->name, index);
  return value;
}

/* Copies a function's attributes, but for those that speak of its inlining. */
void mpl_copy_attributes(LLVMValueRef to, LLVMValueRef from) {
  mpl_take_attributes(to, from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  static const char *const dropped[] = {"noinline",   "alwaysinline", "optnone",
                                        "convergent", "memory",       "norecurse"};
  for (unsigned i = 0; i < sizeof dropped / sizeof *dropped; i++)
    mpl_drop_attribute(to, dropped[i]);
}

LLVMBuilderRef mpl_begin_group_function(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                                        const char *name, LLVMValueRef *block) {
  LLVMTypeRef params[] = {ir->ptr, ir->ptr};
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  LLVMValueRef group = mpl_begin_function(ir->module, b, name, ir->void_type, params, 2);
  kernel->group = group;
  mpl_copy_attributes(group, kernel->source);
  for (unsigned i = 1; i <= 2; i++) mpl_add_attribute_to(group, i, "noalias");
  *block =
      ir->gpu ? mpl_offset(ir, b, LLVMGetParam(group, 0), mpl_const64(ir, MPL_GPU_ARGS))
              : mpl_load_field(b, ir->launch_type, LLVMGetParam(group, 0), MPL_LAUNCH_ARGS, "args");
  return b;
}

void mpl_end_group_function(struct mpl_ir_kernel *kernel, LLVMBuilderRef b) {
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
  mpl_ir_take_subprogram(kernel->group, kernel->source);
}

static void add_group_function(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  char name[512];
  LLVMValueRef block;
  snprintf(name, sizeof name, "mpl_group.%s", kernel->name);
  LLVMBuilderRef b = mpl_begin_group_function(ir, kernel, name, &block);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
  MPL_ARRAY(LLVMValueRef, values, kernel->num_args);
  for (unsigned i = 0; i < kernel->num_args; i++)
    values[i] = load_arg(ir, b, kernel->group, kernel, i, block);
  LLVMTypeRef source_type = LLVMGlobalGetValueType(kernel->source);
  LLVMValueRef call = LLVMBuildCall2(b, source_type, kernel->source, values, kernel->num_args, "");
  for (unsigned i = 0; i < kernel->num_args; i++) {
    LLVMTypeRef aggregate = by_value_type(kernel->source, i);
    if (aggregate)
      LLVMAddCallSiteAttribute(
          call, i + 1,
          LLVMCreateTypeAttribute(ir->context, mpl_enum_attribute("byval"), aggregate));
  }
  mpl_end_group_function(kernel, b);
}

/* What clang says of OpenCL C before 2.0, and with -cl-uniform-work-group-size.  Of C++ for OpenCL
 * clang 19 always says so, as if it were older than 2.0: that means nothing. */
static bool is_uniform(struct mpl_module_ir *ir, LLVMValueRef function) {
  if (LLVMGetNamedMetadataNumOperands(ir->module, "opencl.cxx.version")) return false;
  return !strcmp(mpl_attribute_value(function, "uniform-work-group-size"), "true");
}

static void add_kernel(struct mpl_module_ir *ir, LLVMValueRef function) {
  size_t length;
  struct mpl_ir_kernel *kernel = &ir->kernels[ir->num_kernels++];
  kernel->source = function;
  kernel->name = strdup(LLVMGetValueName2(function, &length)); /* the function goes away */
  if (!kernel->name) abort();
  kernel->num_args = LLVMCountParams(function);
  kernel->args = mpl_allocate(kernel->num_args, sizeof *kernel->args);
  for (unsigned i = 0; i < kernel->num_args; i++) read_arg(ir, kernel, i);
  read_attributes(ir, kernel);
  if (metadata_operand(ir, function, "kernel_arg_name", 0))
    kernel->flags |= MPL_KERNEL_HAS_ARG_INFO;
  if (is_uniform(ir, function)) kernel->flags |= MPL_KERNEL_UNIFORM;
}

/* Kernels are called like any function from here on. */
static void use_c_calls(LLVMValueRef function) {
  LLVMSetFunctionCallConv(function, LLVMCCallConv);
  MPL_EACH_USER(user, function)
  if (LLVMIsACallInst(user)) LLVMSetInstructionCallConv(user, LLVMCCallConv);
}

/* LLVM remembers by a function's address what the annotations say of it, and has asked by now: no
 * other function may get a kernel's address when that goes. */
static void move_annotated(struct mpl_module_ir *ir) {
  LLVMValueRef last = LLVMGetLastFunction(ir->module);
  mpl_ir_drop_named_metadata(ir->module, "nvvm.annotations");
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
    next = f == last ? NULL : LLVMGetNextFunction(f);
    if (LLVMGetFunctionCallConv(f) == MPL_SPIR_KERNEL && !LLVMIsDeclaration(f)) mpl_ir_move_away(f);
  }
}

/* The kernels of blocks come last, behind all that the host knows by name. */
static void add_kernels(struct mpl_module_ir *ir, bool of_blocks) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMGetFunctionCallConv(f) != MPL_SPIR_KERNEL ||
        of_blocks != (mpl_block_place(ir, LLVMGetValueName(f)) != NULL))
      continue;
    if (!LLVMIsDeclaration(f)) add_kernel(ir, f);
    use_c_calls(f);
  }
}

bool mpl_find_kernels(struct mpl_module_ir *ir) {
  unsigned count = 0;
  if (ir->gpu) move_annotated(ir);
  mpl_find_blocks(ir);
  MPL_EACH_FUNCTION(f, ir->module) count += LLVMGetFunctionCallConv(f) == MPL_SPIR_KERNEL;
  ir->kernels = mpl_allocate(count, sizeof *ir->kernels);
  add_kernels(ir, false);
  mpl_leave_out_sizes(ir);
  add_kernels(ir, true);
  MPL_EACH_KERNEL(kernel, ir) add_group_function(ir, kernel);
  return count > 0; /* without kernels there are no blocks either */
}
