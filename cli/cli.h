/* The frame that all commands share: options from tables, help, messages,
 * JSON, progress. A command is one file with a cli_command. */
#ifndef BPERC_CLI_H
#define BPERC_CLI_H

#include "bperc/bperc.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Exit codes: found, not found, usage, input, system; see bperc --help. */
enum {
  CLI_DONE = 0,
  CLI_NEGATIVE = 1,
  CLI_USAGE = 2,
  CLI_INPUT = 3,
  CLI_SYSTEM = 4,
  CLI_INTERRUPTED = 130
};

typedef struct cli cli;

typedef struct {
  const char *name;
  const char *arguments;  /* "FILE WEIGHTS" as shown in the usage line */
  const char *summary;    /* one line of `bperc --help` */
  const char *text;       /* paragraphs and examples of `bperc NAME --help` */
  const char *keys;       /* of the JSON answer: keys.c */
  const char *common;     /* common options that do something here, by name */
  unsigned least, most;   /* number of positional arguments */
  void (*setup)(cli *cx); /* adds option groups; may use cli_peek */
  int (*run)(cli *cx);    /* returns an exit code */
} cli_command;

/* Fields of the common group; seed is parsed from its text. */
#define CLI_COMMON_ROWS(X)                                                     \
  X(FLAG, json, 0, 0, "print exactly one JSON object")                         \
  X(TEXT, seed, "S", "seed of all random streams, 0 to 2^64 - 1 (default 1)")  \
  X(OPEN_INT, threads, 0, 0, 256, "default: all cores", "threads to use")      \
  X(TEXT, preset, "default|paper", "settings as printed in the paper")         \
  X(OPEN_REAL, time_limit, 0, 0, 1e9, "default: no limit",                     \
    "stop after so many seconds and give what is known then")                  \
  X(FLAG, quiet, 0, 0, "no progress line")                                     \
  X(FLAG, help, 0, 0, "this text")
BPERC_OPTIONS_DECLARE(cli_common, CLI_COMMON_ROWS);

/* Fields of the group that every command with an instance FILE adds. */
#define CLI_INSTANCE_ROWS(X)                                                   \
  X(CHOICE, ties, 0, 0, "zero|strict|either",                                  \
    "what a sum on the threshold means")                                       \
  X(OPEN_REAL, a, 0, 0, 1e12, "default: the file's", "threshold N/A")          \
  X(OPEN_REAL, threshold, 0, -1e15, 1e15, "default: the file's",               \
    "threshold itself instead of N/A")                                         \
  X(OPEN_REAL, kappa, 0, 0, 1e15, "default: the file's", "margin around it")   \
  X(OPEN_REAL, band, 0, 0, 1e15, "default: the file's",                        \
    "label 1 wants |sum - threshold| <= band, label 0 more")                   \
  X(CHOICE, weights, 0, 0, "file|01|pm",                                       \
    "values of weights: 0 and 1, or -1 and +1; or as the file says")           \
  X(OPEN_INT, n, 0, 0, 1e10, "default: the largest index",                     \
    "number of inputs of an svmlight file")
BPERC_OPTIONS_DECLARE(cli_instance_options, CLI_INSTANCE_ROWS);

/* How a table becomes an instance; not looked at for instance files. */
#define CLI_DATA_ROWS(X)                                                       \
  X(TEXT, label, "COLUMN",                                                     \
    "column of the labels, by name or number from 1 (default: the one "        \
    "called 'label', else the first)")                                         \
  X(TEXT, positive, "VALUES",                                                  \
    "label values that count as 1, separated by commas; all others "           \
    "count as 0 (default: the larger of two)")                                 \
  X(TEXT, binarise, "RULE",                                                    \
    "numbers become inputs 0/1 by 'median' (default), 'mean', a "              \
    "number, or 'levels=K', a thermometer of K quantiles")                     \
  X(TEXT, drop, "COLUMNS", "columns that are not used, separated by commas")   \
  X(TEXT, missing, "WORDS",                                                    \
    "words for a missing value, separated by commas (default: "                \
    "NA,N/A,NaN,?,null,.); empty cells are missing in any case")               \
  X(FLAG, complement, 0, 0,                                                    \
    "add the negation of every input: 0/1 weights can only add")
BPERC_OPTIONS_DECLARE(cli_data, CLI_DATA_ROWS);

/* The choices of --weights where an instance is read. */
enum { CLI_WEIGHTS_FILE, CLI_WEIGHTS_01, CLI_WEIGHTS_PM };

enum { CLI_GROUPS = 16, CLI_ARGUMENTS = 64 };

struct cli {
  const cli_command *command;
  int argc;
  char **argv; /* what follows the command's name */
  struct {
    const char *title;
    bperc_option_table table;
    void *values;
  } groups[CLI_GROUPS];
  size_t group_count;
  const char *arguments[CLI_ARGUMENTS];
  unsigned argument_count;
  cli_common common;
  cli_instance_options instance;
  cli_data table;
  uint64_t seed;
  bool every_solver; /* manual and completion: the options of all solvers */
};

/* The table of commands, ended by NULL. */
extern const cli_command *const cli_commands[];

/* ---- args.c */
/* Adds a group of options; values gets its defaults at once. */
void cli_group(cli *cx, const char *title, bperc_option_table table,
               void *values);
/* Adds --ties, --a, --threshold, --kappa, --weights, --n into cx->instance, and
 * the options of tables. */
void cli_group_instance(cli *cx);
/* The raw text of an option before parsing, or fallback: lets setup choose
 * groups by --solver. */
const char *cli_peek(const cli *cx, const char *name, const char *fallback);
/* Whether the command has this option. */
bool cli_has(const cli *cx, const char *name);
/* Whether the user gave this option. */
bool cli_given(const cli *cx, const char *name);
/* Parses everything; CLI_DONE or CLI_USAGE with a message. */
int cli_parse(cli *cx);
/* The nearest of the command names or of the option names. */
const char *cli_nearest_command(const char *word);

/* ---- help.c */
void cli_help(FILE *out);
void cli_help_command(const cli *cx, FILE *out);
/* The name of an option as it is typed; returns buffer. */
const char *cli_show_name(const bperc_option *row, char *buffer, size_t size);
/* " K", " FILE": what follows the name; empty for flags. */
const char *cli_show_value(const bperc_option *row, char *buffer, size_t size);
/* A sentence of the library with the options of this command that it names,
 * `max_sweeps`, as they are typed: --max-sweeps. Returns buffer. */
const char *cli_typed(const char *text, const cli *cx, char *buffer,
                      size_t size);
/* What it means and its default, in words. */
const char *cli_show_meaning(const cli *cx, const bperc_option *row,
                             char *buffer, size_t size);
/* Whether help and completion name this option of group g. */
bool cli_shows(const cli *cx, size_t g, const bperc_option *row);
/* A line of a text of keys; returns what follows, NULL at the end. */
typedef struct {
  const char *keys, *meaning;
  int keys_length, meaning_length;
} cli_keys_line;
/* Those of a command with --time-limit that says none of them itself. */
const char *cli_limit_keys(const cli *cx);
const char *cli_next_keys(const char *text, cli_keys_line *line);

/* ---- manual.c */
void cli_man(const cli *cx, FILE *out);
void cli_man_overview(FILE *out); /* bperc.1, the list of commands */

/* ---- completion.c */
/* The script for bash, zsh or fish; false for another shell. */
bool cli_completion(const char *shell, FILE *out);

/* ---- main.c */
/* The groups of a command with every solver, for manual and completion. */
void cli_prepare_all(cli *cx, const cli_command *command);

/* ---- run_command.c */
/* Runs the command; its exit code. */
int cli_run(cli *cx);

/* ---- out.c */
/* The command whose options failures are told in. */
void cli_speak_for(const cli *cx);
/* Prints "bperc: sentence" and returns the exit code of the status; a failure
 * while reading what the user brought is CLI_INPUT. */
int cli_fail(const bperc_error *error);
int cli_fail_input(const bperc_error *error);
int cli_no_memory(void);
/* Starts the clock of --time-limit; whether it has run out. */
void cli_limit_time(double seconds);
bool cli_time_is_up(void);
/* Signals: interrupt.c. What does not look for them is ended from outside; with
 * json an answer that only says so is printed then. */
void cli_catch_signals(void);
void cli_watch_deadline(double seconds);
void cli_interrupt_wants_json(bool json);
/* A sentence for measures of solutions that have none; returns status. */
bperc_status cli_measured(bperc_status status, bperc_error *error);
/* A mean with its standard error, one value alone has none; then the rest. */
void cli_print_mean(int digits, double mean, double error, const char *rest);
/* "20 of 20, 100 %, between 83.2 and 100 %": the interval of Clopper and
 * Pearson at 95 % confidence. */
void cli_print_share(size_t k, size_t n);
int cli_usage(const char *format, ...) BPERC_PRINTF(1, 2);
void cli_warn(const char *format, ...) BPERC_PRINTF(1, 2);
/* The value as text, for bperc_free; NULL when memory is short. json_text.c */
char *cli_json_text(const json_t *value);
/* Prints the object on one line and releases it. Commands with --time-limit get
 * the key `complete` if they do not say it themselves. */
void cli_json_print(json_t *object);
/* The answer of a command that has not printed one. */
void cli_json_print_nothing(void);
bool cli_json_printed(void);
/* Before the first answer is built; afterwards whether memory failed while one
 * was built or printed: then nothing of it was printed. */
void cli_json_start(void);
bool cli_json_lost(void);
/* A part of an answer for which the library had no memory; returns NULL. */
json_t *cli_json_lose(void);
/* A number, or null when it is not finite. */
json_t *cli_json_real(double value);
/* {"name": value, ...} of a table. */
json_t *cli_json_options(bperc_option_table table, const void *values);
/* Adds the keys of `more` to object. */
void cli_json_merge(json_t *object, json_t *more);
/* n bits as a string of 0 and 1. */
json_t *cli_json_bits(const uint64_t *bits, size_t n);

/* The same code, or CLI_SYSTEM when standard output did not take everything. */
int cli_flushed(int code);

/* A file that appears under its name only when complete. */
typedef struct {
  FILE *stream;
  bperc_output file; /* unused for standard output: path NULL or "-" */
} cli_output;
int cli_output_open(cli_output *out, const char *path);
int cli_output_close(cli_output *out); /* commits; CLI_DONE or CLI_SYSTEM */
void cli_output_abandon(cli_output *out);

/* One line on a terminal's stderr, rewritten at most ten times a second;
 * silent when redirected or --quiet. */
typedef struct cli_progress cli_progress;
typedef void cli_progress_text(cli_progress *p, void *context);
struct cli_progress {
  bool active;
  double started, last;
  cli_progress_text *show; /* during one call of the library */
  void *context;
};
void cli_progress_start(cli_progress *p, const cli *cx);
/* The same for one long call of the library: `show` is called in this thread,
 * at most ten times a second, while the call is at work. */
void cli_progress_start_call(cli_progress *p, const cli *cx,
                             cli_progress_text *show, void *context);
bool cli_progress_due(cli_progress *p);
void cli_progress_show(cli_progress *p, const char *format, ...)
    BPERC_PRINTF(2, 3);
void cli_progress_end(cli_progress *p);
double cli_now(void); /* seconds, monotonic */

/* ---- input.c */
/* Adds --label, --positive, --binarise, --drop, --complement into cx->table. */
void cli_group_table(cli *cx);
bperc_data_options cli_table_options(const cli *cx);
/* Reads the instance or table named by argument k with these options. */
int cli_read_instance(cli *cx, unsigned k, bperc_instance **out);
/* Says that the two arguments of the command are in the wrong order. */
int cli_fail_swapped(const cli *cx);
/* Reads one line of n bits; free with cli_free. */
int cli_read_weights(cli *cx, unsigned k, size_t n, uint64_t **out);
/* The same, or n whole numbers, of the unbounded model. */
int cli_read_integers(cli *cx, unsigned k, size_t n, int32_t **out);
void cli_free(void *p);
/* Writes an instance; path NULL or "-" is standard output. */
int cli_write_instance(const bperc_instance *in, bperc_format format,
                       const char *path);
/* The choices of --format, in the order of bperc_format. */
#define CLI_FORMATS "text|svmlight|hdf5|opb|lp|hdf5-bits"

#endif
