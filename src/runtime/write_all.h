/* write(2), as often as it takes. */
#ifndef MPL_RUNTIME_WRITE_ALL_H
#define MPL_RUNTIME_WRITE_ALL_H

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

/* False if not all could be written; errno says why. */
static inline bool mpl_write_all(int file, const void *data, size_t size) {
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
