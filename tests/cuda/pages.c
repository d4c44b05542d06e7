/* Copies whose host side lies on pages that the driver was lent, on others, or on some of both: by the
 * twin, or by NVIDIA's driver on a GPU.
 *
 *   cuda_twin_pages LIBRARY */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver_alone.h"

enum { PAGES = 8, PORTABLE_MAPPED = 3, INVALID = 1 };
static const struct {
  int first, count; /* of pages; 2 and 3 were lent at once, 4 alone */
  int error;
} rows[] = {
    {0, 2, 0}, {2, 2, 0}, {4, 1, 0}, {5, 3, 0}, {4, 2, INVALID}, {3, 2, INVALID}, {2, 6, INVALID},
    /* Its documentation says that these are not supported: driver 580 takes them. */
    {1, 2, 0}, {1, 6, 0},
};

int main(int argc, char **argv) {
  CUdeviceptr memory;
  CUstream stream;
  bool good = true;
  CHECK(argc == 2);
  driver_find(argv[1]);
  driver_start();
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *host = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(host != MAP_FAILED);
  memset(host, 7, PAGES * page);
  CHECK(!driver.allocate(&memory, PAGES * page) && !driver.stream_create(&stream, 1));
  CHECK(!driver.host_register(host + 2 * page, 2 * page, PORTABLE_MAPPED));
  CHECK(!driver.host_register(host + 4 * page, page, PORTABLE_MAPPED));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *at = host + (size_t)rows[i].first * page;
    size_t size = (size_t)rows[i].count * page;
    int in = driver.copy_in(memory, at, size, stream);
    int out = driver.copy_out(at, memory, size, stream);
    struct mpl_cuda_rows two = {.from_type = MPL_CUDA_HOST,
                                .from_host = at,
                                .from_pitch = page / 2,
                                .to_type = MPL_CUDA_DEVICE,
                                .to_device = memory,
                                .to_pitch = page / 2,
                                .width = page / 2,
                                .height = size / (page / 2)};
    int both = driver.copy_rows(&two, stream);
    CHECK(!driver.stream_wait(stream));
    if (in == rows[i].error && out == rows[i].error && both == rows[i].error) continue;
    fprintf(stderr, "%d pages from %d on: in %d, out %d, rows %d, not %d\n", rows[i].count,
            rows[i].first, in, out, both, rows[i].error);
    good = false;
  }
  CHECK(!driver.host_unregister(host + 2 * page) && !driver.host_unregister(host + 4 * page));
  return !good;
}
