/* Tells LLVM which functions of the C library have vector forms in glibc's libmvec (2.35 and
 * later): -fveclib=libmvec of LLVM 19 knows only sin, cos, tan, exp, log and pow, and none for 512
 * bits.
 *
 * A form is announced on the scalar function's declaration, in the notation of LLVM's vector
 * function ABI, and declared, so that the loop vectoriser can call it. */
#include "vector_math.h"

#include <stdio.h>
#include <string.h>

/* Not exp10: the float form is off by 3.7 ULP where OpenCL allows 3. */
/* clang-format off */
#define FUNCTIONS(X) \
  X(acos, 1) X(acosh, 1) X(asin, 1) X(asinh, 1) X(atan, 1) X(atanh, 1) X(cbrt, 1) X(cos, 1) \
  X(cosh, 1) X(erf, 1) X(erfc, 1) X(exp, 1) X(exp2, 1) X(expm1, 1) X(log, 1) X(log10, 1) \
  X(log1p, 1) X(log2, 1) X(sin, 1) X(sinh, 1) X(tan, 1) X(tanh, 1) X(atan2, 2) X(hypot, 2) \
  X(pow, 2)
/* clang-format on */

static const struct {
  const char *name;
  unsigned operands;
} functions[] = {
#define X(name, operands) {#name, operands},
    FUNCTIONS(X)
#undef X
};

/* The letters that glibc has for instruction sets, and how many bytes their vectors have. */
static const struct {
  const char *feature;
  char letter;
  unsigned bytes;
} sets[] = {{"sse2", 'b', 16}, {"avx2", 'd', 32}, {"avx512f", 'e', 64}};

struct form {
  struct mpl_module_ir *ir;
  LLVMValueRef scalar;
  LLVMTypeRef type; /* float or double */
  const char *name; /* with its f */
  unsigned operands, element;
};

static LLVMValueRef declare(const struct form *form, const char *name, unsigned lanes) {
  LLVMTypeRef vector = LLVMVectorType(form->type, lanes), parameters[2] = {vector, vector};
  LLVMTypeRef type = LLVMFunctionType(vector, parameters, form->operands, false);
  LLVMValueRef function = LLVMAddFunction(form->ir->module, name, type);
  static const char *const attributes[] = {"nounwind", "willreturn", "memory"};
  for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++)
    mpl_add_attribute(function, attributes[i]);
  return function;
}

static void announce(const struct form *form, const char *features) {
  char list[512] = "";
  int length = 0;
  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
    if (!mpl_has_feature(features, sets[i].feature)) continue;
    unsigned lanes = sets[i].bytes / form->element;
    const char *operands = form->operands == 2 ? "vv" : "v";
    char vector[64];
    snprintf(vector, sizeof vector, "_ZGV%cN%u%s_%s", sets[i].letter, lanes, operands, form->name);
    length += snprintf(list + length, sizeof list - (size_t)length, "%s_ZGV_LLVM_N%u%s_%s(%s)",
                       length ? "," : "", lanes, operands, form->name, vector);
    mpl_ir_keep(declare(form, vector, lanes));
  }
  if (length) mpl_set_attribute_value(form->scalar, "vector-function-abi-variant", list);
}

void mpl_name_vector_math(struct mpl_module_ir *ir, const char *features) {
#if defined(__x86_64__) && defined(__GLIBC__)
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
    for (int is_float = 0; is_float < 2; is_float++) {
      char name[16];
      snprintf(name, sizeof name, "%s%s", functions[i].name, is_float ? "f" : "");
      LLVMValueRef scalar = LLVMGetNamedFunction(ir->module, name);
      if (!scalar || !LLVMIsDeclaration(scalar)) continue;
      announce(&(struct form){.ir = ir,
                              .scalar = scalar,
                              .name = name,
                              .type = is_float ? LLVMFloatTypeInContext(ir->context)
                                               : LLVMDoubleTypeInContext(ir->context),
                              .operands = functions[i].operands,
                              .element = is_float ? 4 : 8},
               features);
    }
  }
#else
  (void)ir, (void)features, (void)announce, (void)functions;
#endif
}
