/* Compares shapes with what the names in rules.ll say that they are. */
#include "shape_test.h"

static unsigned checked, wrong;

static void expect(LLVMValueRef value, bool right, const char *is) {
  checked++;
  if (right) return;
  wrong++;
  char *text = LLVMPrintValueToString(value);
  fprintf(stderr, "%s\n  is %s\n", text, is);
  LLVMDisposeMessage(text);
}

static const char *describe(const struct mpl_shape *s, char *text, size_t size) {
  static const char *const wraps[] = {"", "w", "W"};
  if (s->kind == MPL_STRIDED)
    snprintf(text, size, "s%lld%s", (long long)s->stride, wraps[s->wraps]);
  else
    snprintf(text, size, "%s", s->kind == MPL_VARYING ? "v" : "u");
  return text;
}

static bool is_rank(const void *rank, LLVMValueRef value, struct mpl_shape *shape) {
  *shape = mpl_by_ones;
  return value == rank;
}

static LLVMValueRef find(LLVMValueRef function, const char *name) {
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block) {
      if (!strcmp(LLVMGetValueName(i), name)) return i;
    }
  }
  return NULL;
}

static void check_value(struct mpl_shapes *shapes, LLVMValueRef function, LLVMValueRef value) {
  const char *name = LLVMGetValueName(value), *dot = strchr(name, '.');
  if (!dot) return;
  char is[32];
  if (*name == 'i' || *name == 'n') {
    enum mpl_marker marker = mpl_marker_of(mpl_through_casts(value));
    expect(value, (*name == 'i') == (marker == MPL_MARK_LOCAL_ID_0), *name == 'i' ? "n" : "i");
    return;
  }
  struct mpl_shape shape = *name == 'r'
                               ? mpl_shape_by(shapes, value, is_rank, find(function, "rank"))
                               : mpl_shape_of(shapes, value);
  describe(&shape, is, sizeof is);
  if (*name == 'r' && name[1] == 'v') name++;
  size_t skip = *name == 'r';
  bool right = strlen(is + skip) == (size_t)(dot - name - skip) &&
               !strncmp(is + skip, name + skip, strlen(is + skip));
  right &= (shape.wraps == MPL_WRAPS_ONE) == (shape.narrow != NULL);
  expect(value, right, is);
}

static void check_function(LLVMValueRef function) {
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  mpl_cfg_build(&cfg, function);
  mpl_shapes_find(&shapes, &cfg, function, NULL);
  for (unsigned b = 0; b < cfg.count; b++) {
    const char *name = LLVMGetBasicBlockName(cfg.blocks[b]);
    LLVMValueRef block = LLVMBasicBlockAsValue(cfg.blocks[b]);
    expect(block, shapes.diverged[b] == !strncmp(name, "apart.", 6), "wrong about apart");
    expect(block, shapes.varying_branch[b] == (strstr(name, ".forks") != NULL),
           "wrong about forks");
    MPL_EACH_INSTRUCTION(i, cfg.blocks[b]) check_value(&shapes, function, i);
  }
  mpl_shapes_free(&shapes);
  mpl_cfg_free(&cfg);
}

int main(int argc, char **argv) {
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  CHECK(argc == 2 && !LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message));
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module =
      parse_ir(context, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), argv[1]);
  MPL_EACH_FUNCTION(f, module) {
    if (!LLVMIsDeclaration(f)) check_function(f);
  }
  printf("%u expectations, %u wrong\n", checked, wrong);
  LLVMDisposeModule(module);
  LLVMDisposeMemoryBuffer(buffer);
  LLVMContextDispose(context);
  return wrong || checked < 200;
}
