/* A kernel reads nothing of a page that none of its work-items reads, whatever is loaded at once for
 * all of them: behind the buffer or in front of it there may be no memory. */
#include "api.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ITEMS = 192, MOST_SIZE = 12 };

static const char *const source =
    "#define READ(name, type, value) \\\n"
    "  kernel void name(global type *in, global const uchar *which, global uint *out, \\\n"
    "                   int from) { \\\n"
    "    int i = get_global_id(0), k = i - from; \\\n"
    "    if (which[i]) out[i] = value; \\\n"
    "  }\n"
    "READ(bytes, const uchar, in[k])\n"
    "READ(backwards, const uchar, in[-k])\n"
    "READ(shorts, const ushort, in[k])\n"
    "READ(words, const uint, in[k])\n"
    "READ(pixels, const uchar, in[3 * k] + in[3 * k + 1] * 5 + in[3 * k + 2] * 7)\n"
    "READ(triples, const uint, in[3 * k] + in[3 * k + 1] * 5 + in[3 * k + 2] * 7)\n";

static const struct reader {
  const char *name;
  unsigned size, fields;
} readers[] = {{"bytes", 1, 1}, {"backwards", 1, 1}, {"shorts", 2, 1},
               {"words", 4, 1}, {"pixels", 1, 3},    {"triples", 4, 3}};

static cl_uint number(const unsigned char *at, unsigned size) {
  cl_uint value = 0;
  memcpy(&value, at, size);
  return value;
}

static cl_uint answer(const struct reader *r, const unsigned char *in, unsigned item) {
  const unsigned char *at = in + (size_t)item * r->size * r->fields;
  if (r->fields == 1) return number(at, r->size);
  return number(at, r->size) + number(at + r->size, r->size) * 5 +
         number(at + 2 * r->size, r->size) * 7;
}

/* Items `from` to `to` read all of the buffer at `in`. */
static void read_with(const struct reader *r, cl_kernel kernel, unsigned char *in, int from,
                      int to) {
  static cl_uint out[ITEMS];
  unsigned char which[ITEMS] = {0};
  size_t items = ITEMS, bytes = (size_t)(to - from) * r->size * r->fields;
  bool back = !strcmp(r->name, "backwards");
  int first = back ? to - 1 : from;
  memset(which + from, 1, (size_t)(to - from));
  memset(out, 0, sizeof out);
  cl_mem memory[3] = {clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, in, NULL),
                      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof which, which, NULL),
                      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL)};
  for (cl_uint k = 0; k < 3; k++)
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, k, sizeof memory[k], &memory[k]));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof first, &first));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queue, memory[2], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < ITEMS; i++) {
    cl_uint wanted = which[i] ? answer(r, in, (unsigned)(back ? first - i : i - first)) : 0;
    CHECK(out[i] == wanted);
  }
  for (unsigned k = 0; k < 3; k++) EXPECT(CL_SUCCESS, clReleaseMemObject(memory[k]));
}

int main(void) {
  open_device();
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *pages =
      mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && page >= ITEMS * MOST_SIZE);
  unsigned char *in = pages + page;
  for (size_t k = 0; k < page; k++) in[k] = (unsigned char)(k * 7 + k / 251);
  CHECK(!mprotect(pages, page, PROT_NONE) && !mprotect(in + page, page, PROT_NONE));
  cl_program program = build(source, "");
  for (size_t k = 0; k < sizeof readers / sizeof *readers; k++) {
    const struct reader *r = &readers[k];
    cl_kernel kernel = clCreateKernel(program, r->name, NULL);
    for (int from = 0; from < 70; from += from < 20 ? 1 : 7)
      for (int to = from + 1; to <= ITEMS; to += 1 + (to - from) / 3) {
        read_with(r, kernel, in, from, to);
        read_with(r, kernel, in + page - (size_t)(to - from) * r->size * r->fields, from, to);
      }
    EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  }
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  munmap(pages, 3 * page);
  return finish();
}
