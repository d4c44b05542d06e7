/* What example_cluster finds, by a loop over the whole log: log_plain MEGABYTES */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

int main(int argc, char **argv) {
  uint64_t size = argc == 2 ? strtoull(argv[1], NULL, 0) << 20 : 0;
  uint64_t bins[BINS] = {0}, lines = 0, check = 0;
  if (!size) {
    fputs("usage: log_plain MEGABYTES\n", stderr);
    return 2;
  }
  for (uint64_t at = 0; at < size; at++) {
    uint64_t random = mix(at / CELL);
    unsigned i = at % CELL;
    unsigned char byte = i == newline_of(random) ? '\n' : letter_of(random, i);
    bins[byte / 16]++;
    if (byte == '\n') check += mix(at + 1) * ++lines;
  }
  printf("%" PRIu64 " lines, check %016" PRIx64 "\n", lines, check);
  for (int i = 0; i < BINS; i++)
    printf("bytes from %3d to %3d: %" PRIu64 "\n", 16 * i, 16 * i + 15, bins[i]);
  return 0;
}
