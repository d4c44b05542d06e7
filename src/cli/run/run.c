/* `maniple run`: a kernel without a host program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run/argument.h"
#include "cli/run/output.h"
#include "cli/run/sim.h"

struct job {
  const struct mpl_cli_args *args;
  struct mpl_session session;
  cl_program program;
  struct mpl_signature signature;
  struct mpl_run run;
  struct mpl_spec *specs;
  enum mpl_format format;
  size_t head;
  double tolerance;
  bool quiet;
};

/* The argument with that name or number; null, after saying why. */
static struct mpl_run_arg *find_arg(struct job *job, const char *name, size_t length) {
  for (cl_uint i = 0; i < job->signature.num_params; i++) {
    char number[16];
    int digits = snprintf(number, sizeof number, "%u", i);
    const char *known = job->signature.params[i].name;
    bool named = strlen(known) == length && !strncmp(known, name, length);
    bool numbered = (size_t)digits == length && !strncmp(number, name, length);
    if (!named && !numbered) continue;
    if (job->run.args[i].kind == MPL_RUN_BUFFER) return &job->run.args[i];
    mpl_usage("argument %s of %s is not a buffer", known, job->signature.name);
    return NULL;
  }
  mpl_usage("%s has no argument '%.*s'", job->signature.name, (int)length, name);
  return NULL;
}

/* "ARG=rest"; or, for --verify, the rest alone if one buffer can be meant. */
static struct mpl_run_arg *split_arg(struct job *job, const char *text, bool optional,
                                     const char **rest) {
  size_t length = strcspn(text, "=@,:");
  if (text[length] == '=') {
    *rest = text + length + 1;
    return find_arg(job, text, length);
  }
  if (!optional) {
    mpl_usage("'%s' is not ARG=FILE", text);
    return NULL;
  }
  *rest = text;
  struct mpl_run_arg *found = NULL;
  for (cl_uint i = 0; i < job->signature.num_params; i++) {
    struct mpl_run_arg *arg = &job->run.args[i];
    if (arg->kind != MPL_RUN_BUFFER || arg->param->read_only) continue;
    if (found) {
      mpl_usage("%s may write several buffers: say which one, as in --verify %s=%s",
                job->signature.name, arg->param->name, text);
      return NULL;
    }
    found = arg;
  }
  if (!found) mpl_usage("%s writes no buffer that could be compared", job->signature.name);
  return found;
}

/* -o, -p and --verify say what happens to a buffer, instead of the printing that is the default:
 * -p for all buffers, the others for their own.  Checks them before anything runs. */
static bool choose_outputs(struct job *job) {
  const struct mpl_cli_args *args = job->args;
  bool choosing = mpl_cli_value(args, MPL_FLAG_PRINT) != NULL;
  for (cl_uint i = 0; choosing && i < job->signature.num_params; i++)
    job->run.args[i].print = false;
  for (size_t i = 0; i < args->num_words; i++) {
    const char *text = args->words[i].value, *rest;
    enum mpl_flag_id id = args->words[i].id;
    if (id != MPL_FLAG_OUTPUT && id != MPL_FLAG_VERIFY) continue;
    struct mpl_run_arg *arg = split_arg(job, text, id == MPL_FLAG_VERIFY, &rest);
    struct mpl_value value;
    if (!arg || (id == MPL_FLAG_VERIFY && !mpl_value_parse(rest, &value))) return false;
    arg->print = false;
  }
  for (size_t i = 0; i < args->num_words; i++) {
    if (args->words[i].id != MPL_FLAG_PRINT) continue;
    struct mpl_run_arg *arg = find_arg(job, args->words[i].value, strlen(args->words[i].value));
    if (!arg) return false;
    arg->print = true;
  }
  return true;
}

static bool show_outputs(struct job *job) {
  const struct mpl_cli_args *args = job->args;
  bool good = true;
  for (cl_uint i = 0; i < job->signature.num_params; i++)
    if (job->run.args[i].print) mpl_output_print(&job->run.args[i], job->format, job->head);
  for (size_t i = 0; i < args->num_words; i++) {
    enum mpl_flag_id id = args->words[i].id;
    const char *rest = NULL;
    if (id != MPL_FLAG_OUTPUT && id != MPL_FLAG_VERIFY) continue;
    struct mpl_run_arg *arg = split_arg(job, args->words[i].value, id == MPL_FLAG_VERIFY, &rest);
    if (id == MPL_FLAG_OUTPUT)
      good = mpl_output_write(arg, rest) && good;
    else
      good = mpl_output_verify(arg, rest, job->tolerance) && good;
  }
  return good;
}

/* -g, -l, --offset; those that are given must have as many dimensions as each other. */
static bool read_range(struct job *job) {
  struct mpl_run *run = &job->run;
  const char *global = mpl_cli_value(job->args, MPL_FLAG_GLOBAL);
  const char *local = mpl_cli_value(job->args, MPL_FLAG_LOCAL);
  const char *offset = mpl_cli_value(job->args, MPL_FLAG_OFFSET);
  cl_uint local_dims = 0, offset_dims = 0;
  if (global && !(run->dims = mpl_sizes_parse(global, "global size", run->global))) return false;
  if (local && !(local_dims = mpl_sizes_parse(local, "work-group size", run->local))) return false;
  if (offset && !(offset_dims = mpl_sizes_parse(offset, "offset", run->offset))) return false;
  run->has_local = local != NULL;
  run->has_offset = offset != NULL;
  cl_uint dims = run->dims ? run->dims : 1;
  if ((local && local_dims != dims) || (offset && offset_dims != dims))
    return mpl_usage("the global size has %u dimension%s, and -l and --offset must have as many",
                     dims, dims > 1 ? "s" : ""),
           false;
  return true;
}

/* A non-negative number below `limit` of the option, if it is given. */
static bool read_number(const struct mpl_cli_args *args, enum mpl_flag_id id, const char *name,
                        double limit, double *number) {
  const char *text = mpl_cli_value(args, id);
  char *end;
  if (!text || !*text) return true;
  *number = strtod(text, &end);
  if (end != text && !*end && *number >= 0 && *number < limit) return true;
  mpl_usage("'%s' is no value for %s", text, name);
  return false;
}

static bool read_options(struct job *job) {
  double head = 0;
  const char *format = mpl_cli_value(job->args, MPL_FLAG_FORMAT);
  job->quiet = mpl_cli_value(job->args, MPL_FLAG_QUIET) != NULL;
  if (format && !mpl_format_parse(format, &job->format)) return false;
  if (!read_number(job->args, MPL_FLAG_HEAD, "--head", 0x1p53, &head) ||
      !read_number(job->args, MPL_FLAG_TOLERANCE, "--tolerance", HUGE_VAL, &job->tolerance))
    return false;
  job->head = (size_t)head;
  return read_range(job);
}

static bool build(struct job *job, const char *path) {
  struct mpl_session *s = &job->session;
  if (!mpl_session_open(s) || !(job->program = mpl_session_load(s, path))) return false;
  char *common = mpl_build_options(job->args, "-cl-std=CL3.0");
  char *options = mpl_options_for(common, path);
  cl_int error = s->cl->clBuildProgram(job->program, 1, &s->device, options, NULL, NULL);
  if (error || !job->quiet) mpl_session_show_log(s, job->program);
  free(options);
  free(common);
  if (error == CL_INVALID_BUILD_OPTIONS)
    return mpl_usage("the compiler does not take these options"), false;
  return mpl_succeeded(error, "building the program");
}

static bool parse_specs(struct job *job) {
  cl_uint count = job->signature.num_params;
  job->specs = mpl_need(calloc(count + 1, sizeof *job->specs));
  job->run.args = mpl_need(calloc(count + 1, sizeof *job->run.args));
  size_t n = 0;
  const char *word;
  for (; (word = mpl_cli_positional(job->args, n + 1)); n++)
    if (n < count && !mpl_spec_parse(word, &job->specs[n])) return false;
  if (n <= count) return true;
  mpl_usage("%zu arguments are given, but %s has %u", n, job->signature.name, count);
  return false;
}

/* Without -l, the size that the kernel's reqd_work_group_size asks for. */
static void use_required_size(struct job *job) {
  const cl_icd_dispatch *cl = job->session.cl;
  size_t required[3] = {0};
  if (job->run.has_local ||
      cl->clGetKernelWorkGroupInfo(job->signature.kernel, job->session.device,
                                   CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                                   NULL) ||
      !required[0])
    return;
  memcpy(job->run.local, required, sizeof required);
  job->run.has_local = true;
}

static bool run_times(struct job *job) {
  double times = 10;
  if (!mpl_cli_value(job->args, MPL_FLAG_TIME)) return true;
  if (!read_number(job->args, MPL_FLAG_TIME, "--time", 1e9, &times)) return false;
  return times < 1 || mpl_run_time(&job->run, (unsigned)times);
}

static bool run_kernel(struct job *job, const char *path) {
  if (!read_options(job) || !build(job, path)) return false;
  if (mpl_cli_value(job->args, MPL_FLAG_LIST))
    return mpl_signature_list(&job->session, job->program, stdout);
  const char *kernel = mpl_cli_value(job->args, MPL_FLAG_KERNEL);
  if (!mpl_signature_open(&job->session, job->program, kernel, &job->signature)) return false;
  use_required_size(job);
  return parse_specs(job) && mpl_specs_resolve(job->specs, &job->run, job->quiet) &&
         choose_outputs(job) && mpl_run_prepare(&job->run) && mpl_run_once(&job->run) &&
         show_outputs(job) && run_times(job);
}

static bool run_sim(struct job *job, const char *path) {
  struct mpl_sim sim;
  for (size_t i = 0; i < job->args->num_words; i++) {
    enum mpl_flag_id id = job->args->words[i].id;
    if (id == MPL_FLAG_GLOBAL || id == MPL_FLAG_LOCAL || id == MPL_FLAG_KERNEL ||
        id == MPL_FLAG_OFFSET || (id == MPL_FLAG_POSITIONAL && mpl_cli_positional(job->args, 1)))
      return mpl_usage("%s sets the kernel, its sizes and its arguments: leave these options out",
                       path),
             false;
  }
  if (!read_options(job) || !mpl_sim_open(&sim, path)) return false;
  bool good = mpl_sim_header(&sim, &job->run) && build(job, sim.program) &&
              mpl_signature_open(&job->session, job->program, sim.kernel, &job->signature);
  if (good) {
    job->run.args = mpl_need(calloc(job->signature.num_params + 1, sizeof *job->run.args));
    good =
        mpl_sim_arguments(&sim, &job->run) && mpl_run_prepare(&job->run) && mpl_run_once(&job->run);
    for (cl_uint i = 0; good && i < job->signature.num_params; i++)
      if (job->run.args[i].print) mpl_output_dump(&job->run.args[i]);
    /* They are printed; what is left to do is -o and --verify. */
    for (cl_uint i = 0; i < job->signature.num_params; i++) job->run.args[i].print = false;
    good = good && choose_outputs(job) && show_outputs(job) && run_times(job);
  }
  mpl_sim_close(&sim);
  return good;
}

int mpl_command_run(const struct mpl_cli_args *args) {
  const char *path = mpl_cli_positional(args, 0);
  if (!path) return mpl_usage("which kernel file? try maniple run --help");
  struct job job = {.args = args};
  job.run.session = &job.session;
  job.run.signature = &job.signature;
  size_t length = strlen(path);
  bool is_sim = length > 4 && !strcmp(path + length - 4, ".sim");
  bool good = is_sim ? run_sim(&job, path) : run_kernel(&job, path);
  mpl_run_free(&job.run);
  for (cl_uint i = 0; job.specs && i < job.signature.num_params; i++)
    mpl_value_free(&job.specs[i].value);
  free(job.specs);
  mpl_signature_close(&job.session, &job.signature);
  if (job.program) job.session.cl->clReleaseProgram(job.program);
  mpl_session_close(&job.session);
  return good ? MPL_EXIT_OK : mpl_exit_status();
}
