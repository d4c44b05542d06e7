/* Example in C: the index of every line of a text, kernels and host in one file.
 *
 *   maniple cc -O3 -march=native lines.c -o lines && ./lines FILE
 *
 * Stream compaction in three kernels: of all bytes, keep those that follow a newline.  A work-item
 * looks at BYTES bytes; a work-group, the block, at BYTES times its size. */
#include <maniple/group.h>
#include <maniple/maniple.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BYTES = 64, GROUP = 256, BLOCK = BYTES * GROUP, RUNS = 5 };

/* Newlines of each block. */
mpl_kernel(count, (const unsigned char *)text, (uint *)blocks) {
  const unsigned char *own = text + get_global_id(0) * BYTES;
  uint lines = 0;
  for (uint i = 0; i < BYTES; i++) lines += own[i] == '\n';
  uint total = work_group_reduce_add(lines);
  if (get_local_id(0) == 0) blocks[get_group_id(0)] = total;
}

/* How many newlines lie before each block: one work-group. */
mpl_kernel(offsets, (uint *)blocks, (uint)num_blocks) {
  uint before = 0;
  for (uint begin = 0; begin < num_blocks; begin += (uint)get_local_size(0)) {
    uint i = begin + (uint)get_local_id(0);
    uint lines = i < num_blocks ? blocks[i] : 0;
    uint sum = work_group_scan_exclusive_add(lines);
    if (i < num_blocks) blocks[i] = before + sum;
    before += work_group_broadcast(sum + lines, get_local_size(0) - 1);
  }
  if (get_local_id(0) == 0) blocks[num_blocks] = before;
}

/* Each offset to its place: newlines before the block, plus those before the work-item in the
 * block, plus those before the byte in the work-item. */
mpl_kernel(scatter, (const unsigned char *)text, (const uint *)blocks, (ulong *)starts) {
  ulong begin = get_global_id(0) * BYTES, mask = 0; /* a bit for each byte */
  for (uint i = 0; i < BYTES; i++) mask |= (ulong)(text[begin + i] == '\n') << i;
  uint lines = (uint)__builtin_popcountl(mask);
  uint line = blocks[get_group_id(0)] + work_group_scan_exclusive_add(lines);
  if (get_global_id(0) == 0) starts[0] = 0;
  for (; mask; mask &= mask - 1) starts[++line] = begin + (ulong)__builtin_ctzl(mask) + 1;
}

struct text {
  unsigned char *bytes; /* followed by zeros up to a whole number of blocks */
  size_t size, padded;
};

static void fail(const char *what) {
  fprintf(stderr, "example_c: %s\n", what);
  exit(1);
}

/* Memory for kernels: with --target=cuda the device may be a GPU. */
static void *allocate(size_t size) {
  void *memory = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, size, 4096);
  if (!memory) fail(mpl_error_text());
  return memory;
}

static struct text read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail("cannot open the file");
  long size = ftell(file);
  if (size <= 0 || size >= 1L << 32) fail("the file is empty, or 4 GiB or more");
  rewind(file);
  struct text text = {.size = (size_t)size};
  text.padded = (text.size + BLOCK - 1) / BLOCK * BLOCK;
  text.bytes = allocate(text.padded);
  if (fread(text.bytes, 1, text.size, file) != text.size) fail("cannot read the file");
  memset(text.bytes + text.size, 0, text.padded - text.size);
  fclose(file);
  return text;
}

static void check(int error) {
  if (error) fail(mpl_error_text());
}

/* What is left to do once the offsets are known. */
static uint run_first(const struct text *text, uint *blocks) {
  uint num_blocks = (uint)(text->padded / BLOCK);
  check(mpl_launch(count, mpl_1d(text->padded / BYTES, GROUP), text->bytes, blocks));
  check(mpl_launch(offsets, mpl_1d(1024, 1024), blocks, num_blocks));
  return blocks[num_blocks];
}

static void run_all(const struct text *text, uint *blocks, ulong *starts) {
  run_first(text, blocks);
  check(mpl_launch(scatter, mpl_1d(text->padded / BYTES, GROUP), text->bytes, blocks, starts));
}

static size_t plain(const struct text *text, ulong *starts) {
  size_t line = 0;
  starts[0] = 0;
  for (size_t i = 0; i < text->size; i++)
    if (text->bytes[i] == '\n') starts[++line] = i + 1;
  return line;
}

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double best(double a, double b) {
  return a < b ? a : b;
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: example_c FILE");
  struct text text = read_text(argv[1]);
  uint *blocks = allocate((text.padded / BLOCK + 1) * sizeof *blocks);
  size_t newlines = run_first(&text, blocks);
  ulong *ours = allocate((newlines + 1) * sizeof *ours),
        *loop = malloc((text.size + 1) * sizeof *loop);
  if (!loop) fail("out of memory");
  double our_time = 1e9, loop_time = 1e9;
  size_t found = 0;
  for (int r = 0; r < RUNS; r++) {
    double begin = seconds();
    run_all(&text, blocks, ours);
    double middle = seconds();
    found = plain(&text, loop);
    our_time = best(our_time, middle - begin);
    loop_time = best(loop_time, seconds() - middle);
  }
  bool good = found == newlines && !memcmp(ours, loop, (newlines + 1) * sizeof *ours);
  const char *name = strrchr(argv[1], '/');
  double size = (double)text.size * 1e-9;
  printf("   %s: %zu bytes, %zu newlines; all offsets %s plain C's\n", name ? name + 1 : argv[1],
         text.size, newlines, good ? "equal" : "DIFFER from");
  printf("   kernels   %8.2f ms  %6.1f GB/s\n", our_time * 1e3, size / our_time);
  printf("   plain C   %8.2f ms  %6.1f GB/s   1 thread; %.1fx\n", loop_time * 1e3, size / loop_time,
         loop_time / our_time);
  mpl_free(text.bytes);
  mpl_free(blocks);
  mpl_free(ours);
  free(loop);
  return good ? 0 : 1;
}
