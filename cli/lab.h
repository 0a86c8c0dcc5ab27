/* What reproduce, sweep and report share: experiments, store, progress, the
 * answer. */
#ifndef BPERC_CLI_LAB_H
#define BPERC_CLI_LAB_H

#include "bperc/lab/lab.h"
#include "cli.h"

#define LAB_ROWS(X)                                                            \
  X(CHOICE, scale, 0, 1, "quick|paper",                                        \
    "small systems and few instances, or those of the paper")                  \
  X(TEXT, store, "FILE",                                                       \
    "results by key, one SQLite file (default OUT/store.db; report: none)")    \
  X(TEXT, out, "FOLDER", "tables, pictures and index.html (default report)")   \
  X(TEXT, experiments, "FOLDER", "where the experiments are")                  \
  X(TEXT, list, "CLAIM",                                                       \
    "list the instances behind a claim instead of verdicts")                   \
  X(INT, looks, 1, 1, 1, 6,                                                    \
    "look at the results up to so many times; after each, experiments with "   \
    "undecided claims get four times the instances. A claim's rate is shared " \
    "among the looks")                                                         \
  X(FLAG, retry, 0, 0, "run failed tasks again")                               \
  X(TEXT, shard, "K/N",                                                        \
    "run part K of N of the tasks only, without tables and verdicts")          \
  X(FLAG, save, 0, 0,                                                          \
    "keep the tables as SCALE.tsv in the experiments' folders")                \
  X(FLAG, measurements, 0, 0,                                                  \
    "describe all measurements and their parameters")                          \
  X(FLAG, trust, 0, 0,                                                         \
    "run the plot scripts (plot.gp, style.gp) of experiments that are "        \
    "not the program's own")
BPERC_OPTIONS_DECLARE(lab_options, LAB_ROWS);

typedef struct {
  cli *cx;
  lab_options *options;
  bool own; /* the experiments are those of the program itself */
  bperc_lab *all;
} lab;

/* Adds the rows that the command uses, by name, to its help. */
void lab_setup(cli *cx, const char *title, lab_options *options,
               const char *names);
/* An empty one; CLI_DONE, or the exit code. */
int lab_open(lab *l, cli *cx, lab_options *options);
/* The exit code of a failure to read experiments, told. */
int lab_fail_read(const bperc_error *error);
/* Finds the folder of experiments: option, environment, beside the program. */
int lab_find_folder(lab *l, char *folder, size_t size);
/* Runs, writes tables, pictures and the page, prints verdicts. */
int lab_run(lab *l);
/* Writes the page from what is there, runs nothing. saved: from tables kept in
 * the experiments' folders where they have them. */
int lab_report(lab *l, bool saved);
void lab_clear(lab *l);

/* lab_answer.c: the progress line of a sweep, a bperc_sweep_options.watch. */
typedef struct {
  cli_progress line;
  bool quiet, started;
  double told; /* when a line was written to what is not a terminal */
} lab_progress;
void lab_watch(void *context, const bperc_sweep_state *state);
/* lab_verdict.c: the tests of a claim with their numbers. */
json_t *lab_tests_json(const bperc_claim *claim);
/* The answer of --shard: what was run, and how to go on. */
int lab_answer_shard(const lab *l, const bperc_sweep_state *s);
/* Prints the verdicts; s NULL when nothing was run. The exit code. */
int lab_answer(const lab *l, const bperc_report *r, const char *out,
               const bperc_sweep_state *s);

#endif
