/* Completion for shells.  The tables say what can follow: the VALUE of an option is FILE, DIR,
 * words with bars between them (without the brackets behind a word), or something that only the
 * user knows; the same goes for the beginning of a command's synopsis. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"

static bool is_choice(const char *text) {
  return strchr(text, '|') != NULL;
}

/* "order|reverse|shuffle[:SEED]": order reverse shuffle */
static void put_choice(const char *text) {
  for (; *text; text++) {
    if (*text == '[') text += strcspn(text, "]");
    if (*text != ']') putchar(*text == '|' ? ' ' : *text);
  }
}

static bool wants_file(const char *value) {
  size_t length = strlen(value);
  return length >= 4 && !strcmp(value + length - 4, "FILE");
}

static bool is_command(const char *synopsis) {
  return !strcmp(synopsis, "[COMMAND]");
}

static bool takes_files(const struct command *command) {
  return strcmp(command->synopsis, "[OPTION]...") != 0;
}

static void put_commands(void) {
  for (int c = 0; c < NUM_COMMANDS; c++) printf(" %s", commands[c].name);
}

/* --- bash --- */

/* What follows `command option'. */
static void bash_value(const struct command *command, const struct flag *flag) {
  bool is_folder = !strcmp(flag->value, "DIR");
  if (flag->kind != VALUE && flag->kind != MAYBE) return;
  printf("    ");
  if (flag->short_name && flag->kind == VALUE)
    printf("%s:-%c%s", command->name, flag->short_name, *flag->long_name ? "|" : "");
  if (*flag->long_name) printf("%s:--%s", command->name, flag->long_name);
  if (is_choice(flag->value)) {
    printf(") words='");
    put_choice(flag->value);
    printf("' ;;\n");
  } else if (is_folder) {
    printf(") COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n");
  } else {
    printf(") return ;;%s\n", wants_file(flag->value) ? " # files" : "");
  }
}

/* Options if a dash is there, else the command's arguments: words of its synopsis, or files. */
static void bash_command(const struct command *command) {
  printf("    %s:*) ", command->name);
  if (is_choice(command->synopsis) || is_command(command->synopsis)) {
    printf("words='");
    if (is_command(command->synopsis))
      put_commands();
    else
      put_choice(command->synopsis);
    printf("' ;;\n");
    return;
  }
  if (takes_files(command)) printf("[[ $cur == -* ]] || return; ");
  printf("words='");
  for (int i = 0; i < NUM_FLAGS; i++) {
    if (!docgen_belongs(&flags[i], command) || flags[i].kind == PREFIX) continue;
    if (*flags[i].long_name)
      printf("--%s%s ", flags[i].long_name, flags[i].kind == VALUE ? "=" : "");
    else
      printf("-%c ", flags[i].short_name);
  }
  printf("' ;;\n");
}

void docgen_bash(void) {
  printf("# Completion for bash, made by docgen from the tables of maniple.\n"
         "_maniple() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  COMPREPLY=()\n"
         "  # --option=value is three words for bash.\n"
         "  if [ \"$cur\" = = ]; then\n"
         "    cur=\n"
         "  elif [ \"$before\" = = ]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
         "    words='--help --version");
  put_commands();
  printf("'\n  else\n    case ${COMP_WORDS[1]}:$before in\n");
  for (int c = 0; c < NUM_COMMANDS; c++) {
    for (int i = 0; i < NUM_FLAGS && !commands[c].passes_on; i++)
      if (docgen_belongs(&flags[i], &commands[c])) bash_value(&commands[c], &flags[i]);
    if (!commands[c].passes_on) bash_command(&commands[c]);
  }
  printf("    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
         "  return 0\n"
         "}\n"
         "complete -o default -F _maniple maniple\n");
}

/* --- zsh --- */

/* In a word between single quotation marks; `special` are to have a backslash. */
static void put_zsh(const char *text, const char *special) {
  for (; *text; text++) {
    if (*text == '\'') {
      printf("'\\''");
      continue;
    }
    if (*text == '\\' || strchr(special, *text)) putchar('\\');
    putchar(*text);
  }
}

/* "[help]:VALUE:how to complete it'" */
static void zsh_rest(const struct flag *flag) {
  printf("[");
  put_zsh(flag->help, "[]");
  printf("]");
  if (flag->kind != ALONE) {
    printf(flag->kind == MAYBE ? "::" : ":");
    put_zsh(flag->value, ":");
    printf(":");
    if (is_choice(flag->value)) {
      printf("(");
      put_choice(flag->value);
      printf(")");
    } else {
      bool is_folder = !strcmp(flag->value, "DIR");
      printf("%s", is_folder ? "_files -/" : wants_file(flag->value) ? "_files" : " ");
    }
  }
  printf("' \\\n");
}

static void zsh_flag(const struct flag *flag) {
  static const char *const joined[] = {[ALONE] = "", [VALUE] = "=", [MAYBE] = "=-"};
  if (flag->kind == PREFIX) return;
  if (flag->short_name) {
    static const char *const after[] = {[ALONE] = "", [VALUE] = "+", [MAYBE] = "-"};
    printf("      '*-%c%s", flag->short_name, after[flag->kind]);
    zsh_rest(flag);
  }
  if (*flag->long_name) {
    printf("      '*--%s%s", flag->long_name, joined[flag->kind]);
    zsh_rest(flag);
  }
}

static void zsh_command(const struct command *command) {
  printf("  %s)\n    _arguments -s -S \\\n", command->name);
  for (int i = 0; i < NUM_FLAGS && !command->passes_on; i++)
    if (docgen_belongs(&flags[i], command)) zsh_flag(&flags[i]);
  if (is_command(command->synopsis)) {
    printf("      '1:command:(");
    put_commands();
    printf(")' ;;\n");
  } else if (is_choice(command->synopsis)) {
    printf("      '1:what:(");
    put_choice(command->synopsis);
    printf(")' ;;\n");
  } else if (!takes_files(command)) {
    printf("      && return\n    ;;\n");
  } else if (strstr(command->synopsis, "PROGRAM")) {
    printf("      '1:program:_command_names -e' '*::argument:_normal' ;;\n");
  } else {
    printf("      '*:file:_files' ;;\n");
  }
}

void docgen_zsh(void) {
  printf("#compdef maniple\n"
         "# Completion for zsh, made by docgen from the tables of maniple.\n"
         "local -a commands=(\n");
  for (int c = 0; c < NUM_COMMANDS; c++) {
    printf("  '%s:", commands[c].name);
    put_zsh(commands[c].summary, ":");
    printf("'\n");
  }
  printf(")\n"
         "if (( CURRENT == 2 )); then\n"
         "  if [[ $words[2] == -* ]]; then\n"
         "    compadd -- --help --version\n"
         "  else\n"
         "    _describe command commands\n"
         "  fi\n"
         "  return\n"
         "fi\n"
         "local command=$words[2]\n"
         "shift words\n"
         "(( CURRENT-- ))\n"
         "case $command in\n");
  for (int c = 0; c < NUM_COMMANDS; c++) zsh_command(&commands[c]);
  printf("esac\n");
}
