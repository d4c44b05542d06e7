/* Types of kernel arguments, and numbers of those types as text. */
#ifndef MPL_CLI_TYPE_H
#define MPL_CLI_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mpl_element {
#define MPL_ELEMENT(name, ctype, kind) MPL_ELEMENT_##name,
#include "tables/elements.def"
#undef MPL_ELEMENT
  MPL_NUM_ELEMENTS
};

struct mpl_type {
  enum mpl_element element;
  unsigned width; /* 1, 2, 3, 4, 8 or 16; 0: no type */
};

/* The type with that name, which ends at `length`: "int", "float4", "unsigned int"; width 0 if
 * there is none. */
struct mpl_type mpl_type_parse(const char *name, size_t length);
void mpl_type_name(struct mpl_type, char name[24]);

size_t mpl_element_size(enum mpl_element);
bool mpl_element_is_real(enum mpl_element);
size_t mpl_type_size(struct mpl_type); /* of one element of a buffer: a 3-vector takes 4 */

/* Reads one number at *text, moves *text behind it and stores it; false if there is none or it does
 * not fit.  `base` is 0 (decimal, or hexadecimal with 0x), 10 or 16. */
bool mpl_element_parse(enum mpl_element, const char **text, int base, void *at);

/* Stores a number of ours; wraps round in integers as OpenCL C's conversions do. */
void mpl_element_store(enum mpl_element, void *at, int64_t integer, double real);

double mpl_element_real(enum mpl_element, const void *at);
int64_t mpl_element_integer(enum mpl_element, const void *at); /* the bits, for unsigned ones */

/* As text from which the same number is read back. */
enum { MPL_ELEMENT_TEXT = 40 };
void mpl_element_print(enum mpl_element, const void *at, bool hex, char text[MPL_ELEMENT_TEXT]);

#endif
