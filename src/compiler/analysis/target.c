#include "target.h"

#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/archive.h"
#include "ir.h"
#include "target_abilities.h"
#include "target_rows.h"

struct row {
  struct mpl_target target;
  const char *processor, *features;
  enum { ANY, TUNED } gathering;
};

static const struct row rows[] = {
#define MPL_TARGET(id, name, processor, features, gathering, abi, bytes, count, unit, bits,        \
                   gathered, scattered, masked, interleaved, every_second, counted, ...)           \
  {{MPL_TARGET_##id, name, MPL_ARCHIVE_##abi, bytes, count, unit, bits, gathered, scattered, masked, interleaved,   \
    every_second, counted},                                                                        \
   processor,                                                                                      \
   features,                                                                                       \
   gathering},
#include "tables/targets.def"
};
enum { NUM_ROWS = sizeof rows / sizeof *rows };

const struct mpl_ability_question mpl_abilities[MPL_NUM_ABILITIES] = {
#define MPL_TARGET_ABILITY(name, question, feature, elsewhere, function, intrinsic) {question, function, intrinsic},
#include "tables/targets.def"
};

/* Is it on in the attribute "target-features": "+name" between commas? */
static bool has_feature(const char *features, const char *name, size_t length) {
  for (const char *at = features; (at = strchr(at, '+')); at++)
    if (!strncmp(at + 1, name, length) && (at[length + 1] == ',' || !at[length + 1])) return true;
  return false;
}

/* The attribute by which clang says of how many units of 16 bytes SVE's registers are; null: it does not. */
static LLVMAttributeRef scale_of(LLVMValueRef function) {
  static const char name[] = "vscale_range";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

/* Is it exactly so many? */
static bool has_scale(LLVMValueRef function, const char *name) {
  uint64_t wanted = (uint64_t)strtoul(name, NULL, 10);
  LLVMAttributeRef scale = scale_of(function);
  return scale && LLVMGetEnumAttributeValue(scale) == (wanted << 32 | wanted);
}

static bool has_all(LLVMValueRef function, const char *features, const char *names) {
  static const char scale[] = "vscale=";
  while (*names) {
    size_t length = strcspn(names, " ");
    if (!strncmp(names, scale, strlen(scale))) {
      if (!has_scale(function, names + strlen(scale))) return false;
    } else if (!has_feature(features, names, length)) {
      return false;
    }
    names += length + (names[length] == ' ');
  }
  return true;
}

/* Without AVX-512VL there are no masks for half of a register. */
static bool prefers_half(LLVMValueRef function) {
  static const char needed[] = "avx512vl";
  return !strcmp(mpl_attribute_value(function, "prefer-vector-width"), "256") &&
         has_feature(mpl_attribute_value(function, "target-features"), needed, strlen(needed));
}

/* Of names between blanks; no name: any. */
static bool begins_with_one(const char *processor, const char *names) {
  do {
    size_t length = strcspn(names, " ");
    if (!strncmp(processor, names, length)) return true;
    names += length + (names[length] == ' ');
  } while (*names);
  return false;
}

const struct mpl_target *mpl_target_of(LLVMValueRef function) {
  const struct mpl_target *last = &rows[NUM_ROWS - 1].target;
  if (!function) return last;
  const char *processor = mpl_attribute_value(function, "target-cpu");
  const char *features = mpl_attribute_value(function, "target-features");
  for (unsigned k = 0; k + 1 < NUM_ROWS; k++) {
    const struct row *row = &rows[k];
    if (row->target.register_bytes == 64 && prefers_half(function)) continue;
    if (begins_with_one(processor, row->processor) &&
        has_all(function, features, row->features) && (row->gathering == ANY || mpl_ir_gathers(function)))
      return &row->target;
  }
  return last;
}

unsigned mpl_lanes_of_register(const struct mpl_target *target, LLVMTypeRef type, unsigned most) {
  unsigned lanes = 8 * target->register_bytes / LLVMGetIntTypeWidth(type);
  return lanes < most ? lanes : most;
}

LLVMValueRef mpl_target_model(LLVMModuleRef module) {
  MPL_EACH_FUNCTION(f, module) {
    if (!LLVMIsDeclaration(f) && mpl_attribute_value(f, "target-cpu")[0]) return f;
  }
  return NULL;
}

bool mpl_target_adopt(LLVMValueRef function, LLVMValueRef model) {
  static const char *const kinds[] = {"target-cpu", "target-features", "tune-cpu",
                                      "prefer-vector-width"};
  if (mpl_attribute_value(function, "target-cpu")[0]) return false;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *value = mpl_attribute_value(model, kinds[i]);
    if (value[0]) mpl_set_attribute_value(function, kinds[i], value);
  }
  LLVMAttributeRef scale = scale_of(model);
  if (scale) LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, scale);
  return true;
}

/* LLVM tunes for vectors of half the size on Intel's processors with AVX-512, since the first of
 * them ran slower with whole ones.  The lanes of widened code fill whole registers: cut in two,
 * there are too few registers for them (a chain of float4: 3.8 times slower). */
void mpl_target_use_whole_registers(const struct mpl_target *target, LLVMValueRef function) {
  if (target->register_bytes == 64) mpl_set_attribute_value(function, "prefer-vector-width", "512");
}

static void add_feature(LLVMValueRef function, const char *feature) {
  const char *features = mpl_attribute_value(function, "target-features");
  MPL_ARRAY(char, more, strlen(features) + strlen(feature) + 2);
  strcat(strcat(strcpy(more, features), ","), feature);
  mpl_set_attribute_value(function, "target-features", more);
}

static bool calls_any(LLVMValueRef function, const char *prefix) {
  MPL_EACH_INSTRUCTION_OF(i, function)
  if (mpl_calls(i, prefix)) return true;
  return false;
}

static void avoid(LLVMValueRef function) {
  static const struct {
    const char *feature, *beside, *asked;
  } list[] = {
#define MPL_TARGET_AVOIDED(feature, beside, asked) {feature, beside, asked},
#include "tables/targets.def"
  };
  for (unsigned k = 0; k < sizeof list / sizeof *list; k++) {
    const char *features = mpl_attribute_value(function, "target-features");
    char without[32];
    if (!has_feature(features, list[k].feature, strlen(list[k].feature)) ||
        !has_feature(features, list[k].beside, strlen(list[k].beside)) ||
        calls_any(function, list[k].asked))
      continue;
    snprintf(without, sizeof without, "-%s", list[k].feature);
    add_feature(function, without);
  }
}

bool mpl_target_tune(const struct mpl_target *target, LLVMValueRef function, struct mpl_map *gathers) {
  if (mpl_map_has(gathers, function)) return mpl_map_get(gathers, function, 0);
  mpl_map_set(gathers, function, true); /* meanwhile: what calls it round may get what it asks for */
  avoid(function);
  bool any = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = mpl_callee_of(i);
    any |= mpl_calls(i, "llvm.masked.gather.");
    if (callee && !LLVMIsDeclaration(callee)) any |= mpl_target_tune(target, callee, gathers);
  }
  const char *features = mpl_attribute_value(function, "target-features");
  if (has_feature(features, "avx2", strlen("avx2")) && !(target->least_gathered && any))
    add_feature(function, "+prefer-no-gather");
  mpl_map_set(gathers, function, any);
  return any;
}

static bool is_long(LLVMTargetDataRef layout, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool any = kind == LLVMVectorTypeKind && LLVMSizeOfTypeInBits(layout, type) > 256;
  for (unsigned k = 0; kind == LLVMStructTypeKind && k < LLVMCountStructElementTypes(type); k++)
    any |= is_long(layout, LLVMStructGetTypeAtIndex(type, k));
  return any;
}

/* Does the call hand over a long vector?  LLVM makes anything of its own intrinsics. */
static bool passes_long(LLVMTargetDataRef layout, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
      strncmp(LLVMGetValueName(callee), "llvm.x86.", strlen("llvm.x86.")))
    return false;
  bool any = is_long(layout, LLVMTypeOf(call));
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    any |= is_long(layout, LLVMTypeOf(LLVMGetOperand(call, k)));
  return any;
}

void mpl_target_use_half_registers(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  MPL_EACH_FUNCTION(f, module) {
    if (LLVMIsDeclaration(f) || !prefers_half(f)) continue;
    bool any = is_long(layout, LLVMGetReturnType(LLVMGlobalGetValueType(f)));
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
      any |= is_long(layout, LLVMTypeOf(LLVMGetParam(f, k)));
    MPL_EACH_INSTRUCTION_OF(i, f) any |= LLVMIsACallInst(i) && passes_long(layout, i);
    mpl_set_attribute_value(f, "min-legal-vector-width", any ? "512" : "256");
  }
}

bool mpl_target_can(LLVMValueRef model, enum mpl_ability ability) {
  static const struct {
    const char *feature;
    bool elsewhere;
  } abilities[] = {
#define MPL_TARGET_ABILITY(name, question, feature, elsewhere, ...) {feature, elsewhere},
#include "tables/targets.def"
  };
#if defined(__x86_64__)
  const char *name = abilities[ability].feature;
  return has_feature(mpl_attribute_value(model, "target-features"), name, strlen(name));
#else
  return abilities[ability].elsewhere;
#endif
}

bool mpl_target_raise(LLVMValueRef function, unsigned level) {
  static const struct {
    const char *processor, *features;
  } levels[] = {
#define MPL_TARGET_LEVEL(level, processor, features) {processor, features},
#include "tables/targets.def"
  };
  char features[512] = "";
  if (strcmp(mpl_attribute_value(function, "target-cpu"), levels[0].processor)) return false;
  for (unsigned k = 0; k < level; k++)
    strncat(features, levels[k].features, sizeof features - strlen(features) - 1);
  char *own = LLVMGetHostCPUName();
  mpl_set_attribute_value(function, "target-cpu", levels[level - 1].processor);
  mpl_set_attribute_value(function, "target-features", features);
  mpl_set_attribute_value(function, "tune-cpu", own);
  LLVMDisposeMessage(own);
  return true;
}
