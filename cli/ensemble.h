/* Options that name a kind of random instances, and the progress of trials. */
#ifndef BPERC_CLI_ENSEMBLE_H
#define BPERC_CLI_ENSEMBLE_H

#include "cli.h"

typedef struct {
  int64_t n, m, ties, weights, inputs, teacher, copies, prototypes, source;
  double alpha, fin, a, threshold, kappa, fout, noise;
  const char *data;
  bperc_instance *rows; /* of the data file, once taken */
} cli_ensemble;

/* Adds --n --fin --a and the other parameters of an ensemble, and --m --alpha
 * when the number of patterns is the user's to say. */
void cli_group_ensemble(cli *cx, cli_ensemble *values, bool patterns);
/* CLI_DONE, or another code with a message about what is wrong. Reads --data:
 * release it with cli_ensemble_release. */
int cli_ensemble_take(const cli *cx, cli_ensemble *values, bool patterns,
                      bperc_ensemble *out);
void cli_ensemble_release(cli_ensemble *values);
/* {"n": .., "fin": .., "a": .., "ties": .., ..}; a is null without an A. */
json_t *cli_json_ensemble(const bperc_ensemble *ensemble);

/* "N = 480, f_in = 0.3, A = 40" and what else is not the paper's model. */
void cli_print_ensemble(const bperc_ensemble *ensemble);

/* A bperc_tick that shows trials done and remaining time. */
typedef struct {
  cli_progress progress;
  const char *what;
} cli_trials;
void cli_trials_tick(void *context, size_t done, size_t total);

/* After an interrupt: says how many are kept, and returns it. */
size_t cli_trials_kept(size_t kept, size_t total, const char *what);

#endif
