/* bperc theory: what the replica method predicts. */
#include "commands.h"
#include "list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t weights;
  double alpha, tolerance, smallest;
  const char *a, *fin, *distances, *x;
} options;

static options opt;

static void setup(cli *cx) {
  static const bperc_option rows[] = {
      {"weights", BPERC_OPTION_CHOICE, offsetof(options, weights), 0, 0, 0, 0,
       "01|integer|ising", "0 and 1; 0, 1, 2, ...; or -1 and +1"},
      {"alpha", BPERC_OPTION_REAL, offsetof(options, alpha), 0, 0, 0, 1e6, NULL,
       "patterns per weight"},
      {"a", BPERC_OPTION_TEXT, offsetof(options, a), 0, 0, 0, 0, "A",
       "threshold parameter A; curve takes a list"},
      {"fin", BPERC_OPTION_TEXT, offsetof(options, fin), 0, 0, 0, 0, "F",
       "probability of an input to be 1 [f_in]; curve takes a list"},
      {"distances", BPERC_OPTION_TEXT, offsetof(options, distances), 0, 0, 0, 0,
       "LIST", "distances from the reference, divided by N"},
      {"tolerance", BPERC_OPTION_REAL, offsetof(options, tolerance), 1e-4, 1e-4,
       1e-6, 0.05, NULL, "alpha-u: half width of the bracket"},
      {"smallest", BPERC_OPTION_REAL, offsetof(options, smallest), 3e-4, 3e-4,
       1e-6, 0.1, NULL, "alpha-u: follow the densest region to this distance"},
      {"x", BPERC_OPTION_TEXT, offsetof(options, x), 0, 0, 0, 0, "LIST",
       "geometry: Parisi parameters (default 0:2:0.25)"},
  };
  cli_group(cx, "theory",
            (bperc_option_table){rows, sizeof rows / sizeof *rows}, &opt);
}

/* ---- arguments ---- */

/* One list; an option that was not given is an error unless there is a
 * fallback. */
static int read_list(const char *name, const char *text, const char *fallback,
                     cli_list *list) {
  if (!text)
    text = fallback;
  if (!text)
    return cli_usage("theory needs --%s", name);
  return cli_list_read(name, text, list);
}

static int read_one(const char *name, const char *text, double *value) {
  cli_list list;
  int code = read_list(name, text, NULL, &list);
  if (code != CLI_DONE)
    return code;
  if (list.n != 1)
    code = cli_usage("--%s takes one value here; 'theory curve' takes lists",
                     name);
  *value = list.values[0];
  cli_list_free(&list);
  return code;
}

/* A, f_in and alpha as far as the question needs them. */
static int read_model(const cli *cx, bool needs_alpha,
                      bperc_theory_model *model) {
  *model = (bperc_theory_model){.weights = (bperc_theory_weights)opt.weights,
                                .alpha = opt.alpha};
  if (needs_alpha && !cli_given(cx, "alpha"))
    return cli_usage("theory %s needs --alpha", cx->arguments[0]);
  if (model->weights == BPERC_THEORY_ISING) {
    if (opt.a || opt.fin)
      return cli_usage("weights -1, +1 know no --a and no --fin");
    return CLI_DONE;
  }
  int code = read_one("a", opt.a, &model->a);
  return code == CLI_DONE ? read_one("fin", opt.fin, &model->fin) : code;
}

static const char *weights_name(const bperc_theory_model *model) {
  static const char *const names[] = {"01", "integer", "ising"};
  return names[model->weights];
}

/* What was asked, as the first keys of every answer. */
static json_t *describe(const char *question, const bperc_theory_model *model,
                        bool with_alpha) {
  json_t *j = json_pack("{s:s, s:s}", "theory", question, "weights",
                        weights_name(model));
  if (with_alpha)
    json_object_set_new(j, "alpha", json_real(model->alpha));
  if (model->weights == BPERC_THEORY_ISING)
    return j;
  json_object_set_new(j, "a", json_real(model->a));
  json_object_set_new(j, "fin", json_real(model->fin));
  json_object_set_new(j, "q", json_real(1 / (model->a * model->fin)));
  return j;
}

/* A saddle point that does not exist is an answer, not a failure. */
static int fail_theory(const bperc_error *error, const char *question,
                       const bperc_theory_model *model, json_t **answer) {
  if (error->status == BPERC_E_NUMERIC) {
    *answer = describe(question, model, model->alpha > 0);
    json_object_set_new(*answer, "saddle", json_false());
    json_object_set_new(*answer, "reason", json_string(error->text));
    return CLI_NEGATIVE;
  }
  int code = cli_fail(error);
  return error->status == BPERC_E_ARGUMENT || error->status == BPERC_E_LIMIT
             ? CLI_USAGE
             : code;
}

static void add(json_t *object, const char *key, double value) {
  json_object_set_new(object, key, cli_json_real(value));
}

static void add_accuracy(json_t *j, double residual, double quadrature) {
  add(j, "residual", residual);
  add(j, "quadrature_error", quadrature);
}

/* ---- questions ---- */

static void add_typical(json_t *j, const bperc_theory_typical *t) {
  add(j, "overlap", t->overlap);
  add(j, "typical_distance", t->distance);
  add(j, "mean_square", t->square);
  add(j, "field", t->field);
  add(j, "conjugate", t->conjugate);
  add_accuracy(j, t->residual, t->quadrature_error);
}

static int capacity(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  int code = read_model(cx, false, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_capacity(&model, &t, &error) != BPERC_OK)
    return fail_theory(&error, "capacity", &model, answer);
  *answer = describe("capacity", &model, false);
  add(*answer, "alpha_c", t.alpha);
  add_typical(*answer, &t);
  return CLI_DONE;
}

static int entropy(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  int code = read_model(cx, true, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_entropy(&model, &t, &error) != BPERC_OK)
    return fail_theory(&error, "entropy", &model, answer);
  *answer = describe("entropy", &model, true);
  add(*answer, "entropy", t.entropy);
  json_object_set_new(*answer, "above_capacity", json_boolean(t.entropy < 0));
  add_typical(*answer, &t);
  if (t.entropy < 0)
    cli_warn("the entropy is negative: alpha is above capacity, typically "
             "there is no solution");
  return CLI_DONE;
}

static json_t *state_json(const bperc_theory_state *s) {
  json_t *j = json_object();
  add(j, "x", s->x);
  add(j, "g", s->g);
  add(j, "q_same", s->q_same);
  add(j, "q_diff", s->q_diff);
  add(j, "size", s->size);
  add(j, "complexity", s->complexity);
  return j;
}

static int geometry(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_typical t;
  bperc_error error;
  cli_list x;
  int code = read_model(cx, true, &model);
  if (code == CLI_DONE)
    code = read_list("x", opt.x, "0:2:0.25", &x);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_entropy(&model, &t, &error) != BPERC_OK) {
    cli_list_free(&x);
    return fail_theory(&error, "geometry", &model, answer);
  }
  *answer = describe("geometry", &model, true);
  json_t *points = json_array(), *line = json_array();
  for (size_t k = 0; k < x.n; k++) {
    bperc_theory_state s = bperc_theory_geometry(&t, x.values[k]);
    json_array_append_new(points, state_json(&s));
  }
  json_array_append_new(
      line, json_pack("{s:f, s:f}", "size", 0., "complexity", t.entropy));
  json_array_append_new(
      line, json_pack("{s:f, s:f}", "size", t.entropy, "complexity", 0.));
  bperc_theory_state real = bperc_theory_geometry(&t, 1);
  add(*answer, "entropy", t.entropy);
  add(*answer, "parisi_x", 1);
  add(*answer, "q_same", real.q_same);
  add(*answer, "q_diff", real.q_diff);
  json_object_set_new(*answer, "complexity_line", line);
  json_object_set_new(*answer, "points", points);
  add_accuracy(*answer, t.residual, t.quadrature_error);
  cli_list_free(&x);
  return CLI_DONE;
}

/* ---- local entropies ---- */

static json_t *local_json(const bperc_theory_local *p) {
  static const char *const regimes[] = {"lost", "saddle", "typical", "edge",
                                        "bound"};
  json_t *j = json_object();
  bool lost = p->regime == BPERC_THEORY_LOST;
  add(j, "distance", p->distance);
  add(j, "entropy", p->entropy);
  add(j, "bound", p->bound);
  add(j, "slope", lost ? NAN : p->slope);
  json_object_set_new(j, "regime", json_string(regimes[p->regime]));
  add(j, "residual", lost ? NAN : p->residual);
  add(j, "quadrature_error", lost ? NAN : p->quadrature_error);
  return j;
}

typedef bperc_status local_call(const bperc_theory_model *, const double *,
                                size_t, bperc_theory_local *, double *,
                                bperc_error *);

static int local_answer(const char *question, local_call *call,
                        const bperc_theory_model *model, const cli_list *list,
                        bperc_theory_local *points, json_t **answer) {
  bperc_error error;
  double ended = NAN;
  bperc_status status =
      call(model, list->values, list->n, points, &ended, &error);
  if (status != BPERC_OK && isnan(ended))
    return fail_theory(&error, question, model, answer);
  *answer = describe(question, model, true);
  if (status != BPERC_OK) {
    add(*answer, "ended", ended);
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
  int code = read_model(cx, true, &model);
  if (code == CLI_DONE)
    code = read_list("distances", opt.distances, NULL, &list);
  if (code != CLI_DONE)
    return code;
  bperc_theory_local *points = calloc(list.n, sizeof *points);
  code = points ? local_answer(question, call, &model, &list, points, answer)
                : CLI_SYSTEM;
  free(points);
  cli_list_free(&list);
  return code;
}

static int large_deviation(cli *cx, json_t **answer) {
  return local_entropy(cx, "large-deviation", bperc_theory_large_deviation,
                       answer);
}

static int franz_parisi(cli *cx, json_t **answer) {
  return local_entropy(cx, "franz-parisi", bperc_theory_franz_parisi, answer);
}

static json_t *trial_json(const bperc_theory_trial *t) {
  json_t *j = json_object();
  add(j, "alpha", t->alpha);
  json_object_set_new(j, "survived", json_boolean(t->survived));
  add(j, "ended", t->ended);
  add(j, "smallest_slope", t->slope);
  add(j, "at_distance", t->where);
  return j;
}

static int alpha_u(cli *cx, json_t **answer) {
  bperc_theory_model model;
  bperc_theory_threshold t;
  bperc_error error;
  int code = read_model(cx, false, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_theory_alpha_u(&model, opt.tolerance, opt.smallest, &t, &error) !=
      BPERC_OK)
    return fail_theory(&error, "alpha-u", &model, answer);
  *answer = describe("alpha-u", &model, false);
  add(*answer, "low", t.low);
  add(*answer, "high", t.high);
  add(*answer, "alpha_u", t.alpha_u);
  add(*answer, "distance", t.distance);
  add(*answer, "alpha_c", t.alpha_c);
  json_object_set_new(
      *answer, "trials",
      json_pack("[o, o]", trial_json(&t.at_low), trial_json(&t.at_high)));
  return CLI_DONE;
}

/* ---- curves over A and f_in ---- */

static int curve_point(bperc_theory_model *model, json_t *points,
                       json_t **answer) {
  bperc_theory_typical t;
  bperc_error error;
  if (bperc_theory_capacity(model, &t, &error) != BPERC_OK)
    return fail_theory(&error, "curve", model, answer);
  json_t *j = json_pack("{s:f, s:f}", "fin", model->fin, "a", model->a);
  add(j, "alpha_c", t.alpha);
  add(j, "overlap", t.overlap);
  add_accuracy(j, t.residual, t.quadrature_error);
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
  if (bperc_theory_optimum(model->fin, &a_opt, &best, &error) != BPERC_OK)
    return fail_theory(&error, "curve", model, answer);
  json_array_append_new(optima,
                        json_pack("{s:f, s:f, s:f}", "fin", model->fin, "a_opt",
                                  a_opt, "alpha_c", best.alpha));
  return CLI_DONE;
}

static int curve(cli *cx, json_t **answer) {
  bperc_theory_model model = {.weights = (bperc_theory_weights)opt.weights};
  cli_list a = {0}, fin = {0};
  (void)cx;
  if (model.weights == BPERC_THEORY_ISING)
    return cli_usage("weights -1, +1 have one capacity, not a curve");
  int code = read_list("a", opt.a, "2:80:2", &a);
  if (code == CLI_DONE)
    code = read_list("fin", opt.fin, "0.1:0.5:0.1", &fin);
  json_t *points = json_array(), *optima = json_array();
  for (size_t k = 0; k < fin.n && code == CLI_DONE; k++) {
    model.fin = fin.values[k];
    code = curve_row(&model, &a, points, optima, answer);
  }
  if (code == CLI_DONE)
    *answer =
        json_pack("{s:s, s:s, s:O, s:O}", "theory", "curve", "weights",
                  weights_name(&model), "optima", optima, "points", points);
  json_decref(points);
  json_decref(optima);
  cli_list_free(&a);
  cli_list_free(&fin);
  return code;
}

/* ---- printing ---- */

static void print_cell(const json_t *value, int width) {
  if (json_is_real(value))
    printf("%*.8g", width, json_real_value(value));
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
      json_object_foreach(row, key, value) printf("%16s", key);
      putchar('\n');
    }
    json_object_foreach(row, key, value) print_cell(value, 16);
    putchar('\n');
  }
}

/* Values first, then the tables; keys are those of --json. */
static void print_people(json_t *answer) {
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

static const struct {
  const char *name;
  int (*ask)(cli *cx, json_t **answer);
} questions[] = {
    {"capacity", capacity},
    {"entropy", entropy},
    {"curve", curve},
    {"geometry", geometry},
    {"large-deviation", large_deviation},
    {"alpha-u", alpha_u},
    {"franz-parisi", franz_parisi},
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

static int run(cli *cx) {
  json_t *answer = NULL;
  size_t k = 0;
  while (k < QUESTIONS && strcmp(questions[k].name, cx->arguments[0]))
    k++;
  if (k == QUESTIONS)
    return cli_usage("theory answers capacity, entropy, curve, franz-parisi, "
                     "large-deviation, alpha-u and geometry, not '%s'",
                     cx->arguments[0]);
  int code = questions[k].ask(cx, &answer);
  if (!answer)
    return code;
  if (cx->common.json) {
    cli_json_print(answer);
  } else {
    print_people(answer);
    json_decref(answer);
  }
  return code;
}

const cli_command cmd_theory = {
    .name = "theory",
    .arguments = "QUESTION",
    .summary = "what the replica method predicts",
    .text =
        "QUESTION is one of\n"
        "  capacity         alpha at which the entropy of solutions vanishes\n"
        "  entropy          entropy and overlap of typical solutions\n"
        "  curve            capacity over lists of A and f_in, and the best A\n"
        "  franz-parisi     local entropy around typical solutions\n"
        "  large-deviation  local entropy of the densest region\n"
        "  alpha-u          load above which the densest region breaks\n"
        "  geometry         pure states: g(x), complexity, overlaps\n"
        "Everything depends on A and f_in through Q = 1/(A f_in). Entropies\n"
        "are per weight, in nats; distances are divided by N. Lists are\n"
        "1,2,3 or low:high:step or low:high:xCOUNT (equal ratios).\n\n"
        "  bperc theory capacity --a 12 --fin 0.5\n"
        "  bperc theory capacity --weights ising\n"
        "  bperc theory entropy --alpha 0.2 --a 40 --fin 0.5\n"
        "  bperc theory large-deviation --alpha 0.2 --a 40 --fin 0.5 "
        "--distances 0.001:0.1:x20\n"
        "  bperc theory alpha-u --a 40 --fin 0.5\n"
        "  bperc theory curve --a 2:80:2 --fin 0.1:0.5:0.1",
    .least = 1,
    .most = 1,
    .setup = setup,
    .run = run,
};
