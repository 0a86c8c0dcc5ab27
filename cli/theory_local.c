/* Local entropies around typical solutions and in the densest region. */
#include "theory.h"

#include <math.h>
#include <stdlib.h>

static json_t *local_json(const bperc_theory_local *p) {
  static const char *const regimes[] = {"lost", "saddle", "typical", "edge",
                                        "bound"};
  json_t *j = json_object();
  bool lost = p->regime == BPERC_THEORY_LOST;
  theory_add(j, "distance", p->distance);
  theory_add(j, "entropy", p->entropy);
  theory_add(j, "bound", p->bound);
  theory_add(j, "slope", lost ? NAN : p->slope);
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
  if (status != BPERC_OK) {
    theory_add(*answer, "ended", ended);
    json_object_set_new(*answer, "reason", json_string(error.text));
  }
  json_t *rows = json_array();
  for (size_t k = 0; k < list->n; k++)
    json_array_append_new(rows, local_json(&points[k]));
  json_object_set_new(*answer, "points", rows);
  return status == BPERC_OK ? CLI_DONE : CLI_NEGATIVE;
}

static int local_entropy(cli *cx, const char *question, local_call *call,
                         json_t **answer) {
  bperc_theory_model model;
  cli_list list;
  int code = theory_read_model(cx, true, &model);
  if (code == CLI_DONE)
    code = theory_read_list("distances", theory_asked.distances, NULL, &list);
  if (code != CLI_DONE)
    return code;
  bperc_theory_local *points = calloc(list.n, sizeof *points);
  code = points ? local_answer(question, call, &model, &list, points, answer)
                : CLI_SYSTEM;
  free(points);
  cli_list_free(&list);
  return code;
}

int theory_large_deviation(cli *cx, json_t **answer) {
  return local_entropy(cx, "large-deviation", bperc_theory_large_deviation,
                       answer);
}

int theory_franz_parisi(cli *cx, json_t **answer) {
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
