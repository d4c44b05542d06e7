/* Text that grows. */
#ifndef TESTS_PROGRAMS_TEXT_H
#define TESTS_PROGRAMS_TEXT_H

#include <stddef.h>

/* Starts as all zero; `at` is zero-terminated once something was added; free(at). */
struct text {
  char *at;
  size_t size, room;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_bytes(struct text *text, const char *bytes, size_t size);
void text_cut(struct text *text, size_t size); /* back to this length */

#endif
