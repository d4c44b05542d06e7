/* Every overload of the sub-group functions, made from src/tables/collectives.def, over sub-group sizes,
 * local sizes that they divide and do not, and sets of active lanes, against a serial reference.
 *
 *   sub_groups [-t THREADS] [EXTENSION[:SIZE[:OPERATION]] ...]   cl_khr_subgroup_ballot:16, ...
 *
 * SIZE is 8, 16, 32 or 64; `turns`: each overload is compiled once, for one of those that the device has in turn,
 * from 8 on (`turns2`: from 32 on); `pairs`: the same of those that have each pair of a form, an operation and a
 * type; or `drawn`: each third overload, from one and from a size that the clock says.  The line of the result has
 * them; `drawn7`, say, draws the same again.  Sizes are asked for by an attribute; with MANIPLE_SUBGROUP_SIZE set,
 * by that alone, and by nothing if it is empty.  TEST_ROUNDS=N makes N times as many launches.  Each kernel calls
 * its function three times: by all lanes; then, by the bits of a mask, by some, and by the others.  Lanes part
 * there only if the function allows it, else whole sub-groups do. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run/sub_group_list.h"
#include "run/threads.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- the kernels */

enum { SITES = 3, TEAMS = 64 }; /* calls in a kernel; sub-groups of a launch with masks of their own */

/* What all lanes of one sub-group are given: which of them take the branch, and a number. */
struct team { uint64_t mask, number; };

/* A second argument that must be the same for all lanes that take part. */
static bool number_is_shared(const struct overload *f) {
  return strstr(f->function, "broadcast") || strstr(f->function, "rotate");
}
static bool is_clustered(const struct overload *f) { return strstr(f->function, "clustered"); }

/* The cluster size at one of the calls of overload `index`: in turn all that there are, for each of the
 * four sizes of sub-groups that overloads may have in turn. */
static unsigned cluster_size(const struct overload *f, size_t index, unsigned max_size, int site) {
  unsigned sizes = (unsigned)__builtin_ctz(max_size) + 1;
  return is_clustered(f) ? 1u << (index * SITES + index / 4 + (size_t)site) % sizes : 0;
}

static void type_text(const struct overload *f, enum value v, char *text) {
  const char *name = v == TYPE ? f->t->name : v == INT ? "int" : "uint";
  unsigned width = value_width(f, v);
  sprintf(text, width > 1 ? "%s%u" : "%s", name, width);
}

static void call_text(const struct overload *f, unsigned cluster, char *text) {
  char *end = text + sprintf(text, "%s(", f->function);
  if (f->first != NONE) end += sprintf(end, strstr(f->function, "inverse") ? "in[0]" : "x");
  if (is_clustered(f) && f->op) end += sprintf(end, ", %u", cluster);
  else if (f->second != NONE && strstr(f->function, "broadcast"))
    end += sprintf(end, ", number %% get_sub_group_size()");
  else if (f->second != NONE) end += sprintf(end, number_is_shared(f) ? ", (int)number" : ", with");
  if (f->third != NONE) end += sprintf(end, ", %u", cluster);
  strcpy(end, ")");
}

static const char preamble[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define GROUP (get_group_id(0) + get_num_groups(0) * "
    "(get_group_id(1) + get_num_groups(1) * get_group_id(2)))\n"
    "#define KERNEL(ATTRIBUTE, NAME, V, T, WHO, ALL, SOME, OTHERS) \\\n"
    "kernel ATTRIBUTE void NAME(global V *out, global const T *in, global const uint *withs, \\\n"
    "                           global const ulong2 *teams) { \\\n"
    "  size_t at = get_global_linear_id(); \\\n"
    "  ulong2 team = teams[(GROUP * get_enqueued_num_sub_groups() + get_sub_group_id()) % 64]; \\\n"
    "  ulong mask = team.x; uint number = (uint)team.y, with = withs[at]; T x = in[at]; \\\n"
    "  out[3 * at] = ALL; \\\n"
    "  if (mask >> WHO & 1) out[3 * at + 1] = SOME; else out[3 * at + 2] = OTHERS; }\n";

static char *make_source(struct list *l, bool by_attribute) {
  char *source = NULL;
  size_t size;
  FILE *file = open_memstream(&source, &size);
  fputs(preamble, file);
  for (size_t i = 0; i < l->count; i++) {
    const struct overload *f = &l->of[i];
    char value[32], first[32], calls[SITES][160], attribute[64] = "";
    if (by_attribute)
      snprintf(attribute, sizeof attribute, "__attribute__((intel_reqd_sub_group_size(%u)))", l->size[i]);
    type_text(f, f->value, value);
    type_text(f, f->first, first);
    for (int s = 0; s < SITES; s++) call_text(f, cluster_size(f, i, l->size[i], s), calls[s]);
    snprintf(l->names[i], sizeof *l->names, "k%zu_%s%u", i, f->t->name, f->width);
    fprintf(file, "KERNEL(%s, %s, %s, %s, %s, %s, %s, %s)\n", attribute, l->names[i], value, first,
            f->apart ? "get_sub_group_local_id()" : "get_sub_group_id() % 64", calls[0], calls[1],
            calls[2]);
  }
  fclose(file);
  return source;
}

/* ---- launches */

static const size_t local_sizes[][3] = {{1, 1, 1},  {5, 1, 1},  {16, 1, 1}, {40, 1, 1}, {64, 1, 1},
                                        {100, 1, 1}, {256, 1, 1}, {8, 5, 1}, {3, 5, 7},  {4, 4, 4}};
enum { MOST_ITEMS = 3 * 256 + 64 };

static struct shape make_shape(const size_t *local, bool ragged) {
  struct shape s = {.dims = local[2] > 1 ? 3 : local[1] > 1 ? 2 : 1};
  for (int d = 0; d < 3; d++) s.local[d] = s.global[d] = local[d];
  s.global[0] = 2 * local[0] + (ragged ? (local[0] + 1) / 3 : 0);
  return s;
}

/* The conformance tests' fourteen, in 64 bits, and as many more. */
static uint64_t activity_mask(unsigned which, uint64_t random) {
  static const uint64_t masks[] = {
      0x0f0f0f0f0f0f0f0f, 0xf0f0f0f0f0f0f0f0, 0x00ff00ff00ff00ff, 0xff00ff00ff00ff00,
      0x0000ffff0000ffff, 0xffff0000ffff0000, 0x00000000ffffffff, 0x5555555555555555,
      0xaaaaaaaaaaaaaaaa, 0x0000000000000080, 0x0000000000008000, 0x0000000080000000,
      0x8000000000000000, 0xffffffffffffffff, 0x0000000000000000, 0x0000000000000001,
      0xfffffffffffffffe, 0x7fffffffffffffff, 0xdddddddddddddddd, 0x8040201008040201};
  return which % 28 < COUNT(masks) ? masks[which % 28] : random;
}

struct launch {
  const struct overload *f;
  const struct shape *shape;
  cl_kernel kernel;
  size_t index;                /* of the overload */
  unsigned max_size;
  struct team teams[TEAMS];
  uint32_t with[MOST_ITEMS];
  unsigned char in[MOST_ITEMS * 128], out[MOST_ITEMS * SITES * 128 + 64];
  unsigned char group_in[256 * 128];
  bool exact, good;
  cl_mem buffers[4];
};

enum { POISON = 0xA5 };

/* Operands that are all equal, or nearly so. */
static void fill_alike(const struct operand *t, unsigned char *in, size_t count, int pattern,
                       uint64_t random) {
  size_t size = type_size(t->type);
  memset(in, pattern == 4 ? 0xff : pattern, count * size); /* 4: as floats, not even themselves */
  for (size_t i = 0; i < count; i++) {
    uint64_t r = random_next(&random) % 64;
    if (pattern == 0 && r & 1) in[(i + 1) * size - 1] = 0x80; /* zeros of both signs */
    if (pattern == 2 && !r) in[i * size]++;
  }
}

static void fill_launch(struct launch *l, unsigned round) {
  const struct overload *f = l->f;
  uint64_t random = round * 977 + l->index;
  size_t items = shape_items(l->shape), count = items * value_size(f, f->first) /
                                                type_size(value_type(f, f->first));
  int pattern = (int)(round % NUMBER_PATTERNS);
  l->exact = true;
  if (f->op) l->exact = fill_numbers(f->op, f->t, l->in, count, pattern, random);
  else if (f->first == INT) fill_truths((int *)(void *)l->in, count, pattern, random);
  else if (strstr(f->function, "all_equal")) fill_alike(f->t, l->in, count, pattern, random);
  else fill(TYPE_uchar, l->in, items * value_size(f, f->first), PATTERN_RANDOM, random);
  for (int i = 0; i < TEAMS; i++) {
    l->teams[i].mask = activity_mask(round * 7 + (unsigned)i, random_next(&random));
    l->teams[i].number = random_next(&random) >> 16;
  }
  for (size_t i = 0; i < items; i++) {
    uint64_t r = random_next(&random);
    l->with[i] = (uint32_t)(r >> 8) % (r & 7 ? l->max_size : 2 * l->max_size + 1);
    if (r % 97 == 0) l->with[i] = UINT32_MAX - (uint32_t)(r >> 60);
  }
}

static void report(struct launch *l, const struct call *c, unsigned lane, int site, size_t at,
                   const char *want) {
  const struct overload *f = l->f;
  const unsigned char *got = l->out + (at * SITES + (size_t)site) * value_size(f, f->value);
  printf("%s on %s%u: ", f->function, f->first == NONE ? "-" : f->t->name, f->width);
  print_shape(l->shape);
  printf(", sub-groups of %u\n  call %d, work-item %zu, lane %u of %u, active 0x%llx, second 0x%x, "
         "cluster %u: got ", l->max_size, site, at, lane, c->lanes, (unsigned long long)c->active,
         c->with[lane], c->cluster);
  for (unsigned i = 0; i < value_width(f, f->value); i++, putchar(' '))
    print_value(value_type(f, f->value), got + i * type_size(value_type(f, f->value)));
  printf("should be %s\n", want);
  l->good = false;
}

static bool untouched(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != POISON) return false;
  return true;
}

/* One call of one sub-group, whose first work-item is the group's `first`. */
static void check_call(struct launch *l, const struct group *g, struct call *c, size_t first,
                       int site) {
  const struct overload *f = l->f;
  size_t size = value_size(f, f->value);
  for (unsigned lane = 0; lane < c->lanes && l->good; lane++) {
    size_t at = g->at[first + lane];
    const unsigned char *got = l->out + (at * SITES + (size_t)site) * size;
    char want[128] = "left alone";
    bool right = c->active >> lane & 1 ? right_answer(c, lane, got, want) : untouched(got, size);
    if (!right) report(l, c, lane, site, at, want);
  }
}

static void check_sub_group(struct launch *l, const struct group *g, size_t id, size_t enqueued) {
  const struct overload *f = l->f;
  size_t first = id * l->max_size, left = g->items - first, stride = value_size(f, f->first);
  const struct team *team = &l->teams[(g->index * enqueued + id) % TEAMS];
  uint32_t with[64] = {0};
  struct call c = {.f = f, .max_size = l->max_size, .in = l->group_in + first * stride,
                   .with = with, .exact = l->exact};
  c.lanes = left < l->max_size ? (unsigned)left : l->max_size;
  for (unsigned i = 0; i < c.lanes; i++) {
    uint32_t number = (uint32_t)team->number;
    if (strstr(f->function, "broadcast")) number %= c.lanes;
    with[i] = number_is_shared(f) ? number : l->with[g->at[first + i]];
  }
  uint64_t all = ~(uint64_t)0 >> (64 - c.lanes);
  uint64_t some = f->apart ? team->mask & all : team->mask >> id % 64 & 1 ? all : 0;
  uint64_t active[SITES] = {all, some, all & ~some};
  for (int site = 0; site < SITES; site++) {
    c.active = active[site];
    c.cluster = cluster_size(f, l->index, l->max_size, site);
    check_call(l, g, &c, first, site);
  }
}

static void check_group(struct group *g, void *data) {
  struct launch *l = data;
  const size_t *local = g->shape->local;
  size_t stride = value_size(l->f, l->f->first);
  size_t enqueued = (local[0] * local[1] * local[2] + l->max_size - 1) / l->max_size;
  for (size_t i = 0; i < g->items; i++) {
    size_t from = strstr(l->f->function, "inverse") ? 0 : g->at[i];
    memcpy(l->group_in + i * stride, l->in + from * stride, stride);
  }
  for (size_t id = 0; id * l->max_size < g->items; id++) check_sub_group(l, g, id, enqueued);
}

/* The host's answers about this kernel, which the device's own must agree with. */
static void check_queries(const struct launch *l) {
  const struct shape *s = l->shape;
  size_t size = 0, count = 0, bytes = s->dims * sizeof *s->local;
  size_t items = s->local[0] * s->local[1] * s->local[2];
  CL(clGetKernelSubGroupInfo(l->kernel, host_open()->device,
                             CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, bytes, s->local, sizeof size,
                             &size, NULL));
  CL(clGetKernelSubGroupInfo(l->kernel, host_open()->device,
                             CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, bytes, s->local, sizeof count,
                             &count, NULL));
  if (size != l->max_size) die("largest sub-group: %zu, not %u", size, l->max_size);
  if (count != (items + size - 1) / size) die("%zu sub-groups in %zu work-items", count, items);
}

static void run_launch(struct launch *l) {
  cl_command_queue queue = host_open()->queue;
  size_t items = shape_items(l->shape), in_size = items * value_size(l->f, l->f->first);
  size_t out_size = items * SITES * value_size(l->f, l->f->value) + 64;
  const void *data[] = {l->out, l->in, l->with, l->teams};
  const size_t sizes[] = {out_size, in_size, items * sizeof *l->with, sizeof l->teams};
  memset(l->out, POISON, out_size);
  for (cl_uint i = 0; i < 4; i++) {
    CL(clSetKernelArg(l->kernel, i, sizeof l->buffers[i], &l->buffers[i]));
    CL(clEnqueueWriteBuffer(queue, l->buffers[i], CL_FALSE, 0, sizes[i], data[i], 0, NULL, NULL));
  }
  CL(clEnqueueNDRangeKernel(queue, l->kernel, l->shape->dims, NULL, l->shape->global,
                            l->shape->local, 0, NULL, NULL));
  CL(clEnqueueReadBuffer(queue, l->buffers[0], CL_TRUE, 0, out_size, l->out, 0, NULL, NULL));
  each_group(l->shape, check_group, l);
  if (!untouched(l->out + out_size - 64, 64)) die("%s: wrote too far", l->f->function);
}

static bool run_overload(struct launch *l, const struct overload *f) {
  l->f = f;
  l->good = true;
  const char *rounds = getenv("TEST_ROUNDS");
  unsigned shapes = 2 * COUNT(local_sizes), launches = shapes * (rounds ? (unsigned)atoi(rounds) : 1);
  for (unsigned i = 0; i < launches && l->good; i++) {
    struct shape shape = make_shape(local_sizes[i % shapes / 2], i % 2 && host_open()->non_uniform);
    l->shape = &shape;
    if (!i) check_queries(l);
    fill_launch(l, i + (unsigned)l->index);
    run_launch(l);
  }
  return l->good;
}

/* ---- one program for each extension and size */

static size_t run_program(struct list *list, struct launch *l, bool by_attribute) {
  size_t failed = 0;
  char *source = make_source(list, by_attribute);
  cl_program program = host_build(source, "-cl-std=CL3.0");
  free(source);
  for (size_t i = 0; i < list->count; i++) {
    cl_int code;
    l->index = i;
    l->max_size = list->size[i];
    l->kernel = clCreateKernel(program, list->names[i], &code);
    CL(code);
    failed += !run_overload(l, &list->of[i]);
    CL(clReleaseKernel(l->kernel));
  }
  CL(clReleaseProgram(program));
  return failed;
}

static size_t run_sizes(struct list *list, struct launch *l, const char *extension, const char *sizes) {
  bool by_attribute = !getenv("MANIPLE_SUBGROUP_SIZE");
  size_t failed = run_program(list, l, by_attribute);
  printf("%s %s, sub-groups of %s: %zu overloads, %zu failed (%s threads)\n", failed ? "FAILED" : "ok",
         extension, sizes, list->count, failed, getenv("MANIPLE_THREADS"));
  fflush(stdout);
  return failed;
}

static size_t run_one_size(struct list *list, struct launch *l, const char *extension, unsigned size) {
  char text[16];
  for (size_t i = 0; i < list->count; i++) list->size[i] = size;
  snprintf(text, sizeof text, "%u", size);
  return run_sizes(list, l, extension, text);
}

/* cl_intel_required_subgroup_size; headers of 2022 do not have it. */
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#endif

/* How many sizes the device has, of 8, 16, 32 and 64. */
static unsigned number_of_sizes(void) {
  size_t sizes[8], bytes = 0;
  CL(clGetDeviceInfo(host_open()->device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
  size_t count = bytes / sizeof *sizes;
  if (!count || sizes[count - 1] != (size_t)4 << count) die("sub-groups of unknown sizes");
  return (unsigned)count;
}

/* Each overload for another size than the one before it; `text` names the turn. */
static size_t run_turns(struct list *list, struct launch *l, const char *extension, const char *text,
                        size_t first) {
  const unsigned sizes = number_of_sizes();
  for (size_t i = 0; i < list->count; i++) list->size[i] = 8u << (first + i) % sizes;
  return run_sizes(list, l, extension, text);
}

static size_t run_drawn(struct list *list, struct launch *l, const char *extension, const char *number) {
  char text[64];
  size_t drawn = *number ? (size_t)atoi(number) : (size_t)time(NULL) / 2 % 12;
  snprintf(text, sizeof text, "all sizes (drawn%zu)", drawn);
  list_keep(list, drawn % 3, 3);
  return run_turns(list, l, extension, text, drawn / 3);
}

/* The size that a kernel gets which asks for none. */
static unsigned offered_size(void) {
  cl_int code;
  cl_program program = host_build("kernel void k(global uint *out) {\n"
                                  "  out[get_global_id(0)] = get_sub_group_local_id(); }",
                                  "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "k", &code);
  CL(code);
  size_t local = 256, size = 0;
  CL(clGetKernelSubGroupInfo(kernel, host_open()->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                             sizeof local, &local, sizeof size, &size, NULL));
  CL(clReleaseKernel(kernel));
  CL(clReleaseProgram(program));
  return (unsigned)size;
}

/* `name`: an extension, and perhaps the only size for it, and the only operation. */
static size_t run_extension(const char *name, struct launch *l) {
  static struct list list;
  char extension[64], sizes[16] = "", operation[32] = "";
  if (sscanf(name, "%63[^:]:%15[^:]:%31s", extension, sizes, operation) < 1) die("which extension?");
  const char *given = getenv("MANIPLE_SUBGROUP_SIZE");
  list_overloads(&list, extension, operation);
  if (given) {
    unsigned offered = offered_size();
    if (*given && offered != (unsigned)atoi(given)) die("sub-groups of %u are offered", offered);
    return run_one_size(&list, l, extension, offered);
  }
  if (!strncmp(sizes, "turns", 5)) return run_turns(&list, l, extension, sizes, (size_t)atoi(sizes + 5));
  if (!strcmp(sizes, "pairs")) {
    list_keep_pairs(&list);
    return run_turns(&list, l, extension, "all sizes (pairs)", 0);
  }
  if (!strncmp(sizes, "drawn", 5)) return run_drawn(&list, l, extension, sizes + 5);
  size_t failed = 0;
  for (unsigned size = 8; size < 8u << number_of_sizes(); size *= 2)
    if (!*sizes || size == (unsigned)atoi(sizes)) failed += run_one_size(&list, l, extension, size);
  return failed;
}

static int run_all(char **names, int count) {
  static struct launch l;
  static const size_t sizes[] = {sizeof l.out, sizeof l.in, sizeof l.with, sizeof l.teams};
  size_t failed = 0;
  for (int i = 0; i < 4; i++) {
    cl_int code;
    l.buffers[i] = clCreateBuffer(host_open()->context, CL_MEM_READ_WRITE, sizes[i], NULL, &code);
    CL(code);
  }
  if (!count) count = list_extensions(&names);
  for (int i = 0; i < count; i++) failed += run_extension(names[i], &l);
  return failed ? 1 : 0;
}

int main(int argc, char **argv) { return run_threads(argc, argv, run_all); }
