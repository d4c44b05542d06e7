/* In the place of libFuzzer's main, in builds without its coverage: each file named is an input,
 * and so are its first parts, and what it is with a few other bytes. */
#include <stdio.h>

#include "target.h"

enum { CUTS = 64, DAMAGED = 512, DAMAGES = 4 };

static uint8_t *read_input(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(1 << 20);
  if (!file || !data) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  *size = fread(data, 1, 1 << 20, file);
  if (*size == 1 << 20) {
    fprintf(stderr, "%s is longer than is read of it\n", path);
    exit(1);
  }
  fclose(file);
  return data;
}

static uint32_t next(uint32_t *random) {
  *random = *random * 1664525 + 1013904223;
  return *random >> 8;
}

/* In memory of its own, of just that size: AddressSanitizer sees a read behind its end. */
static void give(const uint8_t *data, size_t size, uint32_t *random) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  memcpy(copy, data, size);
  for (int i = 0; random && size && i < DAMAGES; i++) {
    size_t at = next(random) % size;
    copy[at] = (uint8_t)next(random);
  }
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

int main(int argc, char **argv) {
  uint32_t random = 1;
  for (int i = 1; i < argc; i++) {
    size_t size;
    uint8_t *data = read_input(argv[i], &size);
    for (size_t k = 0; k <= CUTS; k++) give(data, size * k / CUTS, NULL);
    for (int k = 0; k < DAMAGED; k++) give(data, size, &random);
    free(data);
  }
  printf("%d inputs, each damaged in %d ways\n", argc - 1, CUTS + DAMAGED);
  return argc < 2;
}
