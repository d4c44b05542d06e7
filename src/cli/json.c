#include "cli/json.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 512, DEEPEST = 16 };

struct walk {
  struct mpl_json *json;
  void (*tell)(void *, const struct mpl_json_item *);
  void *data;
  unsigned depth;
};

static void skip_space(struct mpl_json *json) {
  json->at += strspn(json->at, " \t\r\n");
}

static bool take(struct mpl_json *json, char c) {
  skip_space(json);
  if (*json->at != c) return false;
  json->at++;
  return true;
}

/* What is longer than `text` is cut; escapes of other characters become '?'. */
static bool read_string(struct mpl_json *json, char text[LONGEST]) {
  static const char escapes[] = "n\nt\tr\rb\bf\f";
  size_t length = 0;
  if (!take(json, '"')) return false;
  for (; *json->at != '"'; json->at++) {
    char c = *json->at;
    if (!c) return false;
    if (c == '\\') {
      c = *++json->at;
      const char *known = c ? strchr(escapes, c) : NULL;
      if (!c) return false;
      if (c == 'u' && strspn(json->at + 1, "0123456789abcdefABCDEF") < 4) return false;
      if (c == 'u') json->at += 4, c = '?';
      if (known && (known - escapes) % 2 == 0) c = known[1];
    }
    if (length + 1 < LONGEST) text[length++] = c;
  }
  text[length] = 0;
  json->at++;
  return true;
}

static bool word(struct mpl_json *json, const char *text) {
  if (strncmp(json->at, text, strlen(text)) != 0) return false;
  json->at += strlen(text);
  return true;
}

static bool walk_value(struct walk *w, const char *key, unsigned index);

static bool walk_object(struct walk *w) {
  char key[LONGEST];
  if (take(w->json, '}')) return true;
  do {
    if (!read_string(w->json, key) || !take(w->json, ':') || !walk_value(w, key, 0)) return false;
  } while (take(w->json, ','));
  return take(w->json, '}');
}

static bool walk_array(struct walk *w, const char *key) {
  unsigned index = 0;
  if (take(w->json, ']')) return true;
  do {
    if (!walk_value(w, key, index++)) return false;
  } while (take(w->json, ','));
  return take(w->json, ']');
}

static bool walk_scalar(struct walk *w, struct mpl_json_item *item) {
  char text[LONGEST], *end;
  if (*w->json->at == '"') {
    if (!read_string(w->json, text)) return false;
    item->string = text;
  } else if (word(w->json, "true")) {
    item->number = 1;
  } else if (!word(w->json, "false") && !word(w->json, "null")) {
    if (!strchr("-0123456789", *w->json->at) || !*w->json->at) return false;
    item->number = strtod(w->json->at, &end);
    if (end == w->json->at) return false;
    w->json->at = end;
  }
  w->tell(w->data, item);
  return true;
}

static bool walk_value(struct walk *w, const char *key, unsigned index) {
  struct mpl_json_item item = {.key = key, .index = index};
  bool good, is_object = take(w->json, '{'), is_array = !is_object && take(w->json, '[');
  if (!is_object && !is_array) return walk_scalar(w, &item);
  if (++w->depth > DEEPEST) return false;
  good = is_object ? walk_object(w) : walk_array(w, key);
  w->depth--;
  return good;
}

bool mpl_json_enter(struct mpl_json *json) {
  return take(json, '[');
}

bool mpl_json_next(struct mpl_json *json, void (*tell)(void *, const struct mpl_json_item *),
                   void *data) {
  struct walk w = {json, tell, data, 0};
  take(json, ',');
  skip_space(json);
  return *json->at && *json->at != ']' && walk_value(&w, "", 0);
}
