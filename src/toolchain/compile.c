/* Runs clang, then the linker, on files in memory. */
#include "compile.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "link.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"
#include "toolchain/clang/job.h"
#include "toolchain/opencl_cpp/translate.h"
#include "tools.h"

struct compilation {
  const struct mpl_compile_job *job;
  struct mpl_compile_job translated; /* the job for OpenCL C++ or SPIR-V: what clang reads */
  struct mpl_blob translated_source;
  struct mpl_header *translated_headers;
  struct mpl_compile_answer *answer;
  struct mpl_args options;
  struct mpl_source_options source;
  struct mpl_cxx_names names;
  char header_folder[4096], overlay_folder[4096];
  struct mpl_args variables; /* the plugin's options; the first is where IR goes, if anywhere */
};

static enum mpl_compile_result no_room(struct compilation *c) {
  return mpl_tool_no_room(&c->answer->log);
}

/* Runs a tool; its output and its log, which is added to the answer's, are the caller's. */
static enum mpl_compile_result run(struct compilation *c, const char *tool,
                                   struct mpl_process *process, const struct mpl_args *command,
                                   void **output, size_t *output_size) {
  if (command->failed || c->variables.failed) {
    errno = ENOMEM;
    return no_room(c);
  }
  return mpl_tool_run(tool, process, command, output, output_size, &c->answer->log);
}

/* Those of clang, as mpl_clang_command says. */
static bool open_inputs(const struct mpl_compile_job *job, struct mpl_process *process) {
  bool is_source = job->input == MPL_INPUT_SOURCE;
  const char *text = is_source ? job->inputs->data : NULL;
  size_t size = is_source ? job->inputs->size : 0;
  bool good = mpl_tool_open_files(process, text, size);
  if (good && *mpl_line_end(text, size))
    good = pwrite(process->files[0], "\n", 1, (off_t)size) == 1;
  process->files[process->num_files++] = mpl_memory_file(NULL, 0); /* the list of dependencies */
  good &= process->files[MPL_FD_DEPENDENCIES] >= 0;
  for (size_t i = 0; good && !is_source && i < job->num_inputs; i++) {
    int fd = mpl_memory_file(job->inputs[i].data, job->inputs[i].size);
    process->files[process->num_files++] = fd;
    good = fd >= 0;
  }
  return good;
}

static void keep_dependencies(struct compilation *c, int fd) {
  size_t size;
  char *text = mpl_file_contents(fd, &size);
  struct mpl_args files = {0};
  if (text && size) {
    char skip[4100] = "";
    if (c->header_folder[0]) snprintf(skip, sizeof skip, "%s/", c->header_folder);
    mpl_dependencies_read(text, skip, &files);
  }
  size_t kept = 0;
  for (size_t i = 0; i < files.count; i++) {
    if (strcmp(files.list[i], mpl_tools()->header) && strcmp(files.list[i], MPL_SOURCE_PATH))
      files.list[kept++] = files.list[i];
    else
      free(files.list[i]);
  }
  c->answer->dependencies = files.list;
  c->answer->num_dependencies = kept;
  free(text);
}

/* A second run for the human reader: assembly, and the vectoriser's remarks. */
static void dump_assembly(struct compilation *c, struct mpl_process *process,
                          const struct mpl_args *command) {
  struct mpl_args again = {0};
  for (size_t i = 0; i < command->count; i++)
    mpl_args_add(&again, strcmp(command->list[i], "-c") ? command->list[i] : "-S");
  mpl_args_add(&again, "-Rpass=maniple-|loop-vectorize|slp-vectorizer");
  mpl_args_add(&again, "-Rpass-missed=loop-vectorize");
  struct mpl_process second = *process;
  void *text;
  char *remarks;
  size_t size;
  int value;
  second.variables++; /* the IR is there already */
  second.files[1] = mpl_memory_file(NULL, 0);
  second.files[2] = mpl_memory_file(NULL, 0);
  if (second.files[1] >= 0 && second.files[2] >= 0 && !again.failed &&
      lseek(second.files[0], 0, SEEK_SET) == 0) {
    mpl_tool_process(&second, &again, &value);
    text = mpl_file_contents(second.files[1], &size);
    mpl_dump_file(c->job->dump_dir, "program.s", text, size);
    free(text);
    remarks = mpl_file_contents(second.files[2], &size);
    mpl_dump_file(c->job->dump_dir, "remarks.txt", remarks, size);
    free(remarks);
  }
  if (second.files[1] >= 0) close(second.files[1]);
  if (second.files[2] >= 0) close(second.files[2]);
  mpl_args_free(&again);
}

static void dump_inputs(struct compilation *c, const struct mpl_args *command) {
  const struct mpl_compile_job *job = c->job;
  char name[64];
  mkdir(job->dump_dir, 0777);
  for (size_t i = 0; i < job->num_inputs; i++) {
    snprintf(name, sizeof name, job->input == MPL_INPUT_SOURCE ? "source.cl" : "input-%zu.bc", i);
    mpl_dump_file(job->dump_dir, name, job->inputs[i].data, job->inputs[i].size);
  }
  char *line = mpl_args_quote(command);
  if (line) mpl_dump_file(job->dump_dir, "command.txt", line, strlen(line));
  free(line);
}

static enum mpl_compile_result compile(struct compilation *c, void **output, size_t *size) {
  const char *folder = c->job->dump_dir;
  if (!folder) folder = mpl_option_text(MPL_OPTION_PASS_DUMP);
  struct mpl_process process = {.variables = (const char *const *)c->variables.list,
                                .limits.folder = *folder ? folder : NULL};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  *output = NULL;
  *size = 0;
  mpl_clang_command(c->job, &c->options, &c->source, c->header_folder, &command);
  if (c->job->dump_dir) dump_inputs(c, &command);
  if (c->job->input == MPL_INPUT_SOURCE) {
    process.limits.reading = mpl_option_number(MPL_OPTION_BUILD_READ_TIMEOUT);
    process.limits.reads_until = MPL_FD_DEPENDENCIES;
  }
  if (open_inputs(c->job, &process)) {
    result = run(c, "clang", &process, &command, output, size);
    if (c->job->input == MPL_INPUT_SOURCE) keep_dependencies(c, process.files[MPL_FD_DEPENDENCIES]);
    if (result == MPL_COMPILED &&
        mpl_refuse_embed_in(c->answer->dependencies, c->answer->num_dependencies, &c->answer->log))
      result = MPL_COMPILE_FAILED;
    if (c->job->dump_dir && result == MPL_COMPILED) dump_assembly(c, &process, &command);
  } else
    result = no_room(c);
  if (c->answer->log) {
    mpl_log_tidy(c->answer->log, c->header_folder);
    mpl_log_drop_pragmas(c->answer->log, c->job->lacks);
    if (result == MPL_COMPILE_FAILED) mpl_log_hint(&c->answer->log, &c->source);
  }
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  return result;
}

/* All of the file is there: its section headers are the last thing that the linker writes. */
static bool elf_whole(const void *data, size_t size) {
  const Elf64_Ehdr *header = data;
  return size >= sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
         header->e_shoff <= size &&
         (uint64_t)header->e_shnum * header->e_shentsize <= size - header->e_shoff;
}

/* By a process. */
static enum mpl_compile_result run_linker(struct compilation *c, const void *object, size_t size,
                                          void **output, size_t *output_size) {
  struct mpl_process process = {0};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  mpl_link_command(&command);
  if (mpl_tool_open_files(&process, object, size))
    result = run(c, "the linker", &process, &command, output, output_size);
  else
    result = no_room(c);
  if (result == MPL_COMPILED && !elf_whole(*output, *output_size)) {
    mpl_log_line(&c->answer->log, "maniple: the linker's output is damaged");
    result = MPL_COMPILER_BROKEN;
  }
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  return result;
}

static enum mpl_compile_result link_object(struct compilation *c, const void *object, size_t size) {
  enum mpl_compile_result result = MPL_COMPILED;
  void *output = NULL;
  size_t output_size = 0;
  uint64_t start = mpl_trace_begin();
  bool linked = mpl_link_plain(object, size, &output, &output_size);
  if (linked && mpl_tracing()) mpl_trace_build("the linker", start, MPL_TRACE_UNKNOWN);
  if (!linked) result = run_linker(c, object, size, &output, &output_size);
  if (result == MPL_COMPILED) {
    c->answer->output = output;
    c->answer->output_size = output_size;
    output = NULL;
    if (c->job->dump_dir)
      mpl_dump_file(c->job->dump_dir, "program.so", c->answer->output, output_size);
  }
  free(output);
  return result;
}

/* Source and embedded headers of OpenCL C++. */
static bool translate(struct compilation *c) {
  const struct mpl_compile_job *job = c->job;
  struct mpl_blob *source = &c->translated_source;
  c->translated = *job;
  c->translated.inputs = source;
  source->data = mpl_cxx_translate(job->inputs->data, job->inputs->size, &source->size, &c->names);
  c->translated_headers = calloc(job->num_headers + 1, sizeof *c->translated_headers);
  c->translated.headers = c->translated_headers;
  bool good = source->data && c->translated_headers;
  for (size_t i = 0; good && i < job->num_headers; i++) {
    struct mpl_header *header = &c->translated_headers[i];
    *header = job->headers[i];
    header->text = mpl_cxx_translate(header->text, header->size, &header->size, &c->names);
    good = header->text;
  }
  if (good) c->job = &c->translated;
  return good;
}

static void overlay(struct compilation *c, const struct mpl_args *files,
                    struct mpl_cxx_names *names) {
  if (!mpl_overlay_write(files, c->header_folder, names, c->overlay_folder)) return;
  mpl_args_add(&c->options, "-ivfsoverlay");
  mpl_args_addf(&c->options, "%s/list", c->overlay_folder);
}

static void end_long_lines(struct compilation *c) {
  struct mpl_args files = {0};
  mpl_find_long_lines(c->job, &c->options, &files);
  if (files.count) overlay(c, &files, NULL);
  mpl_args_free(&files);
}

/* Files that it includes: the preprocessor says which, if there may be any.  What it complains of,
 * the compiler will too. */
static void translate_files(struct compilation *c) {
  struct mpl_process process = {0};
  struct mpl_args command = {0}, files = {0};
  size_t size;
  char *list = NULL;
  bool any = mpl_cxx_includes(c->job->inputs->data, c->job->inputs->size);
  for (size_t i = 0; i < c->job->num_headers; i++)
    any |= mpl_cxx_includes(c->job->headers[i].text, c->job->headers[i].size);
  if (!any) return;
  mpl_clang_command(c->job, &c->options, &c->source, c->header_folder, &command);
  mpl_args_add(&command, "-E");
  if (!command.failed && open_inputs(c->job, &process)) {
    int value;
    mpl_tool_process(&process, &command, &value);
    list = mpl_file_contents(process.files[MPL_FD_DEPENDENCIES], &size);
  }
  if (list && size) mpl_dependencies_read(list, "", &files);
  overlay(c, &files, &c->names);
  mpl_tool_close_files(&process);
  mpl_args_free(&command);
  mpl_args_free(&files);
  free(list);
}

static enum mpl_compile_result translate_spirv(struct compilation *c) {
  void *bitcode;
  struct mpl_blob *blob = &c->translated_source;
  enum mpl_compile_result result = mpl_spirv_to_bitcode(c->job, c->answer, &bitcode, &blob->size);
  blob->data = bitcode;
  c->translated = *c->job;
  c->translated.input = MPL_INPUT_BITCODE;
  c->translated.inputs = blob;
  c->job = &c->translated;
  return result;
}

static void free_translation(struct compilation *c) {
  for (size_t i = 0; c->translated_headers && i < c->translated.num_headers; i++)
    free((char *)c->translated_headers[i].text);
  free(c->translated_headers);
  free((char *)c->translated_source.data);
  free(c->names.list);
}

/* Converts the input to a form that clang reads. */
static enum mpl_compile_result prepare(struct compilation *c) {
  bool is_source = c->job->input == MPL_INPUT_SOURCE;
  bool is_opencl_cxx = is_source && c->source.language == MPL_OPENCL_CXX;
  if (c->job->input == MPL_INPUT_SPIRV) return translate_spirv(c);
  if (is_source && mpl_refuse_embed(c->job, &c->answer->log)) return MPL_COMPILE_FAILED;
  if (is_opencl_cxx && !translate(c)) {
    errno = ENOMEM;
    return no_room(c);
  }
  if (!mpl_headers_write(c->job, c->header_folder, &c->answer->log)) return MPL_COMPILE_FAILED;
  if (is_opencl_cxx)
    translate_files(c);
  else if (is_source)
    end_long_lines(c);
  if (c->names.list) mpl_args_addf(&c->options, "-D__CL_SWIZZLES(X)=%s", c->names.list);
  return MPL_COMPILED;
}

/* What the plugin is told: the options as this process has read them, whatever its environment says
 * by now.  Of two variables of one name the first counts. */
static void tell_plugin(struct compilation *c) {
  const struct mpl_option *options = mpl_options();
  bool dumps = c->job->dump_dir && c->job->output == MPL_OUTPUT_OBJECT;
  mpl_args_addf(&c->variables, "%s=%s", options[MPL_OPTION_PASS_DUMP].name,
                dumps ? c->job->dump_dir : options[MPL_OPTION_PASS_DUMP].text);
  mpl_args_addf(&c->variables, "%s=%s", options[MPL_OPTION_PASS_SUBGROUP_SIZE].name,
                options[MPL_OPTION_SUBGROUP_SIZE].text);
  mpl_args_addf(&c->variables, "%s=%d", options[MPL_OPTION_PASS_TOLD].name,
                c->job->input == MPL_INPUT_SOURCE ? MPL_FD_DEPENDENCIES : 0);
  mpl_args_addf(&c->variables, "%s=%d", options[MPL_OPTION_PASS_DEBUG].name, c->source.by_item);
  mpl_args_addf(&c->variables, "%s=%d", options[MPL_OPTION_PASS_FILTER].name, c->job->filters);
  for (int i = 0; i < MPL_NUM_OPTIONS; i++)
    if (options[i].set) mpl_args_addf(&c->variables, "%s=%s", options[i].name, options[i].text);
}

/* MANIPLE_BUILD_OPTIONS may ask for a debugger too: the program needs not be changed then.  Only
 * source has options of its own. */
static void choose_debugging(struct compilation *c) {
  struct mpl_source_options *source = &c->source;
  struct mpl_args more = {0};
  mpl_args_split(&more, mpl_option_text(MPL_OPTION_BUILD_OPTIONS));
  for (size_t i = 0; i < more.count; i++) {
    source->debug |= !strcmp(more.list[i], "-g");
    source->no_optimize |= !strcmp(more.list[i], "-cl-opt-disable");
  }
  mpl_args_free(&more);
  source->by_item = source->debug && source->no_optimize && !mpl_is_nvptx(c->job->target) &&
                    !mpl_option_number(MPL_OPTION_CHECK);
}

static enum mpl_compile_result run_job(struct compilation *c) {
  char why[256];
  const char *missing = mpl_tools_missing();
  char **log = &c->answer->log;
  if (!mpl_options_translate(c->job->options, c->job->options_for, &c->options, &c->source, why)) {
    mpl_log_line(log, "%s", why);
    return MPL_BAD_OPTIONS;
  }
  if (missing) {
    mpl_log_line(log, "%s", missing);
    return MPL_COMPILER_MISSING;
  }
  choose_debugging(c);
  enum mpl_compile_result result = prepare(c);
  if (result != MPL_COMPILED) return result;
  tell_plugin(c);
  void *output;
  size_t size = 0;
  result = compile(c, &output, &size);
  bool links = c->job->output == MPL_OUTPUT_OBJECT && !mpl_is_nvptx(c->job->target);
  if (result == MPL_COMPILED && links)
    result = link_object(c, output, size);
  else if (result == MPL_COMPILED) {
    c->answer->output = output;
    c->answer->output_size = size;
    output = NULL;
  }
  free(output);
  return result;
}

/* The most programs that one clang is handed. */
enum { MOST_LINKED = MPL_PROCESS_FILES - MPL_FD_BITCODE };

/* Many programs are linked group by group, then the groups with one another. */
static void compile_groups(const struct mpl_compile_job *job, struct mpl_compile_answer *answer) {
  size_t count = (job->num_inputs + MOST_LINKED - 1) / MOST_LINKED;
  struct mpl_compile_answer *groups = calloc(count, sizeof *groups);
  struct mpl_blob *blobs = calloc(count, sizeof *blobs);
  *answer = (struct mpl_compile_answer){.result = MPL_COMPILER_BROKEN};
  bool good = groups && blobs;
  for (size_t i = 0; good && i < count; i++) {
    struct mpl_compile_job part = *job;
    part.output = MPL_OUTPUT_BITCODE;
    part.inputs += i * MOST_LINKED;
    part.num_inputs -= i * MOST_LINKED;
    if (part.num_inputs > MOST_LINKED) part.num_inputs = MOST_LINKED;
    mpl_compile(&part, &groups[i]);
    blobs[i] = (struct mpl_blob){groups[i].output, groups[i].output_size};
    good = groups[i].result == MPL_COMPILED;
    if (good) continue;
    *answer = groups[i];
    groups[i] = (struct mpl_compile_answer){0};
  }
  struct mpl_compile_job whole = *job;
  whole.inputs = blobs;
  whole.num_inputs = count;
  if (good)
    mpl_compile(&whole, answer);
  else if (!answer->log)
    answer->log = calloc(1, 1);
  for (size_t i = 0; groups && i < count; i++) mpl_compile_free(&groups[i]);
  free(groups);
  free(blobs);
}

void mpl_compile(const struct mpl_compile_job *job, struct mpl_compile_answer *answer) {
  if (job->num_inputs > MOST_LINKED) {
    compile_groups(job, answer);
    return;
  }
  static const char *const names[] = {"source", "bitcode", "SPIR-V"};
  struct compilation c = {.job = job, .answer = answer};
  *answer = (struct mpl_compile_answer){.log = calloc(1, 1)};
  answer->result = run_job(&c);
  if (!answer->log) { /* the type promises a log */
    answer->log = strdup("");
    answer->result = MPL_COMPILER_BROKEN;
  }
  mpl_headers_remove(c.header_folder);
  mpl_headers_remove(c.overlay_folder);
  free_translation(&c);
  mpl_args_free(&c.options);
  mpl_args_free(&c.variables);
  mpl_log(MPL_LOG_BUILD, "compiled %zu bytes of %s to %zu: result %d", job->inputs->size,
          names[job->input], answer->output_size, (int)answer->result);
}

void mpl_compile_free(struct mpl_compile_answer *answer) {
  free(answer->log);
  free(answer->output);
  for (size_t i = 0; i < answer->num_dependencies; i++) free(answer->dependencies[i]);
  free(answer->dependencies);
  *answer = (struct mpl_compile_answer){0};
}
