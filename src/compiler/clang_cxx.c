/* OpenCL C++ in the words of clang's C++ for OpenCL. */
#include "clang_cxx.h"

#include <stdlib.h>
#include <string.h>

#include "clang_cxx_tokens.h"

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

/* Types that say themselves what memory they are in or point to. */
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
  if (mpl_token_is(t, name, "ivdep"))
    mpl_tokens_edit(t, start, end, "_Pragma(\"clang loop vectorize(assume_safety)\")");
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

/* At program scope, local<T> NAME: clang takes none, so it is declared in global memory, and the
 * compiler's pass `local` puts it where it belongs. */
static void translate_program_local(tokens *t, size_t i) {
  size_t name = mpl_tokens_skip(t, i + 1);
  if (!mpl_token_is_name(t, name) || !mpl_token_is(t, name + 1, ";")) return;
  mpl_tokens_edit(t, t->list[i].start, t->list[i].end, "::cl::__program_local");
  mpl_tokens_edit(t, t->list[name].end, t->list[name].end,
                  " __attribute__((section(\"maniple.local\")))");
}

/* In a kernel, local<T> NAME(args), NAME{args} and NAME = value: clang takes no initialiser, so the
 * variable is declared, and the library's function fills it (opencl_cpp/opencl_memory). */
static void translate_local(tokens *t, size_t i) {
  size_t name = mpl_tokens_skip(t, i + 1), first = name + 1, end = first;
  if (!mpl_token_is_name(t, name)) return;
  if (i && mpl_token_is(t, i - 1, "static")) /* as all of them are */
    mpl_tokens_edit(t, t->list[i - 1].start, t->list[i - 1].end, "%s", "");
  bool call = mpl_token_is(t, first, "("), braces = mpl_token_is(t, first, "{");
  if (!call && !braces && !mpl_token_is(t, first, "=")) return;
  while (end < first + MPL_TOKENS_FARTHEST && !mpl_token_is(t, end, ";") &&
         !mpl_token_is(t, end, ","))
    end = mpl_tokens_skip(t, end);
  /* Several variables, or a bracket that nothing closes: clang's error will do. */
  if (!mpl_token_is(t, end, ";") || (braces && !t->list[first].partner)) return;
  bool list = braces && !has_brace_inside(t, first);
  struct mpl_token n = t->list[name];
  mpl_tokens_edit(t, n.end, n.end, "; ::cl::__fill(%.*s)%s", (int)(n.end - n.start),
                  t->text + n.start,
                  list     ? ".__list"
                  : braces ? " = "
                           : "");
  if (!list) return;
  struct mpl_token open = t->list[first], close = t->list[open.partner];
  mpl_tokens_edit(t, open.start, open.end, "(");
  mpl_tokens_edit(t, close.start, close.end, ")");
}

char *mpl_cxx_translate(const char *text, size_t size, size_t *new_size) {
  tokens t;
  size_t depth = 0;
  mpl_tokens_read(&t, text, size);
  for (size_t i = 0; i < t.count && !t.failed; i++) {
    if (is_kernel(&t, i)) translate_kernel(&t, i);
    if (mpl_token_is(&t, i, "[") && mpl_token_is(&t, i + 1, "[") && mpl_token_is(&t, i + 2, "cl"))
      translate_attribute(&t, i);
    if (mpl_token_is(&t, i, "operator")) translate_operator(&t, i);
    depth += mpl_token_is(&t, i, "{");
    depth -= depth && mpl_token_is(&t, i, "}");
    if (!mpl_token_is(&t, i, "local") || !mpl_token_is(&t, i + 1, "<")) continue;
    if (depth)
      translate_local(&t, i);
    else
      translate_program_local(&t, i);
  }
  char *out = mpl_tokens_text(&t, new_size);
  mpl_tokens_free(&t);
  return out;
}
