/* Random kernels of accesses to memory against what the host's compiler makes of the same text.
 *
 *   fuzz_memory [-p] [-k] [-c COMPILER] N SEED
 *     N kernels with the seeds SEED, SEED + 1 ...; -p prints them only.  The first that differs is
 * printed, with what differs, after statements that do not matter were left out (-k: with all), and
 * the exit status is 1. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/launch.h"
#include "run/same_text.h"

enum { RUNS = 3 };

static bool left_out[MEMORY_STATEMENTS];

static void write_text(FILE *file, bool for_host, uint64_t seed, unsigned count) {
  struct memory_kernel kernel;
  fputs(for_host ? memory_for_host : memory_for_device, file);
  for (unsigned k = 0; k < count; k++) memory_generate(file, for_host, seed + k, left_out, &kernel);
}

/* Least, largest, or any. */
static void choose_scalars(const struct memory_kernel *k, uint64_t seed, unsigned run,
                           int64_t *scalars) {
  uint64_t random = seed + run;
  for (unsigned n = 0; n < MEMORY_SCALARS; n++) {
    const struct memory_scalar *s = &k->scalars[n];
    int any = s->low + (int)((random_next(&random) >> 33) % (uint64_t)(s->high - s->low + 1));
    scalars[n] = run == 0 ? s->low : run == 1 ? s->high : any;
  }
}

/* Else work-items do not only write to places of their own. */
static void check_order(const struct memory_kernel *k, memory_function *function,
                        struct memory_values *values, const int64_t *scalars) {
  static char *first[MEMORY_BUFFERS];
  for (unsigned b = 0; b < k->num_buffers; b++) {
    if (!first[b]) first[b] = malloc(MEMORY_ROOM);
    if (!first[b]) die("out of memory");
    memcpy(first[b], values[b].after, MEMORY_ROOM);
  }
  memory_run_on_host(k, function, values, scalars, true);
  for (unsigned b = 0; b < k->num_buffers; b++)
    if (memcmp(first[b], values[b].after, MEMORY_ROOM))
      die("the generator's fault: %s depends on the order of work-items", k->buffers[b].name);
}

static void print_launch(const struct memory_kernel *k, uint64_t seed, const int64_t *scalars,
                         unsigned run) {
  printf("seed %llu, run %u: n0 %d, n1 %d, n2 %d, n3 %d%s, ", (unsigned long long)seed, run,
         (int)scalars[0], (int)scalars[1], (int)scalars[2], (int)scalars[3],
         k->any_local ? ", any groups" : "");
  print_shape(&k->shape);
  puts("");
}

static bool is_same(void *library, cl_program program, uint64_t seed) {
  static struct memory_values values[MEMORY_BUFFERS];
  struct memory_kernel k;
  char name[32];
  cl_int error;
  memory_function *function;
  bool good = true;
  snprintf(name, sizeof name, "memory%llu", (unsigned long long)seed);
  memory_generate(NULL, false, seed, left_out, &k);
  *(void **)&function = same_text_function(library, name);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CL(error);
  memory_fill(&k, seed, values);
  for (unsigned run = 0; run < RUNS && good; run++) {
    int64_t scalars[MEMORY_SCALARS];
    choose_scalars(&k, seed, run, scalars);
    memory_run_on_host(&k, function, values, scalars, false);
    check_order(&k, function, values, scalars);
    good = memory_run_on_device(&k, kernel, values, scalars, (enum memory_place)run);
    if (!good) print_launch(&k, seed, scalars, run);
  }
  CL(clReleaseKernel(kernel));
  return good;
}

static const struct same_text text = {
    "-fno-strict-aliasing -fwrapv -ffp-contract=off -fsigned-char", 16, 1, write_text, is_same};

/* Leaves out what can be without the difference going away. */
static void reduce(const char *compiler, uint64_t seed) {
  uint64_t bad;
  int out = dup(1), nowhere = open("/dev/null", O_WRONLY);
  fflush(stdout);
  dup2(nowhere, 1);
  for (unsigned n = MEMORY_STATEMENTS; n-- > 0;) {
    char *with = same_text_of(&text, false, seed, 1);
    left_out[n] = true;
    char *without = same_text_of(&text, false, seed, 1);
    if (strcmp(with, without) && same_text_run(&text, compiler, seed, 1, &bad)) left_out[n] = false;
    free(with);
    free(without);
  }
  fflush(stdout);
  dup2(out, 1);
  close(out);
  close(nowhere);
  puts("with fewer statements:");
  same_text_run(&text, compiler, seed, 1, &bad);
}

static void print_kernel(uint64_t seed) {
  struct memory_kernel kernel;
  memory_generate(stdout, false, seed, left_out, &kernel);
}

int main(int argc, char **argv) {
  const char *compiler = getenv("CC") ? getenv("CC") : "cc";
  bool prints = false, keeps = false;
  for (int option; (option = getopt(argc, argv, "pkc:")) != -1;) {
    if (option == '?') return 2;
    if (option == 'p') prints = true;
    if (option == 'k') keeps = true;
    if (option == 'c') compiler = optarg;
  }
  if (argc - optind != 2) die("usage: fuzz_memory [-p] [-k] [-c COMPILER] N SEED");
  uint64_t count = strtoull(argv[optind], NULL, 10), seed = strtoull(argv[optind + 1], NULL, 10),
           bad;
  if (prints) {
    write_text(stdout, false, seed, (unsigned)count);
    return 0;
  }
  setenv("MANIPLE_FAULTS", "report", 0); /* faults are differences */
  if (same_text_run(&text, compiler, seed, count, &bad)) {
    printf("%llu kernels from seed %llu on: all as the host's compiler makes them\n",
           (unsigned long long)count, (unsigned long long)seed);
    return 0;
  }
  if (!keeps) reduce(compiler, bad);
  print_kernel(bad);
  return 1;
}
