/* The build log: the tools' own text, with names and places as the programmer knows them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "toolchain/tools.h"

void mpl_log_append(char **log, const char *text, size_t size) {
  size_t old = *log ? strlen(*log) : 0;
  char *longer = realloc(*log, old + size + 1);
  if (!longer) return;
  memcpy(longer + old, text, size);
  longer[old + size] = 0;
  *log = longer;
}

void mpl_log_line(char **log, const char *format, ...) {
  char *line;
  va_list args;
  va_start(args, format);
  int length = vasprintf(&line, format, args);
  va_end(args);
  if (length < 0) return;
  mpl_log_append(log, line, (size_t)length);
  mpl_log_append(log, "\n", 1);
  free(line);
}

/* The name in an Itanium-mangled symbol, as the source has it; the symbol itself otherwise. */
static int source_name(const char *symbol, const char **name) {
  char *after;
  *name = symbol;
  if (strncmp(symbol, "_Z", 2)) return (int)strcspn(symbol, "'\n");
  long length = strtol(symbol + 2, &after, 10);
  if (length <= 0 || (size_t)length > strcspn(after, "'\n")) return (int)strcspn(symbol, "'\n");
  *name = after;
  return (int)length;
}

static void explain_undefined(char **log, const char *symbol) {
  const char *name;
  int length = source_name(symbol, &name);
  char *line;
  if (asprintf(&line,
               "error: function or variable '%.*s' is used but not defined in this program%s",
               length, name, name == symbol ? "" : ", and is not among the built-in functions") < 0)
    return;
  if (!*log || !strstr(*log, line)) mpl_log_line(log, "%s", line); /* once, however often used */
  free(line);
}

void mpl_link_log(char **log, const char *linker_log) {
  /* GNU ld's words and LLVM's; the name follows. */
  static const char *const undefined[] = {"undefined reference to `", "undefined symbol: "};
  bool explained = false;
  for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
    for (const char *p = linker_log; (p = strstr(p, undefined[i])); explained = true) {
      p += strlen(undefined[i]);
      explain_undefined(log, p);
    }
  if (!explained) mpl_log_append(log, linker_log, strlen(linker_log));
}

/* The replacement is never longer. */
static void replace_all(char *log, const char *path, const char *name) {
  size_t length = strlen(path), new_length = strlen(name);
  for (char *p = log; length && (p = strstr(p, path)); p += new_length) {
    memcpy(p, name, new_length);
    memmove(p + new_length, p + length, strlen(p + length) + 1);
  }
}

void mpl_log_tidy(char *log, const char *header_folder) {
  char folder[4100];
  snprintf(folder, sizeof folder, "%s/", header_folder);
  if (header_folder[0]) replace_all(log, folder, ""); /* names as #include had them */
  snprintf(folder, sizeof folder, "%s/", mpl_tools()->cxx_headers);
  replace_all(log, folder, "");
  replace_all(log, MPL_SOURCE_PATH, MPL_SOURCE_NAME);
}

void mpl_log_hint(char **log, const struct mpl_source_options *source) {
  if (source->language == MPL_OPENCL_C && strstr(*log, "fatal error: 'opencl_"))
    mpl_log_line(log, "maniple: this is OpenCL C; the headers of OpenCL C++ need the build option "
                      "-cl-std=c++");
  /* What clang says of what OpenCL C 2.0 and later have: of their functions, types and constants,
   * global variables, and pointers to no certain address space. */
  static const char *const newer[] = {"identifier 'work_group_",
                                      "function 'work_group_",
                                      "identifier 'sub_group_",
                                      "function 'sub_group_",
                                      "identifier 'atomic_",
                                      "identifier 'memory_order_",
                                      "identifier 'memory_scope_",
                                      "identifier 'ctz'",
                                      "function 'ctz'",
                                      "identifier 'get_global_linear_id'",
                                      "identifier 'get_local_linear_id'",
                                      "identifier 'get_enqueued_local_size'",
                                      "identifier 'to_global'",
                                      "identifier 'to_local'",
                                      "identifier 'to_private'",
                                      "program scope variable must reside in constant"};
  for (size_t i = 0; source->c_version < 200 && i < sizeof newer / sizeof *newer; i++)
    if (strstr(*log, newer[i])) {
      mpl_log_line(log,
                   "maniple: this is OpenCL C %d.%d; what is newer needs the build option "
                   "-cl-std=CL3.0",
                   source->c_version / 100, source->c_version / 10 % 10);
      return;
    }
}
