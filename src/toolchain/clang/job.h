/* The parts of one compilation that compile.c puts together. */
#ifndef MPL_TOOLCHAIN_JOB_H
#define MPL_TOOLCHAIN_JOB_H

#include "toolchain/arguments.h"
#include "toolchain/compile.h"
#include "toolchain/process/process.h"

/* Appends text to a malloc'd log; a failed append leaves it as it was. */
void mpl_log_append(char **log, const char *text, size_t size);
void mpl_log_line(char **log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Turns names and places in a log into those that the programmer knows. */
void mpl_log_tidy(char *log, const char *header_folder);
/* Takes out warnings of pragmas for extensions that the device has (`lacks`: enum mpl_offer). */
void mpl_log_drop_pragmas(char *log, uint32_t lacks);
/* Adds a line on a frequent cause of errors: an old language version. */
void mpl_log_hint(char **log, const struct mpl_source_options *);

/* The clang command for the job.  Bitcode is read from the descriptors 4, 5 ..., source from 0;
 * the result goes to 1, the list of included files to 3. */
#define MPL_SOURCE_PATH "/proc/self/fd/0"
#define MPL_SOURCE_NAME "<source>" /* as it reads in the log */
enum { MPL_FD_DEPENDENCIES = 3, MPL_FD_BITCODE = 4 };
void mpl_clang_command(const struct mpl_compile_job *, const struct mpl_args *options,
                       const struct mpl_source_options *, const char *header_folder,
                       struct mpl_args *out);
void mpl_link_command(struct mpl_args *out);
/* Is a job's target a GPU's?  Its binary is text then, and is not linked. */
bool mpl_is_nvptx(const char *target);

/* A tool, with its input in file 0, its output in 1, its log in 2, and other files of its own.
 *   mpl_tool_run    its output becomes *output (malloc'd; null if it made nothing)
 *   mpl_tool_check  it only tests its input
 * Its log, and a sentence where the tool itself says nothing, are added to *log. */
bool mpl_tool_open_files(struct mpl_process *, const void *input, size_t size);
void mpl_tool_close_files(struct mpl_process *);
enum mpl_compile_result mpl_tool_run(const char *tool, struct mpl_process *,
                                     const struct mpl_args *command, void **output,
                                     size_t *output_size, char **log);
enum mpl_compile_result mpl_tool_check(const char *tool, struct mpl_process *,
                                       const struct mpl_args *command, char **log);
/* The process alone, with the limits that options set. */
enum mpl_process_end mpl_tool_process(struct mpl_process *, const struct mpl_args *command,
                                      int *value);
enum mpl_compile_result mpl_tool_no_room(char **log); /* with errno */

/* The module of the job as bitcode, malloc'd; null unless MPL_COMPILED. */
enum mpl_compile_result mpl_spirv_to_bitcode(const struct mpl_compile_job *,
                                             struct mpl_compile_answer *, void **bitcode,
                                             size_t *size);

/* The line end that a text lacks, or "".  In a last line without one clang walks to the column of
 * each instruction anew from the line's beginning, and generators write whole kernels in one line.
 */
const char *mpl_line_end(const char *text, size_t size);

/* Embedded headers as files in a new folder (removed by mpl_headers_remove); false with a line in
 * the log.  `folder` is "" if there are none. */
bool mpl_headers_write(const struct mpl_compile_job *, char folder[4096], char **log);
void mpl_headers_remove(const char *folder);

/* A new folder for files that clang reads, removed by mpl_headers_remove; false with errno, and ""
 * as its name, if there can be none. */
bool mpl_folder_make(char folder[4096]);

/* Whether the source or an embedded header of a job has #embed, with an error in the log; whether
 * files have. */
bool mpl_refuse_embed(const struct mpl_compile_job *, char **log);
bool mpl_refuse_embed_in(char *const *files, size_t count, char **log);

/* long_lines.c: whether the text's last line is long and has no end; files such that a source in C
 * includes. */
bool mpl_ends_in_long_line(const char *text, size_t size);
void mpl_find_long_lines(const struct mpl_compile_job *, const struct mpl_args *options,
                         struct mpl_args *files);

/* What stands in the place of those of the files that need it, in a new folder with the file `list` for
 * -ivfsoverlay (opencl_cpp/overlay.c); false if none does or there is no room.  Last lines get an end;
 * OpenCL C++ is translated, and adds to the names, which are null for other languages. */
struct mpl_cxx_names;
bool mpl_overlay_write(const struct mpl_args *files, const char *header_folder,
                       struct mpl_cxx_names *, char folder[4096]);

/* Reads make's list of dependencies; files under `skip` are left out. */
void mpl_dependencies_read(char *text, const char *skip, struct mpl_args *out);

/* Puts the linker's undefined symbols into the words of an OpenCL programmer. */
void mpl_link_log(char **log, const char *linker_log);

/* Writes a file of MANIPLE_DUMP. */
void mpl_dump_file(const char *folder, const char *name, const void *data, size_t size);

#endif
