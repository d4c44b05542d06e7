/* Reads PTX, as far as LLVM and our library write it. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char *const types[] = {
#define TYPE(type, name, size) [type] = name,
    TWIN_TYPES(TYPE)
#undef TYPE
};

void twin_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("twin: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

enum { BUCKETS = 4096 };
struct name {
  char *text;
  size_t next; /* of the same bucket: its number and one, or 0 */
  struct twin_operand operand;
};
enum { OPERANDS = 12 };
struct reader {
  int device;
  struct twin_operand operands[OPERANDS]; /* of the instruction that is read */
  const char *at;
  struct twin_module *module;
  struct twin_function *function;
  struct name *names; /* of the function, the innermost scope's last */
  size_t num_names, scopes[64], depth;
  size_t buckets[BUCKETS]; /* the last name of each: its number and one */
};

static void *grown(void *list, size_t count, size_t size) {
  if (count & (count - 1)) return list; /* at powers of two */
  list = realloc(list, (count ? 2 * count : 1) * size);
  if (!list) abort();
  return list;
}

/* --- Words --- */

static void skip(struct reader *r) {
  for (;;) {
    while (isspace((unsigned char)*r->at)) r->at++;
    if (r->at[0] == '/' && r->at[1] == '/')
      r->at += strcspn(r->at, "\n");
    else if (r->at[0] == '/' && r->at[1] == '*')
      r->at = strstr(r->at, "*/") + 2;
    else
      return;
  }
}
static bool is(struct reader *r, const char *word) {
  skip(r);
  size_t length = strlen(word);
  if (strncmp(r->at, word, length)) return false;
  if (isalnum((unsigned char)word[length - 1]) &&
      (isalnum((unsigned char)r->at[length]) || r->at[length] == '_'))
    return false;
  r->at += length;
  return true;
}
static void want(struct reader *r, const char *word) {
  if (!is(r, word)) twin_fail("'%s' expected at: %.60s", word, r->at);
}
static char *word(struct reader *r) {
  skip(r);
  size_t length = 0;
  while (isalnum((unsigned char)r->at[length]) || (r->at[length] && strchr("_$%", r->at[length])))
    length++;
  if (!length) twin_fail("a name expected at: %.60s", r->at);
  char *text = strndup(r->at, length);
  r->at += length;
  return text;
}
static uint64_t number(struct reader *r) {
  char *end;
  skip(r);
  bool negative = *r->at == '-';
  const char *at = r->at + negative;
  uint64_t value = at[0] == '0' && (at[1] == 'f' || at[1] == 'd' || at[1] == 'F' || at[1] == 'D')
                       ? strtoull(at + 2, &end, 16)
                       : strtoull(at, &end, 0);
  if (end == at) twin_fail("a number expected at: %.60s", r->at);
  if (*end == 'U') end++;
  r->at = end;
  return negative ? -value : value;
}
static enum twin_type type(struct reader *r) {
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
    char text[16];
    snprintf(text, sizeof text, ".%s", types[i]);
    if (is(r, text)) return (enum twin_type)i;
  }
  twin_fail("a type expected at: %.60s", r->at);
}

/* --- Names --- */

static size_t bucket_of(const char *text) {
  size_t hash = 5381;
  while (*text) hash = hash * 33 + (unsigned char)*text++;
  return hash % BUCKETS;
}
static struct twin_operand *declare(struct reader *r, const char *text, enum twin_kind kind) {
  r->names = grown(r->names, r->num_names, sizeof *r->names);
  struct name *name = &r->names[r->num_names++];
  size_t *bucket = &r->buckets[bucket_of(text)];
  *name = (struct name){strdup(text), *bucket, {.kind = kind}};
  *bucket = r->num_names;
  if (kind == REGISTER) name->operand.value = r->function->registers++;
  return &name->operand;
}
static struct twin_operand *known(struct reader *r, const char *text) {
  for (size_t i = r->buckets[bucket_of(text)]; i; i = r->names[i - 1].next)
    if (!strcmp(r->names[i - 1].text, text)) return &r->names[i - 1].operand;
  return NULL;
}
static struct twin_function *function_of(struct reader *r, const char *name) {
  for (size_t i = 0; i < r->module->num_functions; i++)
    if (!strcmp(r->module->functions[i]->name, name)) return r->module->functions[i];
  struct twin_module *m = r->module;
  m->functions = grown(m->functions, m->num_functions, sizeof *m->functions);
  struct twin_function *f = m->functions[m->num_functions++] = calloc(1, sizeof *f);
  f->name = strdup(name);
  return f;
}
static bool find_variable(struct reader *r, const char *text, struct twin_operand *o) {
  for (size_t i = 0; i < r->module->num_variables; i++) {
    const struct twin_variable *v = &r->module->variables[i];
    if (strcmp(v->name, text)) continue;
    *o = (struct twin_operand){.kind = v->shared ? VARIABLE : NUMBER, .value = v->at};
    o->dynamic = v->dynamic;
    return true;
  }
  return false;
}

static const struct {
  const char *name;
  enum twin_special which;
} specials[] = {{"%tid", TID},
                {"%ntid", NTID},
                {"%ctaid", CTAID},
                {"%nctaid", NCTAID},
                {"%laneid", LANE},
                {"%lanemask_lt", LANES_LT},
                {"%lanemask_le", LANES_LE},
                {"%lanemask_gt", LANES_GT},
                {"%lanemask_ge", LANES_GE},
                {"%lanemask_eq", LANES_EQ},
                {"%clock", CLOCK},
                {"%clock64", CLOCK},
                {"%globaltimer", CLOCK}};

static struct twin_operand operand(struct reader *r) {
  struct twin_operand o = {.kind = NUMBER};
  skip(r);
  if (isdigit((unsigned char)*r->at) || *r->at == '-') {
    o.value = number(r);
    return o;
  }
  if (is(r, "!")) {
    o = operand(r);
    o.negated = true;
    return o;
  }
  char *text = word(r);
  struct twin_operand *found = known(r, text);
  if (found) {
    o = *found;
  } else if (!strcmp(text, "_")) {
    o.kind = NOWHERE;
  } else if (!find_variable(r, text, &o)) {
    o.kind = LABEL;
    for (unsigned i = 0; i < sizeof specials / sizeof *specials; i++)
      if (!strcmp(text, specials[i].name))
        o = (struct twin_operand){.kind = SPECIAL, .value = specials[i].which};
    if (o.kind == SPECIAL && *r->at == '.') {
      o.value += 16u * (unsigned)(r->at[1] - 'x');
      r->at += 2;
    }
    if (o.kind == LABEL && *text == '%') twin_fail("the register %s is not declared", text);
    if (o.kind == LABEL && *text != '$') {
      o.kind = FUNCTION;
      o.function = function_of(r, text);
    } else if (o.kind == LABEL) {
      o = *declare(r, text, LABEL); /* its place comes later, by name */
      o.value = r->num_names - 1;
      r->names[r->num_names - 1].operand.value = o.value;
      r->names[r->num_names - 1].operand.offset = -1;
    }
  }
  free(text);
  return o;
}

/* --- Variables --- */

static void write_value(struct reader *r, unsigned char *to, unsigned size) {
  uint64_t value;
  bool generic = is(r, "generic");
  if (generic) want(r, "(");
  skip(r);
  if (isdigit((unsigned char)*r->at) || *r->at == '-') {
    value = number(r);
  } else {
    struct twin_operand o = operand(r);
    value = o.value;
  }
  if (generic) want(r, ")");
  if (is(r, "+")) value += number(r);
  memcpy(to, &value, size);
}

static uint64_t placed(uint64_t *end, uint64_t size, uint64_t align) {
  uint64_t at = (*end + align - 1) / align * align;
  *end = at + size;
  return at;
}

static void declared_size(struct reader *r, uint64_t *align, enum twin_type *element, char **name,
                          uint64_t *count) {
  *align = is(r, ".align") ? number(r) : 0;
  *element = type(r);
  if (!*align) *align = twin_size(*element);
  while (is(r, ".ptr") || is(r, ".global") || is(r, ".shared") || is(r, ".const") ||
         is(r, ".local")) {
  }
  if (is(r, ".align")) number(r);
  *name = word(r);
  *count = 1;
  if (!is(r, "[")) return;
  *count = is(r, "]") ? 0 : number(r);
  if (*count) want(r, "]");
}

static void read_variable(struct reader *r, bool shared) {
  uint64_t align, count;
  enum twin_type element;
  struct twin_module *m = r->module;
  m->variables = grown(m->variables, m->num_variables, sizeof *m->variables);
  struct twin_variable v = {.shared = shared};
  declared_size(r, &align, &element, &v.name, &count);
  unsigned size = twin_size(element);
  v.size = count * size;
  v.dynamic = shared && !count;
  if (shared && count) v.at = placed(&m->shared_size, v.size, align < 16 ? 16 : align);
  if (!shared) {
    v.at = twin_take(TWIN_HIDDEN, v.size ? v.size : 1, r->device);
    if (!v.at) twin_fail("no memory for %s", v.name);
    unsigned char *memory = twin_reach(v.at, v.size, r->device);
    memset(memory, 0, v.size);
    if (is(r, "=")) {
      bool list = is(r, "{");
      for (uint64_t i = 0; i < count && !(list && is(r, "}")); i++) {
        write_value(r, memory + i * size, size);
        if (!is(r, ",") && list) {
          want(r, "}");
          break;
        }
      }
    }
  }
  want(r, ";");
  m->variables[m->num_variables++] = v;
}

/* --- Functions --- */

static struct twin_parameter read_parameter(struct reader *r, uint64_t *end) {
  uint64_t align, count;
  enum twin_type element;
  struct twin_parameter p;
  want(r, ".param");
  declared_size(r, &align, &element, &p.name, &count);
  p.size = count * twin_size(element);
  p.offset = placed(end, p.size, align);
  struct twin_operand *o = declare(r, p.name, VARIABLE);
  o->in_frame = true;
  o->value = p.offset;
  return p;
}

static void declare_register(struct reader *r, const char *name, enum twin_type type) {
  unsigned bits = type == PRED ? 1 : 8 * twin_size(type);
  declare(r, name, REGISTER)->mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
}

static void read_registers(struct reader *r) {
  enum twin_type each = type(r);
  do {
    char *name = word(r);
    if (is(r, "<")) {
      uint64_t count = number(r);
      want(r, ">");
      for (uint64_t i = 0; i < count; i++) {
        char full[80];
        snprintf(full, sizeof full, "%s%llu", name, (unsigned long long)i);
        declare_register(r, full, each);
      }
    } else {
      declare_register(r, name, each);
    }
    free(name);
  } while (is(r, ","));
  want(r, ";");
}

static const char *const words[] = {
#define WORD(name) #name,
    TWIN_WORDS(WORD)
#undef WORD
};

static void read_words(struct twin_instruction *i) {
  for (const char *at = i->name; (at = strchr(at, '.'));) {
    at++;
    for (unsigned w = 0; w < sizeof words / sizeof *words; w++) {
      size_t length = strlen(words[w]);
      if (!strncmp(at, words[w], length) && (!at[length] || at[length] == '.'))
        i->words |= 1ull << w;
    }
  }
}

static void read_types(struct twin_instruction *i) {
  bool found = false;
  for (const char *at = i->name; (at = strchr(at, '.'));) {
    at++;
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
      size_t length = strlen(types[t]);
      if (strncmp(at, types[t], length) || (at[length] && at[length] != '.')) continue;
      i->from = (enum twin_type)t; /* the last */
      if (!found) i->type = i->from;
      found = true;
    }
  }
}

static void add_operand(struct reader *r, struct twin_instruction *i) {
  if (i->count == OPERANDS) twin_fail("too many operands: %s", i->name);
  struct twin_operand *o = &r->operands[i->count++];
  if (is(r, "[")) {
    *o = operand(r);
    if (is(r, "+")) o->offset = (int64_t)number(r);
    want(r, "]");
    return;
  }
  *o = operand(r);
  if (is(r, "|")) add_operand(r, i);
}

static void read_instruction(struct reader *r) {
  struct twin_function *f = r->function;
  f->code = grown(f->code, f->count, sizeof *f->code);
  struct twin_instruction *i = &f->code[f->count];
  *i = (struct twin_instruction){.guard = -1};
  if (is(r, "@")) {
    i->unless = is(r, "!");
    i->guard = (int)operand(r).value;
  }
  skip(r);
  size_t length = strcspn(r->at, " \t\n;");
  i->name = strndup(r->at, length);
  r->at += length;
  i->run = twin_find(i->name);
  if (!i->run) twin_fail("the instruction %s is not known", i->name);
  read_types(i);
  read_words(i);
  twin_prepare(i);
  while (!is(r, ";")) {
    bool list = is(r, "{") || is(r, "(");
    unsigned first = i->count;
    while (!is(r, "}") && !is(r, ")")) {
      add_operand(r, i);
      is(r, ",");
      if (!list) break;
    }
    if (list && !i->vector) {
      i->vector = i->count - first;
      if (!strncmp(i->name, "mov", 3)) i->run = twin_find(first ? "mov_whole" : "mov_parts");
    }
    is(r, ",");
  }
  i->operands = malloc((i->count + 1) * sizeof *i->operands);
  memcpy(i->operands, r->operands, i->count * sizeof *i->operands);
  f->count++;
}

static void read_statement(struct reader *r) {
  uint64_t align, count;
  enum twin_type element;
  char *name;
  if (is(r, ".reg")) {
    read_registers(r);
  } else if (is(r, ".local")) {
    declared_size(r, &align, &element, &name, &count);
    struct twin_operand *o = declare(r, name, VARIABLE);
    o->in_local = true;
    uint64_t end = r->function->local_size;
    o->value = placed(&end, count * twin_size(element), align);
    r->function->local_size = end;
    want(r, ";");
  } else if (is(r, ".shared")) {
    read_variable(r, true);
  } else if (r->at[0] == '.' && !strncmp(r->at, ".param", 6)) {
    uint64_t end = r->function->frame_size;
    read_parameter(r, &end);
    r->function->frame_size = end;
    want(r, ";");
  } else if (*r->at == '.') { /* .pragma, .loc */
    r->at += strcspn(r->at, *(r->at + 1) == 'l' ? "\n" : ";") + 1;
  } else {
    const char *start = r->at;
    char *label = *start == '$' ? word(r) : NULL;
    if (label && is(r, ":")) {
      struct twin_operand *o = known(r, label);
      if (!o) {
        o = declare(r, label, LABEL);
        o->value = r->num_names - 1;
      }
      o->offset = (int64_t)r->function->count;
    } else {
      r->at = start;
      read_instruction(r);
    }
    free(label);
  }
}

static void set_labels(struct reader *r) {
  struct twin_function *f = r->function;
  for (size_t k = 0; k < f->count; k++)
    for (unsigned i = 0; i < f->code[k].count; i++) {
      struct twin_operand *o = &f->code[k].operands[i];
      if (o->kind == LABEL) o->value = (uint64_t)r->names[o->value].operand.offset;
    }
}

/* Labels live in the function's scope; declare() puts registers of inner scopes behind them, so
 * those are only renamed when a scope ends. */
static void read_body(struct reader *r) {
  for (r->depth = 0;;) {
    if (is(r, "{")) {
      r->scopes[++r->depth] = r->num_names;
    } else if (is(r, "}")) {
      if (!r->depth) break;
      for (size_t i = r->scopes[r->depth--]; i < r->num_names; i++)
        if (r->names[i].operand.kind != LABEL) r->names[i].text[0] = 0;
    } else {
      read_statement(r);
    }
  }
  set_labels(r);
}

static void read_function(struct reader *r) {
  struct twin_parameter result = {0};
  uint64_t end = 0;
  struct twin_function before = {0};
  r->function = &before;
  r->num_names = 0;
  memset(r->buckets, 0, sizeof r->buckets);
  if (is(r, "(")) {
    result = read_parameter(r, &end);
    want(r, ")");
  }
  char *name = word(r);
  struct twin_function *f = r->function = function_of(r, name);
  free(f->parameters);
  f->parameters = NULL;
  f->num_parameters = 0;
  f->result = result;
  if (is(r, "("))
    while (!is(r, ")")) {
      f->parameters = grown(f->parameters, f->num_parameters, sizeof *f->parameters);
      f->parameters[f->num_parameters] = read_parameter(r, &end);
      f->num_parameters++;
      is(r, ",");
    }
  f->frame_size = end;
  for (unsigned i = 0; i < f->num_parameters; i++)
    f->parameter_bytes = f->parameters[i].offset + f->parameters[i].size;
  while (!is(r, "{")) {
    if (is(r, ";")) return;
    skip(r);
    if (is(r, ".maxnreg")) f->spills = atol(r->at) < twin_option("TWIN_NEEDS", 0);
    r->at += *r->at == '.' ? strcspn(r->at, "\n;{") : 1; /* .maxntid and the like */
  }
  read_body(r);
}

struct twin_module *twin_read(const char *text, int device) {
  struct reader r = {.at = text, .device = device, .module = calloc(1, sizeof *r.module)};
  for (skip(&r); *r.at; skip(&r)) {
    if (is(&r, ".visible") || is(&r, ".weak") || is(&r, ".extern") || is(&r, ".common")) continue;
    if (is(&r, ".entry") || is(&r, ".func"))
      read_function(&r);
    else if (is(&r, ".global") || is(&r, ".const"))
      read_variable(&r, false);
    else if (is(&r, ".shared"))
      read_variable(&r, true);
    else if (*r.at == '.')
      r.at += strcspn(r.at, "\n");
    else
      twin_fail("not understood: %.60s", r.at);
  }
  for (size_t i = 0; i < r.module->num_functions; i++)
    r.module->functions[i]->shared_size = r.module->shared_size;
  for (size_t i = 0; i < r.num_names; i++) free(r.names[i].text);
  free(r.names);
  return r.module;
}

void twin_forget(struct twin_module *m) {
  for (size_t i = 0; i < m->num_variables; i++)
    if (!m->variables[i].shared) twin_give_back(TWIN_HIDDEN, m->variables[i].at);
  for (size_t i = 0; i < m->num_functions; i++) m->functions[i]->unloaded = true;
}
