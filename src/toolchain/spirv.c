/* SPIR-V to bitcode: hints are taken out (spirv/hints.h), spirv-val says whether the module is
 * valid, then the reader (src/spirv) translates it.  Both are processes of their own, so a
 * faulty module cannot harm the application. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/device.h"
#include "runtime/options.h"
#include "spirv/hints.h"
#include "toolchain/clang/job.h"
#include "tools.h"

/* The newest version that spirv-val checks; a module says itself of which it is. */
#define NEWEST "spv1.6"

enum { FD_MODEL = 3 }; /* the first behind input, output and log */

static void validator_command(struct mpl_args *out) {
  mpl_args_add(out, mpl_tools()->spirv_validator);
  mpl_args_add(out, "--target-env");
  mpl_args_add(out, NEWEST);
}

static bool is_rounded(const char *options) {
  struct mpl_args words = {0};
  bool found = false;
  mpl_args_split(&words, options ? options : "");
  for (size_t i = 0; i < words.count; i++)
    found |= !strcmp(words.list[i], "-cl-fp32-correctly-rounded-divide-sqrt");
  mpl_args_free(&words);
  return found;
}

/* MANIPLE_BUILD_OPTIONS may name another processor than this one, and how C passes vectors depends
 * on its registers. */
static bool names_processor(void) {
  struct mpl_args words = {0};
  mpl_args_processor(&words);
  bool found = words.count > 0;
  mpl_args_free(&words);
  return found;
}

/* A function that clang compiles for that processor: only clang knows the processor's features. */
static void compile_model(const struct mpl_compile_job *job, struct mpl_compile_answer *model) {
  static const char source[] = "void model(void) {}";
  const struct mpl_blob blob = {source, sizeof source - 1};
  const struct mpl_compile_job function = {.input = MPL_INPUT_SOURCE,
                                           .inputs = &blob,
                                           .num_inputs = 1,
                                           .options = "-cl-std=CL3.0",
                                           .options_for = MPL_FOR_COMPILE,
                                           .lacks = job->lacks,
                                           .output = MPL_OUTPUT_BITCODE};
  mpl_compile(&function, model);
}

static void reader_command(const struct mpl_compile_job *job, bool has_model,
                           struct mpl_args *out) {
  mpl_args_add(out, mpl_tools()->spirv_reader);
  mpl_args_addf(out, "%u", job->lacks);
  if (has_model)
    mpl_args_addf(out, "/proc/self/fd/%d", FD_MODEL);
  else
    mpl_args_add(out, mpl_is_nvptx(job->target) ? job->target : "host");
  mpl_args_add(out, is_rounded(job->options) ? "1" : "0");
  if (mpl_option_number(MPL_OPTION_CHECK)) mpl_args_add(out, "lines"); /* for its messages */
  for (size_t i = 0; i < job->num_constants; i++)
    mpl_args_addf(out, "%u=%llx", job->constants[i].number,
                  (unsigned long long)job->constants[i].bits);
}

/* The first line of the validator's version; "" if it prints nothing. */
static void validator_version(char *line, size_t room) {
  struct mpl_process process = {0};
  struct mpl_args command = {0};
  void *text = NULL;
  size_t size = 0;
  char *log = NULL;
  *line = 0;
  mpl_args_add(&command, mpl_tools()->spirv_validator);
  mpl_args_add(&command, "--version");
  if (!command.failed && mpl_tool_open_files(&process, NULL, 0) &&
      mpl_tool_run("spirv-val", &process, &command, &text, &size, &log) == MPL_COMPILED)
    snprintf(line, room, "%.*s", (int)strcspn(text, "\n"), (const char *)text);
  char *second = strchr(line, ' ');
  if (second) second[1 + strcspn(second + 1, " ,")] = 0; /* SPIRV-Tools v2023.1 */
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  free(text);
  free(log);
}

static void explain_refusal(const struct mpl_compile_job *job, struct mpl_compile_answer *answer) {
  char version[80];
  validator_version(version, sizeof version);
  mpl_log_line(&answer->log,
               "maniple: spirv-val%s%s%s refused this module: either it is not valid SPIR-V, and "
               "what wrote it is to be mended, or it is younger than this spirv-val, and a newer "
               "one takes it (the package spirv-tools); a line is one of `spirv-dis --no-header "
               "module.spv`%s",
               *version ? " (" : "", version, *version ? ")" : "",
               job->dump_dir ? "" : ", which MANIPLE_DUMP=<folder> keeps");
}

static enum mpl_compile_result validate(const struct mpl_compile_job *job,
                                        struct mpl_compile_answer *answer) {
  struct mpl_process process = {0};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  uint32_t *words = malloc(job->inputs->size);
  if (words) {
    memcpy(words, job->inputs->data, job->inputs->size);
    mpl_spirv_stand_in(words, job->inputs->size / sizeof *words);
  }
  validator_command(&command);
  if (words && !command.failed && mpl_tool_open_files(&process, words, job->inputs->size))
    result = mpl_tool_check("spirv-val", &process, &command, &answer->log);
  else
    result = mpl_tool_no_room(&answer->log);
  if (result == MPL_COMPILE_FAILED) explain_refusal(job, answer);
  free(words);
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  return result;
}

static enum mpl_compile_result run_reader(const struct mpl_compile_job *job,
                                          const struct mpl_compile_answer *model, char **log,
                                          void **bitcode, size_t *size) {
  struct mpl_process process = {0};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  reader_command(job, model, &command);
  bool good =
      !command.failed && mpl_tool_open_files(&process, job->inputs->data, job->inputs->size);
  if (good && model) {
    process.files[process.num_files++] = mpl_memory_file(model->output, model->output_size);
    good = process.files[FD_MODEL] >= 0;
  }
  result = good ? mpl_tool_run("spirv-reader", &process, &command, bitcode, size, log)
                : mpl_tool_no_room(log);
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  if (result == MPL_COMPILED) return result;
  free(*bitcode);
  *bitcode = NULL;
  return result;
}

static enum mpl_compile_result translate(const struct mpl_compile_job *job,
                                         struct mpl_compile_answer *answer, void **bitcode,
                                         size_t *size) {
  struct mpl_compile_answer model = {0};
  bool has_model = !mpl_is_nvptx(job->target) && names_processor();
  if (has_model) compile_model(job, &model);
  enum mpl_compile_result result = model.result;
  if (result == MPL_COMPILED)
    result = run_reader(job, has_model ? &model : NULL, &answer->log, bitcode, size);
  else
    mpl_log_append(&answer->log, model.log, strlen(model.log));
  mpl_compile_free(&model);
  return result;
}

/* The module without hints, malloc'd; null unless MPL_COMPILED. */
static enum mpl_compile_result prepare(const struct mpl_compile_job *job,
                                       struct mpl_compile_answer *answer, struct mpl_blob *module) {
  const char *why, *extension;
  size_t count = job->inputs->size / sizeof(uint32_t);
  uint32_t *words = mpl_spirv_copy(job->inputs->data, job->inputs->size, &why);
  if (!words && !why) return mpl_tool_no_room(&answer->log);
  if (!words) {
    mpl_log_line(&answer->log, "maniple: %s", why);
    return MPL_COMPILE_FAILED;
  }
  /* The validator's guess about an unknown extension helps nobody. */
  extension = mpl_spirv_lacking_extension(words, count, job->lacks);
  if (extension) {
    mpl_log_line(&answer->log,
                 "maniple: SPIR-V: the module needs the extension %s, which this device does not "
                 "have",
                 extension);
    free(words);
    return MPL_COMPILE_FAILED;
  }
  *module = (struct mpl_blob){words, mpl_spirv_drop_hints(words, count) * sizeof *words};
  if (job->dump_dir) {
    mkdir(job->dump_dir, 0777);
    mpl_dump_file(job->dump_dir, "module.spv", module->data, module->size);
  }
  return MPL_COMPILED;
}

enum mpl_compile_result mpl_spirv_to_bitcode(const struct mpl_compile_job *job,
                                             struct mpl_compile_answer *answer, void **bitcode,
                                             size_t *size) {
  struct mpl_blob module = {0};
  struct mpl_compile_job prepared = *job;
  const struct mpl_tools *tools = mpl_tools();
  *bitcode = NULL;
  if (job->lacks & MPL_OFFERS_SPIRV) {
    mpl_log_line(&answer->log, "maniple: this device takes no programs in SPIR-V");
    return MPL_COMPILE_FAILED;
  }
  if (!tools->spirv_validator[0] || !tools->spirv_reader[0]) {
    mpl_log_line(&answer->log, "maniple: %s was not found: install %s",
                 tools->spirv_reader[0] ? "spirv-val" : "spirv-reader",
                 tools->spirv_reader[0] ? "the package spirv-tools" : "maniple again");
    return MPL_COMPILER_MISSING;
  }
  enum mpl_compile_result result = prepare(job, answer, &module);
  prepared.inputs = &module;
  if (result == MPL_COMPILED) result = validate(&prepared, answer);
  if (result == MPL_COMPILED) result = translate(&prepared, answer, bitcode, size);
  free((void *)module.data);
  return result;
}
