/* Random control flow against what the host's compiler makes of the same text.
 *
 *   fuzz_flow [-p | -s] [-c COMPILER] N SEED
 *     N kernels with the seeds SEED, SEED + 1 ...; -p prints them only, -s a program with kernels
 * in C that compares by itself.  The first that differs is printed, with both answers, and the exit
 *     status is 1. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow/flow.h"
#include "run/same_text.h"

enum { ITEMS = FLOW_ITEMS * FLOW_GROUPS, ARGUMENTS = 3 };

/* More fuel than most functions need, and few enough ways back for thousands of kernels. */
#define SAME                                                                                       \
  "#define BURN if (c++ > 50) goto end;\n"                                                         \
  "#define HEAD BEGIN EACH { X = IN(0) * 2654435761u; Y = X >> 11; p(0) = p(1) = X; "              \
  "p(2) = p(3) = 5; }\n"

static const char for_host[] =
    "typedef unsigned int uint;\n" SAME
    "#define FUNCTION(k) void host##k(const uint *in, uint *out, int n, int items, int first, uint "
    "u)\n"
    "#define EACH for (int i = 0; i < items; i++)\n"
    "#define BEGIN uint x[64], y[64], q[64][4], c = 0; int i = 0;\n"
    "#define X x[i]\n#define Y y[i]\n#define p(k) q[i][k]\n"
    "#define IN(k) in[(first + i + (k)) % 120]\n"
    "#define MAX_OF(v) { uint a = 0; EACH if ((v) > a) a = (v); u = a; }\n"
    "#define SUM_OF(v) { uint a = 0; EACH a += (v); u = a; }\n"
    "#define FIRST(v) { u = (v); }\n"
    "#define BARRIER\n"
    "#define TAIL EACH { uint *o = out + (first + i) * 4; o[0] = X; o[1] = Y; o[2] = c; o[3] = u ^ "
    "p(2); }\n";

/* In front of both sorts of kernels, behind what begins each. */
#define IN_KERNELS                                                                                 \
  "#define EACH\n"                                                                                 \
  "#define BEGIN uint X, Y, p[4], c = 0, u = n + (uint)get_group_id(0); int first = "              \
  "(int)get_global_id(0);\n"                                                                       \
  "#define p(k) p[k]\n"                                                                            \
  "#define IN(k) in[(first + (k)) % 120]\n"                                                        \
  "#define MAX_OF(v) u = work_group_reduce_max((uint)(v));\n"                                      \
  "#define SUM_OF(v) u = work_group_reduce_add((uint)(v));\n"                                      \
  "#define FIRST(v) u = work_group_broadcast((v), 0);\n"                                           \
  "#define TAIL OUT = out + first * 4; o[0] = X; o[1] = Y; o[2] = c; o[3] = u ^ "                  \
  "p[2];\n"

static const char for_device[] = SAME IN_KERNELS
    "#define FUNCTION(k) kernel void flow##k(global const uint *in, global uint *out, int n)\n"
    "#define OUT global uint *o\n"
    "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE);\n";

static const char in_c[] =
    "#include <maniple/group.h>\n#include <stdio.h>\n"
    "#undef FUNCTION\n#undef EACH\n#undef BEGIN\n#undef X\n#undef Y\n#undef p\n#undef IN\n"
    "#undef MAX_OF\n#undef SUM_OF\n#undef FIRST\n#undef BARRIER\n#undef TAIL\n" IN_KERNELS
    "#define FUNCTION(k) mpl_kernel(flow##k, (const uint *)in, (uint *)out, (int)n)\n"
    "#define OUT uint *o\n"
    "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE);\n";

typedef void host_function(const uint32_t *in, uint32_t *out, int n, int items, int first,
                           uint32_t u);

static void write_text(FILE *file, bool on_host, uint64_t seed, unsigned count) {
  fputs(on_host ? for_host : for_device, file);
  for (unsigned k = 0; k < count; k++) flow_generate(file, seed + k);
}

static void run_on_host(void *library, uint64_t seed, const uint32_t *in, uint32_t *out, int n) {
  char name[32];
  host_function *function;
  snprintf(name, sizeof name, "host%llu", (unsigned long long)seed);
  *(void **)&function = same_text_function(library, name);
  int items = flow_is_uniform(seed) ? FLOW_ITEMS : 1;
  for (int first = 0; first < ITEMS; first += items)
    function(in, out, n, items, first, (uint32_t)(n + first / FLOW_ITEMS));
}

static void run_on_device(cl_program program, uint64_t seed, const uint32_t *in, uint32_t *out,
                          int n) {
  const struct host *h = host_open();
  char name[32];
  cl_int error;
  size_t global = ITEMS, local = FLOW_ITEMS, size = ITEMS * FLOW_RESULTS * sizeof *out;
  snprintf(name, sizeof name, "flow%llu", (unsigned long long)seed);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CL(error);
  cl_mem from =
      clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, ITEMS * sizeof *in, (void *)in, &error);
  CL(error);
  cl_mem to = clCreateBuffer(h->context, CL_MEM_READ_WRITE, size, NULL, &error);
  CL(error);
  CL(clSetKernelArg(kernel, 0, sizeof from, &from));
  CL(clSetKernelArg(kernel, 1, sizeof to, &to));
  CL(clSetKernelArg(kernel, 2, sizeof n, &n));
  CL(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(h->queue, to, CL_TRUE, 0, size, out, 0, NULL, NULL));
  CL(clReleaseMemObject(from));
  CL(clReleaseMemObject(to));
  CL(clReleaseKernel(kernel));
}

static bool has_same_results(uint64_t seed, int n, const uint32_t *want, const uint32_t *got) {
  for (unsigned i = 0; i < ITEMS * FLOW_RESULTS; i++) {
    if (want[i] == got[i]) continue;
    printf("seed %llu, n %d: work-item %u, result %u is 0x%x, should be 0x%x\n",
           (unsigned long long)seed, n, i / FLOW_RESULTS, i % FLOW_RESULTS, got[i], want[i]);
    write_text(stdout, false, seed, 1);
    return false;
  }
  return true;
}

static bool is_same(void *library, cl_program program, uint64_t seed) {
  static uint32_t in[ITEMS], want[ITEMS * FLOW_RESULTS], got[ITEMS * FLOW_RESULTS];
  bool good = true;
  uint64_t random = seed;
  for (unsigned i = 0; i < ITEMS; i++) in[i] = (uint32_t)random_next(&random);
  for (int n = 0; n < ARGUMENTS && good; n++) {
    run_on_host(library, seed, in, want, n * 5);
    run_on_device(program, seed, in, got, n * 5);
    good = has_same_results(seed, n * 5, want, got);
  }
  return good;
}

static const char compare_in_c[] =
    "static uint in[120], want[480], got[480];\n"
    "#define COMPARE(k, n, items) \\\n"
    "  for (int f = 0; f < 120; f += items) host##k(in, want, n, items, f, n + f / 24); \\\n"
    "  if (mpl_launch(flow##k, mpl_1d(120, 24), in, got, n)) return puts(mpl_error_text()), 2; \\\n"
    "  for (int i = 0; i < 480; i++) if (want[i] != got[i]) return printf(\"%s: %d\\n\", #k, i), "
    "1;\n"
    "int main(void) {\n"
    "for (int i = 0; i < 120; i++) in[i] = i * 2246822519u;\n";

/* Its functions for the host are above its kernels, as macros have to be. */
static void print_program(uint64_t seed, unsigned count) {
  fputs(for_host, stdout);
  for (unsigned k = 0; k < count; k++) flow_generate(stdout, seed + k);
  fputs(in_c, stdout);
  for (unsigned k = 0; k < count; k++) flow_generate(stdout, seed + k);
  fputs(compare_in_c, stdout);
  for (unsigned k = 0; k < count; k++)
    for (int n = 0; n < ARGUMENTS; n++)
      printf("COMPARE(%llu, %d, %d)\n", (unsigned long long)seed + k, n * 5,
             flow_is_uniform(seed + k) ? FLOW_ITEMS : 1);
  puts("return 0;\n}");
}

int main(int argc, char **argv) {
  const char *compiler = getenv("CC") ? getenv("CC") : "cc";
  bool prints = false, in_program = false;
  for (int option; (option = getopt(argc, argv, "psc:")) != -1;) {
    if (option == '?') return 2;
    if (option == 'p') prints = true;
    if (option == 's') in_program = true;
    if (option == 'c') compiler = optarg;
  }
  if (argc - optind != 2) die("usage: fuzz_flow [-p | -s] [-c COMPILER] N SEED");
  uint64_t count = strtoull(argv[optind], NULL, 10), seed = strtoull(argv[optind + 1], NULL, 10);
  if (in_program) {
    print_program(seed, (unsigned)count);
    return 0;
  }
  if (prints) {
    write_text(stdout, false, seed, (unsigned)count);
    return 0;
  }
  static const struct same_text text = {"", 16, 16, write_text, is_same};
  if (!same_text_run(&text, compiler, seed, count, &(uint64_t){0})) return 1;
  printf("%llu kernels from seed %llu on: all as the host's compiler makes them\n",
         (unsigned long long)count, (unsigned long long)seed);
  return 0;
}
