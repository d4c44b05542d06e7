#include "binary.h"

#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "toolchain/hash.h"

static const char magic[8] = {'\x7f', 'm', 'p', 'l', 'b', 'i', 'n', '\n'};

/* Then the target's text, then the payload at a multiple of 16.  The checksum is of all that comes
 * after it. */
struct header {
  char magic[8];
  uint8_t checksum[MPL_HASH_SIZE];
  uint32_t version, abi_version, kind, target_size;
  uint64_t payload_offset;
  uint64_t payload_size;
};

static void checksum(const void *data, size_t size, uint8_t result[MPL_HASH_SIZE]) {
  size_t start = offsetof(struct header, version);
  mpl_hash((const char *)data + start, size - start, result);
}

void *mpl_binary_pack(const struct mpl_binary *binary, const char *target, size_t *size) {
  size_t target_size = strlen(target);
  size_t offset = (sizeof(struct header) + target_size + 15) & ~(size_t)15;
  char *data = calloc(1, offset + binary->payload_size);
  if (!data) return NULL;
  struct header *header = (struct header *)data;
  memcpy(header->magic, magic, sizeof magic);
  header->version = MPL_CONTAINER_VERSION;
  header->abi_version = MPL_ABI_VERSION;
  header->kind = binary->kind;
  header->target_size = (uint32_t)target_size;
  header->payload_offset = offset;
  header->payload_size = binary->payload_size;
  memcpy(data + sizeof *header, target, target_size);
  memcpy(data + offset, binary->payload, binary->payload_size);
  *size = offset + binary->payload_size;
  checksum(data, *size, header->checksum);
  return data;
}

static const char *examine(const void *data, size_t size, const char *target,
                           struct header *header) {
  uint8_t sum[MPL_HASH_SIZE];
  if (!data || size < sizeof *header) return "it is too short for a binary of maniple";
  memcpy(header, data, sizeof *header);
  if (memcmp(header->magic, magic, sizeof magic)) return "it is not a binary of maniple";
  if (header->version != MPL_CONTAINER_VERSION) return "it was made by another version of maniple";
  checksum(data, size, sum);
  if (memcmp(sum, header->checksum, sizeof sum)) return "it is damaged";
  if (header->payload_offset < sizeof *header || header->payload_offset > size ||
      header->payload_size != size - header->payload_offset ||
      header->target_size > header->payload_offset - sizeof *header)
    return "it is damaged";
  if (header->kind != MPL_BINARY_COMPILED && header->kind != MPL_BINARY_LIBRARY &&
      header->kind != MPL_BINARY_EXECUTABLE)
    return "it is of an unknown kind";
  if (header->abi_version != MPL_ABI_VERSION) return "it was made by another version of maniple";
  if (target && header->kind == MPL_BINARY_EXECUTABLE &&
      (header->target_size != strlen(target) ||
       memcmp((const char *)data + sizeof *header, target, header->target_size)))
    return "it was made for another processor";
  return NULL;
}

bool mpl_binary_unpack(const void *data, size_t size, const char *target, struct mpl_binary *binary,
                       const char **why) {
  struct header header;
  *why = examine(data, size, target, &header);
  if (*why) return false;
  *binary = (struct mpl_binary){.kind = (enum mpl_binary_kind)header.kind,
                                .payload = (const char *)data + header.payload_offset,
                                .payload_size = header.payload_size};
  return true;
}
