/* Local entropies around typical solutions and in the densest region. */
#include "cli_theory.h"

#include <math.h>
#include <stdlib.h>

/* At finite y with what is known about the references. */
static json_t *local_json(const bperc_theory_local *p, double y) {
  static const char *const regimes[] = {"lost", "saddle", "typical", "edge",
                                        "bound"};
  json_t *j = json_object();
  bool lost = p->regime == BPERC_THEORY_LOST;
  theory_add(j, "distance", p->distance);
  theory_add(j, "entropy", p->entropy);
  theory_add(j, "bound", p->bound);
  theory_add(j, "slope", lost ? NAN : p->slope);
  if (y > 0) {
    theory_add(j, "external_entropy", p->external);
    theory_add(j, "parisi_m", p->parisi);
  }
  json_object_set_new(j, "regime", json_string(regimes[p->regime]));
  theory_add(j, "residual", lost ? NAN : p->residual);
  theory_add(j, "quadrature_error", lost ? NAN : p->quadrature_error);
  return j;
}

typedef bperc_status local_call(const bperc_theory_model *, const double *,
                                size_t, bperc_theory_local *, double *,
                                bperc_error *);

/* Above capacity there are formulas and no solutions. */
static void warn_above(const bperc_theory_model *model) {
  bperc_theory_typical typical;
  if (bperc_theory_entropy(model, &typical, NULL) == BPERC_OK)
    theory_warn_above(typical.entropy);
}

static void read_copies(bperc_theory_model *model) {
  model->y = theory_asked.y;
  model->references = (bperc_theory_references)theory_asked.references;
}

static void add_copies(json_t *j, const bperc_theory_model *model) {
  theory_add(j, "y", model->y);
  json_object_set_new(
      j, "references",
      json_string(model->references == BPERC_THEORY_RS ? "rs" : "1rsb"));
}

static int local_answer(const char *question, local_call *call,
                        const bperc_theory_model *model, const cli_list *list,
                        bperc_theory_local *points, json_t **answer) {
  bperc_error error;
  double ended = NAN;
  bperc_status status =
      call(model, list->values, list->n, points, &ended, &error);
  if (status != BPERC_OK && isnan(ended))
    return theory_fail(&error, question, model, answer);
  warn_above(model);
  *answer = theory_describe(question, model, true);
  if (model->y > 0)
    add_copies(*answer, model);
  if (status != BPERC_OK) {
    theory_add(*answer, "ended", ended);
    json_object_set_new(*answer, "reason", json_string(error.text));
  }
  json_t *rows = json_array();
  for (size_t k = 0; k < list->n; k++)
    json_array_append_new(rows, local_json(&points[k], model->y));
  json_object_set_new(*answer, "points", rows);
  return status == BPERC_OK ? CLI_DONE : CLI_NEGATIVE;
}

static int local_entropy(cli *cx, const char *question, local_call *call,
                         json_t **answer) {
  bperc_theory_model model;
  cli_list list;
  int code = theory_read_model(cx, true, &model);
  if (call == bperc_theory_large_deviation)
    read_copies(&model);
  if (code == CLI_DONE)
    code = theory_read_list("distances", theory_asked.distances, NULL, &list);
  if (code != CLI_DONE)
    return code;
  bperc_theory_local *points = bperc_calloc(list.n, sizeof *points);
  code = points ? local_answer(question, call, &model, &list, points, answer)
                : cli_no_memory();
  bperc_free(points);
  cli_list_free(&list);
  return code;
}

int theory_large_deviation(cli *cx, json_t **answer) {
  return local_entropy(cx, "large-deviation", bperc_theory_large_deviation,
                       answer);
}

int theory_franz_parisi(cli *cx, json_t **answer) {
  if (theory_asked.band > 0)
    return symmetric_local(cx, answer);
  return local_entropy(cx, "franz-parisi", bperc_theory_franz_parisi, answer);
}

static json_t *trial_json(const bperc_theory_trial *t) {
  json_t *j = json_object();
  theory_add(j, "alpha", t->alpha);
  json_object_set_new(j, "survived", json_boolean(t->survived));
  theory_add(j, "ended", t->ended);
  theory_add(j, "smallest_slope", t->slope);
  theory_add(j, "at_distance", t->where);
  return j;
}

int theory_alpha_u(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_threshold t;
  bperc_error error;
  int code = theory_read_model(cx, false, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_alpha_u(&model, theory_asked.tolerance,
                           theory_asked.smallest, &t, &error) != BPERC_OK)
    return theory_fail(&error, "alpha-u", &model, answer);
  *answer = theory_describe("alpha-u", &model, false);
  theory_add(*answer, "low", t.low);
  theory_add(*answer, "high", t.high);
  theory_add(*answer, "alpha_u", t.alpha_u);
  theory_add(*answer, "distance", t.distance);
  theory_add(*answer, "alpha_c", t.alpha_c);
  json_object_set_new(
      *answer, "trials",
      json_pack("[o, o]", trial_json(&t.at_low), trial_json(&t.at_high)));
  return CLI_DONE;
}

int theory_concavity(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_fold fold;
  bperc_error error;
  int code = theory_read_model(cx, false, &model);
  if (code != CLI_DONE)
    return code;
  read_copies(&model);
  if (bperc_theory_concavity(&model, theory_asked.tolerance,
                             theory_asked.smallest, &fold, &error) != BPERC_OK)
    return theory_fail(&error, "concavity", &model, answer);
  *answer = theory_describe("concavity", &model, false);
  add_copies(*answer, &model);
  theory_add(*answer, "alpha", fold.alpha);
  theory_add(*answer, "from", fold.from);
  theory_add(*answer, "to", fold.to);
  theory_add(*answer, "alpha_c", fold.alpha_c);
  return CLI_DONE;
}
