#include "programs/text.h"

#include "run/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct text *text, size_t more) {
  if (text->size + more + 1 <= text->room) return;
  text->room = (text->size + more + 1) * 2;
  text->at = realloc(text->at, text->room);
  if (!text->at) die("out of memory");
}

void text_bytes(struct text *text, const char *bytes, size_t size) {
  make_room(text, size);
  if (size) memcpy(text->at + text->size, bytes, size);
  text->size += size;
  text->at[text->size] = 0;
}

void text_add(struct text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  make_room(text, (size_t)size);
  vsnprintf(text->at + text->size, (size_t)size + 1, format, again);
  text->size += (size_t)size;
  va_end(again);
  va_end(args);
}

void text_cut(struct text *text, size_t size) {
  text->size = size;
  if (text->at) text->at[size] = 0;
}
