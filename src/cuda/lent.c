/* The program's own memory, while it is lent to the driver.  It takes whole pages, and each once:
 * pieces of pages that do not overlap have a count of who has lent some of them.  What one GPU was
 * lent is portable, so all of them have it. */
#include <stdint.h>
#include <unistd.h>

#include "cuda.h"
#include "runtime/errors.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_address_map lent;

struct pages {
  char *begin, *end;
};

static struct pages pages_of(void *memory, size_t size) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)memory;
  char *begin = (char *)memory - at % page;
  return (struct pages){begin, begin + (at % page + size + page - 1) / page * page};
}

/* The first piece that ends behind that address, or null. */
static struct mpl_mapped *piece_behind(const char *at) {
  for (size_t i = 0; i < lent.count; i++) {
    struct mpl_mapped *piece = &lent.ranges[i];
    if (piece->base + piece->size > at) return piece;
  }
  return NULL;
}

static void take_back(struct mpl_cuda *cuda, struct pages pages) {
  struct mpl_mapped *piece;
  while ((piece = piece_behind(pages.begin)) && piece->base < pages.end) {
    pages.begin = piece->base + piece->size;
    if (--piece->kind) continue;
    mpl_cuda_check(cuda->driver->host_unregister(piece->base), "cuMemHostUnregister");
    mpl_map_remove(&lent, piece);
  }
}

static int lend_piece(struct mpl_cuda *cuda, struct pages piece) {
  enum { PORTABLE = 1, MAPPED = 2 };
  size_t size = (size_t)(piece.end - piece.begin);
  int error = cuda->driver->host_register(piece.begin, size, PORTABLE | MAPPED);
  if (error) return mpl_cuda_error(cuda, error, "cuMemHostRegister");
  if (mpl_map_add(&lent, (struct mpl_mapped){.base = piece.begin, .size = size, .kind = 1}))
    return 0;
  mpl_cuda_check(cuda->driver->host_unregister(piece.begin), "cuMemHostUnregister");
  return MPL_OUT_OF_HOST_MEMORY;
}

static int lend(struct mpl_cuda *cuda, struct pages pages) {
  struct pages left = pages;
  while (left.begin < left.end) {
    struct mpl_mapped *piece = piece_behind(left.begin);
    if (piece && piece->base <= left.begin) {
      piece->kind++;
      left.begin = piece->base + piece->size;
      continue;
    }
    char *end = piece && piece->base < left.end ? piece->base : left.end;
    int error = lend_piece(cuda, (struct pages){left.begin, end});
    if (error) {
      take_back(cuda, (struct pages){pages.begin, left.begin});
      return error;
    }
    left.begin = end;
  }
  return 0;
}

int mpl_cuda_lend(struct mpl_device *device, void *memory, size_t size) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!cuda->borrows) return MPL_INVALID_OPERATION;
  if (!mpl_cuda_enter(cuda)) return MPL_OUT_OF_RESOURCES;
  pthread_mutex_lock(&lock);
  int error = lend(cuda, pages_of(memory, size));
  pthread_mutex_unlock(&lock);
  return error;
}

void mpl_cuda_take_back(struct mpl_device *device, void *memory, size_t size) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!mpl_cuda_enter(cuda)) return;
  pthread_mutex_lock(&lock);
  take_back(cuda, pages_of(memory, size));
  pthread_mutex_unlock(&lock);
}

size_t mpl_cuda_alike(struct mpl_cuda *cuda, const void *memory, size_t size) {
  const char *at = memory;
  if (!cuda->borrows) return size;
  pthread_mutex_lock(&lock);
  const struct mpl_mapped *piece = piece_behind(at);
  size_t left = !piece             ? size
                : piece->base > at ? (size_t)(piece->base - at)
                                   : (size_t)(piece->base + piece->size - at);
  pthread_mutex_unlock(&lock);
  return left < size ? left : size;
}

/* Any of them: what one GPU's driver gave, others reach. */
bool mpl_cuda_has_given(struct mpl_device *device, const void *address) {
  (void)device;
  bool has = false;
  for (struct mpl_cuda *cuda = mpl_cuda_last(); cuda && !has; cuda = cuda->next) {
    pthread_mutex_lock(&cuda->memory_lock);
    has = mpl_map_find(&cuda->memory, address);
    pthread_mutex_unlock(&cuda->memory_lock);
  }
  pthread_mutex_lock(&lock);
  has |= mpl_map_find(&lent, address) != NULL;
  pthread_mutex_unlock(&lock);
  return has;
}
