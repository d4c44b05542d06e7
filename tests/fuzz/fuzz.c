/* Random legal kernels, run by the engines of the driver and by the interpreter.
 *
 *   fuzz [-k ONE] [-p PRELUDE] [-t SECONDS] [-g PERCENT] [-w LANES] [-n MORE] [-e ENGINE] [-c] [-S]
 *        [-v] [-1] [KERNELS [SEED]]
 *     -k  only this kernel of the seed      -c  without collectives
 *     -p  another prelude.cl                -t  limit of CPU time; default 60
 *     -g  how many have sub-group functions; default 0
 *     -w  of sub-groups of that size; else of 8, 16, 32 and 64
 *     -n  on so many engines (engines.c) beside the environment's and the checking ones; default 2
 *     -e  only on this engine: its number
 *     -S  do not shrink what fails          -v  print the kernels
 *     -1  only as the environment says
 *
 * The programs are built and run in child processes, so that a crash or a hang of the driver is one
 * kernel's failure.  What fails is cut down and written to fuzz-SEED-NUMBER.c, a program that
 * shows the failure alone: cc fuzz-*.c -lOpenCL. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/engines.h"
#include "fuzz/reproduce.h"
#include "run/host.h"

enum { BATCH = 12, LAUNCHES = 3, TELL = 50 * BATCH };
enum verdict { GOOD, WRONG, NO_BUILD, CRASHED, FALSE_ALARM, NOT_LEGAL };
static const char *const verdicts[] = {"good", "wrong answer", "does not build", "crash or hang",
                                       "the checking engine finds a mistake", "not legal"};

static struct {
  uint64_t seed;
  unsigned timeout, sub_groups, lanes;
  int more, only; /* engines */
  bool no_collectives, no_shrink, verbose;
} options = {.seed = 1, .timeout = 60, .more = 2, .only = -1, .lanes = 1};
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

/* The order in which operands are computed is the compiler's. */
static uint32_t of_some_bits(uint64_t *random) {
  uint32_t bits = (uint32_t)random_next(random);
  return bits >> random_next(random) % 32;
}

static void make_launch(struct fuzz_launch *l, uint64_t *random, int number) {
  static const size_t sizes[][3] = {{1}, {7}, {16}, {31}, {33}, {64}, {100}, {256}, {257}, {640},
                                    {8, 4}, {3, 5}, {17, 19}, {2, 32}, {4, 4, 4}, {3, 5, 7}, {1, 1, 9},
                                    {8, 8, 8}, {1, 64}, {1, 33}, {8, 8}, {16, 16}, {5, 1, 7},
                                    {1, 20, 3}, {40, 16}, {12}};
  static const size_t offsets[] = {0, 0, 0, 5, 0x7fffffe0, 0xfffffff0, 0x200000007};
  const size_t *local = sizes[random_next(random) % (sizeof sizes / sizeof *sizes)];
  bool ragged = random_next(random) % 2 && !getenv("TEST_FOREIGN");
  l->dims = 1;
  for (unsigned d = 0; d < 3; d++) {
    l->local[d] = local[d] ? local[d] : 1;
    if (local[d]) l->dims = d + 1;
    size_t groups = !local[d] ? 1 : 1 + random_next(random) % (l->dims == 1 ? 4 : 2);
    l->global[d] = l->local[d] * groups;
    if (local[d] && ragged) l->global[d] -= random_next(random) % l->local[d];
    if (local[d]) l->offset[d] = offsets[random_next(random) % (sizeof offsets / sizeof *offsets)];
  }
  l->args[0] = (uint32_t)random_next(random) % (number ? 1000 : 4);
  l->args[1] = (uint32_t)random_next(random);
  for (int i = 0; i < FUZZ_UNIFORMS; i++) l->u[i] = of_some_bits(random);
  l->in = fuzz_new(items_of(l) * FUZZ_INS * sizeof *l->in);
  for (size_t i = 0; i < items_of(l) * FUZZ_INS; i++) l->in[i] = of_some_bits(random);
}

/* Runs the interpreter on all launches; false if the kernel is not legal. */
static bool expect(struct trial *t, const char **why) {
  for (int i = 0; i < LAUNCHES; i++) {
    if (!t->want[i]) t->want[i] = fuzz_new(items_of(&t->launch[i]) * FUZZ_WORDS * sizeof(uint64_t));
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
                         number * 37 % 100 < options.sub_groups ? options.lanes : 0);
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

/* The results, then the records. */
static void run_launch(cl_kernel kernel, const struct fuzz_launch *l, uint64_t *got) {
  size_t items = items_of(l), size = items * FUZZ_OUTS * sizeof *got;
  cl_command_queue queue = host_open()->queue;
  uint64_t *records = got + items * FUZZ_OUTS, slots[RECORD_SLOTS];
  for (size_t i = 0; i < items; i++) {
    for (int s = 0; s < RECORD_SLOTS; s++) slots[s] = record_start(i, s);
    pack_record(slots, records + i * FUZZ_RECORD);
  }
  cl_mem buffers[] = {buffer_with(NULL, size),
                      buffer_with(l->in, items * FUZZ_INS * sizeof *l->in),
                      buffer_with(l->u, sizeof l->u),
                      buffer_with(NULL, FUZZ_GROUPS * FUZZ_CELLS * sizeof(uint32_t)),
                      buffer_with(records, items * RECORD_BYTES)};
  for (cl_uint k = 0; k < 4; k++) CL(clSetKernelArg(kernel, k, sizeof *buffers, &buffers[k]));
  CL(clSetKernelArg(kernel, 4, sizeof(uint32_t), &l->args[0]));
  CL(clSetKernelArg(kernel, 5, sizeof(uint32_t), &l->args[1]));
  CL(clSetKernelArg(kernel, 6, FUZZ_CELLS * sizeof(uint32_t), NULL));
  CL(clSetKernelArg(kernel, 7, sizeof *buffers, &buffers[4]));
  CL(clEnqueueNDRangeKernel(queue, kernel, l->dims, l->offset, l->global, l->local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, size, got, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, buffers[4], CL_TRUE, 0, items * RECORD_BYTES, records, 0, NULL, NULL));
  for (int k = 0; k < 5; k++) CL(clReleaseMemObject(buffers[k]));
  for (size_t i = 0; i < items; i++) ((char *)records)[i * RECORD_BYTES + PADDING] = 0;
}

static void print_difference(const struct trial *t, int launch, const uint64_t *got) {
  const struct fuzz_launch *l = &t->launch[launch];
  size_t items = items_of(l), i = 0, own;
  while (i < items * FUZZ_WORDS && got[i] == t->want[launch][i]) i++;
  printf("global %zu x %zu x %zu from %zu, %zu, %zu, local %zu x %zu x %zu: ", l->global[0], l->global[1],
         l->global[2], l->offset[0], l->offset[1], l->offset[2], l->local[0], l->local[1], l->local[2]);
  if (i < items * FUZZ_OUTS) {
    printf("result %zu of work-item %zu", i % FUZZ_OUTS, i / FUZZ_OUTS);
  } else {
    own = i - items * FUZZ_OUTS;
    printf("byte %zu of the record of work-item %zu", own % FUZZ_RECORD * 8, own / FUZZ_RECORD);
  }
  printf(" is 0x%llx, should be 0x%llx\n", (unsigned long long)got[i],
         (unsigned long long)t->want[launch][i]);
}

static enum verdict run_trial(cl_program program, const struct trial *t, bool report, int *launch) {
  char name[32];
  cl_int code;
  snprintf(name, sizeof name, "k%d", t->kernel->id);
  cl_kernel kernel = clCreateKernel(program, name, &code);
  CL(code);
  enum verdict verdict = GOOD;
  for (int i = 0; i < LAUNCHES && verdict == GOOD; i++) {
    size_t size = items_of(&t->launch[i]) * FUZZ_WORDS * sizeof(uint64_t);
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
struct answer { enum verdict verdict; int launch, engine; };
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
  code = clBuildProgram(program, 1, &host->device, BUILD_OPTIONS, NULL, NULL);
  if (code) {
    for (int i = 0; i < count; i++) answers[i].verdict = NO_BUILD;
    if (report) host_build(source, BUILD_OPTIONS);
  } else {
    for (int i = 0; i < count; i++)
      answers[i].verdict = run_trial(program, &trials[i], report, &answers[i].launch);
  }
  exit(0);
}

static double processor_seconds(void) {
  double sum = 0;
  static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (int k = 0; k < 2; k++) {
    struct rusage used;
    getrusage(whose[k], &used);
    sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  }
  return sum;
}

/* A process that got on since the last look only waits for its turn. */
static void look_again(int signal_number) {
  static double before;
  double now = processor_seconds();
  if (now < before + 1) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
  before = now;
  alarm(10 * options.timeout);
}

/* Of processors, since others may have much of them; a deadlock needs none. */
static void limit_time(void) {
  struct rlimit limit = {options.timeout, options.timeout};
  setrlimit(RLIMIT_CPU, &limit);
  signal(SIGALRM, look_again);
  alarm(10 * options.timeout);
}

/* Runs the kernels as one program on one engine. */
static void run_on_engine(struct trial *trials, int count, bool report, int engine) {
  enum { FOUND_MISTAKES = 3 };
  for (int i = 0; i < count || !i; i++) answers[i] = (struct answer){CRASHED, 0, engine};
  fflush(stdout);
  pid_t pid = fork();
  if (pid < 0) die("cannot fork");
  if (pid == 0) {
    limit_time();
    choose_engine(engine, count ? trials[0].number / BATCH : 0);
    if (!report && !freopen("/dev/null", "w", stderr)) exit(1);
    child(trials, count, report);
  }
  int status;
  waitpid(pid, &status, 0);
  if (report && WIFSIGNALED(status)) printf("killed by signal %d\n", WTERMSIG(status));
  for (int i = 0; i < count && WIFEXITED(status) && WEXITSTATUS(status) == FOUND_MISTAKES; i++)
    if (answers[i].verdict == GOOD) answers[i].verdict = FALSE_ALARM;
}

/* ---- failures */

static bool fails_still(struct kernel *k, void *data) {
  struct trial *t = data;
  const char *why;
  enum verdict before = answers[BATCH].verdict; /* as it failed first */
  t->kernel = k;
  if (!expect(t, &why)) return false;
  run_on_engine(t, 1, false, answers[BATCH].engine);
  return answers[0].verdict == before;
}

static void report(struct trial *t, struct answer answer) {
  printf("FAILED: %s: kernel %llu of seed %llu (again: fuzz -k %llu -e %d 1 %llu)\n",
         verdicts[answer.verdict], (unsigned long long)t->number, (unsigned long long)options.seed,
         (unsigned long long)t->number, answer.engine, (unsigned long long)options.seed);
  answers[BATCH] = answer;
  if (!options.no_shrink) shrink(t->kernel, fails_still, t);
  const char *why;
  expect(t, &why);
  char *kernel = print_kernel(t->kernel);
  puts(kernel);
  free(kernel);
  const char *engine = engine_name(answer.engine, t->number / BATCH);
  printf("run with: %s\n", engine);
  run_on_engine(t, 1, true, answer.engine);
  char name[64];
  snprintf(name, sizeof name, "fuzz-%llu-%llu.c", (unsigned long long)options.seed,
           (unsigned long long)t->number);
  char *source = source_of(t, 1);
  int launch = answers[0].launch;
  write_reproducer(name, engine, source, t->kernel, &t->launch[launch], t->want[launch]);
  free(source);
  printf("written to %s\n\n", name);
  fflush(stdout);
}

/* As one program, and each by itself if some kernel spoils it for the others; adds what fails to
 * `found`.  False if all fail together only. */
static bool try_engine(struct trial *trials, int count, int engine, struct answer *found) {
  struct answer own[BATCH];
  bool alone = false, some = false;
  run_on_engine(trials, count, false, engine);
  memcpy(own, answers, (size_t)count * sizeof *own);
  for (int i = 0; i < count; i++) alone |= own[i].verdict > WRONG;
  for (int i = 0; alone && i < count; i++) {
    run_on_engine(&trials[i], 1, false, engine);
    own[i] = answers[0];
  }
  for (int i = 0; i < count; i++) {
    some |= own[i].verdict != GOOD;
    if (found[i].verdict == GOOD) found[i] = own[i];
  }
  return some || !alone;
}

static int run_batch(uint64_t first, int count) {
  struct trial trials[BATCH];
  struct answer found[BATCH] = {0};
  uint64_t batch = first / BATCH + 2 * options.seed;
  int failed = 0;
  for (int i = 0; i < count; i++) {
    make_trial(&trials[i], first + (uint64_t)i);
    if (!options.verbose) continue;
    char *text = print_kernel(trials[i].kernel);
    puts(text);
    free(text);
  }
  for (int k = 0; k < (options.only >= 0 ? 1 : FIRST_MORE + options.more); k++) {
    int engine = options.only >= 0 ? options.only
                 : k < FIRST_MORE  ? k
                                   : engine_of_batch(batch, k - FIRST_MORE);
    if (options.only < 0 && !is_engine_of_batch(batch, engine)) continue;
    if (try_engine(trials, count, engine, found)) continue;
    printf("FAILED: kernels %llu to %llu of seed %llu: together only, on engine %d\n",
           (unsigned long long)first, (unsigned long long)first + (uint64_t)count - 1,
           (unsigned long long)options.seed, engine);
    failed++;
  }
  for (int i = 0; i < count; i++)
    if (found[i].verdict != GOOD) {
      failed++;
      report(&trials[i], found[i]);
    }
  fuzz_free_all();
  return failed;
}

int main(int argc, char **argv) {
  uint64_t count = 240, first = 0, failed = 0;
  const char *prelude_path = NULL;
  bool one = false;
  for (int c; (c = getopt(argc, argv, "k:p:t:g:w:n:e:cSv1")) != -1;) {
    if (c == 'k') first = strtoull(optarg, NULL, 0), count = 1, one = true;
    else if (c == 'p') prelude_path = optarg;
    else if (c == 't') options.timeout = (unsigned)atoi(optarg);
    else if (c == 'g') options.sub_groups = (unsigned)atoi(optarg);
    else if (c == 'w') options.lanes = (unsigned)atoi(optarg);
    else if (c == 'n') options.more = atoi(optarg);
    else if (c == 'e') options.only = atoi(optarg);
    else if (c == 'c') options.no_collectives = true;
    else if (c == 'S') options.no_shrink = true;
    else if (c == 'v') options.verbose = true;
    else if (c == '1') options.only = AS_IT_IS;
    else die("usage: fuzz [-k ONE] [-p PRELUDE] [-t SECONDS] [-g PERCENT] [-w LANES] [-n MORE] "
             "[-e ENGINE] [-c] [-S] [-v] [-1] [KERNELS [SEED]]");
  }
  if (optind < argc && !one) count = strtoull(argv[optind], NULL, 0);
  if (optind + 1 < argc) options.seed = strtoull(argv[optind + 1], NULL, 0);
  if (getenv("TEST_FOREIGN")) options.only = AS_IT_IS;
  if (options.only >= num_engines()) die("there are %d engines", num_engines());
  prelude = read_file(prelude_path ? prelude_path : FUZZ_PRELUDE);
  answers = mmap(NULL, (BATCH + 1) * sizeof *answers, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (answers == MAP_FAILED) die("no shared memory");
  run_on_engine(NULL, 0, true, AS_IT_IS);
  if (answers[0].verdict != GOOD) die("no driver to test");
  for (uint64_t i = 0; i < count; i += BATCH) {
    failed += (uint64_t)run_batch(first + i, (int)(count - i < BATCH ? count - i : BATCH));
    if ((i + BATCH) % TELL == 0 && i + BATCH < count) /* of a run over hours */
      fprintf(stderr, "%llu kernels, %llu failed\n", (unsigned long long)(i + BATCH),
              (unsigned long long)failed);
  }
  printf("%s: %llu kernels of seed %llu, %llu failed\n", failed ? "FAILED" : "ok",
         (unsigned long long)count, (unsigned long long)options.seed, (unsigned long long)failed);
  free(prelude);
  return failed ? 1 : 0;
}
