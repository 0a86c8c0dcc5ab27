/* What the questions of `bperc theory` share: arguments, answers, printing. */
#ifndef BPERC_CLI_THEORY_H
#define BPERC_CLI_THEORY_H

#include "cli_list.h"
#include "commands.h"

#define THEORY_ROWS(X)                                                         \
  X(CHOICE, weights, 0, 0, "01|integer|ising|pm",                              \
    "0 and 1; 0, 1, 2, ...; or -1 and +1 (ising and pm are the same)")         \
  X(OPEN_REAL, alpha, 0, 0, 1e6,                                               \
    "needed by entropy, geometry, franz-parisi, large-deviation, "             \
    "generalisation",                                                          \
    "patterns per weight")                                                     \
  X(TEXT, a, "A",                                                              \
    "threshold parameter A (needed; curve takes a list and has a "             \
    "default; not with --weights ising)")                                      \
  X(TEXT, fin, "F", "probability of an input to be 1 [f_in] (needed, as --a)") \
  X(REAL, fout, 0.5, 0.5, 0, 1,                                                \
    "probability of label 1 [f_out]; capacity, entropy, curve, geometry")      \
  X(REAL, kappa, 0, 0, 0, 1e3,                                                 \
    "margin in units of sqrt(N times the variance of an input); as --fout")    \
  X(OPEN_REAL, kappa_sum, 0, 0, 1e12, "default: --kappa",                      \
    "margin in units of sums, as generate and solve take it; needs --n")       \
  X(OPEN_INT, n, 0, 1, 1e12, "needed by --kappa-sum", "number of weights")     \
  X(TEXT, distances, "LIST",                                                   \
    "distances from the reference, divided by N (needed by "                   \
    "franz-parisi, large-deviation)")                                          \
  X(OPEN_REAL, y, 0, 0, 1e5, "default: infinity",                              \
    "large-deviation, concavity: a reference counts by (solutions "            \
    "around it)^y")                                                            \
  X(CHOICE, references, 0, 0, "1rsb|rs",                                       \
    "large-deviation, concavity: references in one step of replica "           \
    "symmetry breaking, or symmetric (finite y)")                              \
  X(REAL, tolerance, 1e-4, 1e-4, BPERC_ALPHA_U_FINEST, BPERC_ALPHA_U_COARSEST, \
    "alpha-u, concavity: half width of the bracket")                           \
  X(REAL, smallest, 3e-4, 3e-4, BPERC_ALPHA_U_NEAREST, BPERC_ALPHA_U_FARTHEST, \
    "alpha-u, concavity: follow the densest region to this distance")          \
  X(TEXT, x, "LIST",                                                           \
    "geometry: Parisi parameters, 0 or more (default 0:2:0.25)")               \
  X(REAL, band, 0, 0, 0, 8,                                                    \
    "above 0: label 1 wants |sum - threshold| <= band, in the unit of kappa; " \
    "weights -1, +1; capacity, entropy, franz-parisi (default f_out 1), "      \
    "generalisation")                                                          \
  X(REAL, noise, 0, 0, 0, 0.5,                                                 \
    "generalisation: probability of a wrong label, below 0.5")                 \
  X(FLAG, exact_inputs, 0, 0,                                                  \
    "generalisation, 0 and 1: every input has exactly N f_in ones")            \
  X(OPEN_REAL, activity, 0, 0, 1, "default: 1/(A f_in)",                       \
    "generalisation, 0 and 1: probability of a weight 1")                      \
  X(INT, steps, 0, 0, 0, 10000,                                                \
    "generalisation: so many steps of state evolution")                        \
  X(OPEN_REAL, start, 0, 0, 1, "default: 0, with --band 1e-3",                 \
    "generalisation --steps: overlap before the first step, of its largest")
BPERC_OPTIONS_DECLARE(theory_options, THEORY_ROWS);

/* What the user asked; filled by the parser. */
extern theory_options theory_asked;

/* A question fills *answer, or leaves it NULL and prints why; both return an
 * exit code. */
typedef int theory_question(cli *cx, json_t **answer);
theory_question theory_capacity, theory_entropy, theory_curve, theory_geometry;
theory_question theory_franz_parisi, theory_large_deviation, theory_alpha_u;
theory_question theory_concavity, theory_generalisation;
/* The symmetric perceptron: these questions with --band. */
theory_question symmetric_capacity, symmetric_entropy, symmetric_local;

/* --weights; pm is another word for ising. */
bperc_theory_weights theory_asked_weights(void);
/* One list; an option that was not given is an error unless there is a
 * fallback. */
int theory_read_list(const char *name, const char *text, const char *fallback,
                     cli_list *list);
/* f_out and kappa. */
int theory_read_labels(bperc_theory_model *model);
/* All of it, A, f_in and alpha as far as the question needs them. */
int theory_read_model(const cli *cx, bool needs_alpha,
                      bperc_theory_model *model);

const char *theory_weights(const bperc_theory_model *model);
/* One number. */
int theory_read_one(const char *name, const char *text, double *value);
/* What was asked, as the first keys of every answer. */
json_t *theory_describe(const char *question, const bperc_theory_model *model,
                        bool with_alpha);
/* A saddle point that does not exist is an answer, not a failure. */
int theory_fail(const bperc_error *error, const char *question,
                const bperc_theory_model *model, json_t **answer);
/* Say so when the entropy of typical solutions is negative. */
void theory_warn_above(double entropy);
/* A number under a key, null when it is not finite. */
void theory_add(json_t *object, const char *key, double value);
void theory_add_accuracy(json_t *j, double residual, double quadrature);

/* For people: values first, then the tables; keys are those of --json. */
void theory_print(json_t *answer);

#endif
