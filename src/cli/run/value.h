/* The VALUE of an argument: a few words on the contents of a buffer, and the filling of it. */
#ifndef MPL_CLI_VALUE_H
#define MPL_CLI_VALUE_H

#include "cli/run/type.h"

enum mpl_value_kind {
  MPL_VALUE_NONE, /* zeros */
  MPL_VALUE_NULL,
  MPL_VALUE_LIST,
  MPL_VALUE_FILL,
  MPL_VALUE_RANGE,
  MPL_VALUE_RANDOM,
  MPL_VALUE_TEXT_FILE,
  MPL_VALUE_RAW_FILE,
};

struct mpl_value {
  enum mpl_value_kind kind;
  const char *text;   /* what follows the word: the numbers, or the path */
  char *content;      /* of a file, once mpl_value_load has read it */
  size_t content_size;
};

/* Whether a file of that name holds numbers as text: .txt and .csv do. */
bool mpl_is_text_path(const char *path);

/* Finds the kind of value of the text.  False, after saying why, if it is none. */
bool mpl_value_parse(const char *text, struct mpl_value *);

/* Reads the file if it is one; false, after saying why, if that fails. */
bool mpl_value_load(struct mpl_value *);
void mpl_value_free(struct mpl_value *);

/* How many elements of the type it has by itself; 0 if it fills whatever is there. */
size_t mpl_value_count(const struct mpl_value *, struct mpl_type);

/* Fills `count` elements at `data`; false, after saying why, if the numbers are wrong or too many.
 * `name` is the argument's, for messages. */
bool mpl_value_fill(const struct mpl_value *, struct mpl_type, size_t count, void *data,
                    const char *name);

/* One value of that type and no more: scalars splat to all components of a vector. */
bool mpl_value_scalar(const struct mpl_value *, struct mpl_type, void *data, const char *name);

#endif
