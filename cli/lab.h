/* What reproduce, sweep and report share: experiments, store, progress, the
 * answer. */
#ifndef BPERC_CLI_LAB_H
#define BPERC_CLI_LAB_H

#include "cli.h"

typedef struct {
  const char *store, *out, *experiments, *list, *shard;
  int64_t scale, retry, save, measurements, trust;
} lab_options;

typedef struct {
  cli *cx;
  lab_options *options;
  bool own; /* the experiments are those of the program itself */
  bperc_experiment **list;
  bperc_judge **judges; /* one per experiment */
  size_t count;
} lab;

/* Adds the rows that the command uses, by name, to its help. */
void lab_setup(cli *cx, const char *title, lab_options *options,
               const char *names);
/* Reads one experiment (folder or plan file) into the list. */
int lab_read(lab *l, const char *path);
/* Finds the folder of experiments: option, environment, beside the program. */
int lab_find_folder(lab *l, char *folder, size_t size);
/* The experiments of a folder that are wanted (NULL: all), in the order of
 * their names; others are not read. */
typedef bool lab_wanted(void *context, const char *path, const char *name);
int lab_read_all(lab *l, const char *folder, lab_wanted *wanted, void *context);
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
/* Prints the verdicts; s NULL when nothing was run. The exit code. */
/* The answer of --shard: what was run, and how to go on. */
int lab_answer_shard(const lab *l, const bperc_sweep_state *s);
int lab_answer(const lab *l, const bperc_report *r, const char *out,
               const bperc_sweep_state *s);

#endif
