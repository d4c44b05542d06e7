/* Example 2: the index of every line of text files, checked offset by offset against plain C. */
#include "../common/host.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64, GROUP = 256, BLOCK = BYTES * GROUP }; /* BYTES as in lines.cl */

struct text {
  unsigned char *bytes; /* followed by zeros up to a whole number of blocks */
  size_t size, padded;
};

struct line_index {
  uint64_t *starts;
  size_t newlines;
};

static struct text read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) host_fail("cannot open %s", path);
  long size = ftell(file);
  if (size <= 0 || size >= 1L << 32) host_fail("%s: empty, or 4 GiB or more", path);
  rewind(file);

  struct text text = {.size = (size_t)size};
  text.padded = (text.size + BLOCK - 1) / BLOCK * BLOCK;
  text.bytes = aligned_alloc(4096, text.padded);
  if (!text.bytes || fread(text.bytes, 1, text.size, file) != text.size)
    host_fail("cannot read %s", path);
  memset(text.bytes + text.size, 0, text.padded - text.size);
  fclose(file);
  return text;
}

/* A last line need not end in a newline; nothing after the last newline is no line. */
static size_t num_lines(const struct text *text, size_t newlines) {
  return newlines + (text->bytes[text->size - 1] != '\n');
}

static size_t plain_count(const struct text *text) {
  size_t count = 0;
  for (size_t i = 0; i < text->size; i++) count += text->bytes[i] == '\n';
  return count;
}

struct plain_job {
  const struct text *text;
  struct line_index index;
};

static void plain_loop(void *context) {
  struct plain_job *job = context;
  const unsigned char *bytes = job->text->bytes;
  size_t size = job->text->size, line = 0;
  uint64_t *starts = job->index.starts;
  starts[0] = 0;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == '\n') starts[++line] = i + 1;
  job->index.newlines = line;
}

/* The same with the C library's hand-written vector search, the best that plain C has. */
static void plain_memchr(void *context) {
  struct plain_job *job = context;
  const unsigned char *bytes = job->text->bytes, *end = bytes + job->text->size, *at = bytes;
  size_t line = 0;
  uint64_t *starts = job->index.starts;
  starts[0] = 0;
  while ((at = memchr(at, '\n', (size_t)(end - at)))) {
    at++;
    starts[++line] = (uint64_t)(at - bytes);
  }
  job->index.newlines = line;
}

struct kernel_job {
  cl_mem text, blocks, starts;
  struct step steps[3];
};

/* Buffers and kernels of one text; starts is made for `newlines` + 1 lines. */
static void prepare(struct host *host, struct kernel_job *job, const struct text *text,
                    size_t newlines) {
  cl_int error;
  cl_uint num_blocks = (cl_uint)(text->padded / BLOCK);
  cl_kernel count = host_kernel(host, "count"), offsets = host_kernel(host, "offsets"),
            scatter = host_kernel(host, "scatter");
  job->text = clCreateBuffer(host->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, text->padded,
                             text->bytes, &error);
  CL(error);
  job->blocks = host_buffer(host, (num_blocks + 1) * sizeof(cl_uint), NULL);
  job->starts = host_buffer(host, (newlines + 1) * sizeof(cl_ulong), NULL);
  ARG(count, 0, job->text);
  ARG(count, 1, job->blocks);
  ARG(offsets, 0, job->blocks);
  ARG(offsets, 1, num_blocks);
  ARG(scatter, 0, job->text);
  ARG(scatter, 1, job->blocks);
  ARG(scatter, 2, job->starts);
  job->steps[0] = (struct step){count, text->padded / BYTES, GROUP};
  job->steps[1] = (struct step){offsets, 1024, 1024};
  job->steps[2] = (struct step){scatter, text->padded / BYTES, GROUP};
}

static void release(struct kernel_job *job) {
  for (int i = 0; i < 3; i++) clReleaseKernel(job->steps[i].kernel);
  clReleaseMemObject(job->text);
  clReleaseMemObject(job->blocks);
  clReleaseMemObject(job->starts);
}

/* How many newlines there are decides how large the index is: count, then scan, then allocate. */
static size_t count_newlines(struct host *host, const struct text *text) {
  struct kernel_job job;
  cl_uint total;
  prepare(host, &job, text, 0);
  host_time(host, job.steps, 2, 1);
  CL(clEnqueueReadBuffer(host->queue, job.blocks, CL_TRUE, text->padded / BLOCK * sizeof total,
                         sizeof total, &total, 0, NULL, NULL));
  release(&job);
  return total;
}

static void check_index(const struct plain_job *plain, const uint64_t *starts, size_t newlines) {
  char label[128];
  size_t i = 0, lines = num_lines(plain->text, newlines);
  if (newlines == plain->index.newlines)
    while (i < lines && starts[i] == plain->index.starts[i]) i++;
  snprintf(label, sizeof label, "all %s offsets equal to plain C's", with_commas(lines));
  report_check(label, newlines == plain->index.newlines && i == lines, i);
}

static void show_line(const struct text *text, const uint64_t *starts, size_t lines, size_t line) {
  if (line > lines) line = lines;
  const char *begin = (const char *)text->bytes + starts[line - 1];
  const char *limit = (const char *)text->bytes + text->size;
  const char *end = memchr(begin, '\n', (size_t)(limit - begin));
  int length = (int)((end ? end : limit) - begin);
  printf("   line %s, at byte %s:\n      %.*s\n", with_commas(line), with_commas(starts[line - 1]),
         length < 90 ? length : 90, begin);
}

static void index_file(struct host *host, const char *path, int runs) {
  struct text text = read_text(path);
  size_t newlines = count_newlines(host, &text);
  struct kernel_job job;
  prepare(host, &job, &text, newlines);
  double ours = host_time(host, job.steps, 3, runs);
  uint64_t *starts = malloc((newlines + 1) * sizeof *starts);
  struct plain_job plain = {&text, {malloc((plain_count(&text) + 1) * sizeof(uint64_t)), 0}};
  if (!starts || !plain.index.starts) host_fail("out of memory");
  host_read(host, job.starts, starts, (newlines + 1) * sizeof *starts);
  double loop = plain_time(plain_loop, &plain, runs);

  const char *name = strrchr(path, '/');
  printf("   %s: %s bytes, %s lines\n", name ? name + 1 : path, with_commas(text.size),
         with_commas(num_lines(&text, newlines)));
  check_index(&plain, starts, newlines);
  show_line(&text, starts, num_lines(&text, newlines), 1000000);
  if (text.size >= 1 << 20) {
    double fast = plain_time(plain_memchr, &plain, runs);
    report_times(host, ours, loop, (double)text.size);
    printf("   memchr    %8.2f ms  %6.1f GB/s   1 thread      (hand-written vector search of the C"
           " library)\n",
           fast * 1e3, (double)text.size / fast * 1e-9);
  }
  release(&job);
  free(starts);
  free(plain.index.starts);
  free(text.bytes);
}

int main(int argc, char **argv) {
  struct host host;
  if (argc < 2) host_fail("usage: example_lines FILE...");
  host_open(&host, EXAMPLE_DIR "/lines", "lines.cl");
  for (int i = 1; i < argc; i++) {
    if (i > 1) putchar('\n');
    index_file(&host, argv[i], 5);
  }
  host_close(&host);
  return 0;
}
