#include "binary.h"

#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "runtime/options.h"
#include "toolchain/arguments.h"
#include "toolchain/hash.h"

static const char magic[8] = {'\x7f', 'm', 'p', 'l', 'b', 'i', 'n', '\n'};

/* Then the target's text, then the payload at a multiple of 16.  The checksum is of all that comes
 * after it. */
struct header {
  char magic[8];
  uint8_t checksum[MPL_HASH_SIZE];
  uint32_t version, abi_version;
  uint16_t kind, checks; /* mpl_option_checks() of executables */
  uint32_t target_size;
  uint64_t payload_offset;
  uint64_t payload_size;
};

static void checksum(const void *data, size_t size, uint8_t result[MPL_HASH_SIZE]) {
  size_t start = offsetof(struct header, version);
  mpl_hash((const char *)data + start, size - start, result);
}

/* What a binary is for; malloc'd, or null.  Functions that are linked pass vectors as the processor
 * does that they were compiled for, and use what it has; a kernel is called in one way. */
static char *text_of_target(const char *target, uint32_t kind) {
  struct mpl_args words = {0};
  mpl_args_add(&words, target);
  if (kind != MPL_BINARY_EXECUTABLE) mpl_args_processor(&words);
  char *text = words.failed ? NULL : mpl_args_quote(&words);
  mpl_args_free(&words);
  return text;
}

/* The check's passes run when a program is linked. */
static uint16_t checks_of(uint32_t kind) {
  return kind == MPL_BINARY_EXECUTABLE ? mpl_option_checks() : 0;
}

bool mpl_binary_pack(const struct mpl_binary *binary, const char *device,
                     struct mpl_container *container) {
  char *target = text_of_target(device, binary->kind);
  size_t target_size = target ? strlen(target) : 0;
  size_t offset = (sizeof(struct header) + target_size + 15) & ~(size_t)15;
  size_t size = offset + binary->payload_size;
  char *data = target ? calloc(1, size) : NULL;
  *container = (struct mpl_container){0};
  if (!data) {
    free(target);
    return false;
  }
  struct header *header = (struct header *)data;
  memcpy(header->magic, magic, sizeof magic);
  header->version = MPL_CONTAINER_VERSION;
  header->abi_version = MPL_ABI_VERSION;
  header->kind = (uint16_t)binary->kind;
  header->checks = checks_of(binary->kind);
  header->target_size = (uint32_t)target_size;
  header->payload_offset = offset;
  header->payload_size = binary->payload_size;
  memcpy(data + sizeof *header, target, target_size);
  free(target);
  memcpy(data + offset, binary->payload, binary->payload_size);
  checksum(data, size, header->checksum);
  *container = (struct mpl_container){data, size, *binary};
  container->holds.payload = data + offset;
  return true;
}

bool mpl_container_copy(const struct mpl_container *container, struct mpl_container *copy) {
  *copy = (struct mpl_container){0};
  if (!container->data) return true;
  char *data = malloc(container->size);
  if (!data) return false;
  memcpy(data, container->data, container->size);
  *copy = *container;
  copy->data = data;
  copy->holds.payload =
      data + ((const char *)container->holds.payload - (const char *)container->data);
  return true;
}

static bool is_for(const void *data, const struct header *header, const char *device) {
  char *target = text_of_target(device, header->kind);
  bool is = target && header->target_size == strlen(target) &&
            !memcmp((const char *)data + sizeof *header, target, header->target_size);
  free(target);
  return is;
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
  if (target && !is_for(data, header, target)) return "it was made for another processor";
  if (target && header->checks < checks_of(header->kind))
    return "it was built without the check that is asked for now; build the program from its source";
  if (target && header->checks > checks_of(header->kind))
    return "it was built for a check that is not asked for now; build the program from its source";
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
