/* Parsing of the command line against option tables. */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NAMES = 512, LONGEST_NAME = 63 };

void cli_group(cli *cx, const char *title, bperc_option_table table,
               void *values) {
  if (cx->group_count == CLI_GROUPS)
    abort();
  bperc_options_default(table, values);
  cx->groups[cx->group_count].title = title;
  cx->groups[cx->group_count].table = table;
  cx->groups[cx->group_count].values = values;
  cx->group_count++;
}

static BPERC_OPTIONS_DEFINE(instance_rows, cli_instance_options,
                            CLI_INSTANCE_ROWS);

void cli_group_instance(cli *cx) {
  cli_group(cx, "instance", instance_rows(), &cx->instance);
  cli_group_table(cx);
}

/* ---- nearest words */

const char *cli_nearest_command(const char *word) {
  const char *names[64];
  size_t count = 0;
  for (; cli_commands[count] && count < 64; count++)
    names[count] = cli_commands[count]->name;
  return bperc_nearest(word, names, count);
}

static const char *hyphens(const char *name, char *buffer, size_t size) {
  size_t k;
  for (k = 0; name[k] && k + 1 < size; k++)
    buffer[k] = name[k] == '_' ? '-' : name[k];
  buffer[k] = 0;
  return buffer;
}

static const bperc_option *find_anywhere(const cli *cx, const char *name) {
  const bperc_option *row = NULL;
  for (size_t g = 0; g < cx->group_count && !row; g++)
    row = bperc_options_find(cx->groups[g].table, name);
  return row;
}

bool cli_has(const cli *cx, const char *name) {
  return find_anywhere(cx, name) != NULL;
}

/* The nearest option of the command, typed with hyphens into buffer. */
static const char *nearest_option(const cli *cx, const char *word,
                                  char *buffer) {
  char names[MOST_NAMES][LONGEST_NAME + 1];
  const char *words[MOST_NAMES] = {NULL}, *best;
  size_t count = 0;
  for (size_t g = 0; g < cx->group_count; g++)
    for (size_t k = 0; k < cx->groups[g].table.count; k++)
      if (count < MOST_NAMES) {
        hyphens(cx->groups[g].table.rows[k].name, names[count],
                sizeof names[count]);
        words[count] = names[count];
        count++;
      }
  best = bperc_nearest(word, words, count);
  return best ? memcpy(buffer, best, strlen(best) + 1) : NULL;
}

/* Which solver of this command has the option: "--solver rbp". */
static const char *solver_with(const cli *cx, const char *word) {
  cli all;
  cli_prepare_all(&all, cx->command);
  for (size_t g = 0; g < all.group_count; g++)
    if (bperc_options_find(all.groups[g].table, word))
      return all.groups[g].title;
  return NULL;
}

/* Other commands that have the option: "generate, solving-time". */
static const char *commands_with(const char *word, char *buffer, size_t size) {
  buffer[0] = 0;
  for (size_t k = 0; cli_commands[k]; k++) {
    size_t used = strlen(buffer);
    cli all;
    cli_prepare_all(&all, cli_commands[k]);
    if (find_anywhere(&all, word))
      snprintf(buffer + used, size - used, "%s%s", used ? ", " : "",
               cli_commands[k]->name);
  }
  return buffer[0] ? buffer : NULL;
}

static int other_solver(const cli *cx, const char *word, const char *title) {
  const bperc_option *solver = find_anywhere(cx, "solver");
  char name[LONGEST_NAME + 1];
  assert(solver); /* the command chooses one */
  return cli_usage(
      "%s has no option --%s with --solver %s: it is one of %s",
      cx->command->name, word,
      cli_peek(cx, "solver",
               bperc_options_choice(solver, (size_t)solver->initial, name,
                                    sizeof name)),
      title);
}

static int unknown_option(const cli *cx, const char *word) {
  char name[LONGEST_NAME + 1], others[256];
  const char *best = nearest_option(cx, word, name);
  const char *title = solver_with(cx, word);
  const char *commands;
  if (title)
    return other_solver(cx, word, title);
  commands = commands_with(word, others, sizeof others);
  if (best && (!commands || strcasecmp(best, word) == 0))
    return cli_usage("%s has no option --%s: did you mean --%s?",
                     cx->command->name, word, best);
  return cli_usage("%s has no option --%s%s%s: see bperc %s --help",
                   cx->command->name, word,
                   commands ? ", which is one of " : "",
                   commands ? commands : "", cx->command->name);
}

/* ---- parsing */

/* The value of a raw option --name in argv[k], NULL if it is another one;
 * *used counts the words taken. A flag's value is "1". */
static const char *raw_value(const cli *cx, int k, const char *name,
                             int *used) {
  const char *word = cx->argv[k];
  size_t length = strlen(name);
  *used = 1;
  if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0)
    return NULL;
  if (word[2 + length] == '=')
    return word + 3 + length;
  if (word[2 + length])
    return NULL;
  *used = 2;
  return k + 1 < cx->argc ? cx->argv[k + 1] : "";
}

const char *cli_peek(const cli *cx, const char *name, const char *fallback) {
  const char *found = fallback;
  for (int k = 0, used; k < cx->argc; k++) {
    const char *value = raw_value(cx, k, name, &used);
    if (strcmp(cx->argv[k], "--") == 0)
      break;
    if (value)
      found = value;
  }
  return found;
}

bool cli_given(const cli *cx, const char *name) {
  return cli_peek(cx, name, NULL) != NULL;
}

/* Sets the option in every group that has it. */
static int set_everywhere(cli *cx, const char *name, const char *text) {
  for (size_t g = 0; g < cx->group_count; g++) {
    bperc_error error;
    char typed[LONGEST_NAME + 1];
    const bperc_option *row = bperc_options_find(cx->groups[g].table, name);
    if (row && bperc_options_set(row, cx->groups[g].values, text, &error))
      return cli_usage("--%s: %s", hyphens(row->name, typed, sizeof typed),
                       error.text);
  }
  return CLI_DONE;
}

/* --name value, --name=value, --flag, --no-flag; advances *k. */
static int parse_option(cli *cx, int *k) {
  char name[LONGEST_NAME + 1];
  const char *word = cx->argv[*k] + 2, *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const bperc_option *row;
  if (length > LONGEST_NAME)
    return cli_usage("the option %.70s... is too long", cx->argv[*k]);
  memcpy(name, word, length);
  name[length] = 0;
  row = find_anywhere(cx, name);
  if (!row && !equals && strncmp(name, "no-", 3) == 0) {
    row = find_anywhere(cx, name + 3);
    if (row && row->kind == BPERC_OPTION_FLAG)
      return set_everywhere(cx, name + 3, "0");
    row = NULL;
  }
  if (!row)
    return unknown_option(cx, name);
  if (equals)
    return set_everywhere(cx, name, equals + 1);
  if (row->kind == BPERC_OPTION_FLAG)
    return set_everywhere(cx, name, "1");
  if (*k + 1 >= cx->argc)
    return cli_usage("--%s needs a value", name);
  return set_everywhere(cx, name, cx->argv[++*k]);
}

static int add_argument(cli *cx, const char *word) {
  if (cx->argument_count >= cx->command->most ||
      cx->argument_count >= CLI_ARGUMENTS)
    return cli_usage("%s: the argument '%s' is one too many", cx->command->name,
                     word);
  cx->arguments[cx->argument_count++] = word;
  return CLI_DONE;
}

static int parse_seed(cli *cx) {
  char *end;
  const char *text = cx->common.seed;
  errno = 0;
  cx->seed = text ? strtoull(text, &end, 0) : 1;
  if (text && (end == text || *end || errno || strchr(text, '-')))
    return cli_usage("--seed: '%s' is not a whole number from 0 to 2^64 - 1",
                     text);
  return CLI_DONE;
}

static int apply_preset(cli *cx) {
  const char *preset = cli_peek(cx, "preset", NULL);
  bperc_error error;
  for (size_t g = 0; preset && g < cx->group_count; g++)
    if (bperc_options_preset(cx->groups[g].table, cx->groups[g].values, preset,
                             &error))
      return cli_usage("%s", error.text);
  return CLI_DONE;
}

int cli_parse(cli *cx) {
  bool only_arguments = false;
  int code = apply_preset(cx);
  for (int k = 0; code == CLI_DONE && k < cx->argc; k++) {
    const char *word = cx->argv[k];
    if (!only_arguments && strcmp(word, "--") == 0)
      only_arguments = true;
    else if (!only_arguments && strcmp(word, "-h") == 0)
      cx->common.help = 1;
    else if (!only_arguments && strncmp(word, "--", 2) == 0)
      code = parse_option(cx, &k);
    else if (!only_arguments && word[0] == '-' && word[1])
      code = cli_usage("there is no option %s: options start with --", word);
    else
      code = add_argument(cx, word);
  }
  if (code == CLI_DONE)
    code = parse_seed(cx);
  if (code == CLI_DONE && !cx->common.help &&
      cx->argument_count < cx->command->least)
    code =
        cli_usage("usage: bperc %s %s [options]; see bperc %s --help",
                  cx->command->name, cx->command->arguments, cx->command->name);
  return code;
}
