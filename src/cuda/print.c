/* printf: what a launch has left in its ring (abi/gpu.h) is printed when it has ended.  Formats and
 * strings lie in the device's memory. */
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/print.h"

enum { PORTABLE = 1, LONGEST_TEXT = 1 << 16 };

struct mpl_gpu_ring *mpl_cuda_print_begin(struct mpl_cuda *cuda) {
  void *memory = NULL;
  pthread_mutex_lock(&cuda->print_lock);
  size_t size = sizeof *cuda->ring + MPL_GPU_RING + MPL_GPU_RECORD + MPL_GPU_PRINTS;
  if (!cuda->ring &&
      mpl_cuda_check(cuda->driver->host_allocate(&memory, size, PORTABLE), "cuMemHostAlloc"))
    cuda->ring = memory;
  if (cuda->ring) cuda->ring->used = 0;
  return cuda->ring;
}

/* The launch's, whose stream nobody else uses now. */
struct printed {
  struct mpl_cuda *cuda;
  CUstream stream;
};

/* Text of the device's; null if it cannot be read.  Free it. */
static char *fetch(void *data, uint64_t address) {
  const struct printed *printed = data;
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

static void print_record(struct printed *printed, uint64_t format, const char *args,
                         uint64_t size) {
  char *text = fetch(printed, format);
  if (text) mpl_print_fetching(text, args, size, fetch, printed);
  free(text);
}

void mpl_cuda_print_end(struct mpl_cuda *cuda, CUstream stream) {
  struct printed printed = {cuda, stream};
  char *records = cuda->ring ? (char *)(cuda->ring + 1) : NULL;
  uint64_t used = cuda->ring ? cuda->ring->used : 0;
  for (uint64_t at = 0; at < used && at < MPL_GPU_RING;) {
    uint64_t head[2];
    memcpy(head, records + at, sizeof head);
    if (head[1] > MPL_GPU_PRINTS) break;
    print_record(&printed, head[0], records + at + MPL_GPU_RECORD, head[1]);
    at += MPL_GPU_RECORD + head[1];
  }
  pthread_mutex_unlock(&cuda->print_lock);
}
