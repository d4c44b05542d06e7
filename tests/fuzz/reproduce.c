#include "fuzz/reproduce.h"

#include <stdio.h>

#include "run/host.h"

static void write_source(FILE *file, const char *source) {
  fputs("static const char *source =\n  \"", file);
  for (; *source; source++) {
    if (*source == '\n') fputs(source[1] ? "\\n\"\n  \"" : "\\n", file);
    else if (*source == '"' || *source == '\\') fprintf(file, "\\%c", *source);
    else fputc(*source, file);
  }
  fputs("\";\n", file);
}

static void write_words(FILE *file, const char *name, const uint32_t *words, size_t count) {
  fprintf(file, "static unsigned %s[%zu] = {", name, count);
  for (size_t i = 0; i < count; i++) fprintf(file, "%s%uu,", i % 8 ? " " : "\n  ", words[i]);
  fputs("\n};\n", file);
}

static const char body[] =
    "static cl_mem buffer(cl_context c, size_t size, void *data) {\n"
    "  return clCreateBuffer(c, data ? CL_MEM_COPY_HOST_PTR : 0, size, data, NULL);\n"
    "}\n"
    "int main(void) {\n"
    "  cl_platform_id p; cl_device_id d; size_t size = 0;\n"
    "  clGetPlatformIDs(1, &p, NULL);\n"
    "  clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);\n"
    "  cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);\n"
    "  cl_command_queue q = clCreateCommandQueueWithProperties(c, d, NULL, NULL);\n"
    "  cl_program program = clCreateProgramWithSource(c, 1, &source, NULL, NULL);\n"
    "  if (clBuildProgram(program, 1, &d, \"-cl-std=CL3.0\", NULL, NULL)) {\n"
    "    static char log[100000];\n"
    "    clGetProgramBuildInfo(program, d, CL_PROGRAM_BUILD_LOG, sizeof log, log, &size);\n"
    "    return printf(\"does not build:\\n%s\\n\", log), 1;\n"
    "  }\n"
    "  cl_kernel k = clCreateKernel(program, KERNEL, NULL);\n"
    "  size_t results = ITEMS * 64, records = sizeof got - results;\n"
    "  cl_mem m[5] = {buffer(c, results, NULL), buffer(c, sizeof in, in), buffer(c, sizeof u, u),\n"
    "                 buffer(c, 32 * 4096, NULL), buffer(c, records, got + results / 8)};\n"
    "  for (int i = 0; i < 5; i++) clSetKernelArg(k, i < 4 ? i : 7, sizeof m[i], &m[i]);\n"
    "  clSetKernelArg(k, 4, 4, &args[0]);\n"
    "  clSetKernelArg(k, 5, 4, &args[1]);\n"
    "  clSetKernelArg(k, 6, 4096, NULL);\n"
    "  cl_int code = clEnqueueNDRangeKernel(q, k, DIMS, offset, global, local, 0, NULL, NULL);\n"
    "  if (code) return printf(\"enqueue answers %d\\n\", code), 1;\n"
    "  clEnqueueReadBuffer(q, m[0], CL_TRUE, 0, results, got, 0, NULL, NULL);\n"
    "  clEnqueueReadBuffer(q, m[4], CL_TRUE, 0, records, got + results / 8, 0, NULL, NULL);\n"
    "  for (size_t i = 0; i < ITEMS; i++) ((char *)got)[results + i * 64 + 5] = 0; /* padding */\n"
    "  int wrong = 0;\n"
    "  for (size_t i = 0; i < sizeof got / sizeof *got; i++)\n"
    "    if (got[i] != want[i] && wrong++ < 20)\n"
    "      printf(\"%s, part %zu of work-item %zu: 0x%llx, should be 0x%llx\\n\",\n"
    "             i < ITEMS * 8 ? \"results\" : \"record\", i % 8, i / 8 % ITEMS,\n"
    "             (unsigned long long)got[i], (unsigned long long)want[i]);\n"
    "  return printf(\"%d wrong\\n\", wrong), wrong != 0;\n"
    "}\n";

static void write_longs(FILE *file, const char *name, const uint64_t *words, size_t count) {
  fprintf(file, "static cl_ulong %s[%zu] = {", name, count);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s0x%llx,", i % 4 ? " " : "\n  ", (unsigned long long)words[i]);
  fputs("\n};\n", file);
}

static void write_sizes(FILE *file, const char *name, const size_t *sizes) {
  fprintf(file, "static const size_t %s[3] = {%zu, %zu, %zu};\n", name, sizes[0], sizes[1], sizes[2]);
}

void write_reproducer(const char *path, const char *how, const char *source, const struct kernel *k,
                      const struct fuzz_launch *l, const uint64_t *want) {
  FILE *file = fopen(path, "w");
  if (!file) die("cannot write %s", path);
  size_t items = l->global[0] * l->global[1] * l->global[2];
  uint64_t *start = fuzz_new(items * FUZZ_WORDS * sizeof *start), slots[RECORD_SLOTS];
  for (size_t i = 0; i < items; i++) {
    for (int s = 0; s < RECORD_SLOTS; s++) slots[s] = record_start(i, s);
    pack_record(slots, start + items * FUZZ_OUTS + i * FUZZ_RECORD);
  }
  fprintf(file, "/* %s */\n#define CL_TARGET_OPENCL_VERSION 300\n#include <CL/cl.h>\n"
                "#include <stdio.h>\n", how);
  write_source(file, source);
  write_words(file, "in", l->in, items * FUZZ_INS);
  write_words(file, "u", l->u, FUZZ_UNIFORMS);
  write_words(file, "args", l->args, 2);
  fprintf(file, "#define KERNEL \"k%d\"\n#define DIMS %u\n#define ITEMS %zu\n", k->id, l->dims, items);
  write_sizes(file, "global", l->global);
  write_sizes(file, "local", l->local);
  write_sizes(file, "offset", l->offset);
  write_longs(file, "got", start, items * FUZZ_WORDS);
  write_longs(file, "want", want, items * FUZZ_WORDS);
  fputs(body, file);
  fclose(file);
}
