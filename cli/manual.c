/* Manual pages, from the same tables as the help. */
#include "cli.h"

#include <string.h>

/* Text for roff: a leading dot or quote would be a request. */
static void roff(const char *text, size_t length, FILE *out) {
  int start = 1;
  for (const char *p = text; p < text + length; p++) {
    if (start && (*p == '.' || *p == '\''))
      fputs("\\&", out);
    if (*p == '\\')
      fputs("\\e", out);
    else if (*p == '-')
      fputs("\\-", out);
    else
      fputc(*p, out);
    start = *p == '\n';
  }
}

static void roff_text(const char *text, FILE *out) {
  roff(text, strlen(text), out);
}

static void options(const cli *cx, FILE *out) {
  char name[64], value[64], meaning[512];
  fprintf(out, ".SH OPTIONS\n");
  for (size_t g = 0; g < cx->group_count; g++) {
    fprintf(out, ".SS ");
    roff_text(cx->groups[g].title, out);
    for (size_t k = 0; k < cx->groups[g].table.count; k++) {
      const bperc_option *row = &cx->groups[g].table.rows[k];
      if (!cli_shows(cx, g, row))
        continue;
      fprintf(out, "\n.TP\n.B \\-\\-");
      roff_text(cli_show_name(row, name, sizeof name), out);
      roff_text(cli_show_value(row, value, sizeof value), out);
      fputc('\n', out);
      roff_text(cli_show_meaning(cx, row, meaning, sizeof meaning), out);
    }
    fputc('\n', out);
  }
}

static void keys(const char *text, FILE *out) {
  cli_keys_line line;
  while ((text = cli_next_keys(text, &line))) {
    fprintf(out, ".TP\n.B ");
    roff(line.keys, (size_t)line.keys_length, out);
    fputc('\n', out);
    roff(line.meaning, (size_t)line.meaning_length, out);
    fputc('\n', out);
  }
}

static void exit_status(FILE *out) {
  fprintf(out, ".SH EXIT STATUS\n"
               ".TP\n.B 0\ndone or found\n"
               ".TP\n.B 1\na negative answer: not solved within the budget, "
               "not converged, a check or a claim fails, a limit reached\n"
               ".TP\n.B 2\nwrong usage\n"
               ".TP\n.B 3\nbad input file\n"
               ".TP\n.B 4\nthe system failed: memory, disk\n"
               ".TP\n.B 130\ninterrupted\n");
}

/* The text of a command ends with its examples. */
static void description(const cli_command *command, FILE *out) {
  const char *examples = strstr(command->text, "\n\n  bperc ");
  size_t length =
      examples ? (size_t)(examples - command->text) : strlen(command->text);
  fprintf(out, ".SH DESCRIPTION\n.nf\n");
  roff(command->text, length, out);
  fprintf(out, "\n.fi\n");
}

static void examples(const cli_command *command, FILE *out) {
  const char *text = strstr(command->text, "\n\n  bperc ");
  if (!text)
    return;
  fprintf(out, ".SH EXAMPLES\n.nf\n");
  roff_text(text + 2, out);
  fprintf(out, "\n.fi\n");
}

void cli_man(const cli *cx, FILE *out) {
  const cli_command *command = cx->command;
  fprintf(out, ".TH BPERC-%s 1 \"\" \"bperc %s\"\n.SH NAME\nbperc-%s \\- ",
          command->name, bperc_version(), command->name);
  roff_text(command->summary, out);
  fprintf(out, "\n.SH SYNOPSIS\n.B bperc %s\n%s [options]\n", command->name,
          command->arguments);
  description(command, out);
  options(cx, out);
  fprintf(out, ".SH JSON KEYS\nOf the object that\n.B \\-\\-json\nprints.\n");
  keys(command->keys, out);
  keys(cli_limit_keys(cx), out);
  exit_status(out);
  examples(command, out);
  fprintf(out, ".SH SEE ALSO\n.BR bperc (1)\n");
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
  exit_status(out);
}
