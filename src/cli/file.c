/* Whole files in and out, and sizes in words. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const char *mpl_size_text(unsigned long long bytes, char text[32]) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double size = (double)bytes;
  unsigned unit = 0;
  for (; size >= 1024 && unit < 4; unit++) size /= 1024;
  snprintf(text, 32, size < 10 && unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
  return text;
}

static char *read_stream(FILE *file, const char *path, size_t *size) {
  size_t used = 0, room = 1 << 16, got;
  char *data = mpl_need(malloc(room));
  while ((got = fread(data + used, 1, room - used - 1, file)) > 0) {
    used += got;
    if (used == room - 1) data = mpl_need(realloc(data, room *= 2));
  }
  if (ferror(file)) {
    mpl_fail("cannot read %s: %s", path, strerror(errno));
    free(data);
    return NULL;
  }
  data[used] = 0;
  *size = used;
  return data;
}

char *mpl_read_file(const char *path, size_t *size) {
  if (!strcmp(path, "-")) return read_stream(stdin, "standard input", size);
  FILE *file = fopen(path, "rb");
  if (!file) {
    mpl_fail("cannot open %s: %s", path, strerror(errno));
    return NULL;
  }
  char *data = read_stream(file, path, size);
  fclose(file);
  return data;
}

bool mpl_write_file(const char *path, const void *data, size_t size) {
  bool standard = !strcmp(path, "-");
  FILE *file = standard ? stdout : fopen(path, "wb");
  if (!file) {
    mpl_fail("cannot write %s: %s", path, strerror(errno));
    return false;
  }
  bool good = fwrite(data, 1, size, file) == size;
  if (standard ? fflush(file) : fclose(file)) good = false;
  if (!good) mpl_fail("cannot write %s: %s", path, strerror(errno));
  return good;
}
