/* The VALUE of an argument: parsing, and filling of buffers. */
#include "cli/run/value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool mpl_is_text_path(const char *path) {
  size_t length = strlen(path);
  return length > 4 && (!strcmp(path + length - 4, ".txt") || !strcmp(path + length - 4, ".csv"));
}

/* "word" or "word:rest" */
static bool is_word(const char *text, const char *word, const char **rest) {
  size_t length = strlen(word);
  if (strncmp(text, word, length) || (text[length] && text[length] != ':')) return false;
  *rest = text + length + (text[length] == ':');
  return true;
}

bool mpl_value_parse(const char *text, struct mpl_value *value) {
  static const struct {
    const char *word;
    enum mpl_value_kind kind;
  } words[] = {
      {"fill", MPL_VALUE_FILL},
      {"range", MPL_VALUE_RANGE},
      {"random", MPL_VALUE_RANDOM},
      {"null", MPL_VALUE_NULL},
  };
  *value = (struct mpl_value){MPL_VALUE_LIST, text, NULL, 0};
  if (text[0] == '@') {
    value->text = text + 1;
    value->kind = mpl_is_text_path(text) ? MPL_VALUE_TEXT_FILE : MPL_VALUE_RAW_FILE;
    if (!text[1]) return mpl_usage("'@' needs the name of a file"), false;
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(text, words[i].word, &value->text)) {
      value->kind = words[i].kind;
      return true;
    }
  value->text = text;
  const char *start = text + (*text == '-' || *text == '+' || *text == '.');
  if (isdigit((unsigned char)*start) || !strncmp(start, "inf", 3) || !strncmp(start, "nan", 3))
    return true;
  mpl_usage("'%s' is neither numbers nor fill, range, random, null or @FILE", text);
  return false;
}

bool mpl_value_load(struct mpl_value *value) {
  if (value->kind != MPL_VALUE_RAW_FILE && value->kind != MPL_VALUE_TEXT_FILE) return true;
  value->content = mpl_read_file(value->text, &value->content_size);
  return value->content != NULL;
}

void mpl_value_free(struct mpl_value *value) {
  free(value->content);
}

static bool is_separator(char c) {
  return c == ',' || c == ';' || isspace((unsigned char)c);
}

/* Numbers with spaces, commas or semicolons between; '#' begins a comment.  Moves *text to the next
 * one; false at the end. */
static bool next_number(const char **text) {
  for (;;) {
    while (is_separator(**text)) (*text)++;
    if (**text != '#') return **text != 0;
    *text += strcspn(*text, "\n");
  }
}

static const char *numbers(const struct mpl_value *value) {
  return value->kind == MPL_VALUE_TEXT_FILE ? value->content : value->text;
}

size_t mpl_value_count(const struct mpl_value *value, struct mpl_type type) {
  if (value->kind == MPL_VALUE_RAW_FILE) {
    size_t size = mpl_type_size(type);
    return (value->content_size + size - 1) / size;
  }
  if (value->kind != MPL_VALUE_LIST && value->kind != MPL_VALUE_TEXT_FILE) return 0;
  size_t count = 0;
  for (const char *text = numbers(value); next_number(&text); count++)
    while (*text && !is_separator(*text)) text++;
  return (count + type.width - 1) / type.width;
}

/* Where component `i` of the vectors of a buffer lies: a 3-vector has a gap after it. */
static unsigned char *component(void *data, struct mpl_type type, size_t i) {
  size_t at = i / type.width * mpl_type_size(type);
  at += i % type.width * mpl_element_size(type.element);
  return (unsigned char *)data + at;
}

static bool bad_number(const char *text, struct mpl_type type, const char *name) {
  char type_name[24];
  type.width = 1;
  mpl_type_name(type, type_name);
  mpl_usage("argument %s: '%.*s' is not a number of type %s", name, (int)strcspn(text, ",; \t\r\n"),
            text, type_name);
  return false;
}

static bool fill_list(const char *text, struct mpl_type type, size_t count, void *data,
                      const char *name, size_t *filled) {
  size_t n = 0;
  for (; next_number(&text); n++) {
    const char *start = text;
    unsigned char spare[8];
    bool fits = n < count * type.width;
    if (!mpl_element_parse(type.element, &text, 0, fits ? component(data, type, n) : spare) ||
        (*text && !is_separator(*text)))
      return bad_number(start, type, name);
  }
  *filled = n;
  if (n <= count * type.width) return true;
  mpl_usage("argument %s: %zu numbers are given for %zu", name, n, count * type.width);
  return false;
}

/* Up to two numbers "A:B" for range and random; those that are not there keep their values. */
static bool two_numbers(const char *text, struct mpl_type type, unsigned char first[8],
                        unsigned char second[8], const char *name) {
  unsigned char *into[] = {first, second};
  for (int i = 0; *text; i++) {
    const char *start = text;
    if (i == 2 || !mpl_element_parse(type.element, &text, 0, into[i]) || (*text && *text != ':'))
      return bad_number(start, type, name);
    text += *text == ':';
  }
  return true;
}

static bool fill_range(const char *text, struct mpl_type type, size_t n, void *data,
                       const char *name) {
  unsigned char first[8] = {0}, step[8];
  mpl_element_store(type.element, step, 1, 1);
  if (!two_numbers(text, type, first, step, name)) return false;
  int64_t integer = mpl_element_integer(type.element, first);
  int64_t integer_step = mpl_element_integer(type.element, step);
  double real = mpl_element_real(type.element, first);
  double real_step = mpl_element_real(type.element, step);
  for (size_t i = 0; i < n; i++)
    mpl_element_store(type.element, component(data, type, i),
                      (int64_t)((uint64_t)integer + i * (uint64_t)integer_step),
                      real + (double)i * real_step);
  return true;
}

/* SplitMix64: any seed gives a good sequence. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static bool fill_random(const char *text, struct mpl_type type, size_t n, void *data,
                        const char *name) {
  uint64_t state = 0;
  unsigned char low[8] = {0}, high[8] = {0};
  bool bounded = false;
  if (*text) {
    char *end;
    state = strtoull(text, &end, 0);
    if (end == text || (*end && *end != ':'))
      return mpl_usage("argument %s: '%s' is not a seed", name, text), false;
    bounded = *end == ':';
    if (bounded && !strchr(end + 1, ':'))
      return mpl_usage("argument %s: random takes SEED or SEED:LOW:HIGH", name), false;
    if (bounded && !two_numbers(end + 1, type, low, high, name)) return false;
  }
  uint64_t from = (uint64_t)mpl_element_integer(type.element, low);
  uint64_t span = (uint64_t)mpl_element_integer(type.element, high) - from + 1; /* 0: all */
  double real = mpl_element_real(type.element, low);
  double width = bounded ? mpl_element_real(type.element, high) - real : 1;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = next_random(&state);
    uint64_t integer = bounded && span ? from + bits % span : bits;
    mpl_element_store(type.element, component(data, type, i), (int64_t)integer,
                      real + width * ((double)(bits >> 40) * 0x1p-24));
  }
  return true;
}

static bool fill_raw(const struct mpl_value *value, size_t size, void *data, const char *name) {
  if (value->content_size > size)
    return mpl_usage("argument %s: %s has %zu bytes, the argument %zu", name, value->text,
                     value->content_size, size),
           false;
  memcpy(data, value->content, value->content_size);
  return true;
}

bool mpl_value_fill(const struct mpl_value *value, struct mpl_type type, size_t count, void *data,
                    const char *name) {
  size_t n = count * type.width, filled;
  switch (value->kind) {
  case MPL_VALUE_NONE:
    return true;
  case MPL_VALUE_NULL:
    return mpl_usage("argument %s: null is a pointer", name), false;
  case MPL_VALUE_LIST:
  case MPL_VALUE_TEXT_FILE:
    return fill_list(numbers(value), type, count, data, name, &filled);
  case MPL_VALUE_FILL: {
    const char *text = value->text;
    unsigned char number[8] = {0};
    if (!mpl_element_parse(type.element, &text, 0, number) || *text)
      return bad_number(value->text, type, name);
    for (size_t i = 0; i < n; i++)
      memcpy(component(data, type, i), number, mpl_element_size(type.element));
    return true;
  }
  case MPL_VALUE_RANGE:
    return fill_range(value->text, type, n, data, name);
  case MPL_VALUE_RANDOM:
    return fill_random(value->text, type, n, data, name);
  case MPL_VALUE_RAW_FILE:
    return fill_raw(value, count * mpl_type_size(type), data, name);
  }
  return false;
}

bool mpl_value_scalar(const struct mpl_value *value, struct mpl_type type, void *data,
                      const char *name) {
  size_t filled = type.width;
  if (value->kind == MPL_VALUE_LIST || value->kind == MPL_VALUE_TEXT_FILE) {
    if (!fill_list(numbers(value), type, 1, data, name, &filled)) return false;
    if (filled != 1 && filled != type.width)
      return mpl_usage("argument %s: %zu numbers are given for %u", name, filled, type.width),
             false;
    for (size_t i = filled; i < type.width; i++)
      memcpy(component(data, type, i), data, mpl_element_size(type.element));
    return true;
  }
  return mpl_value_fill(value, type, 1, data, name);
}
