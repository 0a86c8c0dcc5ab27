/* Help, manual pages and shell completion, all from the option tables. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

void cli_help(FILE *out) {
  fprintf(out,
          "bperc %s - the binary perceptron laboratory\n\n"
          "usage: bperc COMMAND [FILE...] [--option value]\n\n",
          bperc_version());
  for (size_t k = 0; cli_commands[k]; k++)
    fprintf(out, "  %-14s %s\n", cli_commands[k]->name,
            cli_commands[k]->summary);
  fprintf(
      out,
      "\nbperc COMMAND --help tells more; --json prints one JSON object; "
      "--seed S\nmakes a run repeatable. Exit: 0 done or found, 1 an honest "
      "negative answer,\n2 wrong usage, 3 bad input file, 4 system "
      "failure, 130 interrupted.\n");
}

static void show_name(const bperc_option *row, char *buffer, size_t size) {
  size_t used = 0;
  for (const char *p = row->name; *p && used + 1 < size; p++)
    buffer[used++] = *p == '_' ? '-' : *p;
  buffer[used] = 0;
}

static const char *value_word(const bperc_option *row) {
  switch (row->kind) {
  case BPERC_OPTION_INT:
    return " K";
  case BPERC_OPTION_REAL:
    return " X";
  case BPERC_OPTION_TEXT:
    return row->choices ? row->choices : " TEXT";
  default:
    return "";
  }
}

static void show_initial(const bperc_option *row, char *buffer, size_t size) {
  char word[64];
  if (row->kind == BPERC_OPTION_CHOICE)
    snprintf(
        buffer, size, "%s; default %s", row->choices,
        bperc_options_choice(row, (size_t)row->initial, word, sizeof word));
  else if (row->kind == BPERC_OPTION_FLAG)
    snprintf(buffer, size, "default %s", row->initial != 0 ? "yes" : "no");
  else if (row->kind == BPERC_OPTION_TEXT)
    buffer[0] = 0;
  else
    snprintf(buffer, size, "default %.10g", row->initial);
}

static void show_row(const bperc_option *row, FILE *out) {
  char name[64], left[128], initial[256];
  show_name(row, name, sizeof name);
  snprintf(left, sizeof left, "--%s%s%s", name,
           row->kind == BPERC_OPTION_TEXT && row->choices ? " " : "",
           value_word(row));
  show_initial(row, initial, sizeof initial);
  fprintf(out, "  %-24s %s%s%s%s\n", left, row->meaning, initial[0] ? " (" : "",
          initial, initial[0] ? ")" : "");
}

void cli_help_command(const cli *cx, FILE *out) {
  fprintf(out, "usage: bperc %s%s%s [options]\n\n%s\n", cx->command->name,
          cx->command->arguments[0] ? " " : "", cx->command->arguments,
          cx->command->text);
  for (size_t g = 0; g < cx->group_count; g++) {
    fprintf(out, "\n%s options:\n", cx->groups[g].title);
    for (size_t k = 0; k < cx->groups[g].table.count; k++)
      show_row(&cx->groups[g].table.rows[k], out);
  }
}

/* Text for roff: a leading dot or quote would be a request. */
static void roff_text(const char *text, FILE *out) {
  int start = 1;
  for (const char *p = text; *p; p++) {
    if (start && (*p == '.' || *p == '\''))
      fputs("\\&", out);
    if (*p == '\\' || *p == '-')
      fputc('\\', out);
    fputc(*p, out);
    start = *p == '\n';
  }
}

void cli_man(const cli *cx, FILE *out) {
  char name[64], initial[256];
  fprintf(out, ".TH BPERC-%s 1 \"\" \"bperc %s\"\n.SH NAME\nbperc %s \\- ",
          cx->command->name, bperc_version(), cx->command->name);
  roff_text(cx->command->summary, out);
  fprintf(out,
          "\n.SH SYNOPSIS\n.B bperc %s\n%s [options]\n.SH DESCRIPTION\n.nf\n",
          cx->command->name, cx->command->arguments);
  roff_text(cx->command->text, out);
  fprintf(out, "\n.fi\n.SH OPTIONS\n");
  for (size_t g = 0; g < cx->group_count; g++) {
    fprintf(out, ".SS %s\n", cx->groups[g].title);
    for (size_t k = 0; k < cx->groups[g].table.count; k++) {
      const bperc_option *row = &cx->groups[g].table.rows[k];
      show_name(row, name, sizeof name);
      show_initial(row, initial, sizeof initial);
      fprintf(out, ".TP\n.B \\-\\-");
      roff_text(name, out);
      fprintf(out, "\n");
      roff_text(row->meaning, out);
      fprintf(out, initial[0] ? " (%s)\n" : "%s\n", initial);
    }
  }
}

void cli_man_overview(FILE *out) {
  fprintf(out,
          ".TH BPERC 1 \"\" \"bperc %s\"\n.SH NAME\nbperc \\- the binary "
          "perceptron laboratory\n.SH SYNOPSIS\n.B bperc\nCOMMAND [FILE...] "
          "[options]\n.SH COMMANDS\n",
          bperc_version());
  for (size_t k = 0; cli_commands[k]; k++) {
    fprintf(out, ".TP\n.BR bperc\\-%s (1)\n", cli_commands[k]->name);
    roff_text(cli_commands[k]->summary, out);
    fputc('\n', out);
  }
  fprintf(out, ".SH EXIT STATUS\n0 done or found; 1 an honest negative answer; "
               "2 wrong usage; 3 bad input\nfile; 4 system failure; 130 "
               "interrupted.\n");
}

static void completion_case(const cli_command *command, FILE *out) {
  cli cx = {.command = command};
  char name[64];
  command->setup(&cx);
  fprintf(out, "    %s) words=\"", command->name);
  for (size_t g = 0; g < cx.group_count; g++)
    for (size_t k = 0; k < cx.groups[g].table.count; k++) {
      show_name(&cx.groups[g].table.rows[k], name, sizeof name);
      fprintf(out, "--%s ", name);
    }
  fprintf(out, "--json --seed --threads --quiet --preset --help\" ;;\n");
}

void cli_completion(FILE *out) {
  fprintf(out, "# bash completion for bperc\n_bperc() {\n  local words=\"\" "
               "word=\"${COMP_WORDS[COMP_CWORD]}\"\n  if [ \"$COMP_CWORD\" -eq "
               "1 ]; then\n    words=\"");
  for (size_t k = 0; cli_commands[k]; k++)
    fprintf(out, "%s ", cli_commands[k]->name);
  fprintf(out,
          "--help --version\"\n  else\n    case \"${COMP_WORDS[1]}\" in\n");
  for (size_t k = 0; cli_commands[k]; k++)
    completion_case(cli_commands[k], out);
  fprintf(out,
          "    esac\n    case \"$word\" in -*) ;; *) words=\"\" ;; esac\n  fi\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "  [ -n \"$words\" ] || COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
          "complete -o filenames -F _bperc bperc\n");
}
