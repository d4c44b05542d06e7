/* `maniple build`: ahead-of-time compilation. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report/dump.h"
#include "cli/session.h"
#include "cli/terminal.h"

/* "dir/scan.cl" -> "scan.bin" in the working folder. */
static char *default_output(const char *source) {
  const char *slash = strrchr(source, '/');
  const char *name = slash ? slash + 1 : source;
  const char *dot = strrchr(name, '.');
  size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
  char *output = mpl_need(malloc(length + 5));
  sprintf(output, "%.*s.bin", (int)length, name);
  return output;
}

/* --dump without a folder: one beside the binary.  For --report alone: one that goes again. */
static bool begin_dump(struct mpl_dump *dump, const char *folder, const char *output) {
  char passing[] = "/tmp/maniple-report-XXXXXX";
  if (!folder && !(folder = mkdtemp(passing))) {
    mpl_fail("cannot make a folder in /tmp: %s", strerror(errno));
    return false;
  }
  char *beside = mpl_need(malloc(strlen(output) + 6));
  sprintf(beside, "%s.dump", output);
  bool good = mpl_dump_begin(dump, *folder ? folder : beside);
  free(beside);
  return good;
}

/* Builds a file, or only compiles it, for the linker. */
static cl_program make(struct mpl_session *s, const char *path, const char *common, bool quiet,
                       bool only_compile) {
  cl_program program = mpl_session_load(s, path);
  if (!program) return NULL;
  char *options = mpl_options_for(common, path);
  cl_int error;
  if (only_compile)
    error = s->cl->clCompileProgram(program, 1, &s->device, options, 0, NULL, NULL, NULL, NULL);
  else
    error = s->cl->clBuildProgram(program, 1, &s->device, options, NULL, NULL);
  if (error || !quiet) mpl_session_show_log(s, program);
  free(options);
  if (mpl_succeeded(error, only_compile ? "compiling" : "building")) return program;
  s->cl->clReleaseProgram(program);
  return NULL;
}

static cl_program link_all(struct mpl_session *s, const cl_program *parts, cl_uint count) {
  cl_int error;
  cl_program program =
      s->cl->clLinkProgram(s->context, 1, &s->device, "", count, parts, NULL, NULL, &error);
  if (error && program) {
    mpl_session_show_log(s, program);
    s->cl->clReleaseProgram(program);
    program = NULL;
  }
  mpl_succeeded(error, "linking");
  return program;
}

static bool write_binary(struct mpl_session *s, cl_program program, const char *output) {
  size_t size = 0;
  cl_int error =
      s->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  if (!mpl_succeeded(error, "clGetProgramInfo")) return false;
  unsigned char *binary = mpl_need(malloc(size + 1));
  error = s->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
  bool good = mpl_succeeded(error, "clGetProgramInfo") && mpl_write_file(output, binary, size);
  free(binary);
  return good;
}

/* The processor's options go where users can give some; false, after saying so, if there is no such
 * row. */
static bool choose_target(const char *name) {
  static const struct {
    const char *name, *options, *what;
  } rows[] = {
#define MPL_TARGET(id, name, processor, features, gathering, abi, bytes, count, unit, bits,        \
                   gathered, scattered, masked, interleaved, every_second, counted, options, what) \
  {name, options, what},
#include "tables/targets.def"
  };
  const char *before = getenv("MANIPLE_BUILD_OPTIONS");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (strcmp(rows[k].name, name) || !rows[k].options[0]) continue;
    char *all = mpl_need(malloc(strlen(rows[k].options) + (before ? strlen(before) : 0) + 2));
    sprintf(all, "%s %s", before ? before : "", rows[k].options);
    if (setenv("MANIPLE_BUILD_OPTIONS", all, 1)) mpl_need(NULL);
    free(all);
    return true;
  }
  mpl_usage("there is no target '%s' to compile for on this machine; there are:", name);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].options[0]) fprintf(stderr, "  %-12s %s\n", rows[k].name, rows[k].what);
  return false;
}

static bool build_all(const struct mpl_cli_args *args, struct mpl_session *s, const char *output) {
  cl_uint count = 0;
  while (mpl_cli_positional(args, count)) count++;
  bool only_compile = mpl_cli_value(args, MPL_FLAG_B_COMPILE) != NULL;
  bool quiet = mpl_cli_value(args, MPL_FLAG_B_QUIET) != NULL, good = false;
  char *common = mpl_build_options(args, "-cl-std=CL3.0");
  cl_program program = NULL, *parts = mpl_need(calloc(count, sizeof *parts));
  if (count == 1) {
    program = make(s, mpl_cli_positional(args, 0), common, quiet, only_compile);
  } else {
    good = true;
    for (cl_uint i = 0; i < count && good; i++) {
      const char *path = mpl_cli_positional(args, i);
      mpl_progress("compiling %s (%u of %u)", path, i + 1, count);
      good = (parts[i] = make(s, path, common, quiet, true)) != NULL;
    }
    if (good) mpl_progress("linking %u files", count);
    if (good) program = link_all(s, parts, count);
    mpl_progress_clear();
  }
  good = program && (mpl_cli_value(args, MPL_FLAG_B_TARGET) || write_binary(s, program, output));
  if (program) s->cl->clReleaseProgram(program);
  for (cl_uint i = 0; i < count; i++)
    if (parts[i]) s->cl->clReleaseProgram(parts[i]);
  free(parts);
  free(common);
  return good;
}

int mpl_command_build(const struct mpl_cli_args *args) {
  const char *first = mpl_cli_positional(args, 0);
  const char *given = mpl_cli_value(args, MPL_FLAG_B_OUTPUT);
  const char *folder = mpl_cli_value(args, MPL_FLAG_B_DUMP);
  const char *report = mpl_cli_value(args, MPL_FLAG_B_REPORT);
  if (!first) return mpl_usage("which source file? try maniple build --help");
  const char *target = mpl_cli_value(args, MPL_FLAG_B_TARGET);
  if (mpl_cli_value(args, MPL_FLAG_B_COMPILE) && mpl_cli_positional(args, 1))
    return mpl_usage("-c takes one file");
  if (target && given) return mpl_usage("--target writes no binary: leave -o out, or --target");
  if (target && !choose_target(target)) return MPL_EXIT_USAGE;
  char *output = given ? mpl_need(strdup(given)) : default_output(first);
  struct mpl_dump dump = {0};
  struct mpl_session session = {0};
  bool good = ((!folder && !report) || begin_dump(&dump, folder, output)) &&
              mpl_session_open(&session) && build_all(args, &session, output);
  if (dump.folder && folder) mpl_dump_show(&dump);
  if (good && report) good = mpl_dump_report(&dump, report);
  if (dump.folder && !folder) mpl_dump_remove(&dump);
  mpl_session_close(&session);
  free(dump.folder);
  free(output);
  return good ? MPL_EXIT_OK : mpl_exit_status();
}
