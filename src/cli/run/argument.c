/* The ARGUMENTs of `maniple run`: parsing, and turning them into data as the kernel declares. */
#include "cli/run/argument.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool mpl_count_parse(const char **text, size_t *count) {
  if (!isdigit((unsigned char)**text)) return false;
  char *end;
  errno = 0;
  unsigned long long number = strtoull(*text, &end, 10);
  static const char suffixes[] = "KMG";
  const char *suffix = *end ? strchr(suffixes, *end) : NULL;
  unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
  if (errno || number > SIZE_MAX >> 8 >> shift) return false;
  *count = (size_t)number << shift;
  *text = end + (suffix != NULL);
  return true;
}

cl_uint mpl_sizes_parse(const char *text, const char *what, size_t sizes[3]) {
  const char *at = text;
  sizes[0] = sizes[1] = sizes[2] = 1;
  for (cl_uint i = 0; i < 3; i++) {
    if (!mpl_count_parse(&at, &sizes[i])) break;
    if (!*at) return i + 1;
    if (*at != ',' && *at != 'x') break;
    at++;
  }
  mpl_usage("'%s' is not a %s; write one to three numbers, such as 1024 or 64,16", text, what);
  return 0;
}

static bool skip(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*text, word, length)) return false;
  *text += length;
  return true;
}

bool mpl_spec_parse(const char *word, struct mpl_spec *spec) {
  *spec = (struct mpl_spec){.word = word};
  if (!strcmp(word, "_")) {
    spec->word = NULL;
    return true;
  }
  const char *at = word;
  if (skip(&at, "inout:"))
    spec->in = spec->out = true;
  else if (skip(&at, "in:"))
    spec->in = true;
  else if (skip(&at, "out:"))
    spec->out = true;
  spec->marked = spec->in || spec->out;
  size_t length = strcspn(at, ":=");
  spec->type = mpl_type_parse(at, length);
  if (spec->type.width) at += length;
  if (*at == ':') {
    at++;
    if (!mpl_count_parse(&at, &spec->count) || (*at && *at != '='))
      return mpl_usage("argument '%s': a count is expected after ':'", word), false;
    spec->has_count = true;
  }
  if (*at == '=' && (spec->type.width || spec->has_count))
    at++;
  else if (*at && (spec->type.width || spec->has_count))
    return mpl_usage("argument '%s' is not [TYPE][:COUNT][=VALUE]", word), false;
  else if (!*at)
    return true;
  return mpl_value_parse(at, &spec->value);
}

static size_t work_items(const struct mpl_run *run) {
  return run->global[0] * run->global[1] * run->global[2];
}

/* The type of the elements: as given, else as declared. */
static bool resolve_type(const struct mpl_spec *spec, struct mpl_run_arg *arg) {
  arg->type = spec->type.width ? spec->type : arg->param->type;
  if (arg->type.width) return true;
  mpl_usage("argument %s is a %s: say what its elements are, for instance float:3=1,2,3",
            arg->param->name, arg->param->type_name);
  return false;
}

static bool allocate(struct mpl_run *run, struct mpl_run_arg *arg) {
  size_t size;
  if (__builtin_mul_overflow(arg->count, mpl_type_size(arg->type), &size)) size = SIZE_MAX;
  return mpl_run_arg_allocate(run, arg, size);
}

/* A value of the kernel's: a scalar, a vector, or a structure given as TYPE:COUNT=VALUE. */
static bool resolve_value(struct mpl_spec *spec, struct mpl_run_arg *arg, struct mpl_run *run,
                          bool quiet) {
  const char *name = arg->param->name;
  arg->kind = MPL_RUN_VALUE;
  if (!resolve_type(spec, arg)) return false;
  if (spec->marked)
    return mpl_usage("argument %s is a %s, not a buffer: it takes no in: or out:", name,
                     arg->param->type_name),
           false;
  arg->count = spec->has_count ? spec->count : 1;
  if (!allocate(run, arg)) return false;
  if (spec->word) {
    if (spec->value.kind == MPL_VALUE_NONE)
      return mpl_usage("argument %s is a %s: it needs a value", name, arg->param->type_name), false;
    if (!spec->has_count) return mpl_value_scalar(&spec->value, arg->type, arg->data, name);
    return mpl_value_fill(&spec->value, arg->type, arg->count, arg->data, name);
  }
  if (arg->type.width > 1 || mpl_element_is_real(arg->type.element))
    return mpl_usage("argument %s (%s) is missing", name, arg->param->type_name), false;
  mpl_element_store(arg->type.element, arg->data, (int64_t)work_items(run), 0);
  if (!quiet) mpl_note("argument %s was left out: %zu", name, work_items(run));
  return true;
}

static bool resolve_local(const struct mpl_spec *spec, struct mpl_run_arg *arg,
                          const struct mpl_run *run, bool quiet) {
  const char *name = arg->param->name;
  arg->kind = MPL_RUN_LOCAL;
  if (!resolve_type(spec, arg)) return false;
  if (spec->marked || spec->value.kind != MPL_VALUE_NONE)
    return mpl_usage("argument %s is local memory: it takes a count alone, such as :256", name),
           false;
  arg->count = spec->count;
  if (!spec->has_count) {
    if (!run->has_local)
      return mpl_usage("argument %s is local memory: give its count, such as :256, or -l", name),
             false;
    arg->count = run->local[0] * run->local[1] * run->local[2];
    if (!quiet) mpl_note("argument %s was left out: local memory for %zu", name, arg->count);
  }
  arg->size = arg->count * mpl_type_size(arg->type);
  return true;
}

static bool resolve_buffer(struct mpl_spec *spec, struct mpl_run_arg *arg, struct mpl_run *run,
                           bool quiet) {
  const char *name = arg->param->name;
  if (spec->value.kind == MPL_VALUE_NULL) {
    arg->kind = MPL_RUN_NULL;
    return true;
  }
  arg->kind = MPL_RUN_BUFFER;
  if (!resolve_type(spec, arg)) return false;
  arg->count = spec->count;
  if (!spec->has_count) arg->count = mpl_value_count(&spec->value, arg->type);
  if (!spec->has_count && !arg->count) arg->count = work_items(run);
  if (!spec->word && arg->param->read_only) {
    mpl_value_parse("range", &spec->value);
    if (!quiet) mpl_note("argument %s was left out: range over %zu", name, arg->count);
  }
  arg->print = spec->marked ? spec->out : !arg->param->read_only;
  if (!allocate(run, arg)) return false;
  return mpl_value_fill(&spec->value, arg->type, arg->count, arg->data, name);
}

/* The elements of the first buffer of known size. */
static bool default_global(struct mpl_spec *specs, struct mpl_run *run) {
  for (cl_uint i = 0; i < run->signature->num_params && !run->dims; i++) {
    const struct mpl_param *param = &run->signature->params[i];
    const struct mpl_type type = specs[i].type.width ? specs[i].type : param->type;
    if (!mpl_is_buffer(param) || !type.width) continue;
    size_t count = specs[i].has_count ? specs[i].count : mpl_value_count(&specs[i].value, type);
    if (!count) continue;
    run->dims = 1;
    run->global[0] = count;
    run->global[1] = run->global[2] = 1;
  }
  if (!run->dims)
    mpl_usage("how many work-items? give -g, or a buffer with a count or with numbers");
  return run->dims != 0;
}

bool mpl_specs_resolve(struct mpl_spec *specs, struct mpl_run *run, bool quiet) {
  for (cl_uint i = 0; i < run->signature->num_params; i++)
    if (!mpl_value_load(&specs[i].value)) return false;
  if (!run->dims && !default_global(specs, run)) return false;
  for (cl_uint i = 0; i < run->signature->num_params; i++) {
    struct mpl_run_arg *arg = &run->args[i];
    const struct mpl_param *param = &run->signature->params[i];
    arg->param = param;
    bool good;
    if (mpl_is_buffer(param))
      good = resolve_buffer(&specs[i], arg, run, quiet);
    else if (param->space == CL_KERNEL_ARG_ADDRESS_LOCAL)
      good = resolve_local(&specs[i], arg, run, quiet);
    else
      good = resolve_value(&specs[i], arg, run, quiet);
    if (!good) return false;
  }
  return true;
}
