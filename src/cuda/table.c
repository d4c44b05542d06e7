/* Reads the table of kernels out of the comments in front of a binary. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"

struct reader {
  struct mpl_cuda_table *table;
  struct mpl_kernel *kernels;
  struct mpl_arg *args; /* of the last kernel */
  struct mpl_kernel *kernel;
  struct mpl_arg *arg;
  int construct, destruct; /* which they are, or -1 */
  bool good;
};

/* --- The words of a line --- */

static char *text_of(struct reader *r, const char *rest) {
  char *text = strdup(rest);
  if (!text) r->good = false;
  return text;
}

static void read_object(struct reader *r, const char *rest) {
  struct mpl_object *object = &r->table->object;
  int fields = sscanf(rest, "%" SCNu32 " %" SCNu64 " %" SCNu32, &object->abi_version,
                      &object->globals_size, &object->flags);
  r->good &= fields == 3;
}

static void read_kernel(struct reader *r, const char *rest) {
  uint32_t count = r->table->num_entries;
  struct mpl_kernel *kernels = realloc(r->kernels, (count + 1) * sizeof *kernels);
  if (kernels) r->kernels = kernels;
  const char **entries = realloc(r->table->entries, (count + 1) * sizeof *entries);
  if (entries) r->table->entries = entries;
  if (!kernels || !entries) {
    r->good = false;
    return;
  }
  r->table->num_entries++;
  entries[count] = NULL;
  r->kernel = &kernels[count];
  *r->kernel = (struct mpl_kernel){.name = text_of(r, rest), .sub_group = MPL_GPU_LANES};
  r->arg = NULL;
}

static void read_block(struct reader *r, const char *rest) {
  r->table->object.num_blocks++;
  read_kernel(r, rest);
}

static void read_construct(struct reader *r, const char *rest) {
  r->construct = (int)r->table->num_entries;
  read_kernel(r, "construct");
}

static void read_destruct(struct reader *r, const char *rest) {
  r->destruct = (int)r->table->num_entries;
  read_kernel(r, "destruct");
}

static void read_entry(struct reader *r, const char *rest) {
  if (!r->kernel) r->good = false;
  if (r->kernel) r->table->entries[r->table->num_entries - 1] = text_of(r, rest);
}

static void read_sizes(struct reader *r, const char *rest) {
  struct mpl_kernel *k = r->kernel;
  if (!k) {
    r->good = false;
    return;
  }
  int fields = sscanf(rest,
                      "%" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %" SCNu32 " %" SCNu32
                      " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32,
                      &k->args_size, &k->local_size, &k->private_size, &k->reqd_local[0],
                      &k->reqd_local[1], &k->reqd_local[2], &k->hint_local[0], &k->hint_local[1],
                      &k->hint_local[2], &k->reqd_sub_group, &k->flags);
  r->good &= fields == 11;
  if (k->reqd_sub_group) k->sub_group = k->reqd_sub_group;
}

static void read_attributes(struct reader *r, const char *rest) {
  if (!r->kernel) r->good = false;
  if (r->kernel) r->kernel->attributes = text_of(r, rest);
}

static void read_arg(struct reader *r, const char *rest) {
  struct mpl_kernel *k = r->kernel;
  struct mpl_arg *args = k ? realloc((void *)k->args, (k->num_args + 1) * sizeof *args) : NULL;
  if (!args) {
    r->good = false;
    return;
  }
  k->args = args;
  r->arg = &args[k->num_args++];
  *r->arg = (struct mpl_arg){0};
  struct mpl_arg *a = r->arg;
  int fields = sscanf(rest,
                      "%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu8 " %" SCNu8
                      " %" SCNu8 " %" SCNu8,
                      &a->size, &a->align, &a->offset, &a->pointee_align, &a->kind,
                      &a->address_space, &a->access, &a->type_qualifier);
  r->good &= fields == 8;
}

static void read_type(struct reader *r, const char *rest) {
  if (!r->arg) r->good = false;
  if (r->arg) r->arg->type_name = text_of(r, rest);
}

static void read_name(struct reader *r, const char *rest) {
  if (!r->arg) r->good = false;
  if (r->arg) r->arg->name = text_of(r, rest);
}

static const struct {
  const char *word;
  void (*read)(struct reader *, const char *rest);
} lines[] = {
    {"object", read_object},
    {"kernel", read_kernel},
    {"construct", read_construct},
    {"destruct", read_destruct},
    {"entry", read_entry},
    {"sizes", read_sizes},
    {"attributes", read_attributes},
    {"arg", read_arg},
    {"type", read_type},
    {"name", read_name},
    {"block", read_block},
};

static void read_line(struct reader *r, char *line) {
  char *space = strchr(line, ' ');
  const char *rest = space ? space + 1 : "";
  if (space) *space = 0;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strcmp(line, lines[i].word)) {
      lines[i].read(r, rest);
      return;
    }
  r->good = false;
}

/* --- The whole --- */

static bool is_whole(const struct reader *r) {
  const struct mpl_cuda_table *table = r->table;
  for (uint32_t k = 0; k < table->num_entries; k++) {
    const struct mpl_kernel *kernel = &r->kernels[k];
    if (!table->entries[k] || !kernel->name || !kernel->attributes) return false;
    for (uint32_t i = 0; i < kernel->num_args; i++) {
      const struct mpl_arg *a = &kernel->args[i];
      if (!a->name || !a->type_name || a->offset > kernel->args_size ||
          a->size > kernel->args_size - a->offset)
        return false;
    }
  }
  return r->good && table->object.abi_version == MPL_ABI_VERSION;
}

struct mpl_cuda_table *mpl_cuda_table_read(const char *text) {
  static const char mark[] = "//mpl ";
  struct reader r = {
      .table = calloc(1, sizeof *r.table), .construct = -1, .destruct = -1, .good = true};
  if (!r.table) return NULL;
  for (const char *at = strstr(text, mark); at && r.good; at = strstr(at, mark)) {
    at += strlen(mark);
    char *line = strndup(at, strcspn(at, "\n"));
    r.good &= line != NULL;
    if (line) read_line(&r, line);
    free(line);
  }
  struct mpl_object *object = &r.table->object;
  object->kernels = r.kernels;
  if (r.construct >= 0) object->construct = &r.kernels[r.construct];
  if (r.destruct >= 0) object->destruct = &r.kernels[r.destruct];
  uint32_t named = r.table->num_entries - object->num_blocks;
  object->num_kernels = named - (r.construct >= 0) - (r.destruct >= 0);
  if (r.kernels) object->enqueued = object->blocks = &r.kernels[named];
  if (is_whole(&r)) return r.table;
  mpl_cuda_table_free(r.table);
  return NULL;
}

void mpl_cuda_table_free(struct mpl_cuda_table *table) {
  for (uint32_t k = 0; k < table->num_entries; k++) {
    const struct mpl_kernel *kernel = &table->object.kernels[k];
    for (uint32_t i = 0; i < kernel->num_args; i++) {
      free((void *)kernel->args[i].name);
      free((void *)kernel->args[i].type_name);
    }
    free((void *)kernel->args);
    free((void *)kernel->name);
    free((void *)kernel->attributes);
    free((void *)table->entries[k]);
  }
  free((void *)table->object.kernels);
  free(table->entries);
  free(table);
}
