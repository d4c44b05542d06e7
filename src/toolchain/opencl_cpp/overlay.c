/* Files that a program includes, mended: those of an OpenCL C++ program are translated like its
 * source (opencl_cpp/translate.h), and long last lines get an end.  Clang finds the mended files in
 * place of the others, by an overlay of its file system, and prints the names of those. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/clang/job.h"
#include "toolchain/tools.h"
#include "translate.h"

static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return length && !strncmp(path, folder, length) && path[length] == '/';
}

static void write_quoted(FILE *out, const char *text) {
  for (fputc('"', out); *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static char *read_path(const char *path, size_t *size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  char *text = file < 0 ? NULL : mpl_file_contents(file, size);
  if (file >= 0) close(file);
  return text;
}

/* What is to be in the file's place, if it differs; the names that it uses are added in any case.
 */
static bool write_instead(const char *file, const char *path, struct mpl_cxx_names *names) {
  size_t size, new_size = 0;
  char *text = read_path(file, &size);
  char *translated = text && names ? mpl_cxx_translate(text, size, &new_size, names) : NULL;
  bool differs = translated && (new_size != size || memcmp(text, translated, size) != 0);
  const char *now = differs ? translated : text;
  if (!differs) new_size = size;
  differs |= text && mpl_ends_in_long_line(now, new_size);
  FILE *out = differs ? fopen(path, "we") : NULL;
  bool good = out && fwrite(now, 1, new_size, out) == new_size &&
              fputs(mpl_line_end(now, new_size), out) >= 0;
  if (out) good = !fclose(out) && good;
  free(text);
  free(translated);
  return good;
}

bool mpl_overlay_write(const struct mpl_args *files, const char *header_folder,
                       struct mpl_cxx_names *names, char folder[4096]) {
  char list[PATH_MAX], path[PATH_MAX];
  size_t count = 0;
  if (!mpl_folder_make(folder)) return false;
  snprintf(list, sizeof list, "%s/list", folder);
  FILE *out = fopen(list, "we");
  if (!out) return false;
  fprintf(out, "{\"version\":0,\"use-external-names\":false,\"roots\":[");
  for (size_t i = 0; i < files->count; i++) {
    const char *file = files->list[i];
    if (is_below(file, mpl_tools()->cxx_headers) || is_below(file, header_folder) ||
        !strcmp(file, mpl_tools()->header) || !strcmp(file, MPL_SOURCE_PATH) ||
        snprintf(path, sizeof path, "%s/%zu", folder, i) >= PATH_MAX ||
        !write_instead(file, path, names))
      continue;
    fprintf(out, "%s{\"type\":\"file\",\"name\":", count++ ? "," : "");
    write_quoted(out, file);
    fprintf(out, ",\"external-contents\":");
    write_quoted(out, path);
    fprintf(out, "}");
  }
  fprintf(out, "]}\n");
  return !fclose(out) && count;
}
