/* C++ text as tokens. */
#include "tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return true;
  size_t larger = *capacity ? *capacity * 2 : 256;
  void *moved = realloc(*list, larger * size);
  if (!moved) return false;
  *list = moved;
  *capacity = larger;
  return true;
}

static void add(struct mpl_tokens *t, size_t start, size_t end, bool is_name) {
  if (!grow((void **)&t->list, t->count, &t->capacity, sizeof *t->list))
    t->failed = true;
  else
    t->list[t->count++] = (struct mpl_token){start, end, 0, is_name};
}

static bool begins(const struct mpl_tokens *t, size_t at, const char *text) {
  size_t length = strlen(text);
  return at + length <= t->size && !memcmp(t->text + at, text, length);
}

static bool is_name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t skip_line_comment(const struct mpl_tokens *t, size_t at) {
  while (at < t->size && t->text[at] != '\n') at += t->text[at] == '\\' && at + 1 < t->size ? 2 : 1;
  return at;
}

static size_t skip_comment(const struct mpl_tokens *t, size_t at) {
  at += 2;
  while (at < t->size && !begins(t, at, "*/")) at++;
  return at < t->size ? at + 2 : t->size;
}

/* A string or character; one that does not end stops at the end of its line. */
static size_t skip_quoted(const struct mpl_tokens *t, size_t at) {
  char quote = t->text[at++];
  while (at < t->size && t->text[at] != quote && t->text[at] != '\n')
    at += t->text[at] == '\\' && at + 1 < t->size ? 2 : 1;
  return at < t->size && t->text[at] == quote ? at + 1 : at;
}

/* R"name( ... )name"; `at` is the quote. */
static size_t skip_raw(const struct mpl_tokens *t, size_t at) {
  char end[32] = ")";
  size_t length = 1;
  size_t open = at + 1;
  while (open < t->size && t->text[open] != '(' && length < sizeof end - 2)
    end[length++] = t->text[open++];
  if (open >= t->size || t->text[open] != '(') return skip_quoted(t, at);
  end[length++] = '"';
  end[length] = 0;
  while (open < t->size && !begins(t, open, end)) open++;
  return open < t->size ? open + length : t->size;
}

static size_t skip_number(const struct mpl_tokens *t, size_t at) {
  for (; at < t->size; at++) {
    char c = t->text[at], before = t->text[at - 1];
    bool sign = (c == '+' || c == '-') && strchr("eEpP", before);
    bool separator = c == '\'' && at + 1 < t->size && is_name_char(t->text[at + 1]);
    if (!is_name_char(c) && c != '.' && !sign && !separator) break;
  }
  return at;
}

static size_t read_name(struct mpl_tokens *t, size_t at) {
  size_t end = at;
  while (end < t->size && is_name_char(t->text[end])) end++;
  bool raw = end < t->size && t->text[end] == '"' && t->text[end - 1] == 'R' && end - at <= 3;
  if (raw) end = skip_raw(t, end);
  add(t, at, end, !raw);
  return end;
}

static size_t read_one(struct mpl_tokens *t, size_t at) {
  char c = t->text[at];
  size_t end = at + 1;
  if (begins(t, at, "//")) return skip_line_comment(t, at);
  if (begins(t, at, "/*")) return skip_comment(t, at);
  if (isspace((unsigned char)c) ||
      (c == '\\' && end < t->size && isspace((unsigned char)t->text[end])))
    return end;
  if (isdigit((unsigned char)c) ||
      (c == '.' && end < t->size && isdigit((unsigned char)t->text[end])))
    end = skip_number(t, end);
  else if (is_name_char(c))
    return read_name(t, at);
  else if (c == '"' || c == '\'')
    end = skip_quoted(t, at);
  add(t, at, end, false);
  return end;
}

/* Finds partners; of brackets that do not fit one another the outer ones stay alone. */
static void match(struct mpl_tokens *t) {
  static const char open[] = "([{", close[] = ")]}";
  size_t *stack = malloc((t->count + 1) * sizeof *stack), depth = 0;
  if (!stack) t->failed = true;
  for (size_t i = 0; stack && i < t->count; i++) {
    if (t->list[i].end != t->list[i].start + 1 || t->list[i].is_name) continue;
    char c = t->text[t->list[i].start];
    if (!c) continue;
    if (strchr(open, c)) stack[depth++] = i;
    const char *which = strchr(close, c);
    if (!which || !depth || t->text[t->list[stack[depth - 1]].start] != open[which - close])
      continue;
    t->list[stack[--depth]].partner = i;
  }
  free(stack);
}

void mpl_tokens_read(struct mpl_tokens *t, const char *text, size_t size) {
  *t = (struct mpl_tokens){.text = text, .size = size};
  for (size_t at = 0; at < size && !t->failed;) at = read_one(t, at);
  match(t);
}

void mpl_tokens_free(struct mpl_tokens *t) {
  for (size_t i = 0; i < t->num_edits; i++) free(t->edits[i].insert);
  free(t->edits);
  free(t->list);
}

bool mpl_token_is(const struct mpl_tokens *t, size_t i, const char *text) {
  return i < t->count && t->list[i].end - t->list[i].start == strlen(text) &&
         begins(t, t->list[i].start, text);
}

bool mpl_token_is_name(const struct mpl_tokens *t, size_t i) {
  return i < t->count && t->list[i].is_name;
}

/* Of a template's arguments; a `<` that compares has none. */
static size_t skip_angle(const struct mpl_tokens *t, size_t i) {
  size_t depth = 0;
  for (size_t k = i; k < t->count && k < i + MPL_TOKENS_FARTHEST;) {
    if (mpl_token_is(t, k, ";") || mpl_token_is(t, k, ")") || mpl_token_is(t, k, "}")) break;
    if (mpl_token_is(t, k, "<")) depth++;
    if (mpl_token_is(t, k, ">") && --depth == 0) return k + 1;
    k = t->list[k].partner ? t->list[k].partner + 1 : k + 1;
  }
  return i + 1;
}

size_t mpl_tokens_skip(const struct mpl_tokens *t, size_t i) {
  if (i >= t->count) return i + 1;
  if (mpl_token_is(t, i, "<")) return skip_angle(t, i);
  return t->list[i].partner ? t->list[i].partner + 1 : i + 1;
}

bool mpl_tokens_same_line(const struct mpl_tokens *t, size_t i, size_t k) {
  for (size_t at = t->list[i].end; at < t->list[k].start; at++)
    if (t->text[at] == '\n' && t->text[at - 1] != '\\') return false;
  return true;
}

void mpl_tokens_edit(struct mpl_tokens *t, size_t start, size_t end, const char *format, ...) {
  char *insert;
  va_list args;
  va_start(args, format);
  int length = vasprintf(&insert, format, args);
  va_end(args);
  if (length < 0 || !grow((void **)&t->edits, t->num_edits, &t->edits_capacity, sizeof *t->edits)) {
    t->failed = true;
    if (length >= 0) free(insert);
    return;
  }
  t->edits[t->num_edits] = (struct mpl_edit){start, end, insert, t->num_edits};
  t->num_edits++;
}

/* At one place insertions come first, in the order in which they were asked for. */
static int compare_edits(const void *a, const void *b) {
  const struct mpl_edit *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  if (x->end != y->end) return x->end < y->end ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

char *mpl_tokens_text(struct mpl_tokens *t, size_t *size) {
  size_t length = t->size, at = 0;
  if (t->num_edits) qsort(t->edits, t->num_edits, sizeof *t->edits, compare_edits);
  for (size_t i = 0; i < t->num_edits; i++) length += strlen(t->edits[i].insert);
  char *out = t->failed ? NULL : malloc(length + 1), *end = out;
  if (!out) return NULL;
  for (size_t i = 0; i < t->num_edits; i++) {
    const struct mpl_edit *e = &t->edits[i];
    if (e->start < at) continue; /* overlaps the one before */
    end = mempcpy(end, t->text + at, e->start - at);
    end = mempcpy(end, e->insert, strlen(e->insert));
    for (size_t k = e->start; k < e->end; k++)
      if (t->text[k] == '\n') *end++ = '\n'; /* lines stay where they were */
    at = e->end;
  }
  end = mempcpy(end, t->text + at, t->size - at);
  *end = 0;
  *size = (size_t)(end - out);
  return out;
}
