/* The host's printf does the formatting, one conversion at a time.  The differences are the layout
 * of arguments in memory, the sizes of lengths, which are OpenCL's, and vectors. */
#include "runtime/print/print.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/print/log.h"

struct text {
  char *data;
  size_t size, room;
  char few[512]; /* what most calls need */
};

struct args {
  const unsigned char *next, *end;
  char *(*fetch)(void *data, uint64_t address); /* null: strings are the host's */
  void *data;
};

/* One conversion specification, taken apart. */
struct spec {
  char flags[8];        /* each of "-+ #0" at most once */
  int width, precision; /* -1: not given */
  int vector;           /* number of elements, 0 for a scalar */
  int bytes;            /* of an element, from the length modifier; 0: not given */
  char conversion;
};

static bool make_room(struct text *text, size_t more) {
  if (text->room - text->size > more) return true;
  size_t room = (text->size + more) * 2;
  char *data = text->data == text->few ? malloc(room) : realloc(text->data, room);
  if (!data) return false;
  if (text->data == text->few) memcpy(data, text->few, text->size);
  text->data = data;
  text->room = room;
  return true;
}

static bool add(struct text *text, const char *bytes, size_t size) {
  if (!make_room(text, size)) return false;
  memcpy(text->data + text->size, bytes, size);
  text->size += size;
  return true;
}

/* Digits up to what an int holds; -1 if there are none. */
static int number(const char **format) {
  long value = -1;
  for (; **format >= '0' && **format <= '9'; ++*format) {
    value = (value < 0 ? 0 : value) * 10 + (**format - '0');
    if (value > 1 << 20) value = 1 << 20; /* wider than any sensible field */
  }
  return (int)value;
}

static bool parse_vector(const char **format, struct spec *spec) {
  if (**format != 'v') return true;
  ++*format;
  spec->vector = number(format);
  return spec->vector == 2 || spec->vector == 3 || spec->vector == 4 || spec->vector == 8 ||
         spec->vector == 16;
}

/* hh, h, hl (only with vectors), l; since OpenCL 3.1 z and t.  ll and j are C's.  OpenCL's long,
 * size_t and ptrdiff_t have 8 bytes on all our targets. */
static void parse_length(const char **format, struct spec *spec) {
  static const struct {
    const char *text;
    int bytes;
  } lengths[] = {{"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8},
                 {"l", 8},  {"z", 8},  {"t", 8}, {"j", 8}};
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t length = strlen(lengths[i].text);
    if (strncmp(*format, lengths[i].text, length)) continue;
    spec->bytes = lengths[i].bytes;
    *format += length;
    return;
  }
}

static bool parse(const char **format, struct spec *spec) {
  size_t num_flags = 0;
  *spec = (struct spec){.precision = -1};
  for (; **format && strchr("-+ #0", **format); ++*format)
    if (!strchr(spec->flags, **format)) spec->flags[num_flags++] = **format;
  spec->width = number(format);
  if (**format == '.') {
    ++*format;
    spec->precision = number(format);
    if (spec->precision < 0) spec->precision = 0;
  }
  if (!parse_vector(format, spec)) return false;
  parse_length(format, spec);
  spec->conversion = **format;
  if (!spec->conversion || !strchr("diouxXfFeEgGaAcsp", spec->conversion)) return false;
  ++*format;
  return !(spec->vector && strchr("csp", spec->conversion));
}

static bool take(struct args *args, void *value, size_t size) {
  if ((size_t)(args->end - args->next) < size) return false;
  memcpy(value, args->next, size);
  size_t padded = (size + 7) / 8 * 8, left = (size_t)(args->end - args->next);
  args->next += padded < left ? padded : left;
  return true;
}

/* "%" flags width precision length conversion, for the host. */
static void host_format(const struct spec *spec, const char *length, char *out, size_t size) {
  int n = snprintf(out, size, "%%%s", spec->flags);
  if (spec->width >= 0) n += snprintf(out + n, size - (size_t)n, "%d", spec->width);
  if (spec->precision >= 0) n += snprintf(out + n, size - (size_t)n, ".%d", spec->precision);
  snprintf(out + n, size - (size_t)n, "%s%c", length, spec->conversion);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define ADD_FORMATTED(text, format, value)                                                         \
  do {                                                                                             \
    int length = snprintf(NULL, 0, format, value);                                                 \
    if (length < 0 || !make_room(text, (size_t)length + 1)) return false;                          \
    snprintf((text)->data + (text)->size, (size_t)length + 1, format, value);                      \
    (text)->size += (size_t)length;                                                                \
  } while (0)

static bool add_integer(struct text *text, const struct spec *spec, uint64_t bits, int bytes) {
  char format[64];
  bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
  unsigned unused = 64 - 8 * (unsigned)bytes;
  bits <<= unused;
  bits = is_signed ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
  host_format(spec, "ll", format, sizeof format);
  ADD_FORMATTED(text, format, (unsigned long long)bits);
  return true;
}

static bool add_double(struct text *text, const struct spec *spec, double value) {
  char format[64];
  host_format(spec, "", format, sizeof format);
  ADD_FORMATTED(text, format, value);
  return true;
}

/* IEEE half to double: exact. */
static double from_half(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  double value = exponent == 31 ? (fraction ? __builtin_nan("") : __builtin_inf())
                 : exponent     ? __builtin_ldexp(1024 + fraction, exponent - 25)
                                : __builtin_ldexp(fraction, -24);
  return half >> 15 ? -value : value;
}

static double floating(const unsigned char *element, int bytes) {
  uint16_t half;
  float single;
  double wide;
  switch (bytes) {
  case 2:
    memcpy(&half, element, 2);
    return from_half(half);
  case 4:
    memcpy(&single, element, 4);
    return single;
  default:
    memcpy(&wide, element, 8);
    return wide;
  }
}

static bool add_vector(struct text *text, const struct spec *spec, struct args *args) {
  unsigned char elements[16 * 8];
  int bytes = spec->bytes ? spec->bytes : 4;
  bool integer = strchr("diouxX", spec->conversion);
  if ((!integer && bytes == 1) || !take(args, elements, (size_t)(spec->vector * bytes)))
    return false;
  for (int i = 0; i < spec->vector; i++) {
    uint64_t bits = 0;
    memcpy(&bits, elements + i * bytes, (size_t)bytes); /* little-endian, as all our targets */
    if (i && !add(text, ",", 1)) return false;
    if (integer ? !add_integer(text, spec, bits, bytes)
                : !add_double(text, spec, floating(elements + i * bytes, bytes)))
      return false;
  }
  return true;
}

static bool add_string(struct text *text, const char *format, const char *string) {
  ADD_FORMATTED(text, format, string ? string : "(null)");
  return true;
}

static bool add_fetched(struct text *text, const char *format, const struct args *args,
                        uint64_t address) {
  char *string = address ? args->fetch(args->data, address) : NULL;
  bool good = add_string(text, format, string);
  free(string);
  return good;
}

static bool add_scalar(struct text *text, const struct spec *spec, struct args *args) {
  char format[64];
  uint64_t bits;
  if (!take(args, &bits, sizeof bits)) return false;
  if (strchr("diouxX", spec->conversion))
    return add_integer(text, spec, bits, spec->bytes ? spec->bytes : 4);
  host_format(spec, "", format, sizeof format);
  double value;
  switch (spec->conversion) {
  case 'c':
    ADD_FORMATTED(text, format, (int)bits);
    return true;
  case 'p':
    ADD_FORMATTED(text, format, (void *)(uintptr_t)bits);
    return true;
  case 's':
    return args->fetch ? add_fetched(text, format, args, bits)
                       : add_string(text, format, (const char *)(uintptr_t)bits);
  default:
    memcpy(&value, &bits, sizeof value);
    return add_double(text, spec, value);
  }
}

static bool convert(struct text *text, const char **format, struct args *args) {
  struct spec spec;
  if (!parse(format, &spec)) return false;
  return spec.vector ? add_vector(text, &spec, args) : add_scalar(text, &spec, args);
}

/* Behind a specification that cannot be converted nothing is known of the arguments: it and the
 * rest are written as they stand. */
static bool format_all(struct text *text, const char *format, struct args *args) {
  while (*format) {
    size_t plain = strcspn(format, "%");
    if (!add(text, format, plain)) return false;
    format += plain;
    if (!*format) break;
    if (format[1] == '%') {
      if (!add(text, format, 1)) return false;
      format += 2;
      continue;
    }
    const char *behind = format + 1;
    size_t size = text->size;
    if (convert(text, &behind, args)) {
      format = behind;
      continue;
    }
    mpl_log(MPL_LOG_ERROR, "printf: no conversion, or too few arguments for it, at \"%.32s\"",
            format);
    text->size = size;
    add(text, format, strlen(format));
    return false;
  }
  return true;
}

_Thread_local bool mpl_is_printing;

/* One fwrite: stdio's own lock keeps the texts of several work-items apart. */
static bool to_stdout(void *data, const char *text, size_t size) {
  return fwrite(text, 1, size, stdout) == size;
}

static int print(bool (*taker)(void *data, const char *text, size_t size), void *data,
                 const char *format, struct args *list) {
  struct text text = {.data = text.few, .room = sizeof text.few};
  mpl_is_printing = true;
  bool good = format_all(&text, format, list);
  if (!taker(data, text.data, text.size)) good = false;
  if (text.data != text.few) free(text.data);
  mpl_is_printing = false;
  return good ? 0 : -1;
}

static const unsigned char *end_of(const void *args, uint64_t size) {
  return args ? (const unsigned char *)args + size : NULL;
}

int mpl_print(const char *format, const void *args, uint64_t args_size) {
  return mpl_print_to(to_stdout, NULL, format, args, args_size);
}

int mpl_print_to(bool (*taker)(void *data, const char *text, size_t size), void *data,
                 const char *format, const void *args, uint64_t args_size) {
  struct args list = {args, end_of(args, args_size), NULL, NULL};
  return print(taker, data, format, &list);
}

int mpl_print_fetching(const char *format, const void *args, uint64_t args_size,
                       char *(*fetch)(void *data, uint64_t address), void *data) {
  struct args list = {args, end_of(args, args_size), fetch, data};
  return print(to_stdout, NULL, format, &list);
}

void mpl_print_flush(void) {
  fflush(stdout);
}
