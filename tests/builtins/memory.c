/* Vector loads and stores, halves in memory, shuffles. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { BLOCK = 20, ITEMS = 48, COUNT = 48 * 64 };
static const int widths[] = {1, 2, 3, 4, 8, 16};
static double in[COUNT], out[COUNT]; /* of the widest type */

static void copies(const char *type, unsigned size) {
  char options[64];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s", type);
  cl_program program = build_file("memory.cl", options);
  for (int w = 1; w < 6; w++) {
    char kernel[32];
    uint64_t seed = 3;
    char *data = (char *)in, expected[BLOCK * 8];
    for (size_t i = 0; i < BLOCK * ITEMS * size; i++) data[i] = (char)random_next(&seed);
    snprintf(kernel, sizeof kernel, "copy_%d", widths[w]);
    evaluate(program, kernel,
             &(struct call){
                 .items = ITEMS, .out_size = BLOCK * size, .out = out, .in = {{in, BLOCK * size}}});
    for (size_t i = 0; i < ITEMS; i++) {
      memset(expected, 0, sizeof expected);
      memcpy(expected + size, data + (i * BLOCK + 1) * size, (unsigned)widths[w] * size);
      if (memcmp(expected, (char *)out + i * BLOCK * size, BLOCK * size))
        wrong("%s of %s, work-item %zu", kernel, type, i);
    }
  }
  CL(clReleaseProgram(program));
}

/* `aligned`: three elements take the room of four in the half array. */
static void store(cl_program program, const struct format *from, int width, int mode,
                  bool aligned) {
  char kernel[32];
  unsigned room = aligned && width == 3 ? 4 : (unsigned)width, items = COUNT / room;
  snprintf(kernel, sizeof kernel, "store%s%s_%d", aligned ? "a" : "", mode_names[mode], width);
  evaluate(program, kernel,
           &(struct call){.items = items,
                          .out_size = room * 2,
                          .out = out,
                          .in = {{in, (unsigned)width * from->size}}});
  for (size_t i = 0; i < items * (unsigned)width; i++) {
    size_t at = i / (unsigned)width * room + i % (unsigned)width;
    long double x = get(from, in, i), got = get(&formats[HALF], out, at);
    long double exact = rounded(&formats[HALF], x, mode);
    if (!(isnan(got) && isnan(exact)) && (got != exact || !signbit(got) != !signbit(exact)))
      wrong("%s of %s: %La becomes %La, not %La", kernel, from->name, x, got, exact);
  }
}

static void load(cl_program program, int width, bool aligned) {
  char kernel[32];
  unsigned room = aligned && width == 3 ? 4 : (unsigned)width, items = COUNT / room;
  snprintf(kernel, sizeof kernel, "load%s_%d", aligned ? "a" : "", width);
  evaluate(
      program, kernel,
      &(struct call){
          .items = items, .out_size = (unsigned)width * 4, .out = out, .in = {{in, room * 2}}});
  for (size_t i = 0; i < items * (unsigned)width; i++) {
    size_t at = i / (unsigned)width * room + i % (unsigned)width;
    long double exact = get(&formats[HALF], in, at), got = get(&formats[FLOAT], out, i);
    if (got != exact && !(isnan(got) && isnan(exact)))
      wrong("%s: %La becomes %La", kernel, exact, got);
  }
}

static void halves(int f) {
  cl_program program =
      build_file("memory.cl", f == FLOAT ? "-cl-std=CL3.0 -DF=float" : "-cl-std=CL3.0 -DF=double");
  fill(&formats[f], in, COUNT, 11, -70000, 70000);
  for (size_t i = 0; i < COUNT; i += 5) put(&formats[f], in, i, get(&formats[f], in, i) * 0x1p-40L);
  for (int w = 0; w < 6; w++) {
    for (int mode = 0; mode < MODES; mode++) {
      store(program, &formats[f], widths[w], mode, false);
      if (w) store(program, &formats[f], widths[w], mode, true);
    }
  }
  fill(&formats[HALF], in, COUNT, 12, -1000, 1000);
  for (int w = 0; w < 6; w++) {
    load(program, widths[w], false);
    if (w) load(program, widths[w], true);
  }
  CL(clReleaseProgram(program));
}

static void shuffles(void) {
  static int data[ITEMS * 8], got[ITEMS * 8];
  static uint mask[ITEMS * 8];
  uint64_t seed = 9;
  cl_program program = build_file("memory.cl", "-cl-std=CL3.0 -DF=float");
  for (size_t i = 0; i < ITEMS * 8; i++) {
    data[i] = (int)random_next(&seed);
    mask[i] = (uint)random_next(&seed);
  }
  evaluate(
      program, "shuffle_8_4",
      &(struct call){.items = ITEMS, .out_size = 16, .out = got, .in = {{data, 32}, {mask, 16}}});
  for (size_t i = 0; i < ITEMS * 4; i++)
    if (got[i] != data[i / 4 * 8 + mask[i] % 8]) wrong("shuffle of 8: element %zu", i);
  evaluate(
      program, "shuffle2_4_8",
      &(struct call){.items = ITEMS, .out_size = 32, .out = got, .in = {{data, 32}, {mask, 32}}});
  for (size_t i = 0; i < ITEMS * 8; i++)
    if (got[i] != data[i / 8 * 8 + mask[i] % 8]) wrong("shuffle2 of 4 and 4: element %zu", i);
  CL(clReleaseProgram(program));
}

int main(void) {
  static const struct {
    const char *name;
    unsigned size;
  } types[] = {{"char", 1}, {"ushort", 2}, {"int", 4},   {"ulong", 8},
               {"half", 2}, {"float", 4},  {"double", 8}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) copies(types[t].name, types[t].size);
  halves(FLOAT);
  halves(DOUBLE);
  shuffles();
  return verdict();
}
