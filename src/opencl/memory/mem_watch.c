#include "mem_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "runtime/mistakes/host_mistake.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_mem_watch *over_host_memory;

struct mpl_mem_watch *mpl_mem_watch_of(cl_mem mem) {
  struct mpl_mem_watch *watch = mpl_mem_root(mem)->watch;
  return watch && !watch->is_shared ? watch : NULL;
}

static void list(struct mpl_mem_watch *watch) {
  mpl_lock(&list_lock);
  for (struct mpl_mem_watch *other = over_host_memory; other; other = other->next)
    if (watch->bytes < other->bytes + other->size && other->bytes < watch->bytes + watch->size)
      watch->is_shared = other->is_shared = true;
  watch->next = over_host_memory;
  over_host_memory = watch;
  mpl_unlock(&list_lock);
}

static void unlist(struct mpl_mem_watch *watch) {
  mpl_lock(&list_lock);
  struct mpl_mem_watch **link = &over_host_memory;
  while (*link != watch) link = &(*link)->next;
  *link = watch->next;
  mpl_unlock(&list_lock);
}

/* Kernels write to buffers of which they know the address without being given them. */
static bool has_address(cl_mem mem) {
  return mem->num_properties && mem->properties[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT;
}

void mpl_mem_watch_new(cl_mem mem) {
  if (!mpl_host_is_checked() || !mem->data || mem->uses_svm || mem->size > MPL_WATCH_MOST ||
      mem->type == CL_MEM_OBJECT_PIPE || has_address(mem))
    return;
  struct mpl_mem_watch *watch = calloc(1, sizeof *watch);
  if (!watch) return;
  pthread_mutex_init(&watch->lock, NULL);
  watch->bytes = mem->data;
  watch->size = mem->size;
  watch->is_over_host_memory = mem->host_ptr;
  if (watch->is_over_host_memory) list(watch);
  mem->watch = watch;
}

size_t mpl_mem_difference(const char *a, const char *b, size_t size) {
  enum { BLOCK = 4096 };
  size_t i = 0;
  while (size - i >= BLOCK && !memcmp(a + i, b + i, BLOCK)) i += BLOCK;
  while (i < size && a[i] == b[i]) i++;
  return i;
}

char *mpl_mem_copy(const char *bytes, size_t size) {
  char *copy = malloc(size);
  return copy ? memcpy(copy, bytes, size) : NULL;
}

/* With the lock held: it was unmapped, and is used again. */
static void open_seal(struct mpl_mem_watch *watch) {
  char text[160];
  if (!watch->sealed) return;
  size_t at = mpl_mem_difference(watch->sealed, watch->bytes, watch->size);
  free(watch->sealed);
  watch->sealed = NULL;
  if (at == watch->size) return;
  snprintf(text, sizeof text,
           "the host has written to byte %zu of a memory object after unmapping it, and before a "
           "command used it",
           at);
  mpl_host_tell(&(struct mpl_host_mistake){
      .kind = MPL_HOST_ACCESS, .text = text, .notes = {{"unmapped here", &watch->unmapped}}});
}

void mpl_mem_watch_free(cl_mem mem) {
  struct mpl_mem_watch *watch = mem->watch;
  if (!watch) return;
  if (watch->is_over_host_memory) unlist(watch);
  open_seal(watch);
  for (unsigned i = 0; i < MPL_MEM_USES; i++) mpl_mem_use_free(watch->uses[i]);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
}

void mpl_mem_watch_begin(cl_mem mem, bool writes) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  if (!watch) return;
  mpl_lock(&watch->lock);
  open_seal(watch);
  watch->users++;
  watch->writers += writes;
  watch->changes += writes;
  mpl_unlock(&watch->lock);
}

void mpl_mem_watch_end(cl_mem mem, bool writes) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  if (!watch) return;
  mpl_lock(&watch->lock);
  watch->users--;
  watch->writers -= writes;
  mpl_unlock(&watch->lock);
}

/* --- Maps --- */

void mpl_mem_watch_map(cl_mem mem, struct mpl_watched_map *map, const struct mpl_box *box,
                       size_t extent, bool writes) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  *map = (struct mpl_watched_map){
      .offset = mem->origin + box->start, .size = extent, .box = *box, .writes = writes};
  map->box.start = map->offset;
  if (!watch) return;
  mpl_trace_take(&map->made);
  mpl_lock(&watch->lock);
  map->next = watch->maps;
  watch->maps = map;
  watch->write_maps += writes;
  watch->changes += writes;
  mpl_unlock(&watch->lock);
}

void mpl_mem_watch_mapped(cl_mem mem, struct mpl_watched_map *map) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  if (!watch) return;
  mpl_lock(&watch->lock);
  open_seal(watch);
  map->is_made = true;
  if (!watch->writers && !watch->write_maps) {
    map->before = mpl_mem_copy(watch->bytes + map->offset, map->size);
    map->changes = watch->changes;
  }
  mpl_unlock(&watch->lock);
  if (!mem->image)
    mpl_mem_watch_used_range(mem, "map buffer", map->offset - mem->origin, map->size, false);
}

void mpl_mem_watch_unmap(cl_mem mem, struct mpl_watched_map *map) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  size_t at = map->size;
  char text[160];
  if (!watch) return;
  mpl_trace_take(&map->ended);
  mpl_lock(&watch->lock);
  if (map->before && map->changes == watch->changes && !watch->writers)
    at = mpl_mem_difference(map->before, watch->bytes + map->offset, map->size);
  watch->write_maps -= map->writes;
  watch->changes += map->writes;
  mpl_unlock(&watch->lock);
  if (at == map->size) return;
  snprintf(text, sizeof text,
           "the host has written to byte %zu of what it has mapped, by a map for reading only", at);
  mpl_host_tell(&(struct mpl_host_mistake){.kind = MPL_HOST_ACCESS,
                                           .text = text,
                                           .at = &map->ended,
                                           .notes = {{"mapped here", &map->made}}});
}

/* With the lock held. */
static void remove_map(struct mpl_mem_watch *watch, const struct mpl_watched_map *map) {
  struct mpl_watched_map **link = &watch->maps;
  while (*link && *link != map) link = &(*link)->next;
  if (*link) *link = map->next;
}

void mpl_mem_watch_forget(cl_mem mem, struct mpl_watched_map *map) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  if (!watch) return;
  mpl_lock(&watch->lock);
  remove_map(watch, map);
  mpl_unlock(&watch->lock);
}

void mpl_mem_watch_unmapped(cl_mem mem, struct mpl_watched_map *map) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  if (!watch) return;
  mpl_lock(&watch->lock);
  remove_map(watch, map);
  if (!watch->maps && !watch->users && !watch->is_over_host_memory && !watch->sealed) {
    watch->sealed = mpl_mem_copy(watch->bytes, watch->size);
    watch->unmapped = map->ended;
  }
  mpl_unlock(&watch->lock);
  if (!mem->image && map->writes)
    mpl_mem_watch_used_range(mem, "unmap", map->offset - mem->origin, map->size, true);
}
