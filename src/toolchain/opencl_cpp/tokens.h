/* C++ text as tokens, and edits of the text. */
#ifndef MPL_TOOLCHAIN_TOKENS_H
#define MPL_TOOLCHAIN_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* A name, a number, a string, or one character of punctuation. */
struct mpl_token {
  size_t start, end; /* offsets in the text */
  size_t partner;    /* of ( [ {: the token that closes it; 0 if none does */
  bool is_name;
};

struct mpl_edit {
  size_t start, end; /* what goes away; equal for an insertion */
  char *insert;
  size_t order; /* in which they were asked for */
};

struct mpl_tokens {
  const char *text;
  size_t size;
  struct mpl_token *list;
  size_t count, capacity;
  struct mpl_edit *edits; /* by `order` */
  size_t num_edits, edits_capacity;
  bool failed; /* out of memory */
};

void mpl_tokens_read(struct mpl_tokens *, const char *text, size_t size);
void mpl_tokens_free(struct mpl_tokens *);

/* Looking ahead ends after so many tokens, lest hostile text take quadratic time. */
enum { MPL_TOKENS_FARTHEST = 512 };

/* Token i is this name or character; false beyond the end. */
bool mpl_token_is(const struct mpl_tokens *, size_t i, const char *text);
bool mpl_token_is_name(const struct mpl_tokens *, size_t i);

/* The token after the bracket that closes the one at i, for ( [ { <; i + 1 if none does. */
size_t mpl_tokens_skip(const struct mpl_tokens *, size_t i);

/* No line ends between the two; one that a backslash continues does not. */
bool mpl_tokens_same_line(const struct mpl_tokens *, size_t i, size_t k);

/* Puts a text in the place of [start, end).  Where two overlap, as in text that is no C++, the one
 * that begins later is not made. */
void mpl_tokens_edit(struct mpl_tokens *, size_t start, size_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The text with all edits made; malloc'd, null if out of memory. */
char *mpl_tokens_text(struct mpl_tokens *, size_t *size);

#endif
