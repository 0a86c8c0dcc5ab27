#include "cli_theory.h"

#include <math.h>

/* ---- arguments ---- */

bperc_theory_weights theory_asked_weights(void) {
  bperc_theory_weights weights = (bperc_theory_weights)theory_asked.weights;
  return weights > BPERC_THEORY_ISING ? BPERC_THEORY_ISING : weights;
}

int theory_read_list(const char *name, const char *text, const char *fallback,
                     cli_list *list) {
  if (!text)
    text = fallback;
  if (!text)
    return cli_usage("theory needs --%s", name);
  return cli_list_read(name, text, list);
}

int theory_read_one(const char *name, const char *text, double *value) {
  cli_list list;
  int code = theory_read_list(name, text, NULL, &list);
  if (code != CLI_DONE)
    return code;
  if (list.n != 1)
    code = cli_usage("--%s takes one value here; 'theory curve' takes lists",
                     name);
  *value = list.values[0];
  cli_list_free(&list);
  return code;
}

int theory_read_labels(bperc_theory_model *model) {
  if (!(theory_asked.fout > 0 && theory_asked.fout < 1))
    return cli_usage("--fout must lie between 0 and 1, not at %g",
                     theory_asked.fout);
  model->fout = theory_asked.fout;
  model->kappa = theory_asked.kappa;
  return CLI_DONE;
}

/* --kappa-sum in the unit of kappa, once f_in is known. */
static int take_kappa_sum(bperc_theory_model *model) {
  double f = model->fin, sum = theory_asked.kappa_sum;
  double variance = model->weights == BPERC_THEORY_ISING ? 1 : f * (1 - f);
  if (!(sum > 0))
    return CLI_DONE;
  if (theory_asked.kappa > 0)
    return cli_usage("give --kappa or --kappa-sum, not both");
  if (!theory_asked.n)
    return cli_usage("--kappa-sum needs --n: kappa is the margin over "
                     "sqrt(N times the variance of an input)");
  model->kappa = sum / sqrt((double)theory_asked.n * variance);
  return CLI_DONE;
}

int theory_read_model(const cli *cx, bool needs_alpha,
                      bperc_theory_model *model) {
  *model = (bperc_theory_model){.weights = theory_asked_weights(),
                                .alpha = theory_asked.alpha};
  int code = theory_read_labels(model);
  if (code != CLI_DONE)
    return code;
  if (needs_alpha && !cli_given(cx, "alpha"))
    return cli_usage("theory %s needs --alpha", cx->arguments[0]);
  if (model->weights == BPERC_THEORY_ISING) {
    if (theory_asked.a || theory_asked.fin)
      return cli_usage("weights -1, +1 know no --a and no --fin");
    return take_kappa_sum(model);
  }
  code = theory_read_one("a", theory_asked.a, &model->a);
  if (code == CLI_DONE)
    code = theory_read_one("fin", theory_asked.fin, &model->fin);
  return code == CLI_DONE ? take_kappa_sum(model) : code;
}

const char *theory_weights(const bperc_theory_model *model) {
  static const char *const names[] = {"01", "integer", "ising"};
  return names[model->weights];
}

json_t *theory_describe(const char *question, const bperc_theory_model *model,
                        bool with_alpha) {
  json_t *j = json_pack("{s:s, s:s}", "theory", question, "weights",
                        theory_weights(model));
  if (with_alpha)
    json_object_set_new(j, "alpha", json_real(model->alpha));
  json_object_set_new(j, "fout", json_real(model->fout));
  json_object_set_new(j, "kappa", json_real(model->kappa));
  if (model->weights == BPERC_THEORY_ISING)
    return j;
  json_object_set_new(j, "a", json_real(model->a));
  json_object_set_new(j, "fin", json_real(model->fin));
  json_object_set_new(j, "q", json_real(1 / (model->a * model->fin)));
  return j;
}

int theory_fail(const bperc_error *error, const char *question,
                const bperc_theory_model *model, json_t **answer) {
  if (error->status == BPERC_E_NUMERIC) {
    *answer = theory_describe(question, model, model->alpha > 0);
    json_object_set_new(*answer, "saddle", json_false());
    json_object_set_new(*answer, "reason", json_string(error->text));
    return CLI_NEGATIVE;
  }
  int code = cli_fail(error);
  return error->status == BPERC_E_ARGUMENT || error->status == BPERC_E_LIMIT
             ? CLI_USAGE
             : code;
}

void theory_warn_above(double entropy) {
  if (entropy < 0)
    cli_warn("the entropy is negative: alpha is above capacity, typically "
             "there is no solution");
}

void theory_add(json_t *object, const char *key, double value) {
  json_object_set_new(object, key, cli_json_real(value));
}

void theory_add_accuracy(json_t *j, double residual, double quadrature) {
  theory_add(j, "residual", residual);
  theory_add(j, "quadrature_error", quadrature);
}

/* ---- printing ---- */

static void print_cell(const json_t *value, int width) {
  if (json_is_number(value))
    printf("%*.8g", width, json_number_value(value));
  else if (json_is_string(value))
    printf("%*s", width, json_string_value(value));
  else
    printf("%*s", width,
           json_is_true(value)    ? "yes"
           : json_is_false(value) ? "no"
                                  : "-");
}

static void print_table(const char *title, json_t *rows) {
  const char *key;
  json_t *value, *row;
  size_t k;
  printf("\n%s\n", title);
  json_array_foreach(rows, k, row) {
    if (k == 0) {
      json_object_foreach(row, key, value) printf("%18s", key);
      putchar('\n');
    }
    json_object_foreach(row, key, value) print_cell(value, 18);
    putchar('\n');
  }
}

void theory_print(json_t *answer) {
  const char *key;
  json_t *value;
  json_object_foreach(answer, key, value) {
    if (json_is_array(value))
      continue;
    printf("%-18s", key);
    print_cell(value, 14);
    putchar('\n');
  }
  json_object_foreach(answer, key, value) {
    if (json_is_array(value) && json_array_size(value))
      print_table(key, value);
  }
}
