/* What one collective costs: a kernel runs a chain of dependent calls in a loop, each call's
 * operand made from the last one's result; so does the hand-written code, in turn with it.  The
 * figure is CPU time of a chain of STEPS less that of a chain of none, for each call. */
#include "hand_lanes.h"
#include "measure.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK_ITEMS = 65536, STEPS = 64, ROUNDS = 25 };

struct chain {
  const char *collective, *bar, *expression;
  hand_fn *hand;
  const struct hand_type *type;
  size_t group;
  size_t sub_group; /* of a sub-group's collective its size, else 0 */
};

/* The work-items that one call combines. */
static size_t unit(const struct chain *chain) {
  return chain->sub_group ? chain->sub_group : chain->group;
}

static char *chain_source(const struct chain *chain) {
  static char source[2048];
  char attribute[64] = "";
  if (chain->sub_group)
    snprintf(attribute, sizeof attribute, "__attribute__((intel_reqd_sub_group_size(%zu)))",
             chain->sub_group);
  snprintf(source, sizeof source,
           "typedef %s T;\n"
           "#define SIZE %zu\n"
           "#define lane get_sub_group_local_id()\n"
           "kernel %s void chain(global T *out, global const T *in, T z, uint steps) {\n"
           "  size_t g = get_global_id(0);\n"
           "  T base = in[g], x = base;\n"
           "  for (uint i = 0; i < steps; i++) {\n"
           "    T r = %s;\n"
           "    x = r * z + base;\n"
           "  }\n"
           "  out[g] = x;\n"
           "}\n",
           chain->type->type_name, chain->sub_group, attribute, chain->expression);
  return source;
}

/* 0 and 1 as an argument of type T. */
static void set_number(cl_kernel kernel, cl_uint index, const struct hand_type *type, int number) {
  union {
    int32_t i;
    int64_t l;
    float f;
    double d;
  } value;
  switch (type->type_name[0]) {
  case 'i':
    value.i = number;
    break;
  case 'l':
    value.l = number;
    break;
  case 'f':
    value.f = (float)number;
    break;
  default:
    value.d = number;
    break;
  }
  clSetKernelArg(kernel, index, type->size, &value);
}

static void fill(const struct hand_type *type, void *array, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int value = (int)(i * 7 + i / 16) & 3;
    switch (type->type_name[0]) {
    case 'i':
      ((int32_t *)array)[i] = value;
      break;
    case 'l':
      ((int64_t *)array)[i] = value;
      break;
    case 'f':
      ((float *)array)[i] = (float)value;
      break;
    default:
      ((double *)array)[i] = value;
      break;
    }
  }
}

/* Two steps with z = 1 on small integers: exact in every type, whatever the order of additions. */
static bool right(struct device *device, const struct chain *chain, cl_kernel kernel, cl_mem out,
                  const char *base) {
  size_t size = WORK_ITEMS * chain->type->size, unit_size = unit(chain) * chain->type->size;
  char *got = page_aligned(size), *x = page_aligned(unit_size);
  cl_uint steps = 2;
  struct launch launch = {kernel, WORK_ITEMS, chain->group};
  set_number(kernel, 2, chain->type, 1);
  ARG(kernel, 3, steps);
  bool same = device_run(device, &launch, 1) && device_read(device, out, got, size);
  for (size_t begin = 0; same && begin < size; begin += unit_size) {
    memcpy(x, base + begin, unit_size);
    chain->hand(x, base + begin, unit(chain), steps, 1);
    same = memcmp(x, got + begin, unit_size) == 0;
  }
  free(got);
  free(x);
  return same;
}

static double run_seconds(struct device *device, struct launch *launch, cl_uint steps) {
  ARG(launch->kernel, 3, steps);
  double start = cpu_seconds();
  if (!device_run(device, launch, 1)) return -1;
  return cpu_seconds() - start;
}

static double hand_seconds(const struct chain *chain, char *x, const char *base) {
  uint32_t units = WORK_ITEMS / (uint32_t)unit(chain);
  double start = cpu_seconds();
  chain->hand(x, base, unit(chain), STEPS * units, 0);
  return cpu_seconds() - start;
}

static void time_chain(struct device *device, const struct chain *chain, cl_kernel kernel,
                       const char *base, const char *what) {
  double full[ROUNDS], empty[ROUNDS], hand[ROUNDS];
  struct launch launch = {kernel, WORK_ITEMS, chain->group};
  char *x = page_aligned(unit(chain) * chain->type->size);
  memcpy(x, base, unit(chain) * chain->type->size);
  set_number(kernel, 2, chain->type, 0);
  for (int i = 0; i < ROUNDS; i++) {
    hand[i] = hand_seconds(chain, x, base);
    empty[i] = run_seconds(device, &launch, 0);
    full[i] = run_seconds(device, &launch, STEPS);
  }
  free(x);
  double calls = (double)WORK_ITEMS / (double)unit(chain) * STEPS;
  row(chain->bar, what, (smallest(full, ROUNDS) - smallest(empty, ROUNDS)) / calls * 1e9, "ns",
      smallest(hand, ROUNDS) / calls * 1e9);
}

static void measure_chain(struct device *device, const struct chain *chain) {
  char what[64];
  int length = snprintf(what, sizeof what, "%s %s ", chain->collective, chain->type->type_name);
  snprintf(what + length, sizeof what - (size_t)length, chain->sub_group ? "%zu in %zu" : "%zu",
           unit(chain), chain->group);
  size_t size = WORK_ITEMS * chain->type->size;
  char *base = page_aligned(size);
  fill(chain->type, base, WORK_ITEMS);
  cl_program program = device_build(device, chain_source(chain));
  cl_kernel kernel = program ? device_kernel(program, "chain") : NULL;
  cl_mem in = device_buffer(device, size, base), out = device_buffer(device, size, NULL);
  if (!kernel || !in || !out) {
    row_failed(chain->bar, what, "does not build");
  } else {
    ARG(kernel, 0, out);
    ARG(kernel, 1, in);
    if (right(device, chain, kernel, out, base))
      time_chain(device, chain, kernel, base, what);
    else
      row_failed(chain->bar, what, "wrong answer");
  }
  if (kernel) clReleaseKernel(kernel);
  if (program) clReleaseProgram(program);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  free(base);
}

void measure_collectives(struct device *device) {
  static const size_t groups[] = {64, 256, 1024};
  for (int t = 0; t < num_hand_types; t++) {
    const struct hand_type *type = &hand_types[t];
    if (type->type_name[0] == 'd' && !device->has_double) continue;
    struct chain chains[] = {
#define COLLECTIVE(name, bar, expression) {#name, #bar, expression, type->name, type, 0, 0},
        HAND_COLLECTIVES(COLLECTIVE)
#undef COLLECTIVE
    };
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
      for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        chains[c].group = groups[g];
        if (!device->has_collectives && strcmp(chains[c].bar, "barrier") != 0) continue;
        if (groups[g] <= device->max_work_group_size) measure_chain(device, &chains[c]);
      }
  }
}

void measure_sub_groups(struct device *device) {
  static const size_t groups[] = {64, 256, 1024}, sizes[] = {16, 32};
  for (int t = 0; t < num_hand_lanes; t++) {
    const struct hand_lanes *hand = &hand_lanes[t];
    struct chain chains[] = {
#define COLLECTIVE(name, expression) {#name, "sub_group", expression, hand->name, hand->type, 0, 0},
        HAND_LANES(COLLECTIVE)
#undef COLLECTIVE
    };
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
          chains[c].sub_group = sizes[s];
          chains[c].group = groups[g];
          if (groups[g] <= device->max_work_group_size) measure_chain(device, &chains[c]);
        }
  }
}
