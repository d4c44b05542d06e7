/* Runs cases (run/case.h): each over all shapes and kinds of data, with 1, 2 and 5 threads.
 *
 *   cases [-t THREADS] [FILE or KERNEL ...] */
#include <stdio.h>
#include <stdlib.h>

#include "run/data.h"
#include "run/shapes.h"
#include "run/threads.h"

static struct test_case *all_cases;

void register_case(struct test_case *c) {
  struct test_case **end = &all_cases;
  while (*end) end = &(*end)->next;
  *end = c;
}

struct run {
  const struct test_case *c;
  unsigned sub_group; /* size of sub-groups, or 0 */
  cl_kernel kernel;
  cl_mem in, out, args;
  unsigned char *in_data, *out_data, *expected;
  unsigned char *group_in, *group_out;
  size_t in_size, out_size; /* bytes per work-item */
};

enum { GUARD = 64, POISON = 0xA5 }; /* bytes after the answer that no kernel may touch */

static cl_mem make_buffer(size_t size) {
  cl_int code;
  cl_mem mem = clCreateBuffer(host_open()->context, CL_MEM_READ_WRITE, size, NULL, &code);
  CL(code);
  return mem;
}

static const char *file_name(const struct test_case *c) {
  const char *slash = strrchr(c->file, '/');
  return slash ? slash + 1 : c->file;
}

static cl_program build_case(const struct test_case *c, unsigned sub_group) {
  static char last[1024];
  static cl_program program;
  char options[256], id[1024];
  int used = snprintf(options, sizeof options, "%s", c->options ? c->options : "-cl-std=CL3.0");
  if (sub_group)
    snprintf(options + used, sizeof options - (size_t)used, " -DSUB_GROUP=%u", sub_group);
  snprintf(id, sizeof id, "%s %u %s", c->file, c->linked, options);
  if (program && !strcmp(id, last)) return program;
  if (program) CL(clReleaseProgram(program));
  char path[4096]; /* c->file is relative where the compiler was given it so */
  const char *folder = getenv("CASES_FOLDER"); /* on another machine (scripts/gpu-run.sh) */
  snprintf(path, sizeof path, "%s/%s", folder ? folder : CASES_FOLDER, file_name(c));
  char *source = read_file(path);
  if (c->linked) {
    char part[8][288];
    const char *list[8];
    for (unsigned i = 0; i < c->linked; i++) {
      snprintf(part[i], sizeof part[i], "%s -DPART=%u", options, i + 1);
      list[i] = part[i];
    }
    program = host_build_linked(source, list, c->linked);
  } else {
    program = host_build(source, options);
  }
  free(source);
  strcpy(last, id);
  return program;
}

static void open_run(struct run *r, const struct test_case *c, unsigned sub_group) {
  cl_int code;
  size_t in_per = c->in_per_item ? c->in_per_item : 1;
  size_t out_per = c->out_per_item ? c->out_per_item : 1;
  r->c = c;
  r->sub_group = sub_group;
  r->in_size = in_per * type_size(c->in);
  r->out_size = out_per * type_size(c->out);
  r->kernel = clCreateKernel(build_case(c, sub_group), c->name, &code);
  if (code) die("clCreateKernel(%s) answers %d", c->name, code);
  r->in = make_buffer(MAX_SHAPE_ITEMS * r->in_size);
  r->out = make_buffer(MAX_SHAPE_ITEMS * r->out_size + GUARD);
  r->args = make_buffer(sizeof c->arg);
  CL(clEnqueueWriteBuffer(host_open()->queue, r->args, CL_TRUE, 0, sizeof c->arg, c->arg, 0, NULL,
                          NULL));
  r->in_data = malloc(MAX_SHAPE_ITEMS * r->in_size);
  r->out_data = malloc(MAX_SHAPE_ITEMS * r->out_size + GUARD);
  r->expected = malloc(MAX_SHAPE_ITEMS * r->out_size);
  r->group_in = malloc(MAX_ITEMS * r->in_size);
  r->group_out = malloc(MAX_ITEMS * r->out_size);
  CL(clSetKernelArg(r->kernel, 0, sizeof r->out, &r->out));
  CL(clSetKernelArg(r->kernel, 1, sizeof r->in, &r->in));
  cl_uint next = 2;
  if (c->args_in_buffer) {
    CL(clSetKernelArg(r->kernel, next++, sizeof r->args, &r->args));
  } else {
    for (unsigned i = 0; i < c->args; i++)
      CL(clSetKernelArg(r->kernel, next++, sizeof(int), &c->arg[i]));
  }
}

static void close_run(struct run *r) {
  CL(clReleaseKernel(r->kernel));
  CL(clReleaseMemObject(r->in));
  CL(clReleaseMemObject(r->out));
  CL(clReleaseMemObject(r->args));
  free(r->in_data);
  free(r->out_data);
  free(r->expected);
  free(r->group_in);
  free(r->group_out);
}

static void reference_group(struct group *g, void *data) {
  struct run *r = data;
  g->arg = r->c->arg;
  g->sub_group = r->sub_group;
  for (size_t i = 0; i < g->items; i++)
    memcpy(r->group_in + i * r->in_size, r->in_data + g->at[i] * r->in_size, r->in_size);
  memset(r->group_out, POISON, g->items * r->out_size);
  r->c->reference(g, r->group_in, r->group_out);
  for (size_t i = 0; i < g->items; i++)
    memcpy(r->expected + g->at[i] * r->out_size, r->group_out + i * r->out_size, r->out_size);
}

static bool compare(const struct run *r, const struct shape *s, enum pattern pattern) {
  size_t items = shape_items(s), size = type_size(r->c->out);
  for (size_t i = 0; i < items * r->out_size / size; i++) {
    if (same_value(r->c->out, r->out_data + i * size, r->expected + i * size)) continue;
    printf("%s: ", r->c->name);
    print_shape(s);
    if (r->sub_group) printf(", sub-groups of %u", r->sub_group);
    printf(", data %d, threads %s\n  element %zu of work-item %zu is ", pattern,
           getenv("MANIPLE_THREADS"), i % (r->out_size / size), i / (r->out_size / size));
    print_value(r->c->out, r->out_data + i * size);
    printf(", should be ");
    print_value(r->c->out, r->expected + i * size);
    printf("\n");
    return false;
  }
  for (size_t i = 0; i < GUARD; i++)
    if (r->out_data[items * r->out_size + i] != POISON) {
      printf("%s: wrote past the end of its buffer\n", r->c->name);
      return false;
    }
  return true;
}

static bool run_shape(struct run *r, const struct shape *s, enum pattern pattern, uint64_t seed) {
  const size_t *offset = r->c->no_offset ? NULL : s->offset;
  cl_command_queue queue = host_open()->queue;
  size_t items = shape_items(s), in_size = items * r->in_size;
  size_t out_size = items * r->out_size + GUARD;
  fill(r->c->in, r->in_data, in_size / type_size(r->c->in), pattern, seed);
  memset(r->out_data, POISON, out_size);
  if (r->c->local_per_item)
    CL(clSetKernelArg(r->kernel, 2 + (r->c->args_in_buffer ? 1 : r->c->args),
                      r->c->local_per_item * s->local[0] * s->local[1] * s->local[2], NULL));
  CL(clEnqueueWriteBuffer(queue, r->in, CL_FALSE, 0, in_size, r->in_data, 0, NULL, NULL));
  CL(clEnqueueWriteBuffer(queue, r->out, CL_FALSE, 0, out_size, r->out_data, 0, NULL, NULL));
  CL(clEnqueueNDRangeKernel(queue, r->kernel, s->dims, offset, s->global, s->local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, r->out, CL_TRUE, 0, out_size, r->out_data, 0, NULL, NULL));
  each_group(s, reference_group, r);
  return compare(r, s, pattern);
}

static bool run_built(const struct test_case *c, unsigned sub_group, size_t *launches) {
  const struct host *host = host_open();
  const struct shape *shapes;
  struct run r;
  open_run(&r, c, sub_group);
  size_t max = c->max_items && c->max_items < host->max_items ? c->max_items : host->max_items;
  size_t kernel_max;
  CL(clGetKernelWorkGroupInfo(r.kernel, host->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel_max,
                              &kernel_max, NULL));
  if (kernel_max < max) die("%s: CL_KERNEL_WORK_GROUP_SIZE is only %zu", c->name, kernel_max);
  size_t count = all_shapes(&shapes, max, c->max_dims, host->non_uniform && !c->uniform_only);
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    for (int p = 0; p < (c->small ? 1 : PATTERNS) && good; p++, ++*launches)
      good = run_shape(&r, &shapes[i], (enum pattern)p, i * 31 + (uint64_t)p);
  close_run(&r);
  return good;
}

static bool offered(const char *extension) {
  char list[4096], word[128];
  CL(clGetDeviceInfo(host_open()->device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL));
  snprintf(word, sizeof word, "%s ", extension);
  return strstr(list, word);
}

/* cl_intel_required_subgroup_size; headers of 2022 do not have it. */
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#endif

static bool has_sub_groups_of(unsigned size) {
  size_t sizes[8], bytes = 0;
  CL(clGetDeviceInfo(host_open()->device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
  for (size_t i = 0; i < bytes / sizeof *sizes; i++)
    if (sizes[i] == size) return true;
  return false;
}

/* With TEST_SUB_GROUPS=two, each file is compiled for 8 and 32 or for 16 and 64, files in turn, on devices that
 * have them all; the others' turn is `make nightly`. */
static bool left_to_night(const struct test_case *c, unsigned size) {
  const char *asked = getenv("TEST_SUB_GROUPS");
  if (!asked || strcmp(asked, "two") || !has_sub_groups_of(8))
    return few_shapes() && (size == 16 || size == 64);
  unsigned turn = 0;
  for (const char *p = file_name(c); *p; p++) turn += (unsigned char)*p;
  return ((size == 8 || size == 32) + turn) % 2;
}

static bool run_case(const struct test_case *c) {
  size_t launches = 0;
  bool good = true;
  if (c->extension && !offered(c->extension)) {
    printf("left out: %s needs %s\n", c->name, c->extension);
    return true;
  }
  if (c->sub_groups)
    for (unsigned size = 8; size <= 64; size *= 2)
      good &= !has_sub_groups_of(size) || left_to_night(c, size) || run_built(c, size, &launches);
  else
    good = run_built(c, 0, &launches);
  printf("%s %s (%zu launches, %s threads)\n", good ? "ok" : "FAILED", c->name, launches,
         getenv("MANIPLE_THREADS"));
  fflush(stdout);
  return good;
}

static bool wanted(const struct test_case *c, char **names, int count) {
  const char *file = file_name(c);
  for (int i = 0; i < count; i++) {
    size_t length = strlen(names[i]);
    if (!strcmp(names[i], c->name) || (!strncmp(file, names[i], length) && file[length] == '.'))
      return true;
  }
  return !count;
}

static int run_all(char **names, int count) {
  int ran = 0, failed = 0;
  for (const struct test_case *c = all_cases; c; c = c->next)
    if (wanted(c, names, count)) {
      ran++;
      failed += !run_case(c);
    }
  if (!ran) die("no such case");
  return failed ? 1 : 0;
}

int main(int argc, char **argv) { return run_threads(argc, argv, run_all); }
