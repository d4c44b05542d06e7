/* Memory, copies and fills. */
#include <string.h>

#include "cuda.h"
#include "runtime/errors.h"

void *mpl_cuda_allocate(struct mpl_device *device, size_t size, size_t align,
                        enum mpl_storage storage, const char *what) {
  enum { PORTABLE = 1 };
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!mpl_cuda_enter(cuda)) return NULL;
  if (!size) size = 1;
  if (storage != MPL_STORAGE_DEVICE) { /* the host's, at the same address on both sides */
    void *memory = NULL;
    return cuda->driver->host_allocate(&memory, size, PORTABLE) ? NULL : memory;
  }
  CUdeviceptr address = 0; /* aligned to 256 bytes at least */
  return cuda->driver->allocate(&address, size) ? NULL : (void *)(uintptr_t)address;
}

void mpl_cuda_release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!mpl_cuda_enter(cuda)) return;
  int error = storage == MPL_STORAGE_DEVICE ? cuda->driver->release((CUdeviceptr)(uintptr_t)memory)
                                            : cuda->driver->host_release(memory);
  mpl_cuda_check(error, "the release of memory");
}

static CUdeviceptr address_of(const struct mpl_location *place) {
  return (CUdeviceptr)(uintptr_t)place->base;
}

static int copy_line(struct mpl_cuda *cuda, const struct mpl_location *to,
                     const struct mpl_location *from, size_t size, CUstream stream) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  if (to->on_host) return driver->copy_out(to->base, address_of(from), size, stream);
  if (from->on_host) return driver->copy_in(address_of(to), from->base, size, stream);
  return driver->copy_within(address_of(to), address_of(from), size, stream);
}

/* One slice. */
static int copy_rows(struct mpl_cuda *cuda, const struct mpl_location *to,
                     const struct mpl_location *from, size_t width, size_t height, CUstream stream) {
  struct mpl_cuda_rows rows = {
      .from_type = from->on_host ? MPL_CUDA_HOST : MPL_CUDA_DEVICE,
      .from_host = from->on_host ? from->base : NULL,
      .from_device = from->on_host ? 0 : address_of(from),
      .from_pitch = from->row,
      .to_type = to->on_host ? MPL_CUDA_HOST : MPL_CUDA_DEVICE,
      .to_host = to->on_host ? to->base : NULL,
      .to_device = to->on_host ? 0 : address_of(to),
      .to_pitch = to->row,
      .width = width,
      .height = height,
  };
  int error = cuda->driver->copy_rows(&rows, stream);
  if (!error) return 0;
  struct mpl_location row_to = *to, row_from = *from; /* rows farther apart than a pitch may be */
  for (size_t y = 0; y < height; y++) {
    error = copy_line(cuda, &row_to, &row_from, width, stream);
    if (error) return error;
    row_to.base = (char *)row_to.base + to->row;
    row_from.base = (char *)row_from.base + from->row;
  }
  return 0;
}

int mpl_cuda_copy(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream) {
  const uint64_t *size = operation->copy.size;
  struct mpl_location to = operation->copy.to, from = operation->copy.from;
  int error = 0;
  if (!size[0] || !size[1] || !size[2]) return 0;
  for (uint64_t z = 0; z < size[2] && !error; z++) {
    error = size[1] == 1 ? copy_line(cuda, &to, &from, size[0], stream)
                         : copy_rows(cuda, &to, &from, size[0], size[1], stream);
    to.base = (char *)to.base + to.slice;
    from.base = (char *)from.base + from.slice;
  }
  return mpl_cuda_error(error, "a copy");
}

/* Of one row, one after another: bytes, halves or words; patterns of other sizes column by column. */
static int fill_row(struct mpl_cuda *cuda, CUdeviceptr to, uint64_t size,
                    const unsigned char *pattern, uint32_t pattern_size, CUstream stream) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  uint16_t two;
  uint32_t four;
  int error = 0;
  switch (pattern_size) {
  case 1:
    return driver->fill_8(to, pattern[0], size, stream);
  case 2:
    memcpy(&two, pattern, sizeof two);
    return driver->fill_16(to, two, size / 2, stream);
  case 4:
    memcpy(&four, pattern, sizeof four);
    return driver->fill_32(to, four, size / 4, stream);
  default:
    for (uint32_t i = 0; i < pattern_size && !error; i++)
      error = driver->fill_rows_8(to + i, pattern_size, pattern[i], 1, size / pattern_size, stream);
    return error;
  }
}

int mpl_cuda_fill(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream) {
  const struct mpl_location *to = &operation->fill.to;
  const uint64_t *size = operation->fill.size;
  int error = 0;
  if (!size[0]) return 0;
  for (uint64_t z = 0; z < size[2]; z++)
    for (uint64_t y = 0; y < size[1] && !error; y++)
      error = fill_row(cuda, address_of(to) + z * to->slice + y * to->row, size[0],
                       operation->fill.pattern, operation->fill.pattern_size, stream);
  return mpl_cuda_error(error, "a fill");
}
