/* Runs a tool on files in memory, and explains its exit status. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"
#include "tables/clang.h"
#include "toolchain/process/watch.h"
#include "toolchain/tools.h"

/* A limit of the clock, in those of the processor: a loaded machine is no reason to give up. */
enum { CLOCK_SECONDS = 10 };

/* The largest whole unit. */
static const char *in_units(uint64_t bytes, char text[32]) {
  unsigned unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, unit++;
  snprintf(text, 32, "%llu %s", (unsigned long long)bytes,
           (const char *[]){"bytes", "KiB", "MiB", "GiB"}[unit]);
  return text;
}

static void say_late(char **log, const char *tool, int over) {
  unsigned long long seconds = mpl_option_number(MPL_OPTION_BUILD_TIMEOUT);
  unsigned long long reading = mpl_option_number(MPL_OPTION_BUILD_READ_TIMEOUT);
  switch ((enum mpl_time_limit)over) {
  case MPL_OVER_READING:
    mpl_log_line(log,
                 "maniple: gave up %s, which has read the source for %llu s: does a macro or an "
                 "#include have no end? MANIPLE_BUILD_READ_TIMEOUT sets the limit",
                 tool, reading);
    return;
  case MPL_OVER_WAITING:
    mpl_log_line(
        log,
        "maniple: gave up %s, which has waited for a file of the source for %llu s: is one "
        "a FIFO or a terminal? MANIPLE_BUILD_READ_TIMEOUT sets the limit",
        tool, reading);
    return;
  case MPL_OVER_SECONDS:
    mpl_log_line(log,
                 "maniple: gave up %s after %llu s of processor time; MANIPLE_BUILD_TIMEOUT sets "
                 "the limit",
                 tool, seconds);
    return;
  default:
    mpl_log_line(
        log,
        "maniple: gave up %s after %llu s, of which it has had a processor for less than a "
        "tenth; MANIPLE_BUILD_TIMEOUT sets the limit",
        tool, seconds * CLOCK_SECONDS);
  }
}

/* Ends of the tool's own, of which its last words say the reason; false if they do not. */
static bool say_reason(char **log, const char *tool, const char *words) {
  static const char *const large[] = {"IO failure on output stream: File too large",
                                      "final link failed: File too large",
                                      "the bitcode cannot be written: File too large"};
  static const char *const memory[] = {"LLVM ERROR: out of memory", "maniple: out of memory",
                                       "std::bad_alloc", "failed to map segment",
                                       "memory exhausted"};
  char text[32];
  uint64_t limit = mpl_option_number(MPL_OPTION_BUILD_MEMORY);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    if (!strstr(words, large[i])) continue;
    mpl_log_line(log,
                 "maniple: %s could not write its output, which is larger than this process may "
                 "write; `ulimit -f` sets the limit",
                 tool);
    return true;
  }
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
    if (!strstr(words, memory[i])) continue;
    if (limit)
      mpl_log_line(log,
                   "maniple: %s needs more than the %s of memory that it may take; "
                   "MANIPLE_BUILD_MEMORY sets the limit",
                   tool, in_units(limit, text));
    else
      mpl_log_line(log, "maniple: there is too little memory for %s", tool);
    return true;
  }
  return false;
}

static const char *limit_of(int error) {
  return error == EMFILE   ? "; `ulimit -n` sets how many files this process may have open"
         : error == EAGAIN ? "; `ulimit -u` sets how many processes there may be"
         : error == EFBIG  ? "; `ulimit -f` sets how large a file may be"
                           : "";
}

enum mpl_compile_result mpl_tool_no_room(char **log) {
  mpl_log_line(log, "maniple: no room for the files of a compilation: %s%s", strerror(errno),
               limit_of(errno));
  return MPL_COMPILER_BROKEN;
}

/* A line with the remedy, if the tool itself gives none. */
static enum mpl_compile_result judge(char **log, const char *tool, enum mpl_process_end end,
                                     int value, bool failed_if_unknown, const char *words) {
  switch (end) {
  case MPL_NOT_STARTED:
    mpl_log_line(log, "maniple: cannot run %s: %s%s", tool, strerror(value), limit_of(value));
    return value == ENOENT || value == EACCES ? MPL_COMPILER_MISSING : MPL_COMPILER_BROKEN;
  case MPL_TIMED_OUT:
    say_late(log, tool, value);
    return MPL_COMPILER_BROKEN;
  case MPL_KILLED:
    if (say_reason(log, tool, words)) return MPL_COMPILER_BROKEN;
    mpl_log_line(log, "maniple: %s was killed by signal %d%s", tool, value,
                 value == SIGKILL || value == SIGABRT || value == SIGSEGV
                     ? ": is there enough memory? MANIPLE_BUILD_MEMORY sets the limit"
                     : "");
    return MPL_COMPILER_BROKEN;
  case MPL_EXITED:
    if (!value) return MPL_COMPILED;
    if (say_reason(log, tool, words)) return MPL_COMPILER_BROKEN;
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
  return mpl_process_run(process, command, (unsigned)timeout * CLOCK_SECONDS, value);
}

static enum mpl_process_end run(const char *tool, struct mpl_process *process,
                                const struct mpl_args *command, int *value) {
  uint64_t start = mpl_trace_begin();
  enum mpl_process_end end = mpl_tool_process(process, command, value);
  if (mpl_tracing()) mpl_trace_build(tool, start, MPL_TRACE_UNKNOWN);
  return end;
}

/* Where a tool that died begins to write of itself, for those who develop it, or of what is said
 * better below: that is no part of a program's log. */
static size_t until_last_words(const char *text) {
  static const char *const beginnings[] = {
      "PLEASE submit a bug report",        "Stack dump:",
      "LLVM ERROR: out of memory",         "maniple: out of memory",
      "IO failure on output stream: File", "error while loading shared libraries"};
  size_t size = strlen(text);
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    const char *words = strstr(text, beginnings[i]);
    while (words && words > text && words[-1] != '\n') words--;
    if (words && (size_t)(words - text) < size) size = (size_t)(words - text);
  }
  if (text[size]) mpl_log(MPL_LOG_BUILD, "%s", text + size);
  return size;
}

/* The tool's output, malloc'd or null; it is added to the log. */
static char *add_log(char **log, const struct mpl_process *process, bool from_linker, bool died) {
  size_t size;
  char *text = mpl_file_contents(process->files[2], &size);
  if (text && from_linker)
    mpl_link_log(log, text);
  else if (text)
    mpl_log_append(log, text, died ? until_last_words(text) : strlen(text));
  return text;
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
  char *words =
      add_log(log, process, end == MPL_EXITED && value == 1 && !strcmp(tool, "the linker"),
              end != MPL_EXITED || value);
  enum mpl_compile_result result = judge(log, tool, end, value, !*output_size, words ? words : "");
  bool wrote = words && *words;
  free(words);
  if (result == MPL_COMPILE_FAILED && !wrote)
    mpl_log_line(log, "maniple: %s (%s) failed and said nothing%s", tool, command->list[0],
                 is_named(tool) ? ": is it the " MPL_CLANG_NAME " that MANIPLE_CLANG should name?" : "");
  if (result != MPL_COMPILED || (*output && *output_size)) return result;
  mpl_log_line(log, "maniple: %s (%s) gave no output: is there enough memory%s?", tool,
               command->list[0],
               is_named(tool) ? ", and is it the " MPL_CLANG_NAME " that MANIPLE_CLANG should name" : "");
  return MPL_COMPILER_BROKEN;
}

enum mpl_compile_result mpl_tool_check(const char *tool, struct mpl_process *process,
                                       const struct mpl_args *command, char **log) {
  int value = 0;
  enum mpl_process_end end = run(tool, process, command, &value);
  char *words = add_log(log, process, false, end != MPL_EXITED || value > 1);
  enum mpl_compile_result result =
      judge(log, tool, end, value, words && *words, words ? words : "");
  free(words);
  return result;
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
