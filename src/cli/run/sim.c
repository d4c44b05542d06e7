/* Simulator files of oclgrind-kernel. */
#include "cli/run/sim.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

struct header {
  struct mpl_type type; /* width 0: none given */
  bool has_size, null, dump, hex, noinit;
  size_t size;
  cl_mem_flags flags;
  const char *fill, *range;
};

static bool fail_at(const struct mpl_sim *, const char *, const char *, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(const struct mpl_sim *sim, const char *at, const char *format, ...) {
  char message[256];
  unsigned line = 1;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  for (const char *c = sim->text; c < at; c++) line += *c == '\n';
  return mpl_fail("%s:%u: %s: %s", sim->path, line, sim->part, message), false;
}

bool mpl_sim_open(struct mpl_sim *sim, const char *path) {
  size_t size;
  *sim = (struct mpl_sim){.path = path, .part = "program file"};
  sim->text = mpl_read_file(path, &size);
  sim->at = sim->text;
  if (!sim->text) return false;
  if (strlen(sim->text) == size) return true;
  mpl_fail("%s is not a text file", path);
  mpl_sim_close(sim);
  return false;
}

void mpl_sim_close(struct mpl_sim *sim) {
  free(sim->text);
  free(sim->program);
  free(sim->kernel);
}

/* Moves to the next token; false at the end of the file. */
static bool next_token(struct mpl_sim *sim) {
  for (;;) {
    while (isspace((unsigned char)*sim->at)) sim->at++;
    if (*sim->at != '#') return *sim->at != 0;
    sim->at += strcspn(sim->at, "\n");
  }
}

static size_t token_length(const char *at) {
  return strcspn(at, " \t\r\n\v\f#");
}

static bool read_word(struct mpl_sim *sim, const char *part, char **word) {
  sim->part = part;
  if (!next_token(sim)) return fail_at(sim, sim->at, "the file ends here");
  size_t length = token_length(sim->at);
  *word = mpl_need(strndup(sim->at, length));
  sim->at += length;
  return true;
}

static bool read_sizes(struct mpl_sim *sim, const char *part, size_t sizes[3]) {
  sim->part = part;
  for (int i = 0; i < 3; i++) {
    if (!next_token(sim)) return fail_at(sim, sim->at, "the file ends here");
    uint64_t size;
    if (!isdigit((unsigned char)*sim->at) ||
        !mpl_element_parse(MPL_ELEMENT_ulong, &sim->at, 10, &size))
      return fail_at(sim, sim->at, "three sizes are expected");
    sizes[i] = size;
  }
  return true;
}

/* As it stands, or beside the .sim file. */
static void find_program(struct mpl_sim *sim) {
  const char *slash = strrchr(sim->path, '/');
  if (!slash || sim->program[0] == '/' || !access(sim->program, R_OK)) return;
  size_t folder = (size_t)(slash - sim->path) + 1;
  char *beside = mpl_need(malloc(folder + strlen(sim->program) + 1));
  memcpy(beside, sim->path, folder);
  strcpy(beside + folder, sim->program);
  free(sim->program);
  sim->program = beside;
}

bool mpl_sim_header(struct mpl_sim *sim, struct mpl_run *run) {
  if (!read_word(sim, "program file", &sim->program) || !read_word(sim, "kernel", &sim->kernel) ||
      !read_sizes(sim, "NDRange", run->global) || !read_sizes(sim, "work-group size", run->local))
    return false;
  find_program(sim);
  run->dims = 3;
  run->has_local = true;
  return true;
}

/* One word of <...>; `word` ends in a 0. */
static bool read_descriptor(struct mpl_sim *sim, const char *word, const struct mpl_param *param,
                            struct header *h) {
  struct mpl_type type = mpl_type_parse(word, strlen(word));
  if (type.width == 1) {
    if (h->type.width) return fail_at(sim, sim->at, "two types are given");
    h->type = type;
    return true;
  }
  bool ro = !strcmp(word, "ro"), wo = !strcmp(word, "wo");
  if (!strncmp(word, "size=", 5)) {
    const char *text = word + 5;
    uint64_t size = 0;
    if (!isdigit((unsigned char)*text) || !mpl_element_parse(MPL_ELEMENT_ulong, &text, 10, &size) ||
        *text)
      return fail_at(sim, sim->at, "'%s' is no size", word + 5);
    h->has_size = true;
    h->size = size;
  } else if (!strncmp(word, "fill=", 5) && word[5])
    h->fill = word + 5;
  else if (!strncmp(word, "range=", 6) && word[6])
    h->range = word + 6;
  else if (!strncmp(word, "dump", 4))
    h->dump = true;
  else if (!strcmp(word, "hex"))
    h->hex = true;
  else if (!strcmp(word, "noinit"))
    h->noinit = true;
  else if (!strcmp(word, "null"))
    h->null = true;
  else if (ro || wo) {
    if (param->space != CL_KERNEL_ARG_ADDRESS_GLOBAL)
      return fail_at(sim, sim->at, "'%s' is for global buffers", word);
    if (h->flags) return fail_at(sim, sim->at, "ro and wo exclude each other");
    h->flags = ro ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
  } else
    return fail_at(sim, sim->at, "there is no descriptor '%s'", word);
  return true;
}

/* What may stand together. */
static bool check_header(struct mpl_sim *sim, const struct mpl_param *param, struct header *h) {
  if ((h->noinit || h->null || h->dump) && !mpl_is_buffer(param))
    return fail_at(sim, sim->at, "dump, noinit and null are for buffers");
  if (h->null && (h->has_size || h->fill || h->range || h->noinit || h->dump))
    return fail_at(sim, sim->at, "null stands alone");
  if (h->null) return true;
  if (!h->has_size) return fail_at(sim, sim->at, "size= is missing");
  if (h->noinit + !!h->fill + !!h->range > 1)
    return fail_at(sim, sim->at, "fill, range and noinit exclude each other");
  if (!h->type.width) {
    h->type = param->type;
    h->type.width = h->type.width ? 1 : 0;
  }
  if (param->space == CL_KERNEL_ARG_ADDRESS_LOCAL) return true;
  if (!h->type.width)
    return fail_at(sim, sim->at, "a %s needs a type such as int or float", param->type_name);
  if (h->size % mpl_element_size(h->type.element))
    return fail_at(sim, sim->at, "the size is not a multiple of the type's");
  return true;
}

/* <...>, on one line.  The words of `header` point into *words. */
static bool read_header(struct mpl_sim *sim, const struct mpl_param *param, struct header *header,
                        char **words) {
  if (!next_token(sim)) return fail_at(sim, sim->at, "the file ends here");
  const char *start = sim->at + 1;
  size_t line = strcspn(start, "\n#");
  const char *end = memchr(start, '>', line);
  if (start[-1] != '<') return fail_at(sim, sim->at, "an argument begins with <");
  if (!end) return fail_at(sim, sim->at, "the > is missing");
  *words = mpl_need(strndup(start, (size_t)(end - start)));
  char *rest = *words, *word;
  while ((word = strsep(&rest, " \t\r\v\f")))
    if (*word && !read_descriptor(sim, word, param, header)) return false;
  if (!check_header(sim, param, header)) return false;
  sim->at = end + 1;
  return true;
}

static bool parse_number(const struct header *h, const char **text, void *at) {
  return mpl_element_parse(h->type.element, text, h->hex ? 16 : 10, at);
}

static bool read_numbers(struct mpl_sim *sim, const struct header *h, struct mpl_run_arg *arg) {
  size_t step = mpl_element_size(h->type.element);
  for (size_t i = 0; i < h->size / step; i++) {
    if (!next_token(sim))
      return fail_at(sim, sim->at, "the file ends after %zu of %zu numbers", i, h->size / step);
    const char *start = sim->at;
    if (!parse_number(h, &sim->at, (char *)arg->data + i * step))
      return fail_at(sim, start, "'%.*s' is not a number of its type", (int)token_length(start),
                     start);
  }
  return true;
}

/* FIRST:STEP:LAST, which must come to exactly the size. */
static bool fill_range(struct mpl_sim *sim, const struct header *h, struct mpl_run_arg *arg) {
  unsigned char ends[3][8];
  const char *text = h->range;
  for (int i = 0; i < 3; i++)
    if (!parse_number(h, &text, ends[i]) || *text++ != (i < 2 ? ':' : 0))
      return fail_at(sim, sim->at, "'%s' is not FIRST:STEP:LAST", h->range);
  enum mpl_element element = h->type.element;
  bool real = mpl_element_is_real(element);
  long double v[3];
  for (int i = 0; i < 3; i++) {
    int64_t integer = mpl_element_integer(element, ends[i]);
    if (real)
      v[i] = mpl_element_real(element, ends[i]);
    else
      v[i] = element == MPL_ELEMENT_ulong ? (long double)(uint64_t)integer : integer;
  }
  size_t step = mpl_element_size(element);
  if (v[1] == 0 || (v[2] - v[0] + v[1]) / v[1] != (long double)(h->size / step))
    return fail_at(sim, sim->at, "the range %s is not %zu bytes long", h->range, h->size);
  uint64_t integer = (uint64_t)mpl_element_integer(element, ends[0]);
  uint64_t integer_step = (uint64_t)mpl_element_integer(element, ends[1]);
  for (size_t i = 0; i < h->size / step; i++)
    mpl_element_store(element, (char *)arg->data + i * step, (int64_t)(integer + i * integer_step),
                      (double)(v[0] + i * v[1]));
  return true;
}

static bool fill(struct mpl_sim *sim, const struct header *h, struct mpl_run_arg *arg) {
  unsigned char number[8];
  const char *text = h->fill;
  size_t step = mpl_element_size(h->type.element);
  if (!parse_number(h, &text, number) || *text)
    return fail_at(sim, sim->at, "'%s' is not a number of its type", h->fill);
  for (size_t i = 0; i < h->size / step; i++) memcpy((char *)arg->data + i * step, number, step);
  return true;
}

static bool fill_argument(struct mpl_sim *sim, const struct header *h, struct mpl_run_arg *arg) {
  if (h->fill) return fill(sim, h, arg);
  if (h->range) return fill_range(sim, h, arg);
  return h->noinit || read_numbers(sim, h, arg);
}

static bool read_argument(struct mpl_sim *sim, struct mpl_run *run, struct mpl_run_arg *arg) {
  struct header h = {0};
  char *words = NULL;
  bool good = read_header(sim, arg->param, &h, &words);
  if (good && h.null) {
    arg->kind = MPL_RUN_NULL;
  } else if (good && arg->param->space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    arg->kind = MPL_RUN_LOCAL;
    arg->size = h.size;
  } else if (good) {
    arg->kind = mpl_is_buffer(arg->param) ? MPL_RUN_BUFFER : MPL_RUN_VALUE;
    arg->type = h.type;
    arg->count = h.size / mpl_element_size(h.type.element);
    arg->flags = h.flags;
    arg->print = h.dump;
    arg->hex = h.hex;
    good = mpl_run_arg_allocate(run, arg, h.size) && fill_argument(sim, &h, arg);
  }
  free(words);
  return good;
}

bool mpl_sim_arguments(struct mpl_sim *sim, struct mpl_run *run) {
  for (cl_uint i = 0; i < run->signature->num_params; i++) {
    run->args[i].param = &run->signature->params[i];
    snprintf(sim->part_text, sizeof sim->part_text, "argument %u: %s", i, run->args[i].param->name);
    sim->part = sim->part_text;
    if (!read_argument(sim, run, &run->args[i])) return false;
  }
  sim->part = "after the last argument";
  if (!next_token(sim)) return true;
  return fail_at(sim, sim->at, "'%.*s' is left over", (int)token_length(sim->at), sim->at);
}
