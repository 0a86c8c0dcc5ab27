/* Help, from the option tables and the texts of the commands. */
#include "cli.h"

#include <assert.h>
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
      "\nbperc COMMAND --help says more; --json prints one JSON object; "
      "--seed S\nmakes a run repeatable. Exit: 0 done or found, 1 a negative "
      "answer,\n2 wrong usage, 3 bad input file, 4 system "
      "failure, 130 interrupted.\n");
}

const char *cli_show_name(const bperc_option *row, char *buffer, size_t size) {
  size_t used = 0;
  for (const char *p = row->name; *p && used + 1 < size; p++)
    buffer[used++] = *p == '_' ? '-' : *p;
  buffer[used] = 0;
  return buffer;
}

const char *cli_show_value(const bperc_option *row, char *buffer, size_t size) {
  const char *word = "";
  if (row->kind == BPERC_OPTION_INT)
    word = "K";
  else if (row->kind == BPERC_OPTION_REAL)
    word = "X";
  else if (row->kind == BPERC_OPTION_TEXT)
    word = row->choices ? row->choices : "TEXT";
  snprintf(buffer, size, "%s%s", word[0] ? " " : "", word);
  return buffer;
}

static void show_choice(const bperc_option *row, char *buffer, size_t size) {
  char word[64];
  if (row->initial < 0)
    snprintf(buffer, size, "%s; needed", row->choices);
  else
    snprintf(
        buffer, size, "%s; default %s", row->choices,
        bperc_options_choice(row, (size_t)row->initial, word, sizeof word));
}

static const char *show_initial(const bperc_option *row, char *buffer,
                                size_t size) {
  char name[64];
  buffer[0] = 0;
  if (row->kind == BPERC_OPTION_CHOICE)
    show_choice(row, buffer, size);
  else if (row->kind == BPERC_OPTION_FLAG && row->initial != 0)
    snprintf(buffer, size, "default yes; --no-%s",
             cli_show_name(row, name, sizeof name));
  else if (row->kind == BPERC_OPTION_FLAG || row->kind == BPERC_OPTION_TEXT)
    return buffer;
  else if (row->open)
    snprintf(buffer, size, "%s", row->open);
  else if (row->automatic)
    snprintf(buffer, size, "default auto: %s", row->automatic);
  else
    snprintf(buffer, size, "default %.10g", row->initial);
  return buffer;
}

const char *cli_typed(const char *text, const cli *cx, char *buffer,
                      size_t size) {
  size_t used = 0;
  while (*text && used + 1 < size) {
    char name[64];
    int length = 0;
    if (*text == '`' && sscanf(text, "`%63[a-z_]`%n", name, &length) == 1 &&
        length > 0 && cli_has(cx, name)) {
      for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
      used += (size_t)snprintf(buffer + used, size - used, "--%s", name);
      used = used < size ? used : size - 1;
      text += length;
    } else {
      buffer[used++] = *text++;
    }
  }
  buffer[used] = 0;
  return buffer;
}

const char *cli_show_meaning(const cli *cx, const bperc_option *row,
                             char *buffer, size_t size) {
  char initial[256], said[512];
  show_initial(row, initial, sizeof initial);
  snprintf(said, sizeof said, "%s%s%s%s", row->meaning, initial[0] ? " (" : "",
           initial, initial[0] ? ")" : "");
  return cli_typed(said, cx, buffer, size);
}

/* Whether --preset paper changes an option of the command. */
static bool has_preset(const cli *cx) {
  for (size_t g = 0; g < cx->group_count; g++)
    for (size_t k = 0; k < cx->groups[g].table.count; k++)
      if (cx->groups[g].table.rows[k].paper !=
          cx->groups[g].table.rows[k].initial)
        return true;
  return false;
}

bool cli_shows(const cli *cx, size_t g, const bperc_option *row) {
  const char *name = row->name;
  if (cx->groups[g].values != &cx->common || strcmp(name, "json") == 0 ||
      strcmp(name, "help") == 0)
    return true;
  if (strcmp(name, "preset") == 0)
    return has_preset(cx);
  return strstr(cx->command->common, name) != NULL;
}

/* Two columns; a long left side has a line of its own. */
static void show_pair(const char *left, int left_length, const char *right,
                      int right_length, FILE *out) {
  enum { COLUMN = 24 };
  if (left_length > COLUMN)
    fprintf(out, "  %.*s\n  %*s %.*s\n", left_length, left, COLUMN, "",
            right_length, right);
  else
    fprintf(out, "  %-*.*s %.*s\n", COLUMN, left_length, left, right_length,
            right);
}

static void show_row(const cli *cx, const bperc_option *row, FILE *out) {
  char name[64], value[64], left[132], meaning[512];
  snprintf(left, sizeof left, "--%s%s", cli_show_name(row, name, sizeof name),
           cli_show_value(row, value, sizeof value));
  cli_show_meaning(cx, row, meaning, sizeof meaning);
  show_pair(left, (int)strlen(left), meaning, (int)strlen(meaning), out);
}

/* A line is `keys: meaning`; no key has a colon. */
const char *cli_next_keys(const char *text, cli_keys_line *line) {
  const char *colon = strchr(text, ':'), *end;
  if (!colon)
    return NULL;
  end = strchr(colon, '\n');
  assert(end && colon[1] == ' ');
  *line = (cli_keys_line){text, colon + 2, (int)(colon - text),
                          (int)(end - colon - 2)};
  return end + 1;
}

const char *cli_limit_keys(const cli *cx) {
  return cli_has(cx, "time_limit") && !strstr(cx->command->keys, "complete:")
             ? "complete: false when a limit or an interrupt came first\n"
             : "";
}

static void show_keys(const char *text, FILE *out) {
  cli_keys_line line;
  while ((text = cli_next_keys(text, &line)))
    show_pair(line.keys, line.keys_length, line.meaning, line.meaning_length,
              out);
}

void cli_help_command(const cli *cx, FILE *out) {
  fprintf(out, "usage: bperc %s%s%s [options]\n\n%s\n", cx->command->name,
          cx->command->arguments[0] ? " " : "", cx->command->arguments,
          cx->command->text);
  for (size_t g = 0; g < cx->group_count; g++) {
    fprintf(out, "\n%s options:\n", cx->groups[g].title);
    for (size_t k = 0; k < cx->groups[g].table.count; k++)
      if (cli_shows(cx, g, &cx->groups[g].table.rows[k]))
        show_row(cx, &cx->groups[g].table.rows[k], out);
  }
  fprintf(out, "\nJSON keys:\n");
  show_keys(cx->command->keys, out);
  show_keys(cli_limit_keys(cx), out);
}
