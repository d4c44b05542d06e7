/* Text of PTX for known local sizes.  The compiler's text is right for all sizes and names none:
 * this file puts directives in front of the bodies of entries.
 *
 *   .visible .entry NAME(
 *     ...
 *   )
 *   {
 *     ...
 *   }
 *
 * Each of these lines begins in the first column.
 *
 * A group may have more work-items in z than a block of the processor's.  Such a deep group is a
 * block of as many in x, and in y of the product of y and z: the order of work-items is the same.
 * Its code is a second entry, which takes y and z apart by the launch's number of y, in
 * `reserved`. */
#include <stddef.h>
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

enum { ID, SIZE, KINDS };

struct writer {
  const struct mpl_cuda_table *table;
  int only;              /* this kernel, or all: -1 */
  const uint32_t *items; /* its local size */
  uint32_t registers;    /* of a work-item, or 0 */
  bool meets;            /* of work-items that do, the size is a constant */
  bool deep, bare;       /* bare: nothing but entries */
  FILE *out;
  int entry; /* whose lines these are; -1: none's */
  bool drops, in_body;
  bool failed;
  char names[KINDS][3][16]; /* in place of registers; "": as they are */
};

/* Sizes are constants; the id in a dimension of one work-item is 0. */
static void set_names(struct writer *w) {
  for (unsigned d = 0; w->meets && d < 3; d++) {
    snprintf(w->names[SIZE][d], sizeof w->names[SIZE][d], "%u", w->items[d]);
    if (w->items[d] == 1) strcpy(w->names[ID][d], "0");
  }
  for (unsigned d = 1; w->deep && d < 3; d++) {
    snprintf(w->names[SIZE][d], sizeof w->names[SIZE][d], "%%mpl_size_%c", 'x' + d);
    snprintf(w->names[ID][d], sizeof w->names[ID][d], "%%mpl_id_%c", 'x' + d);
  }
}

static void write_renamed(const struct writer *w, const char *line, size_t length) {
  static const char *const words[] = {[ID] = "%tid.", [SIZE] = "%ntid."};
  const char *end = line + length;
  while (line < end) {
    const char *percent = memchr(line, '%', (size_t)(end - line)), *name = "";
    if (!percent) percent = end;
    fwrite(line, 1, (size_t)(percent - line), w->out);
    line = percent;
    if (line == end) break;
    unsigned kind = begins_with(line, words[SIZE]) ? SIZE : ID, d = 3;
    if (begins_with(line, words[kind])) d = (unsigned)(line[strlen(words[kind])] - 'x');
    if (d < 3) name = w->names[kind][d];
    fputs(*name ? name : "%", w->out);
    line += *name ? strlen(words[kind]) + 1 : 1;
  }
}

/* The definitions of the names, in front of a deep entry's instructions. */
static void write_deep_head(const struct writer *w) {
  fprintf(w->out,
          "\t.reg .b32 %%mpl_id_y, %%mpl_id_z, %%mpl_size_y, %%mpl_size_z, %%mpl_id, %%mpl_size;\n"
          "\tld.param.u32 %%mpl_size_y, [%s_param_0+%zu];\n"
          "\tmov.u32 %%mpl_id, %%tid.y;\n"
          "\tmov.u32 %%mpl_size, %%ntid.y;\n"
          "\trem.u32 %%mpl_id_y, %%mpl_id, %%mpl_size_y;\n"
          "\tdiv.u32 %%mpl_id_z, %%mpl_id, %%mpl_size_y;\n"
          "\tdiv.u32 %%mpl_size_z, %%mpl_size, %%mpl_size_y;\n",
          w->table->entries[w->entry], offsetof(struct mpl_launch, reserved));
}

/* ptxas may use as many registers as leave room for the group.  The size as a constant pays where
 * work-items meet.  Elsewhere strides become constants by it, and ptxas loads what lies side by side
 * in an element far apart, when the caches have lost it: sums of float16 took 3.5 times as long. */
static void write_directive(const struct writer *w) {
  const uint32_t *items = w->items;
  if (items) {
    if (w->meets)
      fprintf(w->out, ".reqntid %u, %u, %u\n", items[0], items[1], items[2]);
    else
      fprintf(w->out, ".maxntid %u\n", items[0] * items[1] * items[2]);
    if (w->registers) fprintf(w->out, ".maxnreg %u\n", w->registers);
    return;
  }
  const uint32_t *reqd = w->entry < 0 ? NULL : w->table->object.kernels[w->entry].reqd_local;
  fprintf(w->out, ".maxntid %u\n", reqd && reqd[0] ? reqd[0] * reqd[1] * reqd[2] : LARGEST_GROUP);
}

static void write_entry_mark(struct writer *w, const char *line, size_t length) {
  size_t name = strcspn(line, "(");
  fwrite(line, 1, name, w->out);
  if (w->deep) fputs(MPL_CUDA_DEEP, w->out);
  fwrite(line + name, 1, length - name, w->out);
}

/* Functions that are called have no launch at hand. */
static bool reads_places(const char *line, size_t length) {
  return memmem(line, length, "%tid.", 5) || memmem(line, length, "%ntid.", 6);
}

static void write_line(struct writer *w, const char *line, size_t length) {
  bool begins = begins_with(line, entry_mark), opens = *line == '{', closes = *line == '}';
  if (begins) {
    w->entry = entry_index(w->table, line);
    w->drops = w->only >= 0 && w->entry != w->only;
    w->in_body = false;
  }
  if (w->deep && w->entry < 0 && reads_places(line, length)) w->failed = true;
  bool drops = w->drops || (w->bare && w->entry < 0);
  if (opens && w->entry >= 0 && !drops) {
    write_directive(w);
    w->in_body = true;
  }
  if (begins && !drops)
    write_entry_mark(w, line, length);
  else if (!drops && w->in_body)
    write_renamed(w, line, length);
  else if (!drops)
    fwrite(line, 1, length, w->out);
  if (opens && w->in_body && w->deep) write_deep_head(w);
  if (closes) {
    w->entry = -1;
    w->drops = w->in_body = false;
  }
}

static char *write_all(struct writer *w, const char *text) {
  char *made = NULL;
  size_t size = 0;
  set_names(w);
  w->out = open_memstream(&made, &size);
  if (!w->out) return NULL;
  for (size_t length; *text; text += length) {
    length = strcspn(text, "\n");
    length += text[length] == '\n';
    write_line(w, text, length);
  }
  bool failed = w->failed || ferror(w->out) != 0;
  if (!fclose(w->out) && !failed) return made;
  free(made);
  return NULL;
}

char *mpl_cuda_specialise(const char *text, const struct mpl_cuda_table *table, int only,
                          const struct mpl_cuda_shape *shape) {
  struct writer w = {.table = table, .only = only, .entry = -1};
  if (shape) w.items = shape->items;
  if (shape) w.registers = shape->registers;
  w.meets = shape && table->object.kernels[only].flags & MPL_KERNEL_HAS_SYNC;
  return write_all(&w, text);
}

char *mpl_cuda_deepen(const char *text, const struct mpl_cuda_table *table, int only) {
  struct writer w = {.table = table, .only = only, .deep = true, .bare = only < 0, .entry = -1};
  return write_all(&w, text);
}
