/* `maniple c++` and `maniple cc`: clang, with what a program with kernels needs. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/installation.h"
#include "cli/precompiled.h"
#include "toolchain/internals.h"
#include "toolchain/tools.h"

struct line {
  struct mpl_cxx_line is;
  size_t room;
};

static void add(struct line *line, const char *word) {
  struct mpl_cxx_line *is = &line->is;
  if (is->count + 2 > line->room) {
    line->room = line->room ? 2 * line->room : 64;
    is->words = mpl_need(realloc(is->words, line->room * sizeof *is->words));
  }
  is->words[is->count++] = mpl_need(strdup(word));
  is->words[is->count] = NULL;
}

static void add_joined(struct line *line, const char *a, const char *b) {
  char *word = mpl_need(malloc(strlen(a) + strlen(b) + 1));
  strcpy(stpcpy(word, a), b);
  add(line, word);
  free(word);
}

static void free_line(struct line *line) {
  for (size_t i = 0; i < line->is.count; i++) free(line->is.words[i]);
  free(line->is.words);
}

/* What the user's words say. */
struct words {
  bool has_input, optimises, links, watched, sycl, for_gpus, no_precompiled;
};

static const char watch[] = "--check-memory";
/* For GPUs too: clang has such an option for itself, whose values are triples. */
static const char for_gpus[] = "--target=cuda";
/* As Intel's compiler spells it; its other options of SYCL ask for what is so here anyway. */
static const char sycl_option[] = "-fsycl", no_sycl_option[] = "-fno-sycl",
                  lanes_option[] = "-fsycl-default-sub-group-size=";
/* Without a header that is precompiled by us. */
static const char no_precompiled[] = "-fno-maniple-precompiled";

/* Kernels that are not compiled: off, a warning, an error.  The last word counts. */
static const char *const fibres_words[] = {"-Wno-maniple-fibres", "-Wmaniple-fibres",
                                           "-Werror=maniple-fibres"};
enum { NUM_FIBRES_WORDS = sizeof fibres_words / sizeof *fibres_words };

static int fibres_word(const char *word) {
  int k = NUM_FIBRES_WORDS - 1;
  while (k >= 0 && strcmp(word, fibres_words[k])) k--;
  return k;
}

/* A word of ours, not clang's. */
static bool is_own(const char *word) {
  return !strcmp(word, watch) || !strcmp(word, for_gpus) || !strncmp(word, sycl_option, strlen(sycl_option)) ||
         !strncmp(word, no_sycl_option, strlen(no_sycl_option)) || !strcmp(word, no_precompiled) ||
         fibres_word(word) >= 0;
}

/* The size of sub-groups for kernels that ask for none: of the last such option, or of the
 * environment, as OpenCL's kernels have it.  False: it is no size. */
static bool add_sub_group_size(struct line *line, const struct mpl_cli_args *args) {
  static const char *const sizes[] = {"8", "16", "32", "64"};
  const char *from = "MANIPLE_SUBGROUP_SIZE", *size = getenv(from);
  for (size_t i = 0; i < args->num_words; i++)
    if (!strncmp(args->words[i].value, lanes_option, strlen(lanes_option))) {
      from = lanes_option;
      size = args->words[i].value + strlen(lanes_option);
    }
  if (!size || !strcmp(size, "automatic") || !strcmp(size, "primary")) return true;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (!strcmp(size, sizes[i]))
      return add_joined(line, "-DSYCL_DEFAULT_SUB_GROUP_SIZE=", size), true;
  mpl_usage("%s%s: a sub-group has 8, 16, 32 or 64 work-items", from, size);
  return false;
}

/* Tells the plugin.  Remarks that nobody makes have clang keep the lines, and write none of them. */
static void add_fibres(struct line *line, const struct mpl_cli_args *args) {
  int how = 0, all_are_errors = 0;
  for (size_t i = 0; i < args->num_words; i++) {
    int word = fibres_word(args->words[i].value);
    if (word >= 0) how = word;
    if (!strcmp(args->words[i].value, "-Werror")) all_are_errors = 1;
  }
  if (!how) return;
  if (how == 1 && all_are_errors) how = 2;
  setenv("MANIPLE_PASS_FIBRES", how == 1 ? "1" : "2", 1);
  add(line, "-Rpass-missed=maniple-fibres");
}

static bool ends_with(const char *word, const char *end) {
  size_t length = strlen(word), own = strlen(end);
  return length >= own && !strcmp(word + length - own, end);
}

/* An input that clang precompiles: by its language, or without one by its name. */
static bool is_header(const char *language, const char *word) {
  static const char *const names[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H"};
  bool found = language && ends_with(language, "-header");
  for (size_t i = 0; i < sizeof names / sizeof *names && !language; i++)
    found = found || ends_with(word, names[i]);
  return found;
}

/* The word behind is no input. */
static bool takes_next(const char *word) {
  static const char *const options[] = {"-o", "-I", "-D", "-U", "-L", "-MF", "-MT", "-MQ", "-isystem",
                                        "-iquote", "-include", "-include-pch", "-Xclang", "-Xlinker"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (!strcmp(word, options[i])) return true;
  return false;
}

static struct words look_at(const struct mpl_cli_args *args) {
  static const char *const ends[] = {"-c",          "-S", "-E", "-M", "-MM", "-fsyntax-only",
                                     "--precompile"};
  struct words found = {.links = true};
  const char *language = NULL;
  bool has_header = false, has_other = false;
  for (size_t i = 0; i < args->num_words; i++) {
    const char *word = args->words[i].value;
    if (!strncmp(word, "-x", 2))
      language = word[2] ? word + 2 : i + 1 < args->num_words ? args->words[++i].value : NULL;
    else if (takes_next(word))
      i++;
    else if (word[0] != '-' || !word[1])
      *(is_header(language, word) ? &has_header : &has_other) = true;
    if (!strncmp(word, "-O", 2)) found.optimises = true;
    if (!strcmp(word, watch)) found.watched = true;
    if (!strcmp(word, sycl_option)) found.sycl = true;
    if (!strcmp(word, for_gpus)) found.for_gpus = true;
    if (!strcmp(word, no_precompiled)) found.no_precompiled = true;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
      if (!strcmp(word, ends[k])) found.links = false;
  }
  found.has_input = has_header || has_other;
  if (has_header && !has_other) found.links = false;
  return found;
}

/* Kernels stay functions of one work-item, and tell of their accesses (src/tsan_shim).  All of them:
 * none are joined to vectors, and none is left out because a write to the same place follows.  By
 * -fsanitize=thread the plugin knows that it is to make filters (abi/filter.h). */
static void add_watching(struct line *line) {
  static const char *const options[] = {"-g",
                                        "-Xclang",
                                        "-fsanitize=thread",
                                        "-mllvm",
                                        "-tsan-instrument-read-before-write",
                                        "-mllvm",
                                        "-tsan-distinguish-volatile",
                                        "-fno-vectorize",
                                        "-fno-slp-vectorize"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) add(line, options[i]);
}

static bool build_line(struct line *line, const struct mpl_cli_args *args, const struct words *user,
                       const char *mode) {
  char library[PATH_MAX], headers[PATH_MAX];
  const char *missing = mpl_internals.tools_missing();
  if (missing) return mpl_fail("%s", missing), false;
  if (!mpl_library_folder(library) || !mpl_headers_folder(headers))
    return mpl_fail("maniple's headers were not found beside its library: install libmaniple-dev, or "
                    "maniple again"),
           false;
  add(line, mpl_internals.tools()->clang);
  add_joined(line, "--driver-mode=", mode);
  if (user->has_input) {
    add(line, "-Qunused-arguments"); /* of objects and libraries nothing is compiled */
    if (!user->optimises) add(line, user->watched ? "-O1" : "-O2");
#define MPL_KERNEL_OPTION(option) add(line, option);
#include "tables/kernel_options.def"
    if (user->watched) add_watching(line);
    add_fibres(line, args);
    if (user->for_gpus) add(line, "-D__MANIPLE_CUDA__=1"); /* the plugin sees it (maniple/maniple.h) */
    add_joined(line, "-fpass-plugin=", mpl_internals.tools()->plugin);
    if (!strcmp(mode, "g++") && mpl_internals.tools()->attributes[0])
      add_joined(line, "-fplugin=", mpl_internals.tools()->attributes);
    add(line, strcmp(headers, "/usr/include") ? "-isystem" : "-I");
    add(line, headers);
    if (!strcmp(mode, "g++") && !add_sub_group_size(line, args)) return false;
    if (!strcmp(mode, "g++") && user->sycl) add(line, "-DSYCL_LANGUAGE_VERSION=202012L"); /* before <sycl/sycl.hpp> says so */
  }
  line->is.user = line->is.count;
  for (size_t i = 0; i < args->num_words; i++)
    if (!is_own(args->words[i].value)) add(line, args->words[i].value);
  line->is.behind = line->is.count;
  if (user->has_input && user->links) {
    add_joined(line, "-L", library);
    add_joined(line, "-Wl,-rpath,", library);
    if (user->watched) add(line, "-lmaniple_accesses");
    add(line, "-lmaniple");
    add(line, "-lm");
  }
  return true;
}

/* A write beyond `ulimit -f` fails, and clang says so; of the signal it would die and show its stack,
 * and of the error too where one process is driver and compiler. */
static void bear_limit(struct line *line) {
  struct rlimit size;
  sigset_t mask;
  if (getrlimit(RLIMIT_FSIZE, &size) || size.rlim_cur == RLIM_INFINITY) return;
  add(line, "-fno-integrated-cc1");
  sigemptyset(&mask);
  sigaddset(&mask, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &mask, NULL);
}

static int compile(const struct mpl_cli_args *args, const char *mode) {
  struct line line = {0};
  if (!args->num_words) return mpl_usage("which file? try maniple %s --help", args->command->name);
  struct words user = look_at(args);
  if (!build_line(&line, args, &user, mode)) return mpl_exit_status();
  bear_limit(&line);
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0); /* large pages take 6 % off clang's time */
  if (!strcmp(mode, "g++") && user.has_input && !user.no_precompiled && mpl_cxx_precompiled(&line.is)) {
    free_line(&line);
    return MPL_EXIT_OK;
  }
  fflush(stdout);
  execv(line.is.words[0], line.is.words);
  return mpl_fail("%s: %s", line.is.words[0], strerror(errno));
}

int mpl_command_cxx(const struct mpl_cli_args *args) {
  return compile(args, "g++");
}

int mpl_command_cc(const struct mpl_cli_args *args) {
  return compile(args, "gcc");
}
