/* A page that shows what each line of a kernel became, from the remarks that the compiler leaves
 * beside the source in a folder of `maniple build --dump`. */
#ifndef MPL_CLI_REPORT_H
#define MPL_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* NOTE: remarks that are no fact of tables/facts.def, and its notes. */
enum mpl_level { MPL_LEVEL_NOTE, MPL_LEVEL_FAST, MPL_LEVEL_MASKED, MPL_LEVEL_SLOW };

struct mpl_remark {
  const char *file, *kernel, *text; /* "": not known */
  unsigned line, column;
  int fact; /* of enum mpl_fact_id, or -1 */
  enum mpl_level level;
};

enum mpl_fact_id {
#define MPL_FACT(id, word, level, meaning) MPL_FACT_##id,
#include "tables/facts.def"
  MPL_NUM_FACTS
};

extern const struct mpl_fact {
  const char *word, *meaning;
  enum mpl_level level;
} mpl_facts[];

/* Of one program: its source in lines, and its remarks by kernel (in the order of the source) and
 * line, each once. */
struct mpl_report {
  char *name; /* of the file */
  char **lines;
  size_t num_lines;
  struct mpl_remark *remarks;
  size_t count;
  char *source, *text; /* the text of the others */
};

/* False if the folder has no such files. */
bool mpl_report_read(struct mpl_report *, const char *folder);
void mpl_report_free(struct mpl_report *);

/* The remarks of a kernel: from `first` to the one returned. */
size_t mpl_report_kernel_end(const struct mpl_report *, size_t first);
/* Whether the remark is on the kernel as a whole. */
bool mpl_is_about_kernel(const struct mpl_remark *);
/* The identifier that an access or a call begins with: its length, or 0 if there is none. */
size_t mpl_report_subject(const struct mpl_report *, const struct mpl_remark *, const char **name);
const char *mpl_report_line(const struct mpl_report *, unsigned line); /* "" if there is none */

void mpl_report_print(FILE *, const struct mpl_report *);

/* One HTML file of all programs. */
void mpl_report_html_begin(FILE *);
void mpl_report_html(FILE *, const struct mpl_report *);
void mpl_report_html_end(FILE *);

#endif
