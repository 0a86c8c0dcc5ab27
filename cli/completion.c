/* Shell completion, from the same tables as the help. */
#include "cli.h"

#include <string.h>

typedef void show_option(const cli *cx, const bperc_option *row, FILE *out);

/* Whether an earlier row has the same name: solvers share some. */
static bool seen(const cli *cx, size_t group, const bperc_option *row) {
  for (size_t g = 0; g < group; g++)
    if (bperc_options_find(cx->groups[g].table, row->name))
      return true;
  return false;
}

static void each_option(const cli *cx, show_option *show, FILE *out) {
  for (size_t g = 0; g < cx->group_count; g++)
    for (size_t k = 0; k < cx->groups[g].table.count; k++) {
      const bperc_option *row = &cx->groups[g].table.rows[k];
      if (cli_shows(cx, g, row) && !seen(cx, g, row))
        show(cx, row, out);
    }
}

/* A choice "a|b|c" as "a b c". */
static void put_choices(const bperc_option *row, FILE *out) {
  for (const char *p = row->choices; *p; p++)
    fputc(*p == '|' ? ' ' : *p, out);
}

/* Inside single quotes, without what zsh gives a meaning to. */
static void put_quoted(const char *text, FILE *out) {
  for (const char *p = text; *p; p++)
    if (*p == '\'')
      fputs("'\\''", out);
    else
      fputc(*p == '[' ? '(' : *p == ']' ? ')' : *p == ':' ? ',' : *p, out);
}

/* ---- bash */

static void bash_name(const cli *cx, const bperc_option *row, FILE *out) {
  char name[64];
  (void)cx;
  fprintf(out, "--%s ", cli_show_name(row, name, sizeof name));
}

static void bash_values(const cli *cx, const bperc_option *row, FILE *out) {
  char name[64];
  if (row->kind != BPERC_OPTION_CHOICE)
    return;
  fprintf(out, "    %s,--%s) words=\"", cx->command->name,
          cli_show_name(row, name, sizeof name));
  put_choices(row, out);
  fprintf(out, "\" ;;\n");
}

static void bash_each(show_option *show, FILE *out) {
  for (size_t k = 0; cli_commands[k]; k++) {
    cli cx;
    cli_prepare_all(&cx, cli_commands[k]);
    if (show == bash_name)
      fprintf(out, "    %s) words=\"", cli_commands[k]->name);
    each_option(&cx, show, out);
    if (show == bash_name)
      fprintf(out, "\" ;;\n");
  }
}

static void bash(FILE *out) {
  fprintf(out, "# bash completion for bperc\n_bperc() {\n  local words=\"\" "
               "word=\"${COMP_WORDS[COMP_CWORD]}\"\n  if [ \"$COMP_CWORD\" -eq "
               "1 ]; then\n    words=\"");
  for (size_t k = 0; cli_commands[k]; k++)
    fprintf(out, "%s ", cli_commands[k]->name);
  fprintf(out,
          "--help --version\"\n  else\n    case \"$word\" in\n    -*) case "
          "\"${COMP_WORDS[1]}\" in\n");
  bash_each(bash_name, out);
  fprintf(out, "    esac ;;\n    *) case "
               "\"${COMP_WORDS[1]},${COMP_WORDS[COMP_CWORD-1]}\" in\n");
  bash_each(bash_values, out);
  fprintf(out,
          "    esac ;;\n    esac\n  fi\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "  [ -n \"$words\" ] || COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
          "complete -o filenames -F _bperc bperc\n");
}

/* ---- zsh */

static void zsh_option(const cli *cx, const bperc_option *row, FILE *out) {
  char name[64], meaning[512];
  fprintf(out, " \\\n      '--%s[", cli_show_name(row, name, sizeof name));
  put_quoted(cli_show_meaning(cx, row, meaning, sizeof meaning), out);
  fputc(']', out);
  if (row->kind == BPERC_OPTION_CHOICE) {
    fprintf(out, ":value:(");
    put_choices(row, out);
    fputc(')', out);
  } else if (row->kind == BPERC_OPTION_TEXT) {
    fprintf(out, ":value:_files");
  } else if (row->kind != BPERC_OPTION_FLAG) {
    fprintf(out, ":value:");
  }
  fputc('\'', out);
}

static void zsh(FILE *out) {
  fprintf(out, "#compdef bperc\n_bperc() {\n  local -a commands\n  commands=(");
  for (size_t k = 0; cli_commands[k]; k++) {
    fprintf(out, "\n    '%s:", cli_commands[k]->name);
    put_quoted(cli_commands[k]->summary, out);
    fputc('\'', out);
  }
  fprintf(out, ")\n  if (( CURRENT == 2 )); then\n    _describe command "
               "commands\n    return\n  fi\n  case $words[2] in\n");
  for (size_t k = 0; cli_commands[k]; k++) {
    cli cx;
    cli_prepare_all(&cx, cli_commands[k]);
    fprintf(out, "  %s)\n    _arguments", cli_commands[k]->name);
    each_option(&cx, zsh_option, out);
    fprintf(out, " \\\n      '*:file:_files' ;;\n");
  }
  fprintf(out, "  esac\n}\n_bperc \"$@\"\n");
}

/* ---- fish */

static void fish_option(const cli *cx, const bperc_option *row, FILE *out) {
  char name[64], meaning[512];
  fprintf(out,
          "complete -c bperc -n '__fish_seen_subcommand_from %s' -l %s -d '",
          cx->command->name, cli_show_name(row, name, sizeof name));
  for (const char *p = cli_show_meaning(cx, row, meaning, sizeof meaning); *p;
       p++)
    fprintf(out, *p == '\'' || *p == '\\' ? "\\%c" : "%c", *p);
  fputc('\'', out);
  if (row->kind == BPERC_OPTION_CHOICE) {
    fprintf(out, " -x -a '");
    put_choices(row, out);
    fputc('\'', out);
  } else if (row->kind == BPERC_OPTION_TEXT) {
    fprintf(out, " -r");
  } else if (row->kind != BPERC_OPTION_FLAG) {
    fprintf(out, " -x");
  }
  fputc('\n', out);
}

static void fish(FILE *out) {
  fprintf(out, "# fish completion for bperc\n");
  for (size_t k = 0; cli_commands[k]; k++) {
    cli cx;
    cli_prepare_all(&cx, cli_commands[k]);
    fprintf(out,
            "complete -c bperc -n __fish_use_subcommand -f -a %s -d \"%s\"\n",
            cli_commands[k]->name, cli_commands[k]->summary);
    each_option(&cx, fish_option, out);
  }
}

bool cli_completion(const char *shell, FILE *out) {
  static const struct {
    const char *name;
    void (*write)(FILE *out);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
    if (strcmp(shells[k].name, shell) == 0) {
      shells[k].write(out);
      return true;
    }
  return false;
}
