/* OpenCL C++ in clang's words (src/toolchain/opencl_cpp/translate.h): what becomes of texts, and that no text
 * is too much for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/opencl_cpp/translate.h"

/* Parts of what becomes of local variables. */
#define FILL(name)        "auto __cl_end_" name " __attribute__((unused)) = ::cl::__fill(" name ")"
#define PROGRAM(name)     name " __attribute__((section(\"maniple.local\")))"
#define INITIALISED(name) name " __attribute__((section(\"maniple.local=\")))"

static const struct {
  const char *text, *want;
} cases[] = {
    /* Parameters of kernels. */
    {"kernel void f(int *p)", "kernel void f(__global int *p)"},
    {"__kernel void f(const int *p, float4 &r, int n)",
     "__kernel void f(__global const int *p, __global float4 &r, int n)"},
    {"void kernel f(int p[])", "void kernel f(__global int p[])"},
    {"kernel\nvoid f (\n  int *p,\n  int *q)",
     "kernel\nvoid f (\n  __global int *p,\n  __global int *q)"},
    {"kernel void f(int (*p)[4])", "kernel void f(__global int (*p)[4])"},
    {"kernel void f(array<int, 2> &a)", "kernel void f(__global array<int, 2> &a)"},
    {"kernel __attribute__((vec_type_hint(int4))) void f(int *p)",
     "kernel __attribute__((vec_type_hint(int4))) void f(__global int *p)"},
    {"#define K(T) kernel void f(T *p)", "#define K(T) kernel void f(__global T *p)"},
    {"kernel void f(global_ptr<int *[]> p)", "kernel void f(global_ptr<int *[]> p)"},
    {"kernel void f(global<int> *p, cl::local<T> &q)",
     "kernel void f(global<int> *p, cl::local<T> &q)"},
    {"kernel void f(__local int *p)", "kernel void f(__local int *p)"},
    {"kernel void f()", "kernel void f()"},
    {"void f(int *p)", "void f(int *p)"},
    {"int kernel_count(int *p)", "int kernel_count(int *p)"},
    /* Not code. */
    {"// kernel void f(int *p)", "// kernel void f(int *p)"},
    {"/* kernel void f(int *p) */", "/* kernel void f(int *p) */"},
    {"\"kernel void f(int *p)\"", "\"kernel void f(int *p)\""},
    {"R\"x(\"kernel void f(int *p))x\"", "R\"x(\"kernel void f(int *p))x\""},
    {"'\\'' kernel void f(int *p)", "'\\'' kernel void f(__global int *p)"},
    {"#error don't\nkernel void f(int *p)", "#error don't\nkernel void f(__global int *p)"},
    {"1'000'000 kernel void f(int *p)", "1'000'000 kernel void f(__global int *p)"},
    /* Attributes. */
    {"[[cl::required_work_group_size(8, 1, 1)]] kernel void f()",
     "__attribute__((reqd_work_group_size(8, 1, 1))) kernel void f()"},
    {"struct [[cl::packed]] S {}", "struct __attribute__((packed)) S {}"},
    {"int x [[cl::aligned(16)]];", "int x __attribute__((aligned(16)));"},
    {"[[cl::unroll_hint]] for (;;)", "__attribute__((opencl_unroll_hint)) for (;;)"},
    {"[[cl::ivdep]] for (;;)", "_Pragma(\"clang loop vectorize(assume_safety)\") for (;;)"},
    {"[[cl::ivdep(9)]] for (;;)",
     "_Pragma(\"clang loop vectorize(assume_safety) vectorize_width(8) "
     "interleave_count(1)\") for (;;)"},
    {"[[cl::ivdep(1)]] for (;;)", " for (;;)"},
    {"[[cl::ivdep(N)]] for (;;)", " for (;;)"},
    {"[[cl::ivdep(-1)]] for (;;)", "[[cl::ivdep(-1)]] for (;;)"},
    {"kernel void f([[cl::max_size(64)]] constant_ptr<int> p)",
     "kernel void f( constant_ptr<int> p)"},
    {"[[cl::\nmax_size(64)]] int x;", "\n int x;"},
    {"[[cl::required_num_sub_groups(4)]] kernel void f()",
     "[[cl::required_num_sub_groups(4)]] kernel void f()"},
    {"[[nodiscard]] int f();", "[[nodiscard]] int f();"},
    {"a[[cl::b(1)", "a[[cl::b(1)"},
    /* Conversion to a vector is no constructor. */
    {"operator float4() const", "operator float4 __cl_type() const"},
    {"float4(1, 2)", "float4(1, 2)"},
    /* Local variables. */
    {"{ local<int> x; }", "{ local<int> x; " FILL("x") ".__default(); }"},
    {"{ local<int> x(4); }", "{ local<int> x; " FILL("x") "(4); }"},
    {"{ local<array<int, 2>> x{1, 2}; }",
     "{ local<array<int, 2>> x; " FILL("x") ".__list(1, 2); }"},
    {"{ local<int> x = 3; }", "{ local<int> x; " FILL("x") " = 3; }"},
    {"{ local<pair> x{{1}, 2}; }", "{ local<pair> x; " FILL("x") " = {{1}, 2}; }"},
    {"{ static local<int> x{1}; }", "{  local<int> x; " FILL("x") ".__list(1); }"},
    {"{ cl::local<array<int, 2>> x{1,2}, y, z = 3; }",
     "{ cl::local<array<int, 2>> x; " FILL("x") ".__list(1,2); cl::local<array<int, 2>> y; " FILL(
         "y") ".__default(); cl::local<array<int, 2>> z; " FILL("z") " = 3; }"},
    {"{ local < 3; }", "{ local < 3; }"},
    {"{ local<int> x{1 }", "{ local<int> x{1 }"},
    {"local<int> x;", "::cl::__program_local<int> x __attribute__((section(\"maniple.local\")));"},
    {"local<int> x{1};", "::cl::__program_local<int> " INITIALISED("x") "{1};"},
    {"local<int> x(1);", "::cl::__program_local<int> " INITIALISED("x") "{1};"},
    {"local<int> x = 1;", "::cl::__program_local<int> " INITIALISED("x") " { 1};"},
    {"cl::local<int> x; ::cl::local<int> x;",
     "::cl::__program_local<int> " PROGRAM("x") "; ::cl::__program_local<int> " PROGRAM("x") ";"},
    {"struct s { static cl::local<int> x; };",
     "struct s { static ::cl::__program_local<int> " PROGRAM("x") "; };"},
    {"{ static cl::local<int> x; }", "{  cl::local<int> x; " FILL("x") ".__default(); }"},
    {"local<int[2]> x = {1};", "::cl::__program_local<int[2]> " INITIALISED("x") " = {1};"},
    {"local<int> x, y{2}, z;",
     "::cl::__program_local<int> " PROGRAM("x") ", " INITIALISED("y") "{2}, " PROGRAM("z") ";"},
    {"#include <a>\nnamespace n { extern \"C\" { local<int> x; } }",
     "#include <a>\nnamespace n { extern \"C\" { ::cl::__program_local<int> " PROGRAM("x") "; } }"},
    {"template <class T> struct [[cl::packed]] s : b<T> { static local<T> x; local<T> y; };",
     "template <class T> struct __attribute__((packed)) s : b<T> { static "
     "::cl::__program_local<T> " PROGRAM("x") "; local<T> y; };"},
    {"template <class T> struct s *f() { local<T> x(1); }",
     "template <class T> struct s *f() { local<T> x; " FILL("x") "(1); }"},
    {"#define L local<int>\nM(x);", "#define L local<int>\nM(x);"},
    {"{\n#define L local<int>\nM = x; }", "{\n#define L local<int>\nM = x; }"},
    {"local<int> f(int) noexcept; int x;", "local<int> f(int) noexcept; int x;"},
    {"#define L(x) local<int> x;", "#define L(x) ::cl::__program_local<int> " PROGRAM("x") ";"},
    {"local<int>\nx;", "::cl::__program_local<int>\n" PROGRAM("x") ";"},
    {"void f(local<int> x) { int y; }", "void f(local<int> x) { int y; }"},
    {"local<int> s<int>::t::x; local<int> ::y;",
     "::cl::__program_local<int> s<int>::t::" PROGRAM("x") "; local<int> ::y;"},
    {"struct s { void f() { local<int> x(1); } };",
     "struct s { void f() { local<int> x; " FILL("x") "(1); } };"},
    /* No declarations at all: the comma would belong to both. */
    {"{local<n(local<s,e", "{local<n; " FILL("n") "(local<s; " FILL("s") ".__default(); local<e"},
};

static struct mpl_cxx_names names;

static int check_names(void) {
  static const char text[] =
      "a.xy + b->s0aF - c.x * d.xyzwx; .rg a.xy a.sxy a. xr a.s01234567 a.S10";
  static const char want[] =
      "X(xy,0,1)X(s0aF,0,10,15)X(rg,0,1)X(s01234567,0,1,2,3,4,5,6,7)X(S10,1,0)";
  size_t size;
  free(mpl_cxx_translate(text, sizeof text - 1, &size, &names));
  int failed = !names.list || strcmp(names.list, want);
  if (failed) printf("FAILED: names are\n  %s\n  and not %s\n", names.list, want);
  return failed;
}

static int check(const char *text, const char *want) {
  size_t size = 0;
  char *got = mpl_cxx_translate(text, strlen(text), &size, &names);
  int failed = !got || strlen(got) != size || strcmp(got, want);
  if (failed) printf("FAILED: %s\n  becomes %s\n  and not %s\n", text, got, want);
  free(got);
  return failed;
}

/* Words in any order: it must end, and lines must stay where they were. */
static int try_soup(unsigned seed) {
  static const char *const words[] = {"kernel", "void",       "f",        "(",      ")",
                                      "{",      "}",          "[",        "]",      "[[",
                                      "]]",     "<",          ">",        "*",      "&",
                                      ",",      ";",          "local",    "static", "cl",
                                      "::",     "cl::packed", "=",        "\"",     "'",
                                      "/*",     "*/",         "//",       "\n",     "\\\n",
                                      "R\"(",   ")\"",        "operator", "float4", "__attribute__",
                                      "1'0",    "#define",    "int",      " "};
  static char text[4096];
  size_t used = 0, size = 0, lines = 0, new_lines = 0;
  srand(seed);
  while (used < sizeof text - 64) {
    const char *word = words[(size_t)rand() % (sizeof words / sizeof *words)];
    used += (size_t)sprintf(text + used, "%s%s", word, rand() % 3 ? " " : "");
  }
  char *got = mpl_cxx_translate(text, used, &size, &names);
  for (size_t i = 0; i < used; i++) lines += text[i] == '\n';
  for (size_t i = 0; got && i < size; i++) new_lines += got[i] == '\n';
  free(got);
  if (got && lines == new_lines) return 0;
  printf("FAILED: soup %u has %zu lines, then %zu\n", seed, lines, new_lines);
  return 1;
}

/* A megabyte of one word: time grows with the size, not with its square. */
static int try_much(const char *word) {
  size_t length = strlen(word), count = 1000000 / length, size;
  char *text = malloc(count * length);
  for (size_t i = 0; i < count; i++) memcpy(text + i * length, word, length);
  char *got = mpl_cxx_translate(text, count * length, &size, &names);
  free(text);
  free(got);
  return !got;
}

int main(void) {
  static const char *const much[] = {"kernel ",
                                     "kernel void f(",
                                     "(",
                                     "[[cl::packed",
                                     "local<",
                                     "{local<a>b(",
                                     "kernel void f(int*a,",
                                     "/*",
                                     "\"",
                                     "R\"",
                                     "operator float4(",
                                     "a.xy"};
  int failed = check_names();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    failed |= check(cases[i].text, cases[i].want);
  for (unsigned seed = 1; seed <= 500; seed++) failed |= try_soup(seed);
  for (size_t i = 0; i < sizeof much / sizeof *much; i++) failed |= try_much(much[i]);
  free(names.list);
  printf("%s\n", failed ? "FAILED" : "ok");
  return failed;
}
