/* The side of a child: one platform, a source with several programs. */
#include "programs/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of the platform with that name, or else of the first that has it in its name: loaders put GPUs
 * first. */
static cl_device_id find_device(const char *platform) {
  cl_platform_id ids[16];
  cl_uint count = 0;
  cl_device_id device, found = NULL;
  CL(clGetPlatformIDs(16, ids, &count));
  for (cl_uint k = 0; k < count && k < 16; k++) {
    char name[256] = "";
    CL(clGetPlatformInfo(ids[k], CL_PLATFORM_NAME, sizeof name, name, NULL));
    if (!strstr(name, platform) || clGetDeviceIDs(ids[k], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
      continue;
    if (!strcmp(name, platform)) return device;
    if (!found) found = device;
  }
  if (found) return found;
  die("there is no platform with '%s' in its name", platform);
}

static uint64_t hash(const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t k = 0; k < size; k++) h = (h ^ bytes[k]) * 0x100000001b3u;
  return h;
}

struct buffers {
  cl_mem out[2], cells, words, share, in, own;
  size_t items;
};

/* Every kernel's counters: those of `and` and of minima begin at the top. */
static void fill_cells(uint32_t cells[MAX_KERNELS * CELLS]) {
  for (unsigned k = 0; k < MAX_KERNELS * CELLS; k++) {
    unsigned c = k % CELLS / 4;
    cells[k] = c == 3 || c == 6 ? 0xffffffff : c == 7 ? 0x80000000 : c == 8 ? 0x7fffffff : 0;
  }
}

static cl_mem buffer(cl_context context, size_t size, const void *data) {
  cl_int code;
  void *zeros = data ? NULL : calloc(size, 1);
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size,
                               data ? (void *)data : zeros, &code);
  CL(code);
  free(zeros);
  return made;
}

static struct buffers make_buffers(cl_context context, const struct program *program) {
  uint32_t cells[MAX_KERNELS * CELLS], in[TABLE];
  uint64_t random = program->seed;
  const struct shape *s = &program->shape;
  size_t groups = 1;
  struct buffers b = {.items = shape_items(s)};
  for (unsigned k = 0; k < 3; k++) groups *= (s->global[k] + s->local[k] - 1) / s->local[k];
  fill_cells(cells);
  for (unsigned k = 0; k < TABLE; k++)
    in[k] = (uint32_t)(random_next(&random) >> (k & 1 ? 32 : 58));
  b.out[0] = buffer(context, b.items * 8, NULL);
  b.out[1] = buffer(context, b.items * 8, NULL);
  b.cells = buffer(context, sizeof cells, cells);
  b.words = buffer(context, sizeof cells, cells);
  b.share = buffer(context, groups * MAX_GROUP * 8, NULL);
  b.in = buffer(context, sizeof in, in);
  b.own = buffer(context, b.items * MAX_RECORD, NULL);
  return b;
}

static uint64_t hash_buffer(cl_command_queue queue, cl_mem from, size_t size) {
  void *data = malloc(size);
  CL(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, size, data, 0, NULL, NULL));
  if (getenv("FUZZ_PROGRAMS_SHOW"))
    for (size_t k = 0; k < size / 8; k++)
      fprintf(stderr, "%zu: %016llx\n", k, ((unsigned long long *)data)[k]);
  uint64_t h = hash(data, size);
  free(data);
  return h;
}

static void launch(cl_command_queue queue, cl_program built, const struct program *program,
                   struct buffers *b, unsigned k, struct result *result) {
  char name[48];
  cl_int code;
  const struct shape *s = &program->shape;
  snprintf(name, sizeof name, "p%llu_k%u", (unsigned long long)program->seed, k);
  cl_kernel kernel = clCreateKernel(built, name, &code);
  CL(code);
  cl_mem memory[] = {b->out[k & 1], b->out[~k & 1], b->cells, b->words,
                     b->share,      b->in,          b->in,    b->own};
  for (cl_uint i = 0; i < 8; i++) CL(clSetKernelArg(kernel, i, sizeof *memory, &memory[i]));
  CL(clSetKernelArg(kernel, 8, sizeof program->uniform, &program->uniform));
  CL(clEnqueueNDRangeKernel(queue, kernel, s->dims, s->offset, s->global, s->local, 0, NULL, NULL));
  CL(clFinish(queue));
  result->kernels[k] = hash_buffer(queue, b->out[k & 1], b->items * 8);
  clReleaseKernel(kernel);
}

static void release(struct buffers *b) {
  cl_mem all[] = {b->out[0], b->out[1], b->cells, b->words, b->share, b->in, b->own};
  for (unsigned k = 0; k < 7; k++) clReleaseMemObject(all[k]);
}

/* Of lines in any order: OpenCL leaves open which work-item prints first. */
static uint64_t hash_lines(const char *text, size_t size) {
  uint64_t h = 0;
  for (const char *at = text, *end = text + size, *next; at < end; at = next) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    next = stop ? stop + 1 : end;
    h += hash(at, (size_t)(next - at));
  }
  return h;
}

/* What was written to the descriptor's file from `from` on. */
static uint64_t hash_file(int file, off_t from, off_t *end) {
  struct stat state;
  fstat(file, &state);
  *end = state.st_size;
  size_t size = (size_t)(state.st_size - from);
  char *text = malloc(size + 1);
  ssize_t count = pread(file, text, size, from);
  uint64_t h = hash_lines(text, count > 0 ? (size_t)count : 0);
  free(text);
  return h;
}

static void redirect(const struct session *session, int descriptor, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", session->scratch, name);
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) die("cannot write %s", path);
}

static cl_program build(const struct engine *engine, const struct program *program,
                        cl_context context, cl_device_id device, const char *source) {
  char options[128];
  cl_int code;
  snprintf(options, sizeof options, "-w -cl-std=%s %s", program->newer ? "CL3.0" : "CL1.2",
           engine->options);
  cl_program built = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  CL(code);
  if (clBuildProgram(built, 1, &device, options, NULL, NULL) == CL_SUCCESS) return built;
  static char log[100000];
  clGetProgramBuildInfo(built, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  fprintf(stderr, "%s\n", log);
  return NULL;
}

void device_run(const struct engine *engine, const struct session *session, const char *source,
                struct program *const *programs, struct result *results, unsigned count) {
  cl_int code;
  off_t said, printed;
  setenv("MANIPLE_CHECK", engine->checked ? "1" : "0", 1);
  setenv("MANIPLE_CACHE", "0", 0);
  setenv("MANIPLE_PASS_VERIFY", "1", 0);
  redirect(session, 1, "printed");
  redirect(session, 2, "said");
  alarm(session->seconds * (count + 1));
  cl_device_id device = find_device(engine->platform);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  CL(code);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
  CL(code);
  cl_program built = build(engine, programs[0], context, device, source);
  for (unsigned k = 0; k < count; k++) results[k].outcome = built ? NOT_RUN : REFUSED;
  hash_file(2, 0, &said);
  hash_file(1, 0, &printed);
  for (unsigned k = 0; built && k < count; k++) {
    struct result *result = &results[k];
    alarm(session->seconds);
    result->outcome = CRASHED; /* unless it comes back */
    struct buffers b = make_buffers(context, programs[k]);
    for (unsigned i = 0; i < programs[k]->kernels; i++)
      launch(queue, built, programs[k], &b, i, result);
    result->cells = hash_buffer(queue, b.cells, MAX_KERNELS * CELLS * 4);
    result->words = hash_buffer(queue, b.words, MAX_KERNELS * CELLS * 4);
    release(&b);
    fflush(NULL);
    off_t before = said;
    result->printed = hash_file(1, printed, &printed);
    hash_file(2, said, &said);
    result->outcome = engine->checked && said > before ? REPORTED : DONE;
  }
  fflush(NULL);
  _exit(0);
}
