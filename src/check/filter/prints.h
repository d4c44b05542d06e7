/* The output of a filter's kernel, which is kept until the launch is known to stand. */
#ifndef MPL_CHECK_FILTER_PRINTS_H
#define MPL_CHECK_FILTER_PRINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpl_filter_prints {
  char *all; /* their text: strings among the arguments may change later */
  size_t size, room;
  bool full; /* something found no room */
};

/* As mpl_host.print. */
int mpl_filter_keep_print(struct mpl_filter_prints *, const char *format, const void *args,
                          uint64_t size);
/* Prints the texts, or not, and forgets them. */
void mpl_filter_end_prints(struct mpl_filter_prints *, bool prints);

#endif
