/* Typical solutions: capacity, entropy, curves over A and f_in, geometry. */
#include "cli_theory.h"

static void add_typical(json_t *j, const bperc_theory_typical *t) {
  theory_add(j, "overlap", t->overlap);
  theory_add(j, "typical_distance", t->distance);
  theory_add(j, "mean_square", t->square);
  theory_add(j, "field", t->field);
  theory_add(j, "conjugate", t->conjugate);
  theory_add(j, "activity_shift", t->shift);
  theory_add_accuracy(j, t->residual, t->quadrature_error);
}

int theory_capacity(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  if (theory_asked.band > 0)
    return symmetric_capacity(cx, answer);
  int code = theory_read_model(cx, false, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_capacity(&model, &t, &error) != BPERC_OK)
    return theory_fail(&error, "capacity", &model, answer);
  *answer = theory_describe("capacity", &model, false);
  theory_add(*answer, "alpha_c", t.alpha);
  add_typical(*answer, &t);
  return CLI_DONE;
}

int theory_entropy(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  if (theory_asked.band > 0)
    return symmetric_entropy(cx, answer);
  int code = theory_read_model(cx, true, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_entropy(&model, &t, &error) != BPERC_OK)
    return theory_fail(&error, "entropy", &model, answer);
  *answer = theory_describe("entropy", &model, true);
  theory_add(*answer, "entropy", t.entropy);
  json_object_set_new(*answer, "above_capacity", json_boolean(t.entropy < 0));
  add_typical(*answer, &t);
  theory_warn_above(t.entropy);
  return CLI_DONE;
}

static json_t *typical_json(const bperc_theory_state *s) {
  json_t *j = json_object();
  theory_add(j, "x", s->x);
  theory_add(j, "g", s->g);
  theory_add(j, "q_same", s->q_same);
  theory_add(j, "q_diff", s->q_diff);
  theory_add(j, "size", s->size);
  theory_add(j, "complexity", s->complexity);
  return j;
}

/* Parisi parameters: g(x) is known for x >= 0 only. */
static int read_parisi(cli_list *x) {
  int code = theory_read_list("x", theory_asked.x, "0:2:0.25", x);
  for (size_t k = 0; code == CLI_DONE && k < x->n; k++)
    if (x->values[k] < 0) {
      code = cli_usage("--x: the Parisi parameter must be 0 or more, not %g",
                       x->values[k]);
      cli_list_free(x);
    }
  return code;
}

int theory_geometry(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  cli_list x;
  int code = theory_read_model(cx, true, &model);
  if (code == CLI_DONE)
    code = read_parisi(&x);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_entropy(&model, &t, &error) != BPERC_OK) {
    cli_list_free(&x);
    return theory_fail(&error, "geometry", &model, answer);
  }
  theory_warn_above(t.entropy);
  *answer = theory_describe("geometry", &model, true);
  json_t *points = json_array(), *line = json_array();
  for (size_t k = 0; k < x.n; k++) {
    bperc_theory_state s = bperc_theory_geometry(&t, x.values[k]);
    json_array_append_new(points, typical_json(&s));
  }
  json_array_append_new(
      line, json_pack("{s:f, s:f}", "size", 0., "complexity", t.entropy));
  json_array_append_new(
      line, json_pack("{s:f, s:f}", "size", t.entropy, "complexity", 0.));
  bperc_theory_state real = bperc_theory_geometry(&t, 1);
  theory_add(*answer, "entropy", t.entropy);
  theory_add(*answer, "parisi_x", 1);
  theory_add(*answer, "q_same", real.q_same);
  theory_add(*answer, "q_diff", real.q_diff);
  json_object_set_new(*answer, "complexity_line", line);
  json_object_set_new(*answer, "points", points);
  theory_add_accuracy(*answer, t.residual, t.quadrature_error);
  cli_list_free(&x);
  return CLI_DONE;
}

/* ---- curves over A and f_in ---- */

static int curve_point(bperc_theory_model *model, json_t *points,
                       json_t **answer) {
  bperc_theory_typical t;
  bperc_error error;
  if (bperc_theory_capacity(model, &t, &error) != BPERC_OK)
    return theory_fail(&error, "curve", model, answer);
  json_t *j = json_pack("{s:f, s:f}", "fin", model->fin, "a", model->a);
  theory_add(j, "alpha_c", t.alpha);
  theory_add(j, "overlap", t.overlap);
  theory_add_accuracy(j, t.residual, t.quadrature_error);
  json_array_append_new(points, j);
  return CLI_DONE;
}

/* One row of A, and the best A of weights 0, 1. */
static int curve_row(bperc_theory_model *model, const cli_list *a,
                     json_t *points, json_t *optima, json_t **answer) {
  bperc_theory_typical best;
  bperc_error error;
  double a_opt;
  int code = CLI_DONE;
  for (size_t k = 0; k < a->n && code == CLI_DONE; k++) {
    model->a = a->values[k];
    code = curve_point(model, points, answer);
  }
  if (code != CLI_DONE || model->weights != BPERC_THEORY_01)
    return code;
  if (bperc_theory_optimum(model, &a_opt, &best, &error) != BPERC_OK)
    return theory_fail(&error, "curve", model, answer);
  json_array_append_new(optima,
                        json_pack("{s:f, s:f, s:f}", "fin", model->fin, "a_opt",
                                  a_opt, "alpha_c", best.alpha));
  return CLI_DONE;
}

int theory_curve(cli *cx, json_t **answer) {
  bperc_theory_model model = {.weights = theory_asked_weights()};
  cli_list a = {0}, fin = {0};
  (void)cx;
  if (model.weights == BPERC_THEORY_ISING)
    return cli_usage("weights -1, +1 have one capacity, not a curve");
  if (theory_asked.kappa_sum > 0)
    return cli_usage("theory curve takes --kappa, not --kappa-sum");
  int code = theory_read_labels(&model);
  if (code == CLI_DONE)
    code = theory_read_list("a", theory_asked.a, "2:80:2", &a);
  if (code == CLI_DONE)
    code = theory_read_list("fin", theory_asked.fin, "0.1:0.5:0.1", &fin);
  json_t *points = json_array(), *optima = json_array();
  for (size_t k = 0; k < fin.n && code == CLI_DONE; k++) {
    model.fin = fin.values[k];
    code = curve_row(&model, &a, points, optima, answer);
  }
  if (code == CLI_DONE)
    *answer =
        json_pack("{s:s, s:s, s:f, s:f, s:O, s:O}", "theory", "curve",
                  "weights", theory_weights(&model), "fout", model.fout,
                  "kappa", model.kappa, "optima", optima, "points", points);
  json_decref(points);
  json_decref(optima);
  cli_list_free(&a);
  cli_list_free(&fin);
  return code;
}
