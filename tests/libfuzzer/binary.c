/* Program binaries, with the checksum made right: behind it is what there is to find. */
#include "toolchain/cache/binary.c"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mpl_binary binary;
  const char *why;
  unsigned char *copy = malloc(size + 1);
  if (!copy) return 0;
  memcpy(copy, data, size);
  struct header *header = (struct header *)copy;
  if (size >= sizeof *header) {
    memcpy(header->magic, magic, sizeof magic);
    header->version = MPL_CONTAINER_VERSION;
    checksum(copy, size, header->checksum);
  }
  if (mpl_binary_unpack(copy, size, size & 1 ? "a target" : NULL, &binary, &why)) {
    volatile unsigned char sum = 0; /* all of it is read */
    MUST(binary.payload_size <= size);
    for (size_t i = 0; i < binary.payload_size; i++)
      sum ^= ((const unsigned char *)binary.payload)[i];
  } else {
    MUST(strlen(why));
  }
  free(copy);
  return 0;
}
