/* The cache as a whole: its size, its oldest entries, and the output of `maniple cache`. */
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "cache_folder.h"
#include "runtime/options.h"

struct item {
  char name[64];
  uint64_t bytes;
  struct timespec used;
};

struct items {
  struct item *list;
  size_t count, capacity;
  uint64_t bytes;
};

static bool ends_with(const char *name, const char *suffix) {
  size_t length = strlen(name), tail = strlen(suffix);
  return length > tail && !strcmp(name + length - tail, suffix);
}

static void add_item(struct items *items, const char *name, const struct stat *status) {
  if (items->count == items->capacity) {
    size_t capacity = items->capacity ? items->capacity * 2 : 256;
    struct item *list = realloc(items->list, capacity * sizeof *list);
    if (!list) return;
    items->list = list;
    items->capacity = capacity;
  }
  struct item *item = &items->list[items->count++];
  strncpy(item->name, name, sizeof item->name - 1);
  item->name[sizeof item->name - 1] = 0;
  item->bytes = (uint64_t)status->st_blocks * 512; /* what the disk gives up for it */
  item->used = status->st_atim;
  items->bytes += item->bytes;
}

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const struct item *)a)->used, *y = &((const struct item *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* All entries, least recently used first.  Temporary files older than an hour go. */
static struct items read_folder(int folder) {
  struct items items = {0};
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = copy < 0 ? NULL : fdopendir(copy);
  if (!stream) {
    if (copy >= 0) close(copy);
    return items;
  }
  for (struct dirent *entry; (entry = readdir(stream));) {
    struct stat status;
    bool temporary = ends_with(entry->d_name, ".tmp");
    if (!temporary && !ends_with(entry->d_name, MPL_CACHE_SUFFIX)) continue;
    if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue;
    if (!temporary)
      add_item(&items, entry->d_name, &status);
    else if (status.st_mtim.tv_sec < time(NULL) - 3600)
      unlinkat(folder, entry->d_name, 0);
  }
  closedir(stream);
  if (items.count) qsort(items.list, items.count, sizeof *items.list, by_use);
  return items;
}

void mpl_cache_trim(int folder, size_t added) {
  static atomic_ullong since; /* bytes added by this process since it last looked */
  static atomic_bool looked;
  uint64_t limit = mpl_option_number(MPL_OPTION_CACHE_MAX_SIZE);
  if (atomic_fetch_add(&since, added) + added < limit / 16 && atomic_exchange(&looked, true))
    return;
  atomic_store(&since, 0);
  struct items items = read_folder(folder);
  /* More room is made than needed, so that not every store has to look. */
  uint64_t goal = items.bytes > limit ? limit - limit / 8 : limit;
  for (size_t i = 0; i < items.count && items.bytes > goal; i++)
    if (!unlinkat(folder, items.list[i].name, 0)) items.bytes -= items.list[i].bytes;
  free(items.list);
}

void mpl_cache_stat(struct mpl_cache_stat *stat) {
  *stat = (struct mpl_cache_stat){.max_bytes = mpl_option_number(MPL_OPTION_CACHE_MAX_SIZE)};
  strncpy(stat->folder, mpl_cache_folder(), sizeof stat->folder - 1);
  int folder = mpl_cache_open(false, &stat->problem);
  if (!mpl_option_number(MPL_OPTION_CACHE)) stat->problem = "MANIPLE_CACHE is 0";
  if (folder < 0) return;
  struct items items = read_folder(folder);
  stat->entries = items.count;
  stat->bytes = items.bytes;
  free(items.list);
  close(folder);
}

void mpl_cache_list(void (*each)(const char *name, uint64_t bytes, int64_t used, void *data),
                    void *data) {
  int folder = mpl_cache_open(false, NULL);
  if (folder < 0) return;
  struct items items = read_folder(folder);
  for (size_t i = 0; i < items.count; i++)
    each(items.list[i].name, items.list[i].bytes, items.list[i].used.tv_sec, data);
  free(items.list);
  close(folder);
}

uint64_t mpl_cache_clear(void) {
  int folder = mpl_cache_open(false, NULL);
  uint64_t removed = 0;
  if (folder < 0) return 0;
  struct items items = read_folder(folder);
  for (size_t i = 0; i < items.count; i++) removed += !unlinkat(folder, items.list[i].name, 0);
  free(items.list);
  close(folder);
  return removed;
}
