/* Random legal kernels, run by both engines of the driver and by the interpreter.
 *
 *   fuzz [-k ONE] [-p PRELUDE] [-t SECONDS] [-g PERCENT] [-c] [-S] [-v] [-1] [KERNELS [SEED]]
 *     -k  only this kernel of the seed      -c  without collectives
 *     -p  another prelude.cl                -t  limit for a program; default 120
 *     -g  how many have sub-group functions; default 0
 *     -S  do not shrink what fails          -v  print the kernels
 *     -1  not on the checking engine too
 *
 * The programs are built and run in child processes, so that a crash or a hang of the driver is one
 * kernel's failure.  What fails is cut down and written to fuzz-SEED-NUMBER.c, a program that
 * shows the failure alone: cc fuzz-*.c -lOpenCL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/reproduce.h"
#include "run/host.h"

enum { BATCH = 12, LAUNCHES = 3 };
enum verdict { GOOD, WRONG, NO_BUILD, CRASHED, FALSE_ALARM, NOT_LEGAL };
static const char *const verdicts[] = {"good", "wrong answer", "does not build", "crash or hang",
                                       "the checking engine finds a mistake", "not legal"};

static struct {
  uint64_t seed;
  unsigned timeout, sub_groups;
  bool no_collectives, no_shrink, verbose, one_engine;
} options =
    {.seed = 1, .timeout = 120, .sub_groups = 0};
static char *prelude;

struct trial {
  struct kernel *kernel;
  uint64_t number;
  struct fuzz_launch launch[LAUNCHES];
  uint64_t *want[LAUNCHES];
};

/* ---- memory: all of a batch, freed together */

static struct chunk { struct chunk *next; max_align_t data[]; } *chunks;

void *fuzz_new(size_t size) {
  struct chunk *chunk = calloc(1, sizeof *chunk + size);
  if (!chunk) die("out of memory");
  chunk->next = chunks;
  chunks = chunk;
  return chunk->data;
}

void fuzz_free_all(void) {
  for (struct chunk *next; chunks; chunks = next) {
    next = chunks->next;
    free(chunks);
  }
}

/* ---- launches */

static size_t items_of(const struct fuzz_launch *l) {
  return l->global[0] * l->global[1] * l->global[2];
}

static void make_launch(struct fuzz_launch *l, uint64_t *random, int number) {
  static const size_t sizes[][3] = {{1}, {7}, {16}, {31}, {33}, {64}, {100}, {256}, {257}, {640},
                                    {8, 4}, {3, 5}, {17, 19}, {2, 32}, {4, 4, 4}, {3, 5, 7}, {1, 1, 9},
                                    {8, 8, 8}};
  const size_t *local = sizes[random_next(random) % (sizeof sizes / sizeof *sizes)];
  bool ragged = random_next(random) % 2 && !getenv("TEST_FOREIGN");
  l->dims = 1;
  for (unsigned d = 0; d < 3; d++) {
    l->local[d] = local[d] ? local[d] : 1;
    if (local[d]) l->dims = d + 1;
    size_t groups = !local[d] ? 1 : 1 + random_next(random) % (l->dims == 1 ? 4 : 2);
    l->global[d] = l->local[d] * groups;
    if (local[d] && ragged) l->global[d] -= random_next(random) % l->local[d];
  }
  l->args[0] = (uint32_t)random_next(random) % (number ? 1000 : 4);
  l->args[1] = (uint32_t)random_next(random);
  for (int i = 0; i < FUZZ_UNIFORMS; i++)
    l->u[i] = (uint32_t)random_next(random) >> random_next(random) % 32;
  l->in = fuzz_new(items_of(l) * FUZZ_INS * sizeof *l->in);
  for (size_t i = 0; i < items_of(l) * FUZZ_INS; i++)
    l->in[i] = (uint32_t)random_next(random) >> random_next(random) % 32;
}

/* Runs the interpreter on all launches; false if the kernel is not legal. */
static bool expect(struct trial *t, const char **why) {
  for (int i = 0; i < LAUNCHES; i++) {
    if (!t->want[i]) t->want[i] = fuzz_new(items_of(&t->launch[i]) * FUZZ_OUTS * sizeof(uint64_t));
    *why = interpret(t->kernel, &t->launch[i], t->want[i]);
    if (*why) return false;
  }
  return true;
}

static void make_trial(struct trial *t, uint64_t number) {
  const char *why;
  for (uint64_t attempt = 0;; attempt++) {
    uint64_t random = options.seed * 1000003 + number + (attempt << 40);
    uint64_t seed = random_next(&random);
    memset(t, 0, sizeof *t);
    t->number = number;
    t->kernel = generate(seed, (int)(number % 1000000), !options.no_collectives,
                         number * 37 % 100 < options.sub_groups);
    for (int i = 0; i < LAUNCHES; i++) make_launch(&t->launch[i], &random, i);
    if (expect(t, &why)) return;
    if (options.verbose) printf("kernel %llu: %s\n", (unsigned long long)number, why);
    if (attempt > 100) die("kernel %llu: no legal one found", (unsigned long long)number);
  }
}

/* ---- in the child: build and run */

static char *source_of(struct trial *trials, int count) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs(prelude, file);
  for (int i = 0; i < count; i++) {
    char *kernel = print_kernel(trials[i].kernel);
    fputs(kernel, file);
    free(kernel);
  }
  fclose(file);
  return text;
}

static cl_mem buffer_with(const void *data, size_t size) {
  cl_int code;
  cl_mem mem = clCreateBuffer(host_open()->context, data ? CL_MEM_COPY_HOST_PTR : 0, size,
                              (void *)(uintptr_t)data, &code);
  CL(code);
  return mem;
}

static void run_launch(cl_kernel kernel, const struct fuzz_launch *l, uint64_t *got) {
  size_t items = items_of(l), size = items * FUZZ_OUTS * sizeof *got;
  cl_command_queue queue = host_open()->queue;
  cl_mem out = buffer_with(NULL, size), in = buffer_with(l->in, items * FUZZ_INS * sizeof *l->in);
  cl_mem u = buffer_with(l->u, sizeof l->u);
  cl_mem shared = buffer_with(NULL, FUZZ_GROUPS * FUZZ_CELLS * sizeof(uint32_t));
  CL(clSetKernelArg(kernel, 0, sizeof out, &out));
  CL(clSetKernelArg(kernel, 1, sizeof in, &in));
  CL(clSetKernelArg(kernel, 2, sizeof u, &u));
  CL(clSetKernelArg(kernel, 3, sizeof shared, &shared));
  CL(clSetKernelArg(kernel, 4, sizeof(uint32_t), &l->args[0]));
  CL(clSetKernelArg(kernel, 5, sizeof(uint32_t), &l->args[1]));
  CL(clSetKernelArg(kernel, 6, FUZZ_CELLS * sizeof(uint32_t), NULL));
  CL(clEnqueueNDRangeKernel(queue, kernel, l->dims, NULL, l->global, l->local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, got, 0, NULL, NULL));
  CL(clReleaseMemObject(out));
  CL(clReleaseMemObject(in));
  CL(clReleaseMemObject(u));
  CL(clReleaseMemObject(shared));
}

static void print_difference(const struct trial *t, int launch, const uint64_t *got) {
  const struct fuzz_launch *l = &t->launch[launch];
  for (size_t i = 0; i < items_of(l) * FUZZ_OUTS; i++) {
    if (got[i] == t->want[launch][i]) continue;
    printf("global %zu x %zu x %zu, local %zu x %zu x %zu: result %zu of work-item %zu is 0x%llx, "
           "should be 0x%llx\n", l->global[0], l->global[1], l->global[2], l->local[0], l->local[1],
           l->local[2], i % FUZZ_OUTS, i / FUZZ_OUTS, (unsigned long long)got[i],
           (unsigned long long)t->want[launch][i]);
    return;
  }
}

static enum verdict run_trial(cl_program program, const struct trial *t, bool report, int *launch) {
  char name[32];
  cl_int code;
  snprintf(name, sizeof name, "k%d", t->kernel->id);
  cl_kernel kernel = clCreateKernel(program, name, &code);
  CL(code);
  enum verdict verdict = GOOD;
  for (int i = 0; i < LAUNCHES && verdict == GOOD; i++) {
    size_t size = items_of(&t->launch[i]) * FUZZ_OUTS * sizeof(uint64_t);
    uint64_t *got = malloc(size);
    *launch = i;
    run_launch(kernel, &t->launch[i], got);
    if (memcmp(got, t->want[i], size)) {
      verdict = WRONG;
      if (report) print_difference(t, i, got);
    }
    free(got);
  }
  CL(clReleaseKernel(kernel));
  return verdict;
}

/* What a child tells its parent, in shared memory. */
struct answer { enum verdict verdict; int launch; bool checked; };
static struct answer *answers;

static void child(struct trial *trials, int count, bool report) {
  const struct host *host = host_open();
  if (!count) answers[0].verdict = GOOD; /* asked only whether there is a device */
  if (!count) exit(0);
  char *source = source_of(trials, count);
  cl_int code;
  cl_program program =
      clCreateProgramWithSource(host->context, 1, (const char **)&source, NULL, &code);
  CL(code);
  code = clBuildProgram(program, 1, &host->device, "-cl-std=CL3.0", NULL, NULL);
  if (code) {
    for (int i = 0; i < count; i++) answers[i].verdict = NO_BUILD;
    if (report) host_build(source, "-cl-std=CL3.0");
  } else {
    for (int i = 0; i < count; i++)
      answers[i].verdict = run_trial(program, &trials[i], report, &answers[i].launch);
  }
  exit(0);
}

/* Each batch in another order of its work-items. */
static void choose_checking_engine(uint64_t number) {
  char schedule[40];
  snprintf(schedule, sizeof schedule, number % 3 == 0 ? "order" : number % 3 == 1 ? "reverse" : "shuffle:%llu",
           (unsigned long long)number);
  setenv("MANIPLE_CHECK", "1", 1);
  setenv("MANIPLE_CHECK_SCHEDULE", schedule, 1);
}

/* Runs the kernels as one program on one engine. */
static void run_on_engine(struct trial *trials, int count, bool report, bool checked) {
  enum { FOUND_MISTAKES = 3 };
  for (int i = 0; i < count || !i; i++) answers[i] = (struct answer){CRASHED, 0, checked};
  fflush(stdout);
  pid_t pid = fork();
  if (pid < 0) die("cannot fork");
  if (pid == 0) {
    alarm(options.timeout);
    if (checked) choose_checking_engine(trials[0].number / BATCH);
    if (!report && !freopen("/dev/null", "w", stderr)) exit(1);
    child(trials, count, report);
  }
  int status;
  waitpid(pid, &status, 0);
  if (report && WIFSIGNALED(status)) printf("killed by signal %d\n", WTERMSIG(status));
  for (int i = 0; i < count && WIFEXITED(status) && WEXITSTATUS(status) == FOUND_MISTAKES; i++)
    if (answers[i].verdict == GOOD) answers[i].verdict = FALSE_ALARM;
}

/* Runs the kernels as one program, on both engines; answers[] then says how each did. */
static void run_together(struct trial *trials, int count, bool report) {
  struct answer compiled[BATCH];
  run_on_engine(trials, count, report, false);
  if (!count || options.one_engine) return;
  memcpy(compiled, answers, (size_t)count * sizeof *compiled);
  run_on_engine(trials, count, report, true);
  for (int i = 0; i < count; i++)
    if (compiled[i].verdict != GOOD) answers[i] = compiled[i];
}

/* ---- failures */

static bool fails_still(struct kernel *k, void *data) {
  struct trial *t = data;
  const char *why;
  enum verdict before = answers[BATCH].verdict; /* as it failed first */
  t->kernel = k;
  if (!expect(t, &why)) return false;
  run_together(t, 1, false);
  return answers[0].verdict == before;
}

static void report(struct trial *t, enum verdict verdict) {
  printf("FAILED: %s: kernel %llu of seed %llu (again: fuzz -k %llu 1 %llu)\n", verdicts[verdict],
         (unsigned long long)t->number, (unsigned long long)options.seed,
         (unsigned long long)t->number, (unsigned long long)options.seed);
  answers[BATCH].verdict = verdict;
  if (!options.no_shrink) shrink(t->kernel, fails_still, t);
  const char *why;
  expect(t, &why);
  char *kernel = print_kernel(t->kernel);
  puts(kernel);
  free(kernel);
  run_together(t, 1, true);
  if (answers[0].checked) puts("on the checking engine only: MANIPLE_CHECK=1");
  char name[64];
  snprintf(name, sizeof name, "fuzz-%llu-%llu.c", (unsigned long long)options.seed,
           (unsigned long long)t->number);
  char *source = source_of(t, 1);
  int launch = answers[0].launch;
  write_reproducer(name, source, t->kernel, &t->launch[launch], t->want[launch]);
  free(source);
  printf("written to %s\n\n", name);
}

static int run_batch(uint64_t first, int count) {
  struct trial trials[BATCH];
  enum verdict verdict[BATCH];
  int failed = 0;
  bool alone = false;
  for (int i = 0; i < count; i++) {
    make_trial(&trials[i], first + (uint64_t)i);
    if (!options.verbose) continue;
    char *text = print_kernel(trials[i].kernel);
    puts(text);
    free(text);
  }
  run_together(trials, count, false);
  for (int i = 0; i < count; i++) {
    verdict[i] = answers[i].verdict;
    alone |= verdict[i] == NO_BUILD || verdict[i] == CRASHED || verdict[i] == FALSE_ALARM;
  }
  for (int i = 0; alone && i < count; i++) {
    run_together(&trials[i], 1, false);
    verdict[i] = answers[0].verdict;
  }
  for (int i = 0; i < count; i++)
    if (verdict[i] != GOOD) {
      failed++;
      report(&trials[i], verdict[i]);
    }
  if (alone && !failed) {
    printf("FAILED: kernels %llu to %llu of seed %llu: together only\n", (unsigned long long)first,
           (unsigned long long)first + (uint64_t)count - 1, (unsigned long long)options.seed);
    failed = 1;
  }
  fuzz_free_all();
  return failed;
}

int main(int argc, char **argv) {
  uint64_t count = 240, first = 0, failed = 0;
  const char *prelude_path = NULL;
  bool one = false;
  for (int c; (c = getopt(argc, argv, "k:p:t:g:cSv1")) != -1;) {
    if (c == 'k') first = strtoull(optarg, NULL, 0), count = 1, one = true;
    else if (c == 'p') prelude_path = optarg;
    else if (c == 't') options.timeout = (unsigned)atoi(optarg);
    else if (c == 'g') options.sub_groups = (unsigned)atoi(optarg);
    else if (c == 'c') options.no_collectives = true;
    else if (c == 'S') options.no_shrink = true;
    else if (c == 'v') options.verbose = true;
    else if (c == '1') options.one_engine = true;
    else die("usage: fuzz [-k ONE] [-p PRELUDE] [-t SECONDS] [-g PERCENT] [-c] [-S] [-v] [-1] "
             "[KERNELS [SEED]]");
  }
  if (optind < argc && !one) count = strtoull(argv[optind], NULL, 0);
  if (optind + 1 < argc) options.seed = strtoull(argv[optind + 1], NULL, 0);
  if (getenv("TEST_FOREIGN")) options.one_engine = true;
  prelude = read_file(prelude_path ? prelude_path : FUZZ_PRELUDE);
  answers = mmap(NULL, (BATCH + 1) * sizeof *answers, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (answers == MAP_FAILED) die("no shared memory");
  run_together(NULL, 0, true);
  if (answers[0].verdict != GOOD) die("no driver to test");
  for (uint64_t i = 0; i < count; i += BATCH)
    failed += (uint64_t)run_batch(first + i, (int)(count - i < BATCH ? count - i : BATCH));
  printf("%s: %llu kernels of seed %llu, %llu failed\n", failed ? "FAILED" : "ok",
         (unsigned long long)count, (unsigned long long)options.seed, (unsigned long long)failed);
  free(prelude);
  return failed ? 1 : 0;
}
