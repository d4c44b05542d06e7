/* main CASE: a kernel in C that accesses memory beside what the program has from malloc.  What is
 * reported stands in CASE.ref; `legal` does what is right. */
#include <malloc.h>
#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>

mpl_kernel(shift, (const char *)from, (char *)to, (int)offset) {
  size_t i = get_global_id(0);
  to[i] = from[(long)i + offset];
}

mpl_kernel(write_at, (int *)to, (int)offset) {
  size_t i = get_global_id(0);
  to[(long)i + offset] = (int)i;
}

enum { COUNT = 32 };
static char *to;

static void move(const char *from, int offset) {
  mpl_launch(shift, mpl_1d(COUNT, COUNT), from, to, offset);
}

static void behind(void) {
  move(calloc(COUNT, 1), 1);
}
static void before(void) {
  move(calloc(COUNT, 1), -1);
}
static void grown(void) {
  char *memory = realloc(calloc(3, 1), COUNT - 5);
  memset(memory, 0, COUNT - 5);
  move(memory, 0);
}
static void aligned(void) {
  void *memory = NULL;
  if (!posix_memalign(&memory, 256, COUNT * sizeof(int)))
    mpl_launch(write_at, mpl_1d(COUNT, COUNT), memory, 20);
}
static void large(void) {
  enum { LARGE = 3 << 20 };
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), malloc(LARGE), LARGE / (int)sizeof(int) + 5000);
}

static void legal(void) {
  char *memory = calloc(COUNT + 1, 1), *text = strdup("what the C library allocates, and 32 more"),
       *line = malloc(4);
  size_t room = 4;
  move(memory, 1);
  move(text, 0);
  for (int i = 1; i < 200; i++) {
    memory = realloc(memory, (size_t)i * 100);
    memset(memory, i, (size_t)i * 100);
    if (memory[i * 100 - 1] != (char)i || malloc_usable_size(memory) < (size_t)i * 100) abort();
    move(memory, i * 100 - COUNT);
  }
  FILE *file = tmpfile();
  if (file) {
    fprintf(file, "%s%s\n", text, text);
    rewind(file);
    if (getline(&line, &room, file) > COUNT) move(line, 4);
    fclose(file);
  }
  free(line);
  free(memory);
  free(text);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"behind", behind},   {"before", before}, {"grown", grown},
             {"aligned", aligned}, {"large", large},   {"legal", legal}};

int main(int argc, char **argv) {
  to = mpl_malloc(mpl_get_device(0), MPL_MEMORY_DEVICE, COUNT, 1);
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, argv[1])) cases[i].run();
  return 0;
}
