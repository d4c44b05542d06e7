/* Writes documentation from the tables: what --help and the run time use is what is documented.
 *   docgen options           docs/options.md
 *   docgen man TEMPLATE      the man page: the template's lines @COMMANDS@ and @OPTIONS@ replaced
 *   docgen bash              completion for bash
 *   docgen passes            the picture of the passes in docs/design.md */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct command {
  const char *name, *synopsis, *summary, *more;
} commands[] = {
#define MPL_COMMAND(name, synopsis, summary, more)    {#name, synopsis, summary, more},
#define MPL_DRIVER(id, name, synopsis, summary, more) {name, synopsis, summary, more},
#include "tables/commands.def"
#undef MPL_COMMAND
};

enum kind { ALONE, VALUE, MAYBE, PREFIX };

static const struct flag {
  const char *command;
  char short_name;
  const char *long_name;
  enum kind kind;
  const char *value, *help;
} flags[] = {
#define MPL_FLAG(command, id, short_name, long_name, kind, value, help)                            \
  {#command, short_name, long_name, kind, value, help},
#include "tables/flags.def"
#undef MPL_FLAG
};

static const struct option {
  const char *name, *default_text, *help, *values;
} options[] = {
#define USER(...) __VA_ARGS__,
#define INTERNAL(...)
#define MPL_OPTION(key, def, kind, whom, help, values) whom({"MANIPLE_" #key, def, help, values})
#include "tables/options.def"
#undef MPL_OPTION
};

enum { COMPILED = 1, SINGLE_SOURCE = 2, CHECKED = 4, GPU = 8, ALL = 15 };

static const struct pass {
  const char *name, *text;
  unsigned who;
} passes[] = {
#define MPL_PASS(name, function, who, text) {name, text, who},
#include "tables/passes.def"
};

enum {
  NUM_COMMANDS = sizeof commands / sizeof *commands,
  NUM_FLAGS = sizeof flags / sizeof *flags,
  NUM_OPTIONS = sizeof options / sizeof *options,
  NUM_PASSES = sizeof passes / sizeof *passes,
};

static bool belongs(const struct flag *flag, const struct command *command) {
  return !strcmp(flag->command, "any") || !strcmp(flag->command, command->name);
}

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
      if (belongs(&flags[i], &commands[c])) man_flag(&flags[i]);
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

static void bash_completion(void) {
  printf("# Completion for bash, made by docgen from the tables of maniple.\n"
         "_maniple() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} words=\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
         "    words='--help --version");
  for (int c = 0; c < NUM_COMMANDS; c++) printf(" %s", commands[c].name);
  printf("'\n  else\n    case ${COMP_WORDS[1]} in\n");
  for (int c = 0; c < NUM_COMMANDS; c++) {
    printf("    %s) words='", commands[c].name);
    for (int i = 0; i < NUM_FLAGS; i++)
      if (belongs(&flags[i], &commands[c]) && *flags[i].long_name && flags[i].kind != PREFIX)
        printf("--%s%s ", flags[i].long_name, flags[i].kind == VALUE ? "=" : "");
    if (!strcmp(commands[c].name, "cache")) printf("stat list clear ");
    printf("';;\n");
  }
  printf("    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
         "  return 0\n"
         "}\n"
         "complete -o default -F _maniple maniple\n");
}

static void picture_passes(void) {
  for (int i = 0; i < NUM_PASSES; i++)
    printf("        |  %c %c %c %c  %-16s %s\n", passes[i].who & COMPILED ? 'o' : ' ',
           passes[i].who & SINGLE_SOURCE ? 'c' : ' ', passes[i].who & CHECKED ? 'e' : ' ',
           passes[i].who & GPU ? 'g' : ' ', passes[i].name, passes[i].text);
}

static void pipeline_picture(void) {
  printf("```\n"
         "   OpenCL C source, C, C++              clBuildProgram, clCompileProgram; maniple cc, maniple c++\n"
         "        |\n"
         "   clang-19                             a subprocess: no LLVM in the application\n"
         "        |   + lib/maniple/opencl.h      OpenCL C: declarations that clang's header lacks\n"
         "        |   + lib/maniple/passes.so     Maniple's passes, at the start of the pipeline, for\n"
         "        |                               o OpenCL, c C and C++, e the checking engine, g GPUs:\n"
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
    bash_completion();
  else if (argc == 2 && !strcmp(argv[1], "passes"))
    pipeline_picture();
  else if (argc == 3 && !strcmp(argv[1], "man"))
    return man_page(argv[2]);
  else {
    fprintf(stderr, "usage: docgen options | man TEMPLATE | bash | passes\n");
    return 2;
  }
  return fflush(stdout) || ferror(stdout);
}
