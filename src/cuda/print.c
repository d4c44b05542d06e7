/* printf: the records in the ring of a launch (abi/gpu.h) are printed when it has ended.  Formats
 * and strings lie in the device's memory. */
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/print/log.h"
#include "runtime/print/print.h"

enum { PORTABLE = 1, LONGEST_TEXT = 1 << 16 };

struct mpl_gpu_ring *mpl_cuda_print_begin(struct mpl_cuda *cuda) {
  void *memory = NULL;
  pthread_mutex_lock(&cuda->print_lock);
  size_t size = sizeof *cuda->ring + MPL_GPU_LOST + MPL_GPU_RECORD + MPL_GPU_PRINTS;
  if (!cuda->ring &&
      mpl_cuda_check(cuda->driver->host_allocate(&memory, size, PORTABLE), "cuMemHostAlloc"))
    cuda->ring = memory;
  if (cuda->ring) cuda->ring->used = 0;
  return cuda->ring;
}

/* Texts of the device's that a launch has named, each fetched once: nothing writes to them now. */
enum { TEXTS = 256 };
struct text {
  uint64_t address;
  char *copy; /* null: none is here */
};

/* The launch's, whose stream nobody else uses now. */
struct printed {
  struct mpl_cuda *cuda;
  CUstream stream;
  struct text texts[TEXTS]; /* each at a place of its address's; another takes it */
};

/* Null if it cannot be read.  Free it. */
static char *fetch(const struct printed *printed, uint64_t address) {
  const struct mpl_cuda_driver *driver = printed->cuda->driver;
  size_t length = 0, step = 64;
  char *text = malloc(LONGEST_TEXT + 1);
  while (text && length < LONGEST_TEXT) {
    int error = driver->copy_out(text + length, address + length, step, printed->stream);
    if (!error) error = mpl_cuda_wait(printed->cuda, printed->stream);
    if (error && step == 1) break;
    if (error) { /* the end of its memory is near */
      step = 1;
      continue;
    }
    if (memchr(text + length, 0, step)) return text;
    length += step;
  }
  free(text);
  return NULL;
}

/* The text stays the table's; null if it cannot be read. */
static const char *text_at(struct printed *printed, uint64_t address) {
  struct text *text = &printed->texts[(address ^ address >> 8 ^ address >> 16) % TEXTS];
  if (text->copy && text->address == address) return text->copy;
  free(text->copy);
  *text = (struct text){address, fetch(printed, address)};
  return text->copy;
}

static char *copy_of(void *printed, uint64_t address) {
  const char *text = text_at(printed, address);
  return text ? strdup(text) : NULL;
}

/* The format is copied: a string among the arguments may take its place. */
static void print_record(struct printed *printed, uint64_t format, const char *args,
                         uint64_t size) {
  char *text = copy_of(printed, format);
  if (text) mpl_print_fetching(text, args, size, copy_of, printed);
  free(text);
}

static void print_all(struct printed *printed, const char *records, uint64_t used) {
  uint64_t at = 0;
  while (at < used && at < MPL_GPU_RING) {
    uint64_t head[2];
    memcpy(head, records + at, sizeof head);
    if (head[1] > MPL_GPU_PRINTS) break;
    print_record(printed, head[0], records + at + MPL_GPU_RECORD, head[1]);
    at += MPL_GPU_RECORD + head[1];
  }
  if (at < used)
    mpl_log_always("printf: a launch has printed more than %u MB: %llu bytes of arguments and "
                   "formats are lost; print less, or in more launches",
                   MPL_GPU_RING >> 20, (unsigned long long)(used - at));
}

void mpl_cuda_print_end(struct mpl_cuda *cuda, CUstream stream) {
  struct printed *printed = calloc(1, sizeof *printed);
  if (printed && cuda->ring) {
    printed->cuda = cuda;
    printed->stream = stream;
    print_all(printed, (const char *)(cuda->ring + 1), cuda->ring->used);
  }
  for (unsigned i = 0; printed && i < TEXTS; i++) free(printed->texts[i].copy);
  free(printed);
  pthread_mutex_unlock(&cuda->print_lock);
}
