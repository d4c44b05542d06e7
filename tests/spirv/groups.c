/* The group instructions: each reduction in each form, by work-groups and sub-groups, of all
 * work-items and of some of them, against serial answers. */
#include "assemble.h"

enum { LOCAL = 24, GLOBAL = 72, CLUSTER = 4 };
enum form { REDUCE, INCLUSIVE, EXCLUSIVE, CLUSTERED };
enum kind { INTEGER, FLOATING, LOGICAL };

static int64_t add(int64_t a, int64_t b) {
  return a + b;
}
static int64_t mul(int64_t a, int64_t b) {
  return a * b;
}
static int64_t s_min(int64_t a, int64_t b) {
  return a < b ? a : b;
}
static int64_t s_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static int64_t u_min(int64_t a, int64_t b) {
  return (uint32_t)a < (uint32_t)b ? a : b;
}
static int64_t u_max(int64_t a, int64_t b) {
  return (uint32_t)a > (uint32_t)b ? a : b;
}
static int64_t bit_and(int64_t a, int64_t b) {
  return a & b;
}
static int64_t bit_or(int64_t a, int64_t b) {
  return a | b;
}
static int64_t bit_xor(int64_t a, int64_t b) {
  return a ^ b;
}

/* The identity is what an exclusive scan begins with; of floating point it is not looked at. */
static const struct row {
  const char *name; /* behind Group or GroupNonUniform; KHR: behind Group only, with that end */
  enum kind kind;
  int64_t (*combine)(int64_t, int64_t);
  int64_t identity;
  bool khr;
} rows[] = {
    {"IAdd", INTEGER, add, 0, false},
    {"FAdd", FLOATING, add, 0, false},
    {"SMin", INTEGER, s_min, INT32_MAX, false},
    {"UMin", INTEGER, u_min, -1, false},
    {"FMin", FLOATING, s_min, INT32_MAX, false},
    {"SMax", INTEGER, s_max, INT32_MIN, false},
    {"UMax", INTEGER, u_max, 0, false},
    {"FMax", FLOATING, s_max, INT32_MIN, false},
    {"IMul", INTEGER, mul, 1, true},
    {"FMul", FLOATING, mul, 1, true},
    {"BitwiseAnd", INTEGER, bit_and, -1, true},
    {"BitwiseOr", INTEGER, bit_or, 0, true},
    {"BitwiseXor", INTEGER, bit_xor, 0, true},
    {"LogicalAnd", LOGICAL, bit_and, 1, true},
    {"LogicalOr", LOGICAL, bit_or, 0, true},
    {"LogicalXor", LOGICAL, bit_xor, 0, true},
};
enum { ROWS = sizeof rows / sizeof *rows };

enum scope { WORK_GROUP, SUB_GROUP, SOME, SCOPES }; /* SOME: work-items with odd numbers */

static const char head[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Groups\n"
    "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformClustered\n"
    "OpCapability GroupUniformArithmeticKHR\nOpCapability GroupNonUniformBallot\n"
    "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformVote\n"
    "OpExtension \"SPV_KHR_uniform_group_instructions\"\n"
    "OpMemoryModel Physical64 OpenCL\n";
static const char types[] =
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %sgid BuiltIn SubgroupId\n"
    "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"
    "%float = OpTypeFloat 32\n%long3 = OpTypeVector %long 3\n%int4 = OpTypeVector %int 4\n"
    "%in_long3 = OpTypePointer Input %long3\n%in_int = OpTypePointer Input %int\n"
    "%gid = OpVariable %in_long3 Input\n%sgid = OpVariable %in_int Input\n"
    "%lane = OpVariable %in_int Input\n"
    "%ptr = OpTypePointer CrossWorkgroup %int\n%fn = OpTypeFunction %void %ptr\n"
    "%c0 = OpConstant %int 0\n%c1 = OpConstant %int 1\n%c2 = OpConstant %int 2\n"
    "%c3 = OpConstant %int 3\n%c4 = OpConstant %int 4\n%c64 = OpConstant %int 64\n"
    "%c1f = OpConstant %float 1\n";

static enum form form_of(int row, enum scope scope) {
  return (enum form)((row + scope) % (scope == SUB_GROUP ? 4 : 3));
}

/* Appends the kernel "kROW_SCOPE" (int *x): x[id] = what the group makes of x[id]. */
static char *kernel(char *out, int at, enum scope scope) {
  static const char *const forms[] = {"Reduce", "InclusiveScan", "ExclusiveScan",
                                      "ClusteredReduce"};
  const struct row *row = &rows[at];
  enum form form = form_of(at, scope);
  bool uniform = scope == WORK_GROUP;
  const char *type = row->kind == FLOATING ? "%float" : row->kind == LOGICAL ? "%bool" : "%int";
  char id[16], op[64], get[160], put[160];
  snprintf(id, sizeof id, "%d_%d", at, scope);
  snprintf(op, sizeof op, "OpGroup%s%s%s", uniform ? "" : "NonUniform", row->name,
           uniform && row->khr ? "KHR" : "");
  snprintf(get, sizeof get,
           row->kind == FLOATING  ? "%%y%s = OpConvertSToF %%float %%x%s\n"
           : row->kind == LOGICAL ? "%%y%s = OpINotEqual %%bool %%x%s %%c0\n"
                                  : "%%y%s = OpCopyObject %%int %%x%s\n",
           id, id);
  snprintf(put, sizeof put,
           row->kind == FLOATING  ? "%%s%s = OpConvertFToS %%int %%r%s\n"
           : row->kind == LOGICAL ? "%%s%s = OpSelect %%int %%r%s %%c1 %%c0\n"
                                  : "%%s%s = OpCopyObject %%int %%r%s\n",
           id, id);
  out += sprintf(out,
                 "%%k%s = OpFunction %%void None %%fn\n%%p%s = OpFunctionParameter %%ptr\n"
                 "%%l%s = OpLabel\n%%g%s = OpLoad %%long3 %%gid\n"
                 "%%i%s = OpCompositeExtract %%long %%g%s 0\n"
                 "%%a%s = OpInBoundsPtrAccessChain %%ptr %%p%s %%i%s\n"
                 "%%x%s = OpLoad %%int %%a%s Aligned 4\n%s",
                 id, id, id, id, id, id, id, id, id, id, id, get);
  if (scope == SOME)
    out += sprintf(out,
                   "%%n%s = OpUConvert %%int %%i%s\n%%o%s = OpBitwiseAnd %%int %%n%s %%c1\n"
                   "%%b%s = OpINotEqual %%bool %%o%s %%c0\nOpSelectionMerge %%e%s None\n"
                   "OpBranchConditional %%b%s %%t%s %%e%s\n%%t%s = OpLabel\n",
                   id, id, id, id, id, id, id, id, id, id, id);
  out +=
      sprintf(out, "%%r%s = %s %s %%c%d %s %%y%s%s\n%sOpStore %%a%s %%s%s Aligned 4\n", id, op,
              type, uniform ? 2 : 3, forms[form], id, form == CLUSTERED ? " %c4" : "", put, id, id);
  if (scope == SOME) out += sprintf(out, "OpBranch %%e%s\n%%e%s = OpLabel\n", id, id);
  return out + sprintf(out, "OpReturn\nOpFunctionEnd\n");
}

/* x[id] = number of the sub-group * 64 + place in it; then what a ballot and a shuffle say. */
static const char others[] =
    "%kids = OpFunction %void None %fn\n%pids = OpFunctionParameter %ptr\n%lids = OpLabel\n"
    "%gids = OpLoad %long3 %gid\n%iids = OpCompositeExtract %long %gids 0\n"
    "%aids = OpInBoundsPtrAccessChain %ptr %pids %iids\n"
    "%sids = OpLoad %int %sgid\n%mids = OpIMul %int %sids %c64\n%nids = OpLoad %int %lane\n"
    "%rids = OpIAdd %int %mids %nids\nOpStore %aids %rids Aligned 4\nOpReturn\nOpFunctionEnd\n"
    "%kshuffle = OpFunction %void None %fn\n%psh = OpFunctionParameter %ptr\n%lsh = OpLabel\n"
    "%gsh = OpLoad %long3 %gid\n%ish = OpCompositeExtract %long %gsh 0\n"
    "%ash = OpInBoundsPtrAccessChain %ptr %psh %ish\n%xsh = OpLoad %int %ash Aligned 4\n"
    "%osh = OpBitwiseAnd %int %xsh %c1\n%bsh = OpINotEqual %bool %osh %c0\n"
    "%ballot = OpGroupNonUniformBallot %int4 %c3 %bsh\n"
    "%count = OpGroupNonUniformBallotBitCount %int %c3 Reduce %ballot\n"
    "%other = OpGroupNonUniformShuffleXor %int %c3 %xsh %c1\n"
    "%times = OpIMul %int %other %c64\n%both = OpIAdd %int %times %count\n"
    "%all = OpGroupAll %bool %c2 %bsh\n%any = OpGroupAny %bool %c2 %bsh\n"
    "%elected = OpGroupNonUniformElect %bool %c3\n%n1 = OpSelect %int %all %c4 %c0\n"
    "%first = OpGroupBroadcast %int %c2 %xsh %c1\n"
    "%n2 = OpSelect %int %any %c2 %c0\n%n3 = OpSelect %int %elected %c1 %c0\n"
    "%n4 = OpIAdd %int %n1 %n2\n%n5 = OpIAdd %int %n4 %n3\n%n6 = OpIMul %int %both %c64\n"
    "%n7 = OpIAdd %int %n6 %n5\n%n8 = OpIAdd %int %n7 %first\n"
    "OpStore %ash %n8 Aligned 4\nOpReturn\nOpFunctionEnd\n";

static cl_program make(void) {
  static char text[1 << 18];
  char *out = text + sprintf(text, "%s", head);
  for (int i = 0; i < ROWS * SCOPES; i++)
    out += sprintf(out, "OpEntryPoint Kernel %%k%d_%d \"k%d_%d\" %%gid\n", i / SCOPES, i % SCOPES,
                   i / SCOPES, i % SCOPES);
  out += sprintf(out,
                 "OpEntryPoint Kernel %%kids \"ids\" %%gid %%sgid %%lane\n"
                 "OpEntryPoint Kernel %%kshuffle \"shuffle\" %%gid\n%s",
                 types);
  for (int i = 0; i < ROWS * SCOPES; i++) out = kernel(out, i / SCOPES, (enum scope)(i % SCOPES));
  strcpy(out, others);
  return il_build("1.3", text);
}

static cl_int run(cl_program program, const char *name, cl_int *values) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CHECK(kernel);
  if (!kernel) return error;
  run_on(kernel, values, GLOBAL, LOCAL);
  clReleaseKernel(kernel);
  return CL_SUCCESS;
}

static cl_int input(const struct row *row, int i) {
  if (row->kind == FLOATING) return row->combine == mul ? 1 + (i * 5 % 3 == 1) : i * 37 % 23 - 7;
  return row->kind == LOGICAL ? i * 37 % 5 != 0 : i * 37 % 23 - 7;
}

/* Work-items that answer together, in their order. */
static bool together(const cl_int *ids, enum scope scope, enum form form, int i, int k) {
  if (i / LOCAL != k / LOCAL) return false;
  if (scope == WORK_GROUP) return true;
  if (ids[i] / 64 != ids[k] / 64) return false;
  if (scope == SOME && (!(i & 1) || !(k & 1))) return false;
  return form != CLUSTERED || ids[i] / CLUSTER == ids[k] / CLUSTER;
}

static void check_row(cl_program program, int at, enum scope scope, const cl_int *ids) {
  const struct row *row = &rows[at];
  enum form form = form_of(at, scope);
  cl_int values[GLOBAL];
  char name[16];
  snprintf(name, sizeof name, "k%d_%d", at, scope);
  for (int i = 0; i < GLOBAL; i++) values[i] = input(row, i);
  if (run(program, name, values)) return;
  for (int i = 0; i < GLOBAL; i++) {
    int64_t answer = row->identity;
    bool empty = true;
    for (int k = 0; k < GLOBAL; k++) {
      bool behind = (form == INCLUSIVE && k > i) || (form == EXCLUSIVE && k >= i);
      if (behind || !together(ids, scope, form, i, k)) continue;
      answer = empty ? input(row, k) : row->combine(answer, input(row, k));
      empty = false;
    }
    if (scope == SOME && !(i & 1)) answer = input(row, i);
    bool unknown = empty && row->kind == FLOATING && (scope != SOME || (i & 1));
    if (unknown || values[i] == (cl_int)answer) continue;
    failures++;
    printf("%s, form %d, scope %d: work-item %d has %d, not %d\n", row->name, form, scope, i,
           values[i], (cl_int)answer);
    return;
  }
}

static void check_others(cl_program program, const cl_int *ids) {
  cl_int values[GLOBAL];
  for (int i = 0; i < GLOBAL; i++) values[i] = i * 37 % 23;
  if (run(program, "shuffle", values)) return;
  for (int i = 0; i < GLOBAL; i++) {
    int count = 0, other = -1, all = 1, any = 0, first = i / LOCAL * LOCAL + 1;
    for (int k = 0; k < GLOBAL; k++) {
      if (i / LOCAL != k / LOCAL) continue;
      all &= k * 37 % 23 & 1;
      any |= k * 37 % 23 & 1;
      if (ids[i] / 64 != ids[k] / 64) continue;
      count += k * 37 % 23 & 1;
      if ((ids[k] ^ 1) == ids[i]) other = k * 37 % 23;
    }
    int want = (other * 64 + count) * 64 + all * 4 + any * 2 + (ids[i] % 64 == 0) + first * 37 % 23;
    CHECK(other < 0 || values[i] == want);
  }
}

int main(void) {
  need_assembler();
  open_device();
  cl_program program = make();
  cl_int ids[GLOBAL] = {0};
  run(program, "ids", ids);
  for (int i = 0; i < ROWS * SCOPES; i++)
    check_row(program, i / SCOPES, (enum scope)(i % SCOPES), ids);
  check_others(program, ids);
  clReleaseProgram(program);
  return finish();
}
