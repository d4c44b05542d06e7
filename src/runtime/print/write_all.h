/* write(2) until all is written. */
#ifndef MPL_RUNTIME_WRITE_ALL_H
#define MPL_RUNTIME_WRITE_ALL_H

#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

/* False with errno if not all could be written.  Beyond the largest file that the process may
 * write, the kernel would send SIGXFSZ, which ends an application. */
static inline bool mpl_write_all(int file, const void *data, size_t size) {
  struct rlimit largest;
  off_t at_file = lseek(file, 0, SEEK_CUR);
  if (at_file >= 0 && !getrlimit(RLIMIT_FSIZE, &largest) && largest.rlim_cur != RLIM_INFINITY &&
      (largest.rlim_cur < (rlim_t)at_file || size > largest.rlim_cur - (rlim_t)at_file)) {
    errno = EFBIG;
    return false;
  }
  for (const char *at = data; size;) {
    ssize_t n = write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

#endif
