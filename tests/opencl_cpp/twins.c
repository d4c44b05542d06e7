/* A function of the cl:: library costs what the built-in one does: kernels that differ in nothing
 * else become the same assembly, to the letter.
 *
 *   twins MANIPLE OPERATION ...     an operation of the table of collectives, or `others` */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/host.h"

enum {
  INTEGERS,
  FLOATING,
  SIGNED = INTEGERS,
  UNSIGNED = INTEGERS,
  NUMBERS = FLOATING,
  LOGICAL = 2
};
enum { CORE = 1, UNIFORM_ARITHMETIC = 0, OWN = 0 };

static const struct {
  const char *name;
  int kind;
} types[] = {
#define MPL_GROUP_TYPE(type, llvm, kind) {#type, kind},
#include "../../src/tables/collectives.def"
};
static const struct {
  const char *name;
  int types, core;
} operations[] = {
#define MPL_OPERATION(op, types, identity, feature, ...) {#op, types, feature},
#include "../../src/tables/operations.def"
};
static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "../../src/tables/collectives.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Other pairs: the type of the operand x, the C expression, the C++ one. */
static const struct {
  const char *type, *c, *cxx;
} others[] = {
#define MPL_VOTE(name, op)                                                                         \
  {"int", "work_group_" #name "(x == 3) != 0", "cl::work_group_" #name "(x == 3)"},                \
      {"int", "sub_group_" #name "(x == 3) != 0", "cl::sub_group_" #name "(x == 3)"},
#include "../../src/tables/collectives.def"
    {"float", "work_group_broadcast(x, 3)", "cl::work_group_broadcast(x, 3)"},
    {"long", "work_group_broadcast(x, 3, 1)", "cl::work_group_broadcast(x, 3, 1)"},
    {"half", "work_group_broadcast(x, 3, 1, 0)", "cl::work_group_broadcast(x, 3, 1, 0)"},
    {"double", "sub_group_broadcast(x, 3)", "cl::sub_group_broadcast(x, 3)"},
    {"float", "cos(x) * native_exp(x)", "cl::cos(x) * cl::native::exp(x)"},
    {"float4", "fma(x, x, x)", "cl::fma(x, x, x)"},
    {"int", "clamp(x, 1, 9) + popcount(x)", "cl::clamp(x, 1, 9) + cl::popcount(x)"},
    {"int4", "convert_int4_sat_rte(as_float4(x))",
     "cl::convert_cast<int4, cl::rounding_mode::rte, cl::saturate::on>(cl::as_type<float4>(x))"},
    {"uint", "get_local_id(0) + get_group_id(1) * get_num_groups(2) + get_local_linear_id()",
     "cl::get_local_id(0) + cl::get_group_id(1) * cl::get_num_groups(2) + "
     "cl::get_local_linear_id()"},
    {"float4", "vload4(0, (global const float *)&in[i])",
     "cl::vload<4>(0, (global const float *)&in[i])"},
    {"int", "(work_group_barrier(CLK_LOCAL_MEM_FENCE), x)",
     "(cl::work_group_barrier(cl::mem_fence::local_), x)"},
    {"int", "atomic_fetch_add((volatile global atomic_int *)out, x)",
     "((global cl::atomic<int> *)out)->fetch_add(x)"},
    {"float", "dot((float3)(x, 1.0f, 2.0f), (float3)(x))",
     "cl::dot((float3)(x, 1.0f, 2.0f), (float3)(x))"},
};

struct pair {
  FILE *c, *cxx;
  int count;
};

static void add(struct pair *p, const char *type, const char *c, const char *cxx) {
  static const char kernel[] = "kernel void k%d(global %s *out, global const %s *in) {\n"
                               "  size_t i = get_global_id(0);\n"
                               "  %s x = in[i];\n  out[i] = %s;\n}\n";
  fprintf(p->c, kernel, p->count, type, type, type, c);
  fprintf(p->cxx, kernel, p->count, type, type, type, cxx);
  p->count++;
}

static bool takes(size_t op, size_t type) {
  if (operations[op].types == LOGICAL) return !strcmp(types[type].name, "int");
  return operations[op].types == NUMBERS || types[type].kind == INTEGERS;
}

static void add_operation(struct pair *p, size_t op) {
  const char *name = operations[op].name;
  bool token = !strcmp(name, "and") || !strcmp(name, "or") || !strcmp(name, "xor");
  for (size_t f = 0; f < COUNT(forms); f++)
    for (size_t t = 0; t < COUNT(types); t++)
      for (int sub = 0; sub <= operations[op].core; sub++) {
        char c[128], cxx[128];
        const char *scope = sub ? "sub_group" : "work_group";
        if (!takes(op, t)) continue;
        snprintf(c, sizeof c, "%s_%s_%s(x)", scope, forms[f], name);
        snprintf(cxx, sizeof cxx, "cl::%s_%s<cl::work_group_op::%s%s>(x)", scope, forms[f], name,
                 token ? "_" : "");
        add(p, types[t].name, c, cxx);
      }
}

static void add_pairs(struct pair *p, const char *what) {
  for (size_t op = 0; op < COUNT(operations); op++)
    if (!strcmp(what, operations[op].name)) add_operation(p, op);
  for (size_t i = 0; i < COUNT(others) && !strcmp(what, "others"); i++)
    add(p, others[i].type, others[i].c, others[i].cxx);
  if (!p->count) die("there is no operation '%s'", what);
}

/* The assembly of a source file, by way of the command's dump. */
static char *assembly(const char *maniple, const char *folder, const char *name,
                      const char *options) {
  char command[4096], path[1024];
  snprintf(command, sizeof command,
           "cd %s && %s build -q %s --dump=%s.dump %s.cl -o %s.bin >/dev/null 2>%s.log || { cat "
           "%s.log; exit 1; }",
           folder, maniple, options, name, name, name, name, name);
  if (system(command)) die("%s.cl does not build", name);
  snprintf(path, sizeof path, "%s/%s.dump", folder, name);
  DIR *dump = opendir(path);
  if (!dump) die("no dump in %s", path);
  for (struct dirent *e; (e = readdir(dump));) {
    snprintf(path, sizeof path, "%s/%s.dump/%s/program.s", folder, name, e->d_name);
    if (e->d_name[0] == '.' || access(path, R_OK)) continue;
    closedir(dump);
    return read_file(path);
  }
  die("no assembly in %s", path);
}

static FILE *create(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) die("cannot write %s", path);
  return file;
}

static int check(const char *maniple, const char *what) {
  char folder[] = "/tmp/maniple-twins-XXXXXX", command[64];
  if (!mkdtemp(folder)) die("no temporary folder");
  struct pair p = {create(folder, "c.cl"), create(folder, "cxx.cl"), 0};
  fprintf(p.cxx,
          "#define CL_MANIPLE_GROUP_OPERATIONS\n#include <opencl_work_group>\n"
          "#include <opencl_work_item>\n#include <opencl_synchronization>\n#include <opencl_math>\n"
          "#include <opencl_integer>\n#include <opencl_geometric>\n#include <opencl_convert>\n"
          "#include <opencl_reinterpret>\n#include <opencl_vector_load_store>\n"
          "#include <opencl_atomic>\n");
  fprintf(p.c, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
  add_pairs(&p, what);
  fclose(p.c);
  fclose(p.cxx);
  char *c = assembly(maniple, folder, "c", "-cl-std=CL3.0");
  char *cxx = assembly(maniple, folder, "cxx", "-cl-std=clc++2021");
  size_t same = 0;
  while (c[same] && c[same] == cxx[same]) same++;
  bool good = c[same] == cxx[same];
  printf("%s %s: %d kernels\n", good ? "ok" : "FAILED", what, p.count);
  if (!good) printf("the assembly differs, in C:\n%.400s\nin C++:\n%.400s\n", c + same, cxx + same);
  free(c);
  free(cxx);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) || !good;
}

int main(int argc, char **argv) {
  int failed = argc < 3;
  for (int i = 2; i < argc; i++) failed |= check(argv[1], argv[i]);
  return failed;
}
