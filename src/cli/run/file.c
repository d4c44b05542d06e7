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

bool mpl_end_output(FILE *file, const char *path) {
  int why = ferror(file) ? errno : 0; /* of a write that has failed; the last of them fails again */
  bool good = !why;
  if (fflush(file)) {
    good = false;
    why = errno;
  }
  if (file != stdout && fclose(file) && good) {
    good = false;
    why = errno;
  }
  if (good || (file == stdout && why == EPIPE)) return good;
  const char *to = file == stdout ? "to standard output" : path;
  if (why == EFBIG)
    mpl_fail("cannot write %s: it is larger than this process may write; `ulimit -f` sets the limit",
             to);
  else
    mpl_fail("cannot write %s: %s", to, why ? strerror(why) : "an earlier write has failed");
  return false;
}

bool mpl_write_file(const char *path, const void *data, size_t size) {
  bool standard = !strcmp(path, "-");
  FILE *file = standard ? stdout : fopen(path, "wb");
  if (!file) {
    mpl_fail("cannot write %s: %s", path, strerror(errno));
    return false;
  }
  fwrite(data, 1, size, file); /* the end says whether it was all */
  return mpl_end_output(file, path);
}
