/* Reads JSON, one value after another. */
#ifndef MPL_CLI_JSON_H
#define MPL_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>

struct mpl_json {
  const char *at; /* of a text that ends with 0 */
};

/* A number, or a string that is there until the next call; true, false and null are numbers 1 and 0.
 * `key`: of the innermost object; `index`: in an array, else 0. */
struct mpl_json_item {
  const char *key, *string;
  double number;
  unsigned index;
};

/* Begins an array: true if one is there. */
bool mpl_json_enter(struct mpl_json *);
/* Tells of all numbers and strings of the array's next element, however deep; false at its end, or
 * where the text is no JSON. */
bool mpl_json_next(struct mpl_json *, void (*tell)(void *data, const struct mpl_json_item *),
                   void *data);

#endif
