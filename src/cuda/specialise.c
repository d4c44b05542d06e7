/* Text of PTX for the local sizes that are known.  What the compiler writes is right for all, and
 * says nothing of them: directives are put in front of entries' bodies here.
 *
 *   .visible .entry NAME(
 *     ...
 *   )
 *   {
 *     ...
 *   }
 *
 * Each of these lines begins in the first column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

enum { LARGEST_GROUP = 1024 };
static const char entry_mark[] = ".visible .entry ";

static bool begins_with(const char *line, const char *word) {
  return !strncmp(line, word, strlen(word));
}

static bool is_entry_of(const char *line, const char *name) {
  const char *at = line + strlen(entry_mark);
  return begins_with(at, name) && at[strlen(name)] == '(';
}

/* Which of the table's kernels an entry's line is about, or -1. */
static int entry_index(const struct mpl_cuda_table *table, const char *line) {
  for (uint32_t k = 0; k < table->num_entries; k++)
    if (is_entry_of(line, table->entries[k])) return (int)k;
  return -1;
}

/* Sizes are constants; the id in a dimension of one work-item is 0. */
static void write_folded(FILE *out, const char *line, size_t length, const uint32_t items[3]) {
  static const char size[] = "%ntid.", id[] = "%tid.";
  const char *end = line + length;
  while (line < end) {
    const char *percent = memchr(line, '%', (size_t)(end - line));
    if (!percent) percent = end;
    fwrite(line, 1, (size_t)(percent - line), out);
    line = percent;
    if (line == end) break;
    bool is_size = begins_with(line, size), is_id = !is_size && begins_with(line, id);
    size_t word = is_size ? strlen(size) : strlen(id);
    unsigned d = is_size || is_id ? (unsigned)(line[word] - 'x') : 3;
    if (d < 3 && (is_size || items[d] == 1)) {
      fprintf(out, "%u", is_size ? items[d] : 0);
      line += word + 1;
    } else {
      fputc('%', out);
      line++;
    }
  }
}

struct writer {
  const struct mpl_cuda_table *table;
  int only;              /* this kernel, or all: -1 */
  const uint32_t *items; /* its local size */
  FILE *out;
  int entry; /* whose lines these are; -1: none's */
  bool drops, in_body;
};

/* ptxas may use as many registers as leave room for the group. */
static void write_directive(const struct writer *w) {
  const uint32_t *items = w->items;
  if (items) {
    fprintf(w->out, ".reqntid %u, %u, %u\n", items[0], items[1], items[2]);
    return;
  }
  const uint32_t *reqd = w->entry < 0 ? NULL : w->table->object.kernels[w->entry].reqd_local;
  fprintf(w->out, ".maxntid %u\n", reqd && reqd[0] ? reqd[0] * reqd[1] * reqd[2] : LARGEST_GROUP);
}

static void write_line(struct writer *w, const char *line, size_t length) {
  bool begins = begins_with(line, entry_mark), opens = *line == '{', closes = *line == '}';
  if (begins) {
    w->entry = entry_index(w->table, line);
    w->drops = w->only >= 0 && w->entry != w->only;
    w->in_body = false;
  }
  if (opens && w->entry >= 0 && !w->drops) {
    write_directive(w);
    w->in_body = true;
  }
  if (!w->drops && w->in_body && w->items)
    write_folded(w->out, line, length, w->items);
  else if (!w->drops)
    fwrite(line, 1, length, w->out);
  if (closes) {
    w->entry = -1;
    w->drops = w->in_body = false;
  }
}

char *mpl_cuda_specialise(const char *text, const struct mpl_cuda_table *table, int only,
                          const uint32_t items[3]) {
  char *made = NULL;
  size_t size = 0;
  struct writer w = {.table = table, .only = only, .items = items, .entry = -1};
  w.out = open_memstream(&made, &size);
  if (!w.out) return NULL;
  for (size_t length; *text; text += length) {
    length = strcspn(text, "\n");
    length += text[length] == '\n';
    write_line(&w, text, length);
  }
  bool failed = ferror(w.out) != 0;
  if (!fclose(w.out) && !failed) return made;
  free(made);
  return NULL;
}
