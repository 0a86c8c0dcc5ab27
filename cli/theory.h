/* What the questions of `bperc theory` share: arguments, answers, printing. */
#ifndef BPERC_CLI_THEORY_H
#define BPERC_CLI_THEORY_H

#include "commands.h"
#include "list.h"

typedef struct {
  int64_t weights, references;
  double alpha, fout, kappa, y, tolerance, smallest;
  const char *a, *fin, *distances, *x;
} theory_options;

/* What the user asked; filled by the parser. */
extern theory_options theory_asked;

/* A question fills *answer, or leaves it NULL and prints why; both return an
 * exit code. */
typedef int theory_question(cli *cx, json_t **answer);
theory_question theory_capacity, theory_entropy, theory_curve, theory_geometry;
theory_question theory_franz_parisi, theory_large_deviation, theory_alpha_u;
theory_question theory_concavity;

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
