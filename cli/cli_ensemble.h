/* Options that name a kind of random instances, and the progress of trials. */
#ifndef BPERC_CLI_ENSEMBLE_H
#define BPERC_CLI_ENSEMBLE_H

#include "cli.h"

#define CLI_ENSEMBLE_ROWS(X)                                                   \
  X(OPEN_INT, n, 0, 1, 4294967296., "needed", "number of weights N")           \
  X(OPEN_REAL, fin, -1, 0, 1, "needed; 0.5 with --inputs pm",                  \
    "probability of an input to be 1 [f_in]")                                  \
  X(OPEN_REAL, a, 0, 0, 1e12, "needed, or --threshold",                        \
    "threshold parameter A: output 1 when w.xi > N/A")                         \
  X(OPEN_REAL, threshold, 0, -1e12, 1e12, "default: N/A; 0 with --inputs pm",  \
    "threshold itself")                                                        \
  X(REAL, kappa, 0, 0, 0, 1e12,                                                \
    "margin: label 1 above threshold + kappa, 0 up to threshold - kappa")      \
  X(OPEN_REAL, band, 0, 0, 1e12, "default: none",                              \
    "symmetric perceptron: label 1 wants |sum - threshold| <= band, label 0 "  \
    "more; labels are then 1 unless --fout or --teacher is given")             \
  X(CHOICE, ties, 0, 0, "zero|strict|either",                                  \
    "what a sum on the threshold means")                                       \
  X(CHOICE, weights, 0, 0, "01|pm",                                            \
    "values of weights: 0 and 1, or -1 and +1")                                \
  X(CHOICE, inputs, 0, 0, "01|pm", "values of inputs: 0 and 1, or -1 and +1")  \
  X(REAL, fout, 0.5, 0.5, 0, 1,                                                \
    "probability of label 1 [f_out], above 0 and below 1")                     \
  X(FLAG, teacher, 0, 0, "labels are the outputs of planted weights")          \
  X(OPEN_INT, copies, 0, 0, 1e9, "default: once",                              \
    "every pattern comes so many times, with --noise")                         \
  X(OPEN_INT, prototypes, 0, 0, 1e9, "default: independent",                   \
    "patterns are so many prototypes with --noise")                            \
  X(OPEN_INT, source, 0, 0, 64, "default: independent",                        \
    "inputs are functions of so many numbers")                                 \
  X(REAL, noise, 0, 0, 0, 1,                                                   \
    "probability of an input to be drawn again, in these three")               \
  X(TEXT, data, "FILE",                                                        \
    "patterns are rows of this file (as for solve), in random order; "         \
    "N, labels and, unless given, the threshold are the file's")               \
  X(OPEN_INT, m, -1, 0, 4294967296., "needed, or --alpha",                     \
    "number of patterns M")                                                    \
  X(OPEN_REAL, alpha, -1, 0, 1e9, "needed, or --m",                            \
    "patterns per weight; M is the nearest whole number")
typedef struct {
  CLI_ENSEMBLE_ROWS(BPERC_OPTION_FIELD)
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
