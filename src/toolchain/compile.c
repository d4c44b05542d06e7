/* Runs clang, then the linker, on files in memory. */
#include "compile.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"
#include "runtime/log.h"
#include "runtime/options.h"
#include "toolchain/opencl_cpp/translate.h"
#include "tools.h"

struct compilation {
  const struct mpl_compile_job *job;
  struct mpl_compile_job translated; /* the job for OpenCL C++: in clang's words */
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
  mpl_log_line(&c->answer->log, "maniple: no memory for the files of a compilation: %s",
               strerror(errno));
  return MPL_COMPILER_BROKEN;
}

/* What the end of a process means, and a line that says what to do where the tool itself cannot. */
static enum mpl_compile_result judge(struct compilation *c, const char *tool,
                                     enum mpl_process_end end, int value, const char *output,
                                     size_t output_size) {
  char **log = &c->answer->log;
  switch (end) {
  case MPL_NOT_STARTED:
    mpl_log_line(log, "maniple: cannot run %s: %s", tool, strerror(value));
    return value == ENOENT || value == EACCES ? MPL_COMPILER_MISSING : MPL_COMPILER_BROKEN;
  case MPL_TIMED_OUT:
    mpl_log_line(log, "maniple: gave up after %llu s; MANIPLE_BUILD_TIMEOUT sets the limit",
                 (unsigned long long)mpl_option_number(MPL_OPTION_BUILD_TIMEOUT));
    return MPL_COMPILER_BROKEN;
  case MPL_KILLED:
    mpl_log_line(log, "maniple: %s was killed by signal %d%s", tool, value,
                 value == 9 ? ": is there enough memory?" : "");
    return MPL_COMPILER_BROKEN;
  case MPL_EXITED:
    if (!value) break;
    if (value == 1) return MPL_COMPILE_FAILED;
    mpl_log_line(log,
                 "maniple: %s broke down (exit status %d); MANIPLE_DUMP=<folder> keeps its "
                 "input and command line",
                 tool, value);
    return MPL_COMPILER_BROKEN;
  case MPL_END_UNKNOWN:
    if (!output_size) return MPL_COMPILE_FAILED;
    break;
  }
  if (output && output_size) return MPL_COMPILED;
  mpl_log_line(log, "maniple: %s gave no output: is there enough memory?", tool);
  return MPL_COMPILER_BROKEN;
}

/* Runs a tool with the given input files; its output and log are read back. */
static enum mpl_compile_result run(struct compilation *c, const char *tool,
                                   struct mpl_process *process, const struct mpl_args *command,
                                   void **output, size_t *output_size, char **log) {
  int value = 0;
  size_t log_size;
  *output = NULL;
  *output_size = 0;
  *log = NULL;
  if (command->failed || c->variables.failed) {
    errno = ENOMEM;
    return no_room(c);
  }
  enum mpl_process_end end = mpl_process_run(
      process, command, (unsigned)mpl_option_number(MPL_OPTION_BUILD_TIMEOUT), &value);
  *output = mpl_file_contents(process->files[1], output_size);
  *log = mpl_file_contents(process->files[2], &log_size);
  if (*log && end == MPL_EXITED && value == 1 && !strcmp(tool, "the linker"))
    mpl_link_log(&c->answer->log, *log);
  else if (*log)
    mpl_log_append(&c->answer->log, *log, strlen(*log));
  return judge(c, tool, end, value, *output, *output_size);
}

static bool open_files(struct mpl_process *process, const void *input, size_t size) {
  process->num_files = 3;
  process->files[0] = mpl_memory_file(input, size);
  process->files[1] = mpl_memory_file(NULL, 0);
  process->files[2] = mpl_memory_file(NULL, 0);
  return process->files[0] >= 0 && process->files[1] >= 0 && process->files[2] >= 0;
}

static void close_files(struct mpl_process *process) {
  for (int i = 0; i < process->num_files; i++)
    if (process->files[i] >= 0) close(process->files[i]);
}

/* Those of clang, as mpl_clang_command says. */
static bool open_inputs(const struct mpl_compile_job *job, struct mpl_process *process) {
  bool is_source = job->input == MPL_INPUT_SOURCE;
  bool good = open_files(process, is_source ? job->inputs->data : NULL,
                         is_source ? job->inputs->size : 0);
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

/* A second run for the human reader: assembly, and what became vector code. */
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
    mpl_process_run(&second, &again, (unsigned)mpl_option_number(MPL_OPTION_BUILD_TIMEOUT), &value);
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
  struct mpl_process process = {.variables = (const char *const *)c->variables.list};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  char *log = NULL;
  *output = NULL;
  mpl_clang_command(c->job, &c->options, &c->source, c->header_folder, &command);
  if (c->job->dump_dir) dump_inputs(c, &command);
  if (open_inputs(c->job, &process)) {
    result = run(c, "clang", &process, &command, output, size, &log);
    if (c->job->input == MPL_INPUT_SOURCE) keep_dependencies(c, process.files[MPL_FD_DEPENDENCIES]);
    if (c->job->dump_dir && result == MPL_COMPILED) dump_assembly(c, &process, &command);
  } else
    result = no_room(c);
  if (c->answer->log) {
    mpl_log_tidy(c->answer->log, c->header_folder);
    if (result == MPL_COMPILE_FAILED) mpl_log_hint(&c->answer->log, &c->source);
  }
  close_files(&process);
  mpl_args_free(&command);
  free(log);
  return result;
}

/* All of the file is there: its section headers are the last thing that the linker writes. */
static bool elf_whole(const void *data, size_t size) {
  const Elf64_Ehdr *header = data;
  return size >= sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
         header->e_shoff <= size &&
         (uint64_t)header->e_shnum * header->e_shentsize <= size - header->e_shoff;
}

static enum mpl_compile_result link_object(struct compilation *c, const void *object, size_t size) {
  struct mpl_process process = {0};
  struct mpl_args command = {0};
  enum mpl_compile_result result;
  char *log = NULL;
  void *output = NULL;
  size_t output_size = 0;
  mpl_link_command(&command);
  if (open_files(&process, object, size))
    result = run(c, "the linker", &process, &command, &output, &output_size, &log);
  else
    result = no_room(c);
  if (result == MPL_COMPILED && !elf_whole(output, output_size)) {
    mpl_log_line(&c->answer->log, "maniple: the linker's output is damaged");
    result = MPL_COMPILER_BROKEN;
  }
  if (result == MPL_COMPILED) {
    c->answer->output = output;
    c->answer->output_size = output_size;
    output = NULL;
    if (c->job->dump_dir)
      mpl_dump_file(c->job->dump_dir, "program.so", c->answer->output, output_size);
  }
  close_files(&process);
  mpl_args_free(&command);
  free(output);
  free(log);
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
    mpl_process_run(&process, &command, (unsigned)mpl_option_number(MPL_OPTION_BUILD_TIMEOUT),
                    &value);
    list = mpl_file_contents(process.files[MPL_FD_DEPENDENCIES], &size);
  }
  if (list && size) mpl_dependencies_read(list, "", &files);
  if (mpl_overlay_write(&files, c->header_folder, &c->names, c->overlay_folder)) {
    mpl_args_add(&c->options, "-ivfsoverlay");
    mpl_args_addf(&c->options, "%s/list", c->overlay_folder);
  }
  close_files(&process);
  mpl_args_free(&command);
  mpl_args_free(&files);
  free(list);
}

static void free_translation(struct compilation *c) {
  for (size_t i = 0; c->translated_headers && i < c->translated.num_headers; i++)
    free((char *)c->translated_headers[i].text);
  free(c->translated_headers);
  free((char *)c->translated_source.data);
  free(c->names.list);
}

/* Makes of the input what clang reads. */
static enum mpl_compile_result prepare(struct compilation *c) {
  bool is_source = c->job->input == MPL_INPUT_SOURCE;
  bool is_opencl_cxx = is_source && c->source.language == MPL_OPENCL_CXX;
  if (is_opencl_cxx && !translate(c)) {
    errno = ENOMEM;
    return no_room(c);
  }
  if (!mpl_headers_write(c->job, c->header_folder, &c->answer->log)) return MPL_COMPILE_FAILED;
  if (is_opencl_cxx) translate_files(c);
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
  for (int i = 0; i < MPL_NUM_OPTIONS; i++)
    if (options[i].set) mpl_args_addf(&c->variables, "%s=%s", options[i].name, options[i].text);
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
  enum mpl_compile_result result = prepare(c);
  if (result != MPL_COMPILED) return result;
  tell_plugin(c);
  void *output;
  size_t size = 0;
  result = compile(c, &output, &size);
  if (result == MPL_COMPILED && c->job->output == MPL_OUTPUT_OBJECT)
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
          job->input == MPL_INPUT_SOURCE ? "source" : "bitcode", answer->output_size,
          (int)answer->result);
}

void mpl_compile_free(struct mpl_compile_answer *answer) {
  free(answer->log);
  free(answer->output);
  for (size_t i = 0; i < answer->num_dependencies; i++) free(answer->dependencies[i]);
  free(answer->dependencies);
  *answer = (struct mpl_compile_answer){0};
}
