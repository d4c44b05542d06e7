/* A trace (runtime/trace/trace.h) as `maniple profile` shows it: a timeline, and a row for each
 * kernel.  Times are us of the trace's clock, from its first event on. */
#ifndef MPL_CLI_TIMELINE_H
#define MPL_CLI_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum mpl_slice_sort {
  MPL_SLICE_BUILD,
  MPL_SLICE_KERNEL,
  MPL_SLICE_GROUPS, /* work-groups that a thread ran one after another */
  MPL_SLICE_TRANSFER,
  MPL_SLICE_RUN,     /* a command on the thread that did it */
  MPL_SLICE_COMMAND, /* the same from when it was queued to its end, beside the threads */
  MPL_SLICE_SORTS,
};

struct mpl_slice {
  enum mpl_slice_sort sort;
  const char *name;
  size_t track;
  unsigned depth;              /* in its track: how many others it lies in */
  double start, time, started; /* started: of a command, after it has waited */
  double bytes;                /* -1: not known */
  double items, groups, width;
  double operations;               /* -1: not known */
  double cycles, operation_cycles; /* of groups; 0: they were not counted */
  double command;                  /* its number, or 0 */
};

struct mpl_track {
  char *name;
  unsigned process, thread, queue; /* of a queue, if that is not 0, else of a thread */
  unsigned depth;                  /* of its deepest slice, and 1 */
};

/* From one command to another of the same process, which waits for it. */
struct mpl_arrow {
  unsigned process;
  double from, to;
};

struct mpl_timeline {
  struct mpl_slice *slices; /* by track, then by start; what lies in another one behind it */
  size_t num_slices, slice_room;
  struct mpl_track *tracks;
  size_t num_tracks, track_room;
  struct mpl_arrow *arrows;
  size_t num_arrows, arrow_room;
  char **names; /* of slices */
  size_t num_names, name_room;
  double end;
};

/* A row of the table: a kernel. */
struct mpl_kernel_row {
  const char *name;
  double launches, time, items, bytes /* -1: of one it is not known */, width, operations;
  double group_time; /* of all threads together; 0: not known */
  double cycles, operation_cycles;
};

/* Adds a trace's text; false if it is none.  The last event may be missing. */
bool mpl_timeline_read(struct mpl_timeline *, const char *text);
/* After the last one: puts all in order. */
void mpl_timeline_finish(struct mpl_timeline *);
void mpl_timeline_free(struct mpl_timeline *);

/* The kernels, the one that took longest first; the caller frees them. */
struct mpl_kernel_row *mpl_timeline_kernels(const struct mpl_timeline *, size_t *count);

/* One cell of the table as text, "-" if it is not known. */
enum { MPL_CELL_TEXT = 32 };
struct mpl_column {
  const char *title;
  void (*put)(const struct mpl_kernel_row *, double all_time, char text[MPL_CELL_TEXT]);
};
extern const struct mpl_column mpl_columns[];
extern const size_t mpl_num_columns;
/* The numbers and times of builds, transfers and commands: a sentence or two each. */
void mpl_timeline_summary(const struct mpl_timeline *, void (*put)(void *data, const char *line),
                          void *data);

void mpl_timeline_print(FILE *, const struct mpl_timeline *);
/* A page with the table and the timeline (timeline_html.c). */
void mpl_timeline_html(FILE *, const struct mpl_timeline *);

#endif
