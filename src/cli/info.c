/* `maniple info`: the parts of this installation, and whether it works. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/installation.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "runtime/clock.h"
#include "toolchain/internals.h"

enum kind { TEXT, UINT, SIZE, BYTES, FLAG, SVM, VERSIONS, NAMES };

static const struct query {
  const char *key;
  cl_device_info what;
  enum kind kind;
} queries[] = {
#define MPL_INFO(key, what, kind) {#key, what, kind},
#include "tables/info.def"
#undef MPL_INFO
};

/* A page of "label  value" lines, or the members of a JSON object. */
struct page {
  bool json, begun;
};

static void put_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < ' ')
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

static void begin_item(struct page *page, const char *key) {
  if (page->json) {
    printf("%s\n  \"%s\": ", page->begun ? "," : "", key);
    page->begun = true;
    return;
  }
  char label[64];
  snprintf(label, sizeof label, "%s", key);
  for (char *c = label; *c; c++)
    if (*c == '_') *c = ' ';
  printf("%-25s", label);
}

static void put_text(struct page *page, const char *key, const char *text) {
  begin_item(page, key);
  if (page->json)
    put_string(text);
  else
    printf("%s\n", text);
}

static void put_number(struct page *page, const char *key, unsigned long long number, bool bytes) {
  char text[32];
  begin_item(page, key);
  if (page->json)
    printf("%llu", number);
  else if (bytes)
    printf("%s\n", mpl_size_text(number, text));
  else
    printf("%llu\n", number);
}

static void put_flag(struct page *page, const char *key, bool flag) {
  begin_item(page, key);
  if (page->json)
    printf(flag ? "true" : "false");
  else
    printf(flag ? "yes\n" : "no\n");
}

/* Words in lines, or a JSON array. */
static void put_names(struct page *page, const char *key, const cl_name_version *names,
                      size_t count, bool versions) {
  begin_item(page, key);
  if (page->json) printf("[");
  size_t column = 25;
  for (size_t i = 0; i < count; i++) {
    char text[CL_NAME_VERSION_MAX_NAME_SIZE + 16];
    snprintf(text, sizeof text, "%.*s", CL_NAME_VERSION_MAX_NAME_SIZE - 1, names[i].name);
    if (versions)
      snprintf(text, sizeof text, "%u.%u", CL_VERSION_MAJOR(names[i].version),
               CL_VERSION_MINOR(names[i].version));
    if (page->json) {
      printf(i ? ", " : "");
      put_string(text);
      continue;
    }
    if (i && column + strlen(text) + 1 > 100) {
      printf("\n%25s", "");
      column = 25;
    }
    column += (size_t)printf("%s%s", column > 25 ? " " : "", text);
  }
  printf(page->json ? "]" : count ? "\n" : "none\n");
}

static void put_svm(struct page *page, const char *key, cl_ulong bits) {
  static const char *const kinds[] = {"coarse-grain buffer", "fine-grain buffer",
                                      "fine-grain system", "atomics"};
  char text[80] = "";
  for (unsigned i = 0; i < 4; i++) {
    if (!(bits >> i & 1)) continue;
    if (text[0]) strcat(text, ", ");
    strcat(text, kinds[i]);
  }
  put_text(page, key, text[0] ? text : "none");
}

/* One row of the table; nothing if the device does not know the query. */
static void put_query(struct page *page, const struct mpl_session *s, const struct query *query) {
  size_t size = 0;
  if (s->cl->clGetDeviceInfo(s->device, query->what, 0, NULL, &size)) return;
  char *data = mpl_need(calloc(size + sizeof(cl_ulong), 1));
  if (!s->cl->clGetDeviceInfo(s->device, query->what, size, data, NULL)) {
    cl_ulong number = 0;
    memcpy(&number, data, size < sizeof number ? size : sizeof number);
    switch (query->kind) {
    case TEXT:
      put_text(page, query->key, data);
      break;
    case UINT:
    case SIZE:
      put_number(page, query->key, number, false);
      break;
    case BYTES:
      put_number(page, query->key, number, true);
      break;
    case FLAG:
      put_flag(page, query->key, number != 0);
      break;
    case SVM:
      put_svm(page, query->key, number);
      break;
    case VERSIONS:
    case NAMES:
      put_names(page, query->key, (cl_name_version *)data, size / sizeof(cl_name_version),
                query->kind == VERSIONS);
      break;
    }
  }
  free(data);
}

static const char check_source[] = "kernel void check(global int *sum) {\n"
                                   "  int all = work_group_reduce_add((int)get_local_id(0));\n"
                                   "  if (get_local_id(0) == 0) *sum = all;\n"
                                   "}\n";

/* Runs the kernel of a built program with one group of 64 and looks at the sum of 0 to 63. */
static bool check_run(struct mpl_session *s, cl_program program) {
  cl_int error, sum = 0;
  size_t items = 64;
  cl_kernel kernel = s->cl->clCreateKernel(program, "check", &error);
  if (!mpl_succeeded(error, "clCreateKernel")) return false;
  cl_mem mem = s->cl->clCreateBuffer(s->context, 0, sizeof sum, NULL, &error);
  if (!error) error = s->cl->clSetKernelArg(kernel, 0, sizeof mem, &mem);
  if (!error)
    error = s->cl->clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
  if (!error)
    error = s->cl->clEnqueueReadBuffer(s->queue, mem, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
  if (mem) s->cl->clReleaseMemObject(mem);
  s->cl->clReleaseKernel(kernel);
  if (!mpl_succeeded(error, "running a kernel")) return false;
  if (sum == 64 * 63 / 2) return true;
  mpl_fail("a kernel that adds 0 to 63 gave %d instead of 2016", sum);
  return false;
}

/* Compiles and runs a small kernel; the answer in words. */
static bool check(struct mpl_session *s, char words[64]) {
  cl_int error;
  const char *source = check_source;
  cl_program program = s->cl->clCreateProgramWithSource(s->context, 1, &source, NULL, &error);
  if (!mpl_succeeded(error, "clCreateProgramWithSource")) return false;
  uint64_t start = mpl_clock();
  error = s->cl->clBuildProgram(program, 1, &s->device, "-cl-std=CL3.0", NULL, NULL);
  double ms = (double)(mpl_clock() - start) / 1e6;
  if (error) mpl_session_show_log(s, program);
  bool good = mpl_succeeded(error, "building a kernel") && check_run(s, program);
  s->cl->clReleaseProgram(program);
  if (good)
    snprintf(words, 64, "works: a small kernel compiled in %.0f ms", ms);
  else
    snprintf(words, 64, "does not work");
  return good;
}

static void put_options(struct page *page, bool internal) {
  const struct mpl_option *options = mpl_internals.options();
  for (int i = 0; i < MPL_NUM_OPTIONS; i++) {
    const struct mpl_option *option = &options[i];
    if (option->internal && !internal) continue;
    const char *value = option->set ? getenv(option->name) : option->default_text;
    if (page->json) {
      printf("%s\n  \"%s\": {\"value\": ", page->begun ? "," : "", option->name);
      put_string(value ? value : "");
      printf(", \"set\": %s}", option->set ? "true" : "false");
      page->begun = true;
    } else {
      printf("%s=%s%s\n    %s: %s\n", option->name, value ? value : "",
             option->set ? "" : "  (default)", option->values, option->help);
    }
  }
}

/* Where the parts are; of those that are missing, what they are for and what mends it. */
static void put_parts(struct page *page) {
  static struct mpl_part parts[MPL_MOST_PARTS];
  size_t count = mpl_parts(parts);
  for (size_t i = 0; i < count; i++) {
    const struct mpl_part *part = &parts[i];
    if (part->found[0]) {
      put_text(page, part->key, part->found);
      continue;
    }
    begin_item(page, part->key);
    if (page->json) {
      printf("{\"needed_by\": ");
      put_string(part->needed_by);
      printf(", \"command\": ");
      put_string(part->command);
      printf("}");
    } else {
      mpl_put_coloured(stdout, MPL_RED, "missing");
      printf(" (%s): %s\n", part->needed_by, part->command);
    }
  }
}

static bool put_installation(struct page *page, struct mpl_session *s) {
  Dl_info library;
  char words[64];
  put_text(page, "maniple", MPL_VERSION);
  /* The driver's dispatch table lies in its library. */
  if (dladdr(s->cl, &library) && library.dli_fname) put_text(page, "library", library.dli_fname);
  put_parts(page);
  bool good = check(s, words);
  begin_item(page, "check");
  if (page->json)
    put_string(words);
  else
    mpl_put_coloured(stdout, good ? MPL_GREEN : MPL_RED, words), putchar('\n');
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) put_query(page, s, &queries[i]);
  return good;
}

int mpl_command_info(const struct mpl_cli_args *args) {
  struct page page = {.json = mpl_cli_value(args, MPL_FLAG_I_JSON) != NULL};
  bool options = mpl_cli_value(args, MPL_FLAG_I_OPTIONS) != NULL, good = true;
  if (mpl_cli_positional(args, 0))
    return mpl_usage("info takes no argument '%s'", mpl_cli_positional(args, 0));
  struct mpl_session session = {0};
  if (!options) {
    setenv("MANIPLE_CACHE", "0", 1); /* the compiler itself is to be checked */
    if (!mpl_session_open(&session)) return mpl_exit_status();
  }
  if (page.json) printf("{");
  if (options)
    put_options(&page, mpl_cli_value(args, MPL_FLAG_I_INTERNAL) != NULL);
  else
    good = put_installation(&page, &session);
  if (page.json) printf("\n}\n");
  mpl_session_close(&session);
  return good ? MPL_EXIT_OK : mpl_exit_status();
}
