/* Random ensembles on the command line. */
#include "cli_ensemble.h"

#include "cli_solver.h"

#include <math.h>

static BPERC_OPTIONS_DEFINE(ensemble_rows, cli_ensemble, CLI_ENSEMBLE_ROWS);

void cli_group_ensemble(cli *cx, cli_ensemble *values, bool patterns) {
  bperc_option_table table = ensemble_rows();
  *values = (cli_ensemble){.m = -1, .alpha = -1};
  if (!patterns) /* the last two rows: m and alpha */
    table.count -= 2;
  cli_group(cx, "instances", table, values);
  cli_group_table(cx);
}

/* A, the threshold, or 0 for inputs -1/+1. */
static int take_threshold(const cli *cx, const cli_ensemble *values,
                          bperc_model *model) {
  bool direct = cli_given(cx, "threshold");
  if (direct && values->a > 0)
    return cli_usage("give --a or --threshold, not both");
  model->a = values->a;
  model->theta = values->threshold;
  if (values->a <= 0 && !direct && model->inputs == BPERC_INPUTS_01)
    return cli_usage("%s needs --a or --threshold", cx->command->name);
  return CLI_DONE;
}

static int take_structure(const cli_ensemble *values, bperc_ensemble *out) {
  if ((values->copies > 0) + (values->prototypes > 0) + (values->source > 0) >
      1)
    return cli_usage("give one of --copies, --prototypes, --source");
  if (values->copies) {
    out->structure = BPERC_PATTERNS_COPIES;
    out->groups = (size_t)values->copies;
  } else if (values->prototypes) {
    out->structure = BPERC_PATTERNS_PROTOTYPES;
    out->groups = (size_t)values->prototypes;
  } else if (values->source) {
    out->structure = BPERC_PATTERNS_SOURCE;
    out->groups = (size_t)values->source;
  } else if (values->noise > 0) {
    return cli_usage("--noise needs --copies, --prototypes or --source");
  }
  out->noise = values->noise;
  return CLI_DONE;
}

static int take_pattern_count(const cli *cx, const cli_ensemble *values,
                              bperc_ensemble *out) {
  if (values->m >= 0 && values->alpha >= 0)
    return cli_usage("give --m or --alpha, not both");
  if (values->m < 0 && values->alpha < 0)
    return cli_usage("%s needs --n, --fin, --a and one of --m, --alpha",
                     cx->command->name);
  out->m = values->m >= 0
               ? (size_t)values->m
               : (size_t)nearbyint(values->alpha * (double)values->n);
  return CLI_DONE;
}

/* Options of random patterns that a file does not leave open. */
static const char *in_vain(const cli *cx) {
  static const char *const names[] = {"n",          "fin",     "inputs",
                                      "fout",       "teacher", "copies",
                                      "prototypes", "source",  "noise"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (cli_given(cx, names[k]))
      return names[k];
  return NULL;
}

static double share_of_ones(const bperc_instance *in) {
  double ones = 0, all = (double)in->m * (double)in->n;
  for (size_t k = 0; k < in->m * in->words; k++)
    ones += __builtin_popcountll(in->patterns[k]);
  return all > 0 ? ones / all : 0;
}

/* The rows of --data as an ensemble. */
static int take_data(const cli *cx, cli_ensemble *values, bool patterns,
                     bperc_ensemble *out) {
  bperc_data_options rules = cli_table_options(cx);
  bool direct = cli_given(cx, "threshold");
  bperc_read_options read = {.ties = (bperc_ties)values->ties,
                             .a = values->a,
                             .threshold = values->threshold,
                             .kappa = values->kappa,
                             .band = values->band,
                             .weights = (bperc_weight_kind)values->weights};
  bperc_error error;
  if (in_vain(cx) || values->teacher)
    return cli_usage("--%s is for random patterns: with --data they are rows "
                     "of the file",
                     in_vain(cx) ? in_vain(cx) : "teacher-out");
  if (direct && values->a > 0)
    return cli_usage("give --a or --threshold, not both");
  read.given = (values->a > 0 ? BPERC_GIVEN_A : 0) |
               (direct ? BPERC_GIVEN_THRESHOLD : 0) |
               (cli_given(cx, "kappa") ? BPERC_GIVEN_KAPPA : 0) |
               (cli_given(cx, "band") ? BPERC_GIVEN_BAND : 0) |
               (cli_given(cx, "weights") ? BPERC_GIVEN_WEIGHTS : 0);
  if (bperc_data_read(values->data, &rules, &read, NULL, &values->rows, &error))
    return cli_fail_input(&error);
  values->n = (int64_t)values->rows->n;
  *out = (bperc_ensemble){.n = values->rows->n,
                          .fin = share_of_ones(values->rows),
                          .fout = 0.5,
                          .model = bperc_instance_model(values->rows),
                          .rows = values->rows};
  return patterns ? take_pattern_count(cx, values, out) : CLI_DONE;
}

void cli_ensemble_release(cli_ensemble *values) {
  bperc_instance_free(values->rows);
  values->rows = NULL;
}

/* f_out; with a band all labels are 1 unless the user says otherwise, and 0 is
 * as good as never. */
static double share_of_labels(const cli *cx, const cli_ensemble *values) {
  if (values->band > 0 && !values->teacher && !cli_given(cx, "fout"))
    return 1;
  return values->fout > 0 ? values->fout : 1e-300;
}

int cli_ensemble_take(const cli *cx, cli_ensemble *values, bool patterns,
                      bperc_ensemble *out) {
  bperc_error error;
  bool pm = values->inputs == BPERC_INPUTS_PM;
  int code = CLI_DONE;
  if (values->data) {
    code = take_data(cx, values, patterns, out);
    return code == CLI_DONE && bperc_ensemble_check(out, &error)
               ? cli_fail(&error)
               : code;
  }
  if (values->n < 1 || (values->fin < 0 && !pm))
    return cli_usage("%s needs --n, --fin, --a%s", cx->command->name,
                     patterns ? " and one of --m, --alpha" : "");
  if (!(values->fout > 0 && values->fout < 1) && values->band == 0)
    return cli_usage("--fout %g is not above 0 and below 1", values->fout);
  *out =
      (bperc_ensemble){.n = (size_t)values->n,
                       .fin = values->fin < 0 ? 0.5 : values->fin,
                       .model = {.kappa = values->kappa,
                                 .band = values->band,
                                 .ties = (bperc_ties)values->ties,
                                 .weights = (bperc_weight_kind)values->weights,
                                 .inputs = (bperc_input_kind)values->inputs},
                       .fout = share_of_labels(cx, values),
                       .teacher = (int)values->teacher};
  if (patterns)
    code = take_pattern_count(cx, values, out);
  if (code == CLI_DONE)
    code = take_threshold(cx, values, &out->model);
  if (code == CLI_DONE)
    code = take_structure(values, out);
  if (code == CLI_DONE && bperc_ensemble_check(out, &error))
    code = cli_fail(&error);
  return code;
}

static const char *const structures[] = {"free", "copies", "prototypes",
                                         "source"};

json_t *cli_json_ensemble(const bperc_ensemble *e) {
  const bperc_model *model = &e->model;
  double theta = model->a > 0 ? (double)e->n / model->a : model->theta;
  json_t *j = json_pack(
      "{s:I, s:f, s:o, s:s, s:s, s:s, s:f, s:f, s:f, s:b, s:s, s:I, s:f, s:o}",
      "n", (json_int_t)e->n, "fin", e->fin, "a",
      model->a > 0 ? json_real(model->a) : json_null(), "ties",
      bperc_ties_name(model->ties), "weights",
      bperc_weights_name(model->weights), "inputs",
      bperc_inputs_name(model->inputs), "threshold", theta, "kappa",
      model->kappa, "fout", e->fout, "teacher", e->teacher, "structure",
      structures[e->structure], "groups", (json_int_t)e->groups, "noise",
      e->noise, "rows",
      e->rows ? json_integer((json_int_t)e->rows->m) : json_null());
  if (model->band > 0)
    json_object_set_new(j, "band", json_real(model->band));
  return j;
}

void cli_print_ensemble(const bperc_ensemble *e) {
  const bperc_model *model = &e->model;
  if (e->rows)
    printf("rows of a file with %zu, ", e->rows->m);
  printf("N = %zu, f_in = %g", e->n, e->fin);
  if (model->a > 0)
    printf(", A = %g", model->a);
  else
    printf(", threshold %g", model->theta);
  if (model->weights == BPERC_WEIGHTS_PM)
    printf(", weights -1/+1");
  if (model->inputs == BPERC_INPUTS_PM)
    printf(", inputs -1/+1");
  if (model->kappa > 0)
    printf(", kappa = %g", model->kappa);
  if (model->band > 0)
    printf(", band %g", model->band);
  if (e->fout != 0.5)
    printf(", f_out = %g", e->fout);
  if (e->teacher)
    printf(", labels of a teacher");
  if (e->structure != BPERC_PATTERNS_FREE)
    printf(", %s %zu, noise %g", structures[e->structure], e->groups, e->noise);
}

void cli_trials_tick(void *context, size_t done, size_t total) {
  cli_trials *t = context;
  char left[32];
  double seconds;
  if (!cli_progress_due(&t->progress))
    return;
  seconds = cli_now() - t->progress.started;
  cli_duration(seconds * (double)(total - done) / (double)done, left,
               sizeof left);
  cli_progress_show(&t->progress, "%s: %zu of %zu, about %s left", t->what,
                    done, total, left);
}

size_t cli_trials_kept(size_t kept, size_t total, const char *what) {
  if (kept)
    cli_warn("the answer is of the first %zu of %zu %s", kept, total, what);
  else
    cli_warn("the first of %zu %s was not finished: nothing is kept", total,
             what);
  return kept;
}
