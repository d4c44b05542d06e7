#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/options.h"

/* Takes `text` over. */
static void append(struct mpl_args *args, char *text) {
  if (args->count + 2 > args->capacity) {
    size_t capacity = args->capacity ? args->capacity * 2 : 64;
    char **list = realloc(args->list, capacity * sizeof *list);
    if (list) {
      args->list = list;
      args->capacity = capacity;
    }
  }
  if (!text || args->count + 2 > args->capacity) {
    free(text);
    args->failed = true;
    return;
  }
  args->list[args->count++] = text;
  args->list[args->count] = NULL;
}

void mpl_args_add(struct mpl_args *args, const char *text) {
  append(args, strdup(text));
}

void mpl_args_addf(struct mpl_args *args, const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  append(args, length < 0 ? NULL : text);
}

void mpl_args_free(struct mpl_args *args) {
  for (size_t i = 0; i < args->count; i++) free(args->list[i]);
  free(args->list);
  *args = (struct mpl_args){0};
}

char *mpl_args_quote(const struct mpl_args *args) {
  size_t size = 1;
  for (size_t i = 0; i < args->count; i++) size += 4 * strlen(args->list[i]) + 3;
  char *line = malloc(size), *out = line;
  if (!line) return NULL;
  for (size_t i = 0; i < args->count; i++) {
    const char *text = args->list[i];
    bool plain = *text && !strpbrk(text, " \t\n\r\f\v\"'\\$`&|;<>()*?[]#~!{}");
    if (i) *out++ = ' ';
    if (!plain) *out++ = '\'';
    for (; *text; text++) {
      if (*text == '\'')
        out = stpcpy(out, "'\\''");
      else
        *out++ = *text;
    }
    if (!plain) *out++ = '\'';
  }
  *out = 0;
  return line;
}

void mpl_args_split(struct mpl_args *args, const char *options) {
  char *word = malloc(strlen(options) + 1);
  if (!word) {
    args->failed = true;
    return;
  }
  for (const char *p = options;;) {
    while (*p && strchr(" \t\n\r\f\v", *p)) p++;
    if (!*p) break;
    char *out = word, quote = 0;
    for (; *p && (quote || !strchr(" \t\n\r\f\v", *p)); p++) {
      if (*p == '\\' && p[1] && quote != '\'')
        *out++ = *++p;
      else if (quote ? *p == quote : *p == '"' || *p == '\'')
        quote = quote ? 0 : *p;
      else
        *out++ = *p;
    }
    *out = 0;
    mpl_args_add(args, word);
  }
  free(word);
}

void mpl_args_processor(struct mpl_args *args) {
  struct mpl_args words = {0};
  mpl_args_split(&words, mpl_option_text(MPL_OPTION_BUILD_OPTIONS));
  for (size_t i = 0; i < words.count; i++)
    if (!strncmp(words.list[i], "-m", 2)) mpl_args_add(args, words.list[i]);
  args->failed |= words.failed;
  mpl_args_free(&words);
}
