#include "svm_maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/device.h"
#include "runtime/mistakes/host_mistake.h"
#include "svm.h"

struct mpl_svm_map {
  struct mpl_svm_map *next; /* in the list, while is_listed */
  cl_context context;
  const char *begin, *end;
  bool writes, is_made, is_listed, is_held; /* is_held: by its command */
  struct mpl_trace made;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_svm_map *all;

static bool is_coarse(cl_context context, const void *pointer) {
  struct mpl_mapped block;
  return mpl_svm_block(context, pointer, &block) && block.kind == MPL_STORAGE_SHARED;
}

struct mpl_svm_map *mpl_svm_map_new(cl_context context, const void *pointer, size_t size,
                                    bool writes) {
  if (!mpl_host_is_checked() || !is_coarse(context, pointer)) return NULL;
  struct mpl_svm_map *map = malloc(sizeof *map);
  if (!map) return NULL;
  *map = (struct mpl_svm_map){.context = context,
                              .begin = pointer,
                              .end = (const char *)pointer + size,
                              .writes = writes,
                              .is_listed = true,
                              .is_held = true};
  mpl_trace_take(&map->made);
  mpl_lock(&lock);
  map->next = all;
  all = map;
  mpl_unlock(&lock);
  return map;
}

void mpl_svm_map_made(struct mpl_svm_map *map) {
  if (!map) return;
  mpl_lock(&lock);
  map->is_made = true;
  mpl_unlock(&lock);
}

/* With the lock held. */
static void unlist(struct mpl_svm_map **link) {
  struct mpl_svm_map *map = *link;
  *link = map->next;
  map->is_listed = false;
  if (!map->is_held) free(map);
}

void mpl_svm_map_let(struct mpl_svm_map *map) {
  if (!map) return;
  mpl_lock(&lock);
  struct mpl_svm_map **link = &all;
  while (*link && *link != map) link = &(*link)->next;
  map->is_held = false;
  if (!map->is_listed)
    free(map);
  else if (!map->is_made)
    unlist(link);
  mpl_unlock(&lock);
}

/* Those that begin in these bytes. */
static void end(cl_context context, const char *begin, size_t size, bool has_to_be_made) {
  mpl_lock(&lock);
  for (struct mpl_svm_map **link = &all; *link;) {
    struct mpl_svm_map *map = *link;
    if (map->context == context && map->begin >= begin && map->begin - begin < (ptrdiff_t)size &&
        (map->is_made || !has_to_be_made))
      unlist(link);
    else
      link = &map->next;
  }
  mpl_unlock(&lock);
}

void mpl_svm_unmapped(cl_context context, const void *pointer) {
  end(context, pointer, 1, true);
}

void mpl_svm_maps_forget(cl_context context, const void *base, size_t size) {
  end(context, base, size, false);
}

void mpl_svm_maps_each(cl_context context, const void *pointer, size_t size,
                       void (*each)(void *data, const char *begin, const char *end, bool writes,
                                    const struct mpl_trace *made),
                       void *data) {
  const char *low = pointer, *high = low + size;
  mpl_lock(&lock);
  for (const struct mpl_svm_map *map = all; map; map = map->next)
    if (map->context == context && map->is_made && map->begin < high && low < map->end)
      each(data, map->begin > low ? map->begin : low, map->end < high ? map->end : high,
           map->writes, &map->made);
  mpl_unlock(&lock);
}

struct use {
  const char *command, *base;
  struct mpl_box box; /* from the base */
  bool writes;
};

static void tell(void *data, const char *begin, const char *end, bool map_writes,
                 const struct mpl_trace *made) {
  const struct use *use = data;
  char text[240];
  size_t at = mpl_box_next(&use->box, (size_t)(begin - use->base));
  if (at >= (size_t)(end - use->base) || (!use->writes && !map_writes)) return;
  snprintf(text, sizeof text, "command '%s' %s byte %zu of its SVM, which the host has mapped%s",
           use->command, use->writes ? "writes to" : "reads", at, map_writes ? " for writing" : "");
  mpl_host_tell(&(struct mpl_host_mistake){
      .kind = MPL_HOST_ACCESS, .text = text, .notes = {{"mapped here", made}}});
}

void mpl_svm_maps_look(cl_context context, const char *command, const void *pointer,
                       const struct mpl_box *box, size_t extent, bool writes) {
  struct use use = {command, pointer, *box, writes};
  use.box.start = 0;
  if (mpl_host_is_checked()) mpl_svm_maps_each(context, pointer, extent, tell, &use);
}
