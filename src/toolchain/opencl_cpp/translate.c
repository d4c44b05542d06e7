/* OpenCL C++ in the words of clang's C++ for OpenCL. */
#include "translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

typedef struct mpl_tokens tokens;

static bool is_any(const tokens *t, size_t i, const char *const *names, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (mpl_token_is(t, i, names[k])) return true;
  return false;
}

static bool is_kernel(const tokens *t, size_t i) {
  static const char *const names[] = {"kernel", "__kernel"};
  return is_any(t, i, names, ARRAY_SIZE(names));
}

/* Types that name the memory that they are in or point to. */
static bool names_memory(const tokens *t, size_t i) {
  static const char *const names[] = {"global",     "local",     "constant",     "priv",
                                      "__global",   "__local",   "__constant",   "__private",
                                      "global_ptr", "local_ptr", "constant_ptr", "private_ptr"};
  return is_any(t, i, names, ARRAY_SIZE(names));
}

/* After attributes of either spelling. */
static size_t skip_attributes(const tokens *t, size_t i) {
  for (;;) {
    if (mpl_token_is(t, i, "[") && mpl_token_is(t, i + 1, "["))
      i = mpl_tokens_skip(t, i);
    else if (mpl_token_is(t, i, "__attribute__") && mpl_token_is(t, i + 1, "("))
      i = mpl_tokens_skip(t, i + 1);
    else
      return i;
  }
}

/* A parameter that points somewhere without saying where points to global memory. */
static void translate_parameter(tokens *t, size_t i, size_t end) {
  bool points = false;
  i = skip_attributes(t, i);
  for (size_t k = i; k < end;) {
    if (names_memory(t, k) || is_kernel(t, k)) return;
    bool array = mpl_token_is(t, k, "[") && !mpl_token_is(t, k + 1, "[");
    points |= mpl_token_is(t, k, "*") || mpl_token_is(t, k, "&") || array;
    k = mpl_token_is(t, k, "(") ? k + 1 : mpl_tokens_skip(t, k);
  }
  if (points) mpl_tokens_edit(t, t->list[i].start, t->list[i].start, "__global ");
}

static void translate_parameters(tokens *t, size_t open) {
  size_t close = t->list[open].partner, start = open + 1;
  for (size_t k = start; k < close;) {
    if (mpl_token_is(t, k, ",")) {
      translate_parameter(t, start, k);
      start = k + 1;
    }
    k = mpl_tokens_skip(t, k);
  }
  translate_parameter(t, start, close);
}

/* From `kernel` to the kernel's parameters: the brackets after its name. */
static void translate_kernel(tokens *t, size_t i) {
  for (size_t k = i + 1; k < t->count && !is_kernel(t, k);) {
    k = skip_attributes(t, k);
    if (mpl_token_is(t, k, ";") || mpl_token_is(t, k, "{") || mpl_token_is(t, k, "}")) break;
    bool named =
        mpl_token_is_name(t, k - 1) && (mpl_token_is(t, k - 2, "void") || is_kernel(t, k - 2));
    if (mpl_token_is(t, k, "(") && t->list[k].partner) {
      if (!named) {
        k = mpl_tokens_skip(t, k);
        continue;
      }
      translate_parameters(t, k);
      return;
    }
    k++;
  }
}

/* [[cl::ivdep]], or [[cl::ivdep(LENGTH)]] with that many iterations next to one another at most:
 * what is no number is no hint, and what is none that clang may take stays for its diagnostics. */
static void translate_ivdep(tokens *t, size_t name, size_t after, size_t start, size_t end) {
  if (after == name + 1) {
    mpl_tokens_edit(t, start, end, "_Pragma(\"clang loop vectorize(assume_safety)\")");
    return;
  }
  unsigned long length = 0, width = 1;
  if (after == name + 4) length = strtoul(t->text + t->list[name + 2].start, NULL, 0);
  if (!length && after == name + 5) return; /* a sign: clang says that it ignores the attribute */
  while (width < 64 && width * 2 <= length) width *= 2;
  if (width == 1)
    mpl_tokens_edit(t, start, end, "%s", "");
  else
    mpl_tokens_edit(t, start, end,
                    "_Pragma(\"clang loop vectorize(assume_safety) vectorize_width(%lu) "
                    "interleave_count(1)\")",
                    width);
}

/* [[cl::NAME]] or [[cl::NAME(...)]] to clang's attribute.  Those that clang has none for stay:
 * clang then says that they are ignored. */
static void translate_attribute(tokens *t, size_t i) {
  static const struct {
    const char *name, *front, *back;
  } attributes[] = {
      {"aligned", "__attribute__((aligned", "))"},
      {"packed", "__attribute__((packed", "))"},
      {"work_group_size_hint", "__attribute__((work_group_size_hint", "))"},
      {"required_work_group_size", "__attribute__((reqd_work_group_size", "))"},
      {"vec_type_hint", "__attribute__((vec_type_hint", "))"},
      {"unroll_hint", "__attribute__((opencl_unroll_hint", "))"},
  };
  size_t last = t->list[i].partner, name = i + 5; /* [ [ cl : : NAME */
  if (!last || !mpl_token_is(t, i + 3, ":") || !mpl_token_is(t, i + 4, ":")) return;
  size_t after = mpl_token_is(t, name + 1, "(") ? mpl_tokens_skip(t, name + 1) : name + 1;
  if (after != last - 1) return; /* more than one in the list, or damaged */
  size_t start = t->list[i].start, end = t->list[last].end;
  if (mpl_token_is(t, name, "max_size")) /* a promise that nothing here is in need of */
    mpl_tokens_edit(t, start, end, "%s", "");
  if (mpl_token_is(t, name, "ivdep")) translate_ivdep(t, name, after, start, end);
  for (size_t k = 0; k < ARRAY_SIZE(attributes); k++)
    if (mpl_token_is(t, name, attributes[k].name)) {
      mpl_tokens_edit(t, start, t->list[name].end, "%s", attributes[k].front);
      mpl_tokens_edit(t, t->list[last - 1].start, end, "%s", attributes[k].back);
    }
}

/* A type's name followed by a bracket is a macro of the library (opencl_cpp/maniple/language.h). */
static void translate_operator(tokens *t, size_t i) {
  if (mpl_token_is_name(t, i + 1) && mpl_token_is(t, i + 2, "("))
    mpl_tokens_edit(t, t->list[i + 1].end, t->list[i + 1].end, " __cl_type");
}

static bool has_brace_inside(const tokens *t, size_t open) {
  for (size_t i = open + 1; i < t->list[open].partner; i++)
    if (mpl_token_is(t, i, "{")) return true;
  return false;
}

/* --- The meaning of a brace --- */

enum scope { DECLARATIONS, CLASS, STATEMENTS };

/* The first token of the declaration or statement that token i is in. */
static size_t first_of(const tokens *t, size_t i) {
  static const char *const ends[] = {";", "{", "}"};
  size_t first = i;
  while (first && first + MPL_TOKENS_FARTHEST > i && !is_any(t, first - 1, ends, ARRAY_SIZE(ends)))
    first--;
  return first;
}

/* After attributes, template <...>, and preprocessor directives. */
static size_t skip_front(const tokens *t, size_t i, size_t end) {
  for (size_t next = i; i < end; i = next) {
    next = skip_attributes(t, i);
    if (mpl_token_is(t, i, "#"))
      while (next < end && mpl_tokens_same_line(t, i, next)) next++;
    else if (mpl_token_is(t, i, "template"))
      next = mpl_tokens_skip(t, i + 1);
    if (next == i) break;
  }
  return i;
}

static enum scope scope_of(const tokens *t, size_t brace) {
  static const char *const classes[] = {"struct", "class", "union", "enum"};
  static const char *const front[] = {"typedef", "static", "inline", "constexpr", "const"};
  size_t i = skip_front(t, first_of(t, brace), brace);
  while (is_any(t, i, front, ARRAY_SIZE(front))) i++;
  if (mpl_token_is(t, i, "namespace") || (mpl_token_is(t, i, "extern") && brace == i + 2))
    return DECLARATIONS;
  if (!is_any(t, i, classes, ARRAY_SIZE(classes))) return STATEMENTS;
  for (i = skip_attributes(t, i + 1); i < brace; i = skip_attributes(t, mpl_tokens_skip(t, i)))
    if (mpl_token_is(t, i, "(") && !mpl_token_is(t, i - 1, "alignas")) return STATEMENTS;
  return CLASS;
}

/* --- Local variables --- */

/* The first token of `cl::local` that ends at token i, or i. */
static size_t front_of_name(const tokens *t, size_t i) {
  if (i >= 3 && mpl_token_is(t, i - 1, ":") && mpl_token_is(t, i - 2, ":") &&
      mpl_token_is(t, i - 3, "cl"))
    i -= 3;
  return i >= 2 && mpl_token_is(t, i - 1, ":") && mpl_token_is(t, i - 2, ":") ? i - 2 : i;
}

/* From behind a variable's name to the `,` or `;` that ends its declarator; 0 if there is none. */
static size_t declarator_end(const tokens *t, size_t first) {
  unsigned comparisons = 0; /* `<` that are no brackets cost a look ahead each */
  for (size_t i = first, next; i < first + MPL_TOKENS_FARTHEST && i < t->count; i = next) {
    if (mpl_token_is(t, i, ";") || mpl_token_is(t, i, ",")) return i;
    if (mpl_token_is(t, i, ")") || mpl_token_is(t, i, "}")) break;
    next = mpl_tokens_skip(t, i);
    if (mpl_token_is(t, i, "<") && next == i + 1 && ++comparisons > 4) break;
  }
  return 0;
}

/* One variable, which may be NAME or CLASS::NAME; returns the token behind it. */
static size_t translate_program_variable(tokens *t, size_t i) {
  for (size_t k; mpl_token_is_name(t, i); i = k + 2) {
    k = mpl_token_is(t, i + 1, "<") ? mpl_tokens_skip(t, i + 1) : i + 1;
    if (!mpl_token_is(t, k, ":") || !mpl_token_is(t, k + 1, ":")) break;
  }
  if (!mpl_token_is_name(t, i)) return i;
  static const char *const behind[] = {";", ",", "=", "(", "{"};
  size_t first = i + 1, end = declarator_end(t, first);
  if (!end || !is_any(t, first, behind, ARRAY_SIZE(behind))) return first;
  if (mpl_token_is(t, first, "(") && t->list[first].partner + 1 != end)
    return first; /* a function */
  bool equals = mpl_token_is(t, first, "="), call = mpl_token_is(t, first, "(");
  size_t name_end = t->list[i].end, last = end > first ? end - 1 : first;
  mpl_tokens_edit(t, name_end, name_end, " __attribute__((section(\"maniple.local%s\")))",
                  end > first ? "=" : "");
  if (call && t->list[first].partner == last) {
    mpl_tokens_edit(t, t->list[first].start, t->list[first].end, "{");
    mpl_tokens_edit(t, t->list[last].start, t->list[last].end, "}");
  } else if (equals && !mpl_token_is(t, first + 1, "{")) {
    mpl_tokens_edit(t, t->list[first].start, t->list[first].end, "{");
    mpl_tokens_edit(t, t->list[last].end, t->list[last].end, "}");
  }
  return end;
}

/* At program scope, and of static members, local<T> NAME: clang takes none, so it is declared in
 * global memory, and the compiler's pass `local` puts it where it belongs. */
static void translate_program_local(tokens *t, size_t i) {
  size_t name = mpl_tokens_skip(t, i + 1), none = t->num_edits;
  if (!mpl_token_is_name(t, name)) return;
  do name = translate_program_variable(t, name) + 1;
  while (mpl_token_is(t, name - 1, ",") && mpl_token_is_name(t, name));
  if (t->num_edits > none)
    mpl_tokens_edit(t, t->list[front_of_name(t, i)].start, t->list[i].end, "::cl::__program_local");
}

/* The words that construct the variable and, at the end of its scope, destroy it; those between are
 * its initialiser. */
#define BEGIN_FILLING "auto __cl_end_%.*s __attribute__((unused)) = ::cl::__fill(%.*s)"

/* One variable: NAME, NAME(args), NAME{args} or NAME = value; returns the `,` or `;` behind it, 0
 * if there is none. */
static size_t translate_variable(tokens *t, size_t name) {
  size_t first = name + 1, end = declarator_end(t, first);
  bool call = mpl_token_is(t, first, "("), braces = mpl_token_is(t, first, "{");
  if (!end || (end != first && !call && !braces && !mpl_token_is(t, first, "="))) return 0;
  if (braces && !t->list[first].partner) return 0; /* clang's error will do */
  bool list = braces && !has_brace_inside(t, first);
  struct mpl_token n = t->list[name];
  int length = (int)(n.end - n.start);
  const char *text = t->text + n.start;
  mpl_tokens_edit(t, n.end, n.end, "; " BEGIN_FILLING "%s", length, text, length, text,
                  end == first ? ".__default()"
                  : list       ? ".__list"
                  : braces     ? " = "
                               : "");
  if (!list) return end;
  struct mpl_token open = t->list[first], close = t->list[open.partner];
  mpl_tokens_edit(t, open.start, open.end, "(");
  mpl_tokens_edit(t, close.start, close.end, ")");
  return end;
}

/* In a kernel, local<T>: clang takes no initialiser, so variables are declared, each by itself, and
 * the library's function fills them (opencl_cpp/opencl_memory). */
static void translate_local(tokens *t, size_t i) {
  size_t name = mpl_tokens_skip(t, i + 1), front = front_of_name(t, i);
  if (!mpl_token_is_name(t, name)) return;
  if (front && mpl_token_is(t, front - 1, "static")) /* as all of them are */
    mpl_tokens_edit(t, t->list[front - 1].start, t->list[front - 1].end, "%s", "");
  struct mpl_token from = t->list[front], to = t->list[name - 1];
  for (size_t end; (end = translate_variable(t, name)) && mpl_token_is(t, end, ",");
       name = end + 1) {
    if (!mpl_token_is_name(t, end + 1)) break;
    mpl_tokens_edit(t, t->list[end].start, t->list[end].end, "; %.*s", (int)(to.end - from.start),
                    t->text + from.start);
  }
}

/* --- Names of several components of a vector --- */

/* Which component a letter is; -1 if none.  `s` stands in front of hexadecimal digits. */
static int component(const char *names, char letter) {
  const char *at = letter ? strchr(names, letter) : NULL;
  return at ? (int)(at - names) : -1;
}

/* ", 0, 1" of "xy"; false if it is no name of several components. */
static bool components(const char *name, size_t length, char list[80]) {
  static const char *const sets[] = {"xyzw", "rgba", "0123456789abcdef"};
  bool numbered = length > 2 && (*name == 's' || *name == 'S');
  size_t first = numbered, count = length - first, used = 0;
  const char *set = numbered ? sets[2] : component(sets[0], *name) >= 0 ? sets[0] : sets[1];
  if (count < 2 || (count > 4 && count != 8 && count != 16)) return false;
  for (size_t i = first; i < length; i++) {
    char letter = numbered && name[i] >= 'A' && name[i] <= 'F' ? (char)(name[i] + 32) : name[i];
    int which = component(set, letter);
    if (which < 0) return false;
    used += (size_t)sprintf(list + used, ",%d", which);
  }
  return true;
}

/* Vectors of bool are a class, which has those names that the program uses. */
static void add_swizzle(const tokens *t, size_t i, struct mpl_cxx_names *names) {
  enum { MOST = 256 };
  const char *name = t->text + t->list[i].start;
  size_t length = t->list[i].end - t->list[i].start;
  bool member = i && (mpl_token_is(t, i - 1, ".") ||
                      (mpl_token_is(t, i - 1, ">") && i > 1 && mpl_token_is(t, i - 2, "-")));
  char list[80], *entry, *longer;
  if (!member || length > 17 || names->count == MOST || !components(name, length, list)) return;
  if (asprintf(&entry, "X(%.*s%s)", (int)length, name, list) < 0) return;
  if (!names->list || !strstr(names->list, entry)) {
    longer = realloc(names->list, strlen(entry) + (names->list ? strlen(names->list) : 0) + 1);
    if (longer) {
      if (!names->list) *longer = 0;
      names->list = strcat(longer, entry);
      names->count++;
    }
  }
  free(entry);
}

/* In a macro's definition that ends before a variable's name does not begin one. */
static bool ends_in_directive(const tokens *t, size_t i) {
  size_t name = mpl_tokens_skip(t, i + 1), first = i;
  if (name < t->count && mpl_tokens_same_line(t, i, name)) return false;
  while (first && first + MPL_TOKENS_FARTHEST > i && mpl_tokens_same_line(t, first - 1, first))
    first--;
  return mpl_token_is(t, first, "#");
}

static void translate_any_local(tokens *t, size_t i, enum scope scope) {
  size_t front = front_of_name(t, i);
  if (ends_in_directive(t, i)) return;
  if (scope == STATEMENTS)
    translate_local(t, i);
  else if (scope == DECLARATIONS || (front && mpl_token_is(t, front - 1, "static")))
    translate_program_local(t, i);
}

char *mpl_cxx_translate(const char *text, size_t size, size_t *new_size,
                        struct mpl_cxx_names *names) {
  tokens t;
  size_t depth = 0;
  mpl_tokens_read(&t, text, size);
  unsigned char *scopes = malloc(t.count + 1); /* of the braces that are open */
  if (scopes)
    scopes[0] = DECLARATIONS;
  else
    t.failed = true;
  for (size_t i = 0; i < t.count && !t.failed; i++) {
    if (is_kernel(&t, i)) translate_kernel(&t, i);
    if (mpl_token_is(&t, i, "[") && mpl_token_is(&t, i + 1, "[") && mpl_token_is(&t, i + 2, "cl"))
      translate_attribute(&t, i);
    if (mpl_token_is(&t, i, "operator")) translate_operator(&t, i);
    if (mpl_token_is_name(&t, i)) add_swizzle(&t, i, names);
    if (mpl_token_is(&t, i, "{")) scopes[depth + 1] = scope_of(&t, i), depth++;
    depth -= depth && mpl_token_is(&t, i, "}");
    if (mpl_token_is(&t, i, "local") && mpl_token_is(&t, i + 1, "<"))
      translate_any_local(&t, i, scopes[depth]);
  }
  free(scopes);
  char *out = mpl_tokens_text(&t, new_size);
  mpl_tokens_free(&t);
  return out;
}

bool mpl_cxx_includes(const char *text, size_t size) {
  static const char library[] = "opencl_";
  tokens t;
  bool others = false;
  mpl_tokens_read(&t, text, size);
  for (size_t i = 1; i < t.count && !others; i++) {
    if (!mpl_token_is(&t, i - 1, "#") || !mpl_token_is(&t, i, "include")) continue;
    size_t at = i + 1 < t.count ? t.list[i + 1].start + 1 : size; /* behind < or the quote */
    others = size - at < sizeof library || memcmp(text + at, library, sizeof library - 1) != 0;
  }
  mpl_tokens_free(&t);
  return others;
}
