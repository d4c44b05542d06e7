/* What NVIDIA's assembler makes of every collective, on some chips: how many registers, and
 * what it spills.  2048 work-items of a multiprocessor, with which its memory is busy, have 32
 * registers each.  registers PTXAS CHIP. */
#include <stdbool.h>
#include <unistd.h>

#include "abi/gpu.h"
#include "cuda/cuda.h"
#include "toolchain/compile.h"
#include "unit/unit.h"

enum { MOST_REGISTERS = 32 };

/* The compiler writes the same for both, but for its first lines; the assembler does not. */
static const char target[] = MPL_NVPTX "sm_80 ptx70";

enum value { NONE, INT, UINT, UINT4, TYPE };
static const struct collective {
  const char *name, *type;
  bool constant; /* the last number has to be one */
  enum value value, arguments[3];
} collectives[] = {
#define MPL_EACH_WORK_FORM(T, form, op) {"work_group_" #form "_" #op, #T, false, TYPE, {TYPE}},
#define MPL_EACH_WORK_BROADCAST(T)      {"work_group_broadcast", #T, false, TYPE, {TYPE, UINT}},
#define MPL_EACH_WORK_VOTE(name)        {"work_group_" #name, "int", false, INT, {INT}},
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)                                       \
  {#prefix "_" #form "_" #op, #T, true, TYPE, {TYPE, size}},
#define MPL_EACH_LANES_FUNCTION(T, name, value, first, second, third, flow)                        \
  {#name, #T, third != NONE, value, {first, second, third}},
#define MPL_EACH_LANES_SINGLE(name, value, first, second, third, flow)                             \
  {#name, "int", false, value, {first, second, third}},
#include "tables/each_collective.h"
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* --- The kernels --- */

static const char *type_of(const struct collective *c, enum value value) {
  return value == TYPE ? c->type : value == INT ? "int" : value == UINT4 ? "uint4" : "uint";
}

/* A value of each work-item's, or, behind it, one that all have. */
static void write_argument(FILE *out, const struct collective *c, unsigned n) {
  bool last = n == 2 || c->arguments[n + 1] == NONE;
  if (n) fputs(", ", out);
  if (c->constant && last && n)
    fputs("8", out);
  else if (!n)
    fprintf(out, c->arguments[0] == UINT4 ? "(uint4)((uint)x, 0, 0, 0)" : "x");
  else
    fputs("n", out);
}

static void write_kernel(FILE *out, const struct collective *c) {
  fprintf(out,
          "kernel void %s_%s(global %s *out, global const %s *in, uint n) {"
          " size_t i = get_global_id(0); %s x = in[i]; out[i] = %s(",
          c->name, c->type, type_of(c, c->value), c->type, c->type, c->name);
  for (unsigned n = 0; n < 3 && c->arguments[n] != NONE; n++) write_argument(out, c, n);
  fputs("); }\n", out);
}

static char *write_source(void) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fputs("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
        out);
  for (unsigned i = 0; i < COLLECTIVES; i++) write_kernel(out, &collectives[i]);
  CHECK(!fclose(out));
  return text;
}

/* As the run time gives it to the driver: for all local sizes. */
static char *compile(const char *text) {
  struct mpl_blob source = {text, strlen(text)};
  struct mpl_compile_job job = {.input = MPL_INPUT_SOURCE,
                                .inputs = &source,
                                .num_inputs = 1,
                                .options = "-cl-std=CL3.0",
                                .target = target,
                                .output = MPL_OUTPUT_OBJECT};
  struct mpl_compile_answer answer;
  mpl_compile(&job, &answer);
  if (answer.result != MPL_COMPILED) fprintf(stderr, "%s\n", answer.log);
  CHECK(answer.result == MPL_COMPILED);
  char *object = strndup(answer.output, answer.output_size);
  struct mpl_cuda_table *table = mpl_cuda_table_read(object);
  CHECK(table && table->num_entries == COLLECTIVES);
  char *made = mpl_cuda_specialise(object, table, -1, NULL);
  CHECK(made);
  mpl_cuda_table_free(table);
  free(object);
  mpl_compile_free(&answer);
  return made;
}

/* --- What the assembler says --- */

/* Of a kernel's lines the numbers in front of, or behind, these words. */
static bool read_line(const char *line, char name[128], unsigned *registers, unsigned *spilt) {
  unsigned stack, loads;
  sscanf(line, "ptxas info : Compiling entry function '%127[^']'", name);
  if (sscanf(line, " %u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &stack,
             spilt, &loads) == 3)
    *spilt += loads;
  return sscanf(line, "ptxas info : Used %u registers", registers) == 1;
}

static bool check_chip(const char *ptxas, const char *chip, const char *path) {
  char command[4096], line[512], name[128] = "";
  unsigned registers = 0, spilt = 0, seen = 0, wrong = 0, most = 0;
  snprintf(command, sizeof command, "'%s' -v -arch=%s '%s' -o /dev/null 2>&1", ptxas, chip, path);
  FILE *said = popen(command, "r");
  CHECK(said);
  while (fgets(line, sizeof line, said)) {
    if (strstr(line, "error") || strstr(line, "fatal")) fputs(line, stderr);
    if (!read_line(line, name, &registers, &spilt)) continue;
    seen++;
    if (registers > most) most = registers;
    if (!spilt && registers <= MOST_REGISTERS) continue;
    wrong++;
    fprintf(stderr, "%s: %s has %u registers, and %u bytes that are spilt\n", chip, name, registers,
            spilt);
  }
  CHECK(!pclose(said));
  printf("%s: %u kernels, at most %u registers\n", chip, seen, most);
  return seen == COLLECTIVES && !wrong;
}

int main(int argc, char **argv) {
  char path[] = "/tmp/maniple-registers-XXXXXX";
  CHECK(argc == 3);
  int file = mkstemp(path);
  CHECK(file >= 0 && !close(file));
  char *source = write_source(), *text = compile(source);
  FILE *out = fopen(path, "w");
  CHECK(out && fputs(text, out) >= 0 && !fclose(out));
  bool good = check_chip(argv[1], argv[2], path);
  unlink(path);
  free(text);
  free(source);
  return !good;
}
