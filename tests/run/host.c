#include "run/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

void check_code(cl_int code, const char *call, const char *file, int line) {
  if (code) die("%s:%d: %s answers %d", file, line, call, code);
}

static cl_bool device_bool(cl_device_id device, cl_device_info what) {
  cl_bool value = CL_FALSE;
  clGetDeviceInfo(device, what, sizeof value, &value, NULL);
  return value;
}

const struct host *host_open(void) {
  static struct host host;
  if (host.context) return &host;
  cl_platform_id platform;
  cl_int code;
  CL(clGetPlatformIDs(1, &platform, NULL));
  CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, NULL));
  host.context = clCreateContext(NULL, 1, &host.device, NULL, NULL, &code);
  CL(code);
  host.queue = clCreateCommandQueueWithProperties(host.context, host.device, NULL, &code);
  CL(code);
  CL(clGetDeviceInfo(host.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof host.max_items,
                     &host.max_items, NULL));
  host.non_uniform = device_bool(host.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
  host.collectives = device_bool(host.device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
  if (!getenv("TEST_FOREIGN")) {
    if (host.max_items < MAX_ITEMS) die("groups of %zu at most", host.max_items);
    if (!host.non_uniform) die("the device says that it has no ragged groups");
    if (!host.collectives) die("the device says that it has no collective functions");
  }
  if (host.max_items > MAX_ITEMS) host.max_items = MAX_ITEMS;
  return &host;
}

static void check_build(cl_program program, cl_int code, const char *what) {
  if (code == CL_SUCCESS) return;
  size_t size = 0;
  clGetProgramBuildInfo(program, host_open()->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(size + 1, 1);
  clGetProgramBuildInfo(program, host_open()->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  die("%s answers %d:\n%s", what, code, log);
}

/* ---- OpenCL C as OpenCL C++
 *
 * With TEST_THROUGH_CXX in the environment, programs of OpenCL C 3.0 are built as C++ for OpenCL,
 * and call the group and work-item functions of the cl:: library instead of the built-in ones. */

static const char *const forms[] = {
#define MPL_FORM(form, result) #form,
#include "../../src/tables/collectives.def"
};
static const char *const operations[] = {
#define MPL_OPERATION(op, ...) #op,
#include "../../src/tables/operations.def"
};
static const char *const votes[] = {
#define MPL_VOTE(name, op) #name,
#include "../../src/tables/collectives.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Appends the operation at the end of `word`, in which the scope and form end at `end`. */
static bool put_operation(FILE *out, const char *word, size_t end) {
  for (size_t i = 0; i < COUNT(operations); i++) {
    const char *op = operations[i];
    if (word[end] != '_' || strcmp(word + end + 1, op)) continue;
    bool token = !strcmp(op, "and") || !strcmp(op, "or") || !strcmp(op, "xor");
    fprintf(out, "cl::%.*s<cl::work_group_op::%s%s>", (int)end, word, op, token ? "_" : "");
    return true;
  }
  return false;
}

static void put_word(FILE *out, const char *word) {
  static const char *const scopes[] = {"work_group_", "sub_group_"};
  for (size_t s = 0; s < COUNT(scopes); s++) {
    size_t end = strlen(scopes[s]);
    if (strncmp(word, scopes[s], end)) continue;
    bool function = !strcmp(word + end, "broadcast");
    for (size_t i = 0; i < COUNT(votes); i++) function |= !strcmp(word + end, votes[i]);
    for (size_t i = 0; i < COUNT(forms); i++)
      if (!strncmp(word + end, forms[i], strlen(forms[i])) &&
          put_operation(out, word, end + strlen(forms[i])))
        return;
    fprintf(out, "%s%s", function ? "cl::" : "", word);
    return;
  }
  size_t length = strlen(word);
  bool item = !strncmp(word, "get_", 4) && (length < 5 || strcmp(word + length - 5, "_mask")) &&
              strcmp(word, "get_fence"); /* cl::get_mem_fence, and no work-item function */
  fprintf(out, "%s%s", item ? "cl::" : "", word);
}

static void through_cxx(const char **source, const char **options) {
  const char *standard = strstr(*options, "-cl-std=CL3.0");
  if (!getenv("TEST_THROUGH_CXX") || !standard) return;
  char *text, *all, word[128];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "#include <opencl_work_group>\n#include <opencl_work_item>\n#line 1\n");
  for (const char *p = *source; *p;) {
    size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (length && length < sizeof word) {
      snprintf(word, sizeof word, "%.*s", (int)length, p);
      put_word(out, word);
    } else
      fprintf(out, "%.*s", (int)(length ? length : 1), p);
    p += length ? length : 1;
  }
  fclose(out);
  out = open_memstream(&all, &size);
  fprintf(out,
          "%.*s-cl-std=clc++2021 -Wno-c++11-narrowing "
          "-DCL_MANIPLE_GROUP_OPERATIONS%s",
          (int)(standard - *options), *options, standard + strlen("-cl-std=CL3.0"));
  fclose(out);
  *source = text;
  *options = all;
}

cl_program host_build(const char *source, const char *options) {
  const struct host *host = host_open();
  cl_int code;
  through_cxx(&source, &options);
  cl_program program = clCreateProgramWithSource(host->context, 1, &source, NULL, &code);
  CL(code);
  code = clBuildProgram(program, 1, &host->device, options, NULL, NULL);
  check_build(program, code, "clBuildProgram");
  return program;
}

cl_program host_build_linked(const char *source, const char *const *options, size_t count) {
  const struct host *host = host_open();
  cl_program parts[8];
  cl_int code;
  for (size_t i = 0; i < count; i++) {
    const char *text = source, *part_options = options[i];
    through_cxx(&text, &part_options);
    parts[i] = clCreateProgramWithSource(host->context, 1, &text, NULL, &code);
    CL(code);
    code = clCompileProgram(parts[i], 1, &host->device, part_options, 0, NULL, NULL, NULL, NULL);
    check_build(parts[i], code, "clCompileProgram");
  }
  cl_program library = clLinkProgram(host->context, 1, &host->device, "-create-library", 1,
                                     &parts[count - 1], NULL, NULL, &code);
  CL(code);
  CL(clReleaseProgram(parts[count - 1]));
  parts[count - 1] = library;
  cl_program linked =
      clLinkProgram(host->context, 1, &host->device, "", (cl_uint)count, parts, NULL, NULL, &code);
  if (linked) check_build(linked, code, "clLinkProgram");
  CL(code);
  for (size_t i = 0; i < count; i++) CL(clReleaseProgram(parts[i]));
  return linked;
}

char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) die("cannot read %s", path);
  char *text = NULL;
  size_t size = 0, room = 0;
  for (int c; (c = getc(file)) != EOF; text[size++] = (char)c)
    if (size + 1 >= room) text = realloc(text, room = room * 2 + 4096);
  if (!text) text = malloc(1);
  text[size] = 0;
  fclose(file);
  return text;
}

size_t shape_items(const struct shape *s) {
  return s->global[0] * s->global[1] * s->global[2];
}

void print_shape(const struct shape *s) {
  printf("global %zu x %zu x %zu, local %zu x %zu x %zu, offset %zu %zu %zu", s->global[0],
         s->global[1], s->global[2], s->local[0], s->local[1], s->local[2], s->offset[0],
         s->offset[1], s->offset[2]);
}

static void fill_group(struct group *g, size_t *at) {
  const struct shape *s = g->shape;
  size_t i = 0;
  for (int d = 0; d < 3; d++) {
    size_t left = s->global[d] - g->id[d] * s->local[d];
    g->size[d] = left < s->local[d] ? left : s->local[d];
  }
  for (size_t z = 0; z < g->size[2]; z++)
    for (size_t y = 0; y < g->size[1]; y++)
      for (size_t x = 0; x < g->size[0]; x++) {
        size_t gx = g->id[0] * s->local[0] + x, gy = g->id[1] * s->local[1] + y;
        size_t gz = g->id[2] * s->local[2] + z;
        at[i++] = (gz * s->global[1] + gy) * s->global[0] + gx;
      }
  g->items = i;
  g->index = (g->id[2] * g->groups[1] + g->id[1]) * g->groups[0] + g->id[0];
}

void each_group(const struct shape *s, void (*visit)(struct group *, void *), void *data) {
  static size_t at[MAX_ITEMS];
  struct group g = {.shape = s, .at = at};
  for (int d = 0; d < 3; d++) g.groups[d] = (s->global[d] + s->local[d] - 1) / s->local[d];
  for (g.id[2] = 0; g.id[2] < g.groups[2]; g.id[2]++)
    for (g.id[1] = 0; g.id[1] < g.groups[1]; g.id[1]++)
      for (g.id[0] = 0; g.id[0] < g.groups[0]; g.id[0]++) {
        fill_group(&g, at);
        visit(&g, data);
      }
}
