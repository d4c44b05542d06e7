/* Writes documentation from the tables that --help and the run time use.
 *   docgen options           docs/options.md
 *   docgen man TEMPLATE      the man page: the template's lines @COMMANDS@ and @OPTIONS@ replaced
 *   docgen bash              completion for bash
 *   docgen zsh               completion for zsh
 *   docgen passes            the picture of the passes in docs/design.md */
#include <stdio.h>
#include <string.h>

#include "docgen.h"

static void put_markdown(const char *text) {
  for (; *text; text++) printf(*text == '|' ? "\\|" : "%c", *text);
}

static void options_page(void) {
  printf("# Environment options\n\n"
         "<!-- Made by `docgen options` from src/tables/options.def; tests/cli checks that it is "
         "current."
         " -->\n\n"
         "Maniple reads these variables once, when an application first uses it.  A value that"
         " does not\nparse is reported once on stderr and the default used."
         "  `maniple info --options` shows the values in force.\n\n"
         "| variable | default | values | what it does |\n|---|---|---|---|\n");
  for (int i = 0; i < NUM_OPTIONS; i++) {
    printf("| `%s` | %s%s%s | ", options[i].name, *options[i].default_text ? "`" : "",
           options[i].default_text, *options[i].default_text ? "`" : "");
    put_markdown(options[i].values);
    printf(" | ");
    put_markdown(options[i].help);
    printf(" |\n");
  }
}

/* Text in roff: a dash that is typed is \-, and a line may not begin with a control character. */
static void put_roff(const char *text) {
  bool begins = true;
  for (; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) printf("\\&");
    if (*text == '-')
      printf("\\-");
    else if (*text == '\\')
      printf("\\e");
    else if (*text == '`')
      printf("\\(oq");
    else
      putchar(*text);
    begins = *text == '\n';
  }
}

static void man_flag(const struct flag *flag) {
  printf(".It ");
  if (flag->kind == PREFIX) {
    printf("Fl %s Ns Ar %s\n", flag->long_name, flag->value);
  } else {
    if (flag->short_name) printf("Fl %c", flag->short_name);
    if (flag->short_name && flag->kind == VALUE && !*flag->long_name) printf(" Ar %s", flag->value);
    if (flag->short_name && *flag->long_name) printf(" , ");
    if (*flag->long_name) printf("Fl \\-%s", flag->long_name);
    if (*flag->long_name && flag->kind == VALUE) printf(" Ns = Ns Ar \"%s\"", flag->value);
    if (*flag->long_name && flag->kind == MAYBE) printf(" Ns Oo = Ns Ar %s Oc", flag->value);
    printf("\n");
  }
  put_roff(flag->help);
  printf(".\n");
}

static void man_commands(void) {
  for (int c = 0; c < NUM_COMMANDS; c++) {
    printf(".Ss maniple %s ", commands[c].name);
    put_roff(commands[c].synopsis);
    printf("\n.Bd -literal\n");
    put_roff(commands[c].more);
    printf("\n.Ed\n.Pp\n.Bl -tag -width Ds\n");
    for (int i = 0; i < NUM_FLAGS; i++)
      if (docgen_belongs(&flags[i], &commands[c])) man_flag(&flags[i]);
    printf(".El\n");
  }
}

static void man_options(void) {
  printf(".Bl -tag -width Ds\n");
  for (int i = 0; i < NUM_OPTIONS; i++) {
    printf(".It Ev %s\n", options[i].name);
    put_roff(options[i].help);
    printf(".\nValues: ");
    put_roff(options[i].values);
    if (*options[i].default_text) printf("; default: %s", options[i].default_text);
    printf(".\n");
  }
  printf(".El\n");
}

static int man_page(const char *path) {
  char line[512];
  FILE *template = fopen(path, "r");
  if (!template) {
    perror(path);
    return 1;
  }
  while (fgets(line, sizeof line, template)) {
    if (!strcmp(line, "@COMMANDS@\n"))
      man_commands();
    else if (!strcmp(line, "@OPTIONS@\n"))
      man_options();
    else
      fputs(line, stdout);
  }
  fclose(template);
  return 0;
}

enum { COMPILED = 1, SINGLE_SOURCE = 2, CHECKED = 4, GPU = 8, FILTER = 16, ALL = 31 };

static const struct pass {
  const char *name, *text;
  unsigned who;
} passes[] = {
#define MPL_PASS(name, function, who, text) {name, text, who},
#include "tables/passes.def"
};

enum { NUM_PASSES = sizeof passes / sizeof *passes };

static void picture_passes(void) {
  for (int i = 0; i < NUM_PASSES; i++)
    printf("        |  %c %c %c %c %c  %-16s %s\n", passes[i].who & COMPILED ? 'o' : ' ',
           passes[i].who & SINGLE_SOURCE ? 'c' : ' ', passes[i].who & CHECKED ? 'e' : ' ',
           passes[i].who & (COMPILED | FILTER) ? 'f' : ' ', passes[i].who & GPU ? 'g' : ' ',
           passes[i].name, passes[i].text);
}

static void pipeline_picture(void) {
  printf("```\n"
         "   OpenCL C source, C, C++              clBuildProgram, clCompileProgram; maniple cc, maniple c++\n"
         "        |\n"
         "   clang                                a subprocess: no LLVM in the application\n"
         "        |   + lib/maniple/opencl.h      OpenCL C: declarations that clang's header lacks\n"
         "        |   + lib/maniple/passes.so     Maniple's passes, at the start of the pipeline, for\n"
         "        |                               o OpenCL, c C and C++, e the checking engine,\n"
         "        |                               f its filters, g GPUs:\n"
         "        |\n");
  picture_passes();
  printf("        |\n"
         "   clang's own -O3, and code generation\n"
         "        |\n"
         "   GNU ld or lld    ->  program.so      one exported symbol, mpl_object   (src/abi/kernel.h)\n"
         "        |                               [disk cache; clGetProgramInfo's binaries]\n"
         "   libmaniple.so                        loads it, runs work-groups on a thread pool\n"
         "        |\n"
         "   ICD loader, application\n"
         "\n"
         "   For a GPU nothing is linked: the object is PTX, which NVIDIA's driver compiles (src/cuda).\n"
         "```\n");
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "options"))
    options_page();
  else if (argc == 2 && !strcmp(argv[1], "bash"))
    docgen_bash();
  else if (argc == 2 && !strcmp(argv[1], "zsh"))
    docgen_zsh();
  else if (argc == 2 && !strcmp(argv[1], "passes"))
    pipeline_picture();
  else if (argc == 3 && !strcmp(argv[1], "man"))
    return man_page(argv[2]);
  else {
    fprintf(stderr, "usage: docgen options | man TEMPLATE | bash | zsh | passes\n");
    return 2;
  }
  return fflush(stdout) || ferror(stdout);
}
