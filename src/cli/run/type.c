/* Types of kernel arguments, and numbers of those types as text. */
#include "cli/run/type.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SIGNED, UNSIGNED, REAL };

static const struct element {
  const char *name;
  size_t size;
  enum kind kind;
} elements[] = {
#define MPL_ELEMENT(name, ctype, kind) {#name, sizeof(ctype), kind},
#include "tables/elements.def"
#undef MPL_ELEMENT
};

static const struct alias {
  const char *name;
  enum mpl_element element;
} aliases[] = {
#define MPL_ELEMENT(name, ctype, kind)
#define MPL_ELEMENT_ALIAS(name, element) {name, MPL_ELEMENT_##element},
#include "tables/elements.def"
#undef MPL_ELEMENT_ALIAS
#undef MPL_ELEMENT
};

static bool same(const char *name, const char *text, size_t length) {
  return strlen(name) == length && !strncmp(name, text, length);
}

struct mpl_type mpl_type_parse(const char *name, size_t length) {
  struct mpl_type none = {0, 0};
  unsigned width = 0;
  size_t letters = length;
  while (letters && isdigit((unsigned char)name[letters - 1])) letters--;
  if (letters == length) {
    width = 1;
  } else {
    static const char *const widths[] = {"2", "3", "4", "8", "16"};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
      if (same(widths[i], name + letters, length - letters)) width = (unsigned)atoi(widths[i]);
    if (!width) return none;
  }
  for (size_t i = 0; i < MPL_NUM_ELEMENTS; i++)
    if (same(elements[i].name, name, letters)) return (struct mpl_type){(enum mpl_element)i, width};
  for (size_t i = 0; width == 1 && i < sizeof aliases / sizeof *aliases; i++)
    if (same(aliases[i].name, name, letters)) return (struct mpl_type){aliases[i].element, 1};
  return none;
}

void mpl_type_name(struct mpl_type type, char name[24]) {
  if (type.width > 1)
    snprintf(name, 24, "%s%u", elements[type.element].name, type.width);
  else
    snprintf(name, 24, "%s", elements[type.element].name);
}

size_t mpl_element_size(enum mpl_element element) {
  return elements[element].size;
}
bool mpl_element_is_real(enum mpl_element element) {
  return elements[element].kind == REAL;
}

size_t mpl_type_size(struct mpl_type type) {
  return elements[type.element].size * (type.width == 3 ? 4 : type.width);
}

static bool parse_integer(const struct element *element, const char **text, int base,
                          int64_t *value) {
  const char *start = *text;
  char *end;
  while (isspace((unsigned char)*start)) start++;
  bool negative = *start == '-';
  const char *digits = start + (negative || *start == '+');
  bool prefixed = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (!base) base = prefixed ? 16 : 10;
  if (!isxdigit((unsigned char)*digits)) return false;
  errno = 0;
  uint64_t size = strtoull(digits, &end, base);
  if (errno || end == digits) return false;
  unsigned bits = (unsigned)element->size * 8;
  uint64_t top = UINT64_C(1) << (bits - 1);
  uint64_t limit = element->kind == UNSIGNED ? top - 1 + top : top - 1;
  /* A bit pattern in hexadecimal, and a negative number for an unsigned type, mean what they mean
   * in C. */
  if (base == 16 && !negative) limit = top - 1 + top;
  if (negative) limit = element->kind == UNSIGNED ? top - 1 + top : top;
  if (size > limit) return false;
  *value = (int64_t)(negative ? 0 - size : size);
  *text = end;
  return true;
}

bool mpl_element_parse(enum mpl_element element, const char **text, int base, void *at) {
  if (elements[element].kind == REAL) {
    char *end;
    double real = strtod(*text, &end);
    if (end == *text) return false;
    *text = end + (*end == 'f' || *end == 'F');
    mpl_element_store(element, at, 0, real);
    return true;
  }
  int64_t integer;
  if (!parse_integer(&elements[element], text, base, &integer)) return false;
  mpl_element_store(element, at, integer, 0);
  return true;
}

void mpl_element_store(enum mpl_element element, void *at, int64_t integer, double real) {
  switch (element) {
#define STORE_SIGNED   integer
#define STORE_UNSIGNED integer
#define STORE_REAL     real
#define MPL_ELEMENT(name, ctype, kind)                                                             \
  case MPL_ELEMENT_##name: {                                                                       \
    ctype value = (ctype)STORE_##kind;                                                             \
    memcpy(at, &value, sizeof value);                                                              \
    break;                                                                                         \
  }
#include "tables/elements.def"
#undef MPL_ELEMENT
  case MPL_NUM_ELEMENTS:
    break;
  }
}

double mpl_element_real(enum mpl_element element, const void *at) {
  switch (element) {
#define MPL_ELEMENT(name, ctype, kind)                                                             \
  case MPL_ELEMENT_##name: {                                                                       \
    ctype value;                                                                                   \
    memcpy(&value, at, sizeof value);                                                              \
    return (double)value;                                                                          \
  }
#include "tables/elements.def"
#undef MPL_ELEMENT
  case MPL_NUM_ELEMENTS:
    break;
  }
  return 0;
}

int64_t mpl_element_integer(enum mpl_element element, const void *at) {
  const struct element *e = &elements[element];
  uint64_t bits = 0;
  memcpy(&bits, at, e->size); /* little-endian hosts only, as is the rest of maniple */
  unsigned shift = 64 - (unsigned)e->size * 8;
  if (e->kind == SIGNED) return (int64_t)(bits << shift) >> shift;
  return (int64_t)bits;
}

static void print_real(enum mpl_element element, double real, char text[MPL_ELEMENT_TEXT]) {
  if (isnan(real)) {
    strcpy(text, "nan"); /* its sign and payload mean nothing to a reader */
    return;
  }
  /* The fewest digits that read back as the same number, without an exponent in sizes that people
   * read without one. */
  bool plain = fabs(real) >= 1e-4 && fabs(real) < 1e15;
  for (int digits = 1; digits <= 17; digits++) {
    unsigned char bytes[8];
    snprintf(text, MPL_ELEMENT_TEXT, "%.*g", digits, real);
    mpl_element_store(element, bytes, 0, strtod(text, NULL));
    if (mpl_element_real(element, bytes) == real && !(plain && strchr(text, 'e'))) return;
  }
}

void mpl_element_print(enum mpl_element element, const void *at, bool hex,
                       char text[MPL_ELEMENT_TEXT]) {
  const struct element *e = &elements[element];
  uint64_t bits = 0;
  memcpy(&bits, at, e->size);
  if (hex)
    snprintf(text, MPL_ELEMENT_TEXT, "0x%0*" PRIx64, (int)e->size * 2, bits);
  else if (e->kind == REAL)
    print_real(element, mpl_element_real(element, at), text);
  else if (e->kind == SIGNED)
    snprintf(text, MPL_ELEMENT_TEXT, "%" PRId64, mpl_element_integer(element, at));
  else
    snprintf(text, MPL_ELEMENT_TEXT, "%" PRIu64, bits);
}
