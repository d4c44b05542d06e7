/* What kernels become for a GPU, without one: each case is compiled to PTX for the oldest chip, and
 * things are counted in it.  ptx CASE... or all. */
#define _GNU_SOURCE /* memmem */
#include <stdbool.h>

#include "abi/gpu.h"
#include "cuda/ptx_tests.h"
#include "tables/clang.h"
#include "toolchain/compile.h"
#include "unit/unit.h"

static const char target[] = MPL_NVPTX "sm_80 ptx70";

/* How often a word is in the text; in its comments only if it begins like them. */
static unsigned count(const char *text, const char *word) {
  unsigned found = 0;
  for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
    end = line + strcspn(line, "\n");
    const char *code_end = memmem(line, (size_t)(end - line), "//", 2);
    if (!code_end || !strncmp(word, "//", 2)) code_end = end;
    for (const char *at = line; (at = memmem(at, (size_t)(code_end - at), word, strlen(word)));
         at += strlen(word))
      found++;
  }
  return found;
}


static char *compile(const struct test *test) {
  struct mpl_blob source = {test->source, strlen(test->source)};
  char options[100];
  const char *own = test->name + strcspn(test->name, " ");
  snprintf(options, sizeof options, "%s%s", strstr(own, "-cl-std") ? "" : "-cl-std=CL3.0", own);
  struct mpl_compile_job job = {.input = MPL_INPUT_SOURCE,
                                .inputs = &source,
                                .num_inputs = 1,
                                .options = options,
                                .target = target,
                                .output = MPL_OUTPUT_OBJECT};
  struct mpl_compile_answer answer;
  mpl_compile(&job, &answer);
  if (answer.result != MPL_COMPILED) fprintf(stderr, "%s: %s\n", test->name, answer.log);
  CHECK(answer.result == MPL_COMPILED);
  char *text = strndup(answer.output, answer.output_size);
  CHECK(text);
  mpl_compile_free(&answer);
  return text;
}

/* What is counted is of LLVM 19's text: of another version's it is asked that there is one. */
static bool run(const struct test *test) {
  char *text = compile(test);
  bool good = true, counts = !strcmp(MPL_LLVM, "19");
  for (const struct expected *e = test->expected; counts && e->word; e++) {
    unsigned found = count(text, e->word);
    if (found >= e->least && found <= e->most) continue;
    fprintf(stderr, "%s: '%s' is there %u times, not %u to %u\n", test->name, e->word, found,
            e->least, e->most);
    good = false;
  }
  if (!good) fprintf(stderr, "%s\n", text);
  free(text);
  return good;
}

int main(int argc, char **argv) {
  bool good = true;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    bool wanted = argc < 2;
    for (int k = 1; k < argc; k++) wanted |= !strcmp(argv[k], tests[i].name);
    if (wanted) good &= run(&tests[i]);
  }
  return !good;
}
