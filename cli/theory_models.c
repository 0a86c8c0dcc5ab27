/* The symmetric perceptron, and learning from a teacher. */
#include "cli_theory.h"

#include <math.h>

/* ---- two-sided constraints ---- */

/* Without --fout all patterns have label 1: the rectangle. */
static int read_symmetric(const cli *cx, bool needs_alpha,
                          bperc_symmetric_model *model) {
  *model = (bperc_symmetric_model){
      .band = theory_asked.band,
      .fout = cli_given(cx, "fout") ? theory_asked.fout : 1,
      .alpha = theory_asked.alpha};
  if (theory_asked_weights() != BPERC_THEORY_ISING)
    return cli_usage("--band is worked out for --weights pm");
  if (theory_asked.a || theory_asked.fin)
    return cli_usage("weights -1, +1 know no --a and no --fin");
  if (theory_asked.kappa > 0 || theory_asked.kappa_sum > 0)
    return cli_usage("--band and --kappa exclude each other");
  if (needs_alpha && !cli_given(cx, "alpha"))
    return cli_usage("theory %s needs --alpha", cx->arguments[0]);
  return CLI_DONE;
}

static json_t *describe_symmetric(const char *question,
                                  const bperc_symmetric_model *model) {
  json_t *j = json_pack("{s:s, s:s}", "theory", question, "weights", "ising");
  if (model->alpha > 0)
    theory_add(j, "alpha", model->alpha);
  theory_add(j, "fout", model->fout);
  theory_add(j, "band", model->band);
  return j;
}

static int symmetric_answer(cli *cx, const char *question, bool needs_alpha,
                            json_t **answer) {
  bperc_symmetric_model model;
  bperc_symmetric_typical t;
  bperc_error error;
  int code = read_symmetric(cx, needs_alpha, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_symmetric_capacity(&model, &t, &error) != BPERC_OK)
    return error.status == BPERC_E_ARGUMENT ? cli_usage("%s", error.text)
                                            : cli_fail(&error);
  *answer = describe_symmetric(question, &model);
  if (needs_alpha) {
    theory_add(*answer, "entropy", t.entropy);
    json_object_set_new(*answer, "above_capacity", json_boolean(t.entropy < 0));
    json_object_set_new(*answer, "exact",
                        json_boolean(model.alpha <= t.alpha_moment));
    theory_warn_above(t.entropy);
  }
  theory_add(*answer, "alpha_c", t.alpha_c);
  theory_add(*answer, "overlap", 0);
  theory_add(*answer, "alpha_stability", t.alpha_stability);
  theory_add(*answer, "alpha_moment", t.alpha_moment);
  theory_add_accuracy(*answer, 0, t.quadrature_error);
  return CLI_DONE;
}

int symmetric_capacity(cli *cx, json_t **answer) {
  return symmetric_answer(cx, "capacity", false, answer);
}

int symmetric_entropy(cli *cx, json_t **answer) {
  return symmetric_answer(cx, "entropy", true, answer);
}

static json_t *symmetric_rows(const bperc_symmetric_local *points, size_t n) {
  json_t *rows = json_array();
  for (size_t k = 0; k < n; k++) {
    json_t *j = json_object();
    bool lost = isnan(points[k].entropy);
    theory_add(j, "distance", points[k].distance);
    theory_add(j, "entropy", points[k].entropy);
    theory_add(j, "bound", points[k].bound);
    theory_add(j, "overlap", lost ? NAN : points[k].overlap);
    theory_add(j, "residual", lost ? NAN : points[k].residual);
    theory_add(j, "quadrature_error", lost ? NAN : points[k].quadrature_error);
    json_array_append_new(rows, j);
  }
  return rows;
}

static int answer_symmetric_local(const bperc_symmetric_model *model,
                                  const cli_list *list,
                                  bperc_symmetric_local *points,
                                  json_t **answer) {
  bperc_error error;
  bperc_status status = bperc_symmetric_franz_parisi(model, list->values,
                                                     list->n, points, &error);
  if (status == BPERC_E_ARGUMENT)
    return cli_usage("%s", error.text);
  if (status != BPERC_OK && status != BPERC_E_NUMERIC)
    return cli_fail(&error);
  *answer = describe_symmetric("franz-parisi", model);
  if (status == BPERC_E_NUMERIC)
    json_object_set_new(*answer, "reason", json_string(error.text));
  json_object_set_new(*answer, "points", symmetric_rows(points, list->n));
  return status == BPERC_OK ? CLI_DONE : CLI_NEGATIVE;
}

int symmetric_local(cli *cx, json_t **answer) {
  bperc_symmetric_model model;
  cli_list list;
  int code = read_symmetric(cx, true, &model);
  if (code == CLI_DONE)
    code = theory_read_list("distances", theory_asked.distances, NULL, &list);
  if (code != CLI_DONE)
    return code;
  bperc_symmetric_local *points = bperc_calloc(list.n, sizeof *points);
  code = points ? answer_symmetric_local(&model, &list, points, answer)
                : cli_no_memory();
  bperc_free(points);
  cli_list_free(&list);
  return code;
}

/* ---- teacher and student ---- */

static int read_activity(bperc_teacher_model *model) {
  double a = 0, fin = 0;
  if (model->weights == BPERC_THEORY_ISING) {
    if (theory_asked.a || theory_asked.fin || theory_asked.activity > 0)
      return cli_usage("weights -1, +1 know no --a, --fin and --activity");
    return CLI_DONE;
  }
  model->mean = theory_asked.activity;
  if (theory_asked.activity > 0)
    return theory_asked.a || theory_asked.fin
               ? cli_usage("--activity stands in place of --a and --fin")
               : CLI_DONE;
  int code = theory_read_one("a", theory_asked.a, &a);
  if (code == CLI_DONE)
    code = theory_read_one("fin", theory_asked.fin, &fin);
  model->mean = 1 / (a * fin);
  return code;
}

static int read_teacher(const cli *cx, bperc_teacher_model *model) {
  *model = (bperc_teacher_model){.weights = theory_asked_weights(),
                                 .exact_inputs = theory_asked.exact_inputs != 0,
                                 .alpha = theory_asked.alpha,
                                 .fout = theory_asked.fout,
                                 .noise = theory_asked.noise,
                                 .band = theory_asked.band};
  if (!cli_given(cx, "alpha"))
    return cli_usage("theory generalisation needs --alpha");
  if (theory_asked.kappa > 0 || theory_asked.kappa_sum > 0)
    return cli_usage("a teacher with a margin is not worked out: --kappa 0");
  if (model->band > 0 && cli_given(cx, "fout"))
    return cli_usage("with --band the labels' probability follows from it: "
                     "no --fout");
  return read_activity(model);
}

static json_t *describe_teacher(const bperc_teacher_model *model) {
  bool pm = model->weights == BPERC_THEORY_ISING;
  json_t *j = json_pack("{s:s, s:s, s:f}", "theory", "generalisation",
                        "weights", pm ? "ising" : "01", "alpha", model->alpha);
  if (!pm) {
    theory_add(j, "activity", model->mean);
    json_object_set_new(j, "exact_inputs", json_boolean(model->exact_inputs));
  }
  if (model->band > 0)
    theory_add(j, "band", model->band);
  else
    theory_add(j, "fout", model->fout);
  theory_add(j, "noise", model->noise);
  return j;
}

static void add_generalisation(json_t *j, const bperc_teacher_answer *t) {
  theory_add(j, "overlap", t->best.overlap);
  theory_add(j, "error_bayes", t->best.error_bayes);
  theory_add(j, "error_gibbs", t->best.error_gibbs);
  theory_add(j, "free_entropy", t->best.entropy);
  theory_add(j, "overlap_amp", t->amp.overlap);
  theory_add(j, "error_bayes_amp", t->amp.error_bayes);
  theory_add(j, "error_gibbs_amp", t->amp.error_gibbs);
  theory_add(j, "free_entropy_amp", t->amp.entropy);
  theory_add(j, "alpha_it", t->alpha_it);
  theory_add(j, "alpha_amp", t->alpha_amp);
  theory_add_accuracy(j, t->residual, t->quadrature_error);
}

static int add_evolution(json_t *j, const bperc_teacher_model *model) {
  size_t n = (size_t)theory_asked.steps;
  double start = theory_asked.start;
  bperc_error error;
  bperc_teacher_state *states = bperc_calloc(n + 1, sizeof *states);
  if (!states)
    return cli_no_memory();
  if (start == 0 && model->band > 0)
    start = 1e-3;
  if (bperc_teacher_evolution(model, start, n, states, &error) != BPERC_OK) {
    bperc_free(states);
    return cli_fail(&error);
  }
  json_t *rows = json_array();
  for (size_t k = 0; k <= n; k++)
    json_array_append_new(rows,
                          json_pack("{s:I, s:f, s:f, s:f}", "step",
                                    (json_int_t)k, "overlap", states[k].overlap,
                                    "error_bayes", states[k].error_bayes,
                                    "error_gibbs", states[k].error_gibbs));
  json_object_set_new(j, "steps", rows);
  bperc_free(states);
  return CLI_DONE;
}

int theory_generalisation(cli *cx, json_t **answer) {
  bperc_teacher_model model;
  bperc_teacher_answer t;
  bperc_error error;
  int code = read_teacher(cx, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_teacher_generalisation(&model, &t, &error) != BPERC_OK) {
    code = cli_fail(&error);
    return error.status == BPERC_E_ARGUMENT ? CLI_USAGE : code;
  }
  *answer = describe_teacher(&model);
  add_generalisation(*answer, &t);
  code = theory_asked.steps > 0 ? add_evolution(*answer, &model) : CLI_DONE;
  if (code != CLI_DONE) {
    json_decref(*answer);
    *answer = NULL;
  }
  return code;
}
