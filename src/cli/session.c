/* An OpenCL session with maniple's own driver. */
#include "cli/session.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "spirv/binary.h"

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint, cl_platform_id *, cl_uint *);

#define MPL_ERROR(name, code) _Static_assert(CL_##name == code, #name);
#include "tables/errors.def"
#undef MPL_ERROR

const char *mpl_error_name(cl_int code) {
  switch (code) {
#define MPL_ERROR(name, code)                                                                      \
  case code:                                                                                       \
    return "CL_" #name;
#include "tables/errors.def"
#undef MPL_ERROR
  }
  return "an error code of another driver";
}

bool mpl_succeeded(cl_int code, const char *call) {
  if (code != CL_SUCCESS) mpl_fail("%s failed with %s (%d)", call, mpl_error_name(code), code);
  return code == CL_SUCCESS;
}

bool mpl_session_open(struct mpl_session *s) {
  *s = (struct mpl_session){0};
  cl_int error = clIcdGetPlatformIDsKHR(1, &s->platform, NULL);
  if (!mpl_succeeded(error, "clIcdGetPlatformIDsKHR")) return false;
  s->cl = *(const cl_icd_dispatch *const *)s->platform; /* first word of every object */
  error = s->cl->clGetDeviceIDs(s->platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL);
  if (!mpl_succeeded(error, "clGetDeviceIDs")) return false;
  s->cl->clGetDeviceInfo(s->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof s->max_allocation,
                         &s->max_allocation, NULL);
  s->context = s->cl->clCreateContext(NULL, 1, &s->device, NULL, NULL, &error);
  if (!mpl_succeeded(error, "clCreateContext")) return false;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  s->queue = s->cl->clCreateCommandQueueWithProperties(s->context, s->device, properties, &error);
  if (mpl_succeeded(error, "clCreateCommandQueueWithProperties")) return true;
  mpl_session_close(s);
  return false;
}

void mpl_session_close(struct mpl_session *s) {
  if (s->queue) s->cl->clReleaseCommandQueue(s->queue);
  if (s->context) s->cl->clReleaseContext(s->context);
  *s = (struct mpl_session){0};
}

static void append(char **text, const char *more) {
  size_t old = *text ? strlen(*text) : 0;
  *text = mpl_need(realloc(*text, old + strlen(more) + 2));
  if (old) strcpy(*text + old++, " ");
  strcpy(*text + old, more);
}

/* "-D" or "-I" and its value; in quotation marks if it has spaces. */
static void append_pair(char **text, const char *flag, const char *value) {
  char *word = mpl_need(malloc(strlen(value) + 8));
  const char *quote = strchr(value, ' ') ? "\"" : "";
  sprintf(word, "%s %s%s%s", flag, quote, value, quote);
  append(text, word);
  free(word);
}

char *mpl_build_options(const struct mpl_cli_args *args, const char *standard) {
  char *text = NULL;
  bool has_standard = false;
  append(&text, "-cl-kernel-arg-info");
  for (size_t i = 0; i < args->num_words; i++) {
    const char *value = args->words[i].value;
    switch (args->words[i].id) {
    case MPL_FLAG_DEFINE:
    case MPL_FLAG_B_DEFINE:
      append_pair(&text, "-D", value);
      break;
    case MPL_FLAG_INCLUDE:
    case MPL_FLAG_B_INCLUDE:
      append_pair(&text, "-I", value);
      break;
    case MPL_FLAG_CL:
    case MPL_FLAG_B_CL:
    case MPL_FLAG_BUILD_OPTIONS:
    case MPL_FLAG_B_BUILD_OPTIONS:
      append(&text, value);
      if (strstr(value, "-cl-std=")) has_standard = true;
      break;
    default:
      break;
    }
  }
  if (!has_standard && standard) append(&text, standard);
  return text;
}

char *mpl_options_for(const char *options, const char *path) {
  char *text = NULL;
  append(&text, options);
  const char *slash = strrchr(path, '/');
  char *folder =
      mpl_need(slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup("."));
  append_pair(&text, "-I", folder);
  free(folder);
  return text;
}

/* #line 1 "path" (C11 6.10.4), with what a string literal must escape escaped. */
static char *line_directive(const char *path) {
  char *text = mpl_need(malloc(2 * strlen(path) + 16)), *out = text;
  out += sprintf(out, "#line 1 \"");
  for (; *path; path++) {
    if (*path == '"' || *path == '\\') *out++ = '\\';
    *out++ = *path == '\n' ? '?' : *path;
  }
  strcpy(out, "\"\n");
  return text;
}

static bool is_spirv(const char *path, const char *file, size_t size) {
  size_t length = strlen(path);
  return mpl_spirv_is(file, size) || (length >= 4 && !strcmp(path + length - 4, ".spv"));
}

static cl_program load_spirv(struct mpl_session *s, const char *path, const char *file,
                             size_t size) {
  const char *why;
  uint32_t *words = mpl_spirv_copy(file, size, &why);
  if (!words) {
    mpl_fail("%s: %s", path, why ? why : "out of memory");
    return NULL;
  }
  free(words);
  cl_int error;
  cl_program program = s->cl->clCreateProgramWithIL(s->context, file, size, &error);
  mpl_succeeded(error, "clCreateProgramWithIL");
  return program;
}

cl_program mpl_session_load(struct mpl_session *s, const char *path) {
  size_t size;
  char *file = mpl_read_file(path, &size);
  if (!file) return NULL;
  cl_int error = CL_SUCCESS;
  cl_program program;
  if (is_spirv(path, file, size)) {
    program = load_spirv(s, path, file, size);
  } else if (memchr(file, 0, size)) { /* no source has a NUL, and no binary has none */
    const unsigned char *binary = (unsigned char *)file;
    program =
        s->cl->clCreateProgramWithBinary(s->context, 1, &s->device, &size, &binary, NULL, &error);
    if (error != CL_SUCCESS)
      mpl_fail("%s is a binary that this version of maniple cannot run here (%s)", path,
               mpl_error_name(error));
  } else {
    char *line = line_directive(path);
    /* clang takes a byte order mark at the very beginning only, where the directive stands now. */
    size_t mark = size >= 3 && !memcmp(file, "\xef\xbb\xbf", 3) ? 3 : 0;
    const char *parts[] = {line, file + mark};
    size_t sizes[] = {strlen(line), size - mark};
    program = s->cl->clCreateProgramWithSource(s->context, 2, parts, sizes, &error);
    mpl_succeeded(error, "clCreateProgramWithSource");
    free(line);
  }
  free(file);
  return error == CL_SUCCESS ? program : NULL;
}

void mpl_session_show_log(struct mpl_session *s, cl_program program) {
  size_t size = 0;
  const cl_program_build_info what = CL_PROGRAM_BUILD_LOG;
  if (s->cl->clGetProgramBuildInfo(program, s->device, what, 0, NULL, &size) || size < 2) return;
  char *log = mpl_need(calloc(size + 1, 1));
  if (!s->cl->clGetProgramBuildInfo(program, s->device, what, size, log, NULL) && log[0]) {
    fflush(stdout);
    mpl_progress_clear();
    mpl_put_log(stderr, log);
  }
  free(log);
}
