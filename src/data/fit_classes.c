/* Fitting two or more classes: a perceptron for each unit of a scheme. */
#include "bperc/fit.h"

#include "base/alloc.h"
#include "base/options.h"
#include "data/classes.h"
#include "run/class_weights.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
  const bperc_instance *in;
  const uint16_t *classes;
  size_t count; /* of classes */
  bperc_fit_options how;
  uint32_t *fold;  /* of each pattern; NULL without folds */
  double *grid[2]; /* thresholds and margins that served so far */
  size_t grid_size[2];
} classes_fit;

/* A scheme with its units, and what they say of held-out patterns. */
typedef struct {
  bperc_scheme scheme;
  int8_t *code;
  bperc_unit *units;
  size_t count;
  int64_t *held_out; /* units x m; of all patterns without folds */
  int complete;
} scheme_fit;

static bperc_status no_memory_for_classes(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory to fit");
}

static void clear_scheme(scheme_fit *s) {
  for (size_t k = 0; s->units && k < s->count; k++) {
    bperc_i_free(s->units[k].weights);
    bperc_i_free(s->units[k].code);
  }
  bperc_i_free(s->units);
  bperc_i_free(s->code);
  bperc_i_free(s->held_out);
  *s = (scheme_fit){.scheme = s->scheme};
}

/* ---- folds */

/* Equal shares of every class, in an order drawn by seed. */
static bperc_status draw_class_folds(classes_fit *f, bperc_error *error) {
  bperc_stream stream = bperc_stream_make(f->how.seed, BPERC_FOR_FOLDS, 0);
  size_t m = f->in->m, next = 0;
  uint32_t *order = bperc_i_alloc(m, sizeof *order);
  f->fold = bperc_i_alloc(m, sizeof *f->fold);
  if (!order || !f->fold) {
    bperc_i_free(order);
    return no_memory_for_classes(error);
  }
  for (size_t mu = 0; mu < m; mu++)
    order[mu] = (uint32_t)mu;
  bperc_stream_shuffle(&stream, order, m);
  for (size_t v = 0; v < f->count; v++)
    for (size_t k = 0; k < m; k++)
      if (f->classes[order[k]] == v)
        f->fold[order[k]] = (uint32_t)(next++ % f->how.folds);
  bperc_i_free(order);
  return BPERC_OK;
}

/* ---- one unit */

/* The patterns of which the unit wants something. */
typedef struct {
  bperc_instance *in;
  uint32_t *fold;
  double *weights;
} unit_rows;

static void clear_unit_rows(unit_rows *u) {
  bperc_instance_free(u->in);
  bperc_i_free(u->fold);
  bperc_i_free(u->weights);
}

static bperc_status take_unit_rows(const classes_fit *f, const int8_t *code,
                                   unit_rows *out, bperc_error *error) {
  bperc_model model = bperc_instance_model(f->in);
  size_t count = 0, nu = 0;
  bperc_status status;
  *out = (unit_rows){NULL, NULL, NULL};
  for (size_t mu = 0; mu < f->in->m; mu++)
    count += code[f->classes[mu]] != 0;
  status = bperc_instance_new(f->in->n, count, &model, &out->in, error);
  out->fold = bperc_i_alloc(count + 1, sizeof *out->fold);
  out->weights = bperc_i_alloc(count + 1, sizeof *out->weights);
  if (status == BPERC_OK && (!out->fold || !out->weights))
    status = no_memory_for_classes(error);
  for (size_t mu = 0; status == BPERC_OK && mu < f->in->m; mu++) {
    int want = code[f->classes[mu]];
    if (!want)
      continue;
    bperc_i_copy_pattern(f->in, mu, out->in, nu);
    out->in->labels[nu] = want > 0;
    out->fold[nu] = f->fold ? f->fold[mu] : 0;
    out->weights[nu++] = f->how.row_weights ? f->how.row_weights[mu] : 1;
  }
  if (status == BPERC_OK)
    bperc_instance_update_bounds(out->in);
  return status;
}

/* A chance that is the share of the patterns, whatever the inputs. */
static bperc_status constant_unit(const classes_fit *f, bperc_unit *u,
                                  bperc_error *error) {
  double count[2] = {1, 1};
  for (size_t mu = 0; mu < f->in->m; mu++)
    if (u->code[f->classes[mu]])
      count[u->code[f->classes[mu]] > 0]++;
  u->weights = bperc_i_calloc(f->in->words, sizeof *u->weights);
  u->threshold = 0.5;
  u->slope = 0;
  u->offset = log(count[1] / count[0]);
  return u->weights ? BPERC_OK : no_memory_for_classes(error);
}

static bperc_status link_unit(const classes_fit *f, const int64_t *sums,
                              bperc_unit *u, bperc_error *error) {
  size_t m = f->in->m;
  double *z = bperc_i_alloc(m + 1, sizeof *z);
  int8_t *want = bperc_i_alloc(m + 1, 1);
  if (z && want) {
    for (size_t mu = 0; mu < m; mu++) {
      int code = u->code[f->classes[mu]];
      z[mu] = (double)sums[mu] - u->threshold;
      want[mu] = (int8_t)(code ? code > 0 : -1);
    }
    bperc_i_link_fit(z, want, m, &u->slope, &u->offset);
  }
  bperc_i_free(z);
  bperc_i_free(want);
  return z && want ? BPERC_OK : no_memory_for_classes(error);
}

/* Fits a unit; sums: of held-out patterns, or of all without folds. An
 * interruption leaves its best weights so far, or the share of its classes. */
static bperc_status fit_unit(const classes_fit *f, bperc_unit *u, int64_t *sums,
                             bperc_error *error) {
  bperc_fit_result fit;
  bperc_fit_options how = f->how;
  unit_rows rows;
  bperc_error inner;
  bperc_status status = take_unit_rows(f, u->code, &rows, error), linked;
  how.fold = f->fold ? rows.fold : NULL;
  how.row_weights = f->how.row_weights ? rows.weights : NULL;
  how.held_out = f->fold != NULL;
  how.others = f->in;
  how.others_fold = f->fold;
  if (status != BPERC_OK) {
    clear_unit_rows(&rows);
    return status;
  }
  status = bperc_fit(rows.in, &how, &fit, error);
  clear_unit_rows(&rows);
  if (status != BPERC_OK && !fit.weights) {
    bperc_fit_clear(&fit);
    return status == BPERC_E_INTERRUPTED &&
                   constant_unit(f, u, &inner) != BPERC_OK
               ? BPERC_E_MEMORY
               : status;
  }
  u->weights = fit.weights;
  u->threshold = fit.threshold;
  u->kappa = fit.kappa;
  if (fit.held_out)
    memcpy(sums, fit.held_out, f->in->m * sizeof *sums);
  else
    bperc_instance_sums(f->in, u->weights, sums);
  fit.weights = NULL;
  bperc_fit_clear(&fit);
  linked = link_unit(f, sums, u, &inner);
  return linked == BPERC_OK ? status : linked;
}

/* ---- one scheme */

static bperc_status new_scheme(const classes_fit *f, scheme_fit *s,
                               bperc_error *error) {
  s->code = bperc_i_classes_code(s->scheme, f->count, f->how.seed, &s->count);
  s->units = bperc_i_calloc(s->count, sizeof *s->units);
  s->held_out = bperc_i_calloc(s->count * f->in->m + 1, sizeof *s->held_out);
  if (!s->code || !s->units || !s->held_out)
    return no_memory_for_classes(error);
  for (size_t k = 0; k < s->count; k++) {
    s->units[k].code = bperc_i_alloc(f->count, 1);
    if (!s->units[k].code)
      return no_memory_for_classes(error);
    memcpy(s->units[k].code, s->code + k * f->count, f->count);
  }
  s->complete = 1;
  return BPERC_OK;
}

/* An interruption makes it incomplete, and is no failure. */
static bperc_status fit_scheme(const classes_fit *f, scheme_fit *s,
                               bperc_error *error) {
  bperc_status status = new_scheme(f, s, error);
  for (size_t k = 0; status == BPERC_OK && k < s->count; k++) {
    if (s->complete)
      status = fit_unit(f, &s->units[k], s->held_out + k * f->in->m, error);
    else
      status = constant_unit(f, &s->units[k], error);
    if (status == BPERC_E_INTERRUPTED) {
      s->complete = 0;
      status = BPERC_OK;
    }
  }
  return status;
}

/* Confusion of classes by the units' sums; how many errors. */
static bperc_status judge_scheme(const classes_fit *f, const scheme_fit *s,
                                 const int64_t *sums, double sharpness,
                                 size_t *confusion, size_t *errors,
                                 bperc_error *error) {
  uint16_t *told = bperc_i_alloc(f->in->m + 1, sizeof *told);
  if (!told)
    return no_memory_for_classes(error);
  bperc_i_classes_decide(s->units, s->count, f->count, sharpness, sums,
                         f->in->m, told, NULL, NULL);
  *errors = 0;
  for (size_t mu = 0; mu < f->in->m; mu++) {
    confusion[f->classes[mu] * f->count + told[mu]]++;
    *errors += f->classes[mu] != told[mu];
  }
  bperc_i_free(told);
  return BPERC_OK;
}

/* ---- the choice of a scheme */

/* Schemes after the first are tried with few settings and restarts. */
enum { MOST_PAIRED = 20, MOST_GRID = 2, FEW_RESTARTS = 2 };

/* A few values of those that the units so far have chosen. */
static bperc_status keep_grid(classes_fit *f, const scheme_fit *s, int which,
                              bperc_error *error) {
  double *out = bperc_i_alloc(MOST_GRID, sizeof *out);
  size_t count = 0;
  if (!out)
    return no_memory_for_classes(error);
  for (size_t k = 0; k < s->count && count < MOST_GRID; k++) {
    const bperc_unit *u = &s->units[(k * 7 + s->count / 2) % s->count];
    double value = which ? u->kappa : u->threshold;
    size_t at = 0;
    while (at < count && out[at] != value)
      at++;
    if (at == count)
      out[count++] = value;
  }
  f->grid[which] = out;
  f->grid_size[which] = count;
  return BPERC_OK;
}

/* The other schemes try what one against the rest has chosen. */
static void use_grid(const classes_fit *f, bperc_fit_options *how) {
  if (!how->restarts || how->restarts > FEW_RESTARTS)
    how->restarts = FEW_RESTARTS;
  if (!how->thresholds) {
    how->thresholds = f->grid[0];
    how->threshold_count = f->grid_size[0];
  }
  if (!how->kappas) {
    how->kappas = f->grid[1];
    how->kappa_count = f->grid_size[1];
  }
}

/* The scheme with the fewest errors so far. */
typedef struct {
  scheme_fit fit;
  size_t errors;
  size_t *confusion;
} best_scheme;

static bperc_status try_scheme(const classes_fit *f, bperc_scheme scheme,
                               best_scheme *best, bperc_classes_result *out,
                               bperc_error *error) {
  best_scheme now = {.fit = {.scheme = scheme}};
  bperc_status status;
  now.confusion = bperc_i_calloc(f->count * f->count, sizeof *now.confusion);
  status = now.confusion ? fit_scheme(f, &now.fit, error)
                         : no_memory_for_classes(error);
  if (status == BPERC_OK)
    status = judge_scheme(f, &now.fit, now.fit.held_out, 1, now.confusion,
                          &now.errors, error);
  if (status == BPERC_OK && !now.fit.complete)
    out->complete = 0;
  if (status == BPERC_OK && now.fit.complete)
    out->tried[out->tried_count++] =
        (bperc_scheme_trial){scheme, now.fit.count, now.errors};
  if (status == BPERC_OK &&
      (!best->fit.units || (now.fit.complete && now.errors < best->errors))) {
    best_scheme worse = *best;
    *best = now;
    now = worse;
  }
  clear_scheme(&now.fit);
  bperc_i_free(now.confusion);
  return status;
}

/* Whether a scheme is tried when none is asked for. */
static int is_candidate(const classes_fit *f, bperc_scheme scheme) {
  if (!f->fold)
    return scheme == BPERC_SCHEME_REST;
  return (scheme != BPERC_SCHEME_PAIRS || f->count <= MOST_PAIRED) &&
         (scheme != BPERC_SCHEME_BITS || f->count > 3);
}

static bperc_status try_schemes(classes_fit *f, bperc_scheme asked,
                                best_scheme *best, bperc_classes_result *out,
                                bperc_error *error) {
  static const bperc_scheme order[BPERC_SCHEMES] = {
      BPERC_SCHEME_REST, BPERC_SCHEME_PAIRS, BPERC_SCHEME_BITS};
  bperc_status status = BPERC_OK;
  for (size_t k = 0; status == BPERC_OK && k < BPERC_SCHEMES && out->complete;
       k++) {
    if (asked ? order[k] != asked : !is_candidate(f, order[k]))
      continue;
    status = try_scheme(f, order[k], best, out, error);
    for (int which = 0; which < 2 && status == BPERC_OK && !f->grid[which];
         which++)
      status = keep_grid(f, &best->fit, which, error);
    use_grid(f, &f->how);
  }
  if (status == BPERC_OK && !best->fit.units)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu classes have no scheme '%s'", f->count,
                           bperc_scheme_name(asked));
  return status;
}

/* ---- the end */

static bperc_status sharpen(const classes_fit *f, const scheme_fit *s,
                            double *sharpness, bperc_error *error) {
  double *scores = bperc_i_alloc(f->in->m * f->count + 1, sizeof *scores);
  if (!scores)
    return no_memory_for_classes(error);
  bperc_i_classes_decide(s->units, s->count, f->count, 1, s->held_out, f->in->m,
                         NULL, scores, NULL);
  *sharpness = bperc_i_link_sharpness(scores, f->classes, f->in->m, f->count);
  bperc_i_free(scores);
  return BPERC_OK;
}

static bperc_status judge_training(const classes_fit *f, const scheme_fit *s,
                                   bperc_classes_result *out,
                                   bperc_error *error) {
  size_t m = f->in->m, errors;
  int64_t *sums = bperc_i_alloc(s->count * m + 1, sizeof *sums);
  bperc_status status = BPERC_OK;
  if (!sums)
    return no_memory_for_classes(error);
  for (size_t k = 0; k < s->count; k++)
    bperc_instance_sums(f->in, s->units[k].weights, sums + k * m);
  status = judge_scheme(f, s, sums, out->sharpness, out->train, &errors, error);
  bperc_i_free(sums);
  return status;
}

static bperc_status fit_many(classes_fit *f, bperc_scheme scheme,
                             bperc_classes_result *out, bperc_error *error) {
  best_scheme best = {.confusion = NULL};
  bperc_status status = BPERC_OK;
  if (f->how.folds > 1)
    status = draw_class_folds(f, error);
  if (status == BPERC_OK)
    status = try_schemes(f, scheme, &best, out, error);
  if (status == BPERC_OK)
    status = sharpen(f, &best.fit, &out->sharpness, error);
  if (status == BPERC_OK)
    status = judge_training(f, &best.fit, out, error);
  if (status == BPERC_OK) {
    out->scheme = best.fit.scheme;
    out->units = best.fit.units;
    out->unit_count = best.fit.count;
    out->linked = 1;
    best.fit.units = NULL;
    if (f->fold && best.fit.complete) {
      out->validation = best.confusion;
      best.confusion = NULL;
    }
    if (!out->complete)
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  clear_scheme(&best.fit);
  bperc_i_free(best.confusion);
  bperc_i_free(f->fold);
  bperc_i_free(f->grid[0]);
  bperc_i_free(f->grid[1]);
  return status;
}

/* ---- two classes */

static void two_by_two(const bperc_score *s, size_t *out) {
  out[0] = s->tn;
  out[1] = s->fp;
  out[2] = s->fn;
  out[3] = s->tp;
}

static bperc_status link_two(const classes_fit *f, bperc_classes_result *out,
                             bperc_error *error) {
  static int8_t code[] = {-1, 1};
  bperc_unit u = {.threshold = out->fit.threshold, .code = code};
  bperc_status status = link_unit(f, out->fit.held_out, &u, error);
  out->linked = status == BPERC_OK;
  out->slope = u.slope;
  out->offset = u.offset;
  return status;
}

static bperc_status fit_two(classes_fit *f, bperc_classes_result *out,
                            bperc_error *error) {
  bperc_instance in = *f->in; /* shares the patterns; labels of its own */
  bperc_status status;
  in.labels = bperc_i_alloc(in.m + 1, sizeof *in.labels);
  if (!in.labels)
    return no_memory_for_classes(error);
  for (size_t mu = 0; mu < in.m; mu++)
    in.labels[mu] = f->classes[mu] != 0;
  f->how.held_out = 1;
  status = bperc_fit(&in, &f->how, &out->fit, error);
  bperc_i_free(in.labels);
  if (!out->fit.weights)
    return status;
  out->complete = out->fit.complete;
  two_by_two(&out->fit.train, out->train);
  if (status == BPERC_OK && out->fit.folds) {
    out->validation = bperc_i_calloc(4, sizeof *out->validation);
    if (!out->validation)
      return no_memory_for_classes(error);
    two_by_two(&out->fit.validation, out->validation);
    status = link_two(f, out, error);
  }
  return status;
}

bperc_status bperc_fit_classes(const bperc_instance *in,
                               const bperc_fit_options *options,
                               bperc_classes_result *out, bperc_error *error) {
  classes_fit f = {.in = in};
  bperc_status status;
  bperc_i_options_plain(sizeof f.how, options, &f.how);
  f.classes = f.how.classes;
  f.count = f.how.class_count;
  *out = (bperc_classes_result){
      .class_count = f.count, .sharpness = 1, .slope = 1, .complete = 1};
  if (f.count < 2 || f.count > 255 || !f.classes)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu classes: from 2 to 255 are told apart",
                           f.count);
  out->train = bperc_i_calloc(f.count * f.count, sizeof *out->train);
  if (!out->train)
    return no_memory_for_classes(error);
  status = f.count == 2 ? fit_two(&f, out, error)
                        : fit_many(&f, f.how.scheme, out, error);
  if (status != BPERC_OK &&
      (status != BPERC_E_INTERRUPTED || (!out->units && !out->fit.weights)))
    bperc_classes_clear(out);
  return status;
}

void bperc_classes_clear(bperc_classes_result *r) {
  for (size_t k = 0; r->units && k < r->unit_count; k++) {
    bperc_i_free(r->units[k].weights);
    bperc_i_free(r->units[k].code);
  }
  bperc_i_free(r->units);
  bperc_i_free(r->train);
  bperc_i_free(r->validation);
  bperc_fit_clear(&r->fit);
  memset(r, 0, sizeof *r);
}
