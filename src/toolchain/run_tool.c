/* Runs a tool on files in memory, and says what its end means. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "runtime/options.h"
#include "runtime/trace.h"
#include "tools.h"

enum mpl_compile_result mpl_tool_no_room(char **log) {
  mpl_log_line(log, "maniple: no memory for the files of a compilation: %s", strerror(errno));
  return MPL_COMPILER_BROKEN;
}

/* A line that says what to do where the tool itself cannot. */
static enum mpl_compile_result judge(char **log, const char *tool, enum mpl_process_end end,
                                     int value, bool failed_if_unknown) {
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
                 value == SIGKILL || value == SIGABRT
                     ? ": is there enough memory? MANIPLE_BUILD_MEMORY sets the limit"
                     : "");
    return MPL_COMPILER_BROKEN;
  case MPL_EXITED:
    if (!value) return MPL_COMPILED;
    if (value == 1) return MPL_COMPILE_FAILED;
    mpl_log_line(log,
                 "maniple: %s broke down (exit status %d); MANIPLE_DUMP=<folder> keeps its "
                 "input and command line",
                 tool, value);
    return MPL_COMPILER_BROKEN;
  case MPL_END_UNKNOWN:
    break;
  }
  return failed_if_unknown ? MPL_COMPILE_FAILED : MPL_COMPILED;
}

enum mpl_process_end mpl_tool_process(struct mpl_process *process, const struct mpl_args *command,
                                      int *value) {
  uint64_t timeout = mpl_option_number(MPL_OPTION_BUILD_TIMEOUT);
  process->limits.memory = mpl_option_number(MPL_OPTION_BUILD_MEMORY);
  process->limits.seconds = timeout;
  process->limits.may_write = mpl_options()[MPL_OPTION_CLANG].set;
  process->warmth.preload = mpl_tools()->warm;
  process->warmth.seconds = mpl_option_number(MPL_OPTION_BUILD_WARM);
  if (!strcmp(command->list[0], mpl_tools()->clang)) process->warmth.library = mpl_tools()->plugin;
  return mpl_process_run(process, command, (unsigned)timeout, value);
}

static enum mpl_process_end run(const char *tool, struct mpl_process *process,
                                const struct mpl_args *command, int *value) {
  uint64_t start = mpl_trace_begin();
  enum mpl_process_end end = mpl_tool_process(process, command, value);
  if (mpl_tracing()) mpl_trace_build(tool, start, MPL_TRACE_UNKNOWN);
  return end;
}

/* Adds what the tool wrote; whether it wrote anything. */
static bool add_log(char **log, const struct mpl_process *process, bool from_linker) {
  size_t size;
  char *text = mpl_file_contents(process->files[2], &size);
  bool wrote = text && *text;
  if (text && from_linker)
    mpl_link_log(log, text);
  else if (text)
    mpl_log_append(log, text, strlen(text));
  free(text);
  return wrote;
}

static bool is_named(const char *tool) {
  return mpl_options()[MPL_OPTION_CLANG].set && !strcmp(tool, "clang");
}

enum mpl_compile_result mpl_tool_run(const char *tool, struct mpl_process *process,
                                     const struct mpl_args *command, void **output,
                                     size_t *output_size, char **log) {
  int value = 0;
  enum mpl_process_end end = run(tool, process, command, &value);
  *output = mpl_file_contents(process->files[1], output_size);
  bool wrote =
      add_log(log, process, end == MPL_EXITED && value == 1 && !strcmp(tool, "the linker"));
  enum mpl_compile_result result = judge(log, tool, end, value, !*output_size);
  if (result == MPL_COMPILE_FAILED && !wrote)
    mpl_log_line(log, "maniple: %s (%s) failed and said nothing%s", tool, command->list[0],
                 is_named(tool) ? ": is it the clang 19 that MANIPLE_CLANG should name?" : "");
  if (result != MPL_COMPILED || (*output && *output_size)) return result;
  mpl_log_line(log, "maniple: %s (%s) gave no output: is there enough memory%s?", tool,
               command->list[0],
               is_named(tool) ? ", and is it the clang 19 that MANIPLE_CLANG should name" : "");
  return MPL_COMPILER_BROKEN;
}

enum mpl_compile_result mpl_tool_check(const char *tool, struct mpl_process *process,
                                       const struct mpl_args *command, char **log) {
  int value = 0;
  enum mpl_process_end end = run(tool, process, command, &value);
  bool complains = add_log(log, process, false);
  return judge(log, tool, end, value, complains);
}

bool mpl_tool_open_files(struct mpl_process *process, const void *input, size_t size) {
  process->num_files = 3;
  process->files[0] = mpl_memory_file(input, size);
  process->files[1] = mpl_memory_file(NULL, 0);
  process->files[2] = mpl_memory_file(NULL, 0);
  return process->files[0] >= 0 && process->files[1] >= 0 && process->files[2] >= 0;
}

void mpl_tool_close_files(struct mpl_process *process) {
  for (int i = 0; i < process->num_files; i++)
    if (process->files[i] >= 0) close(process->files[i]);
}
