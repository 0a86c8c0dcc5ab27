/* A model at work: sums, scores, classes, probabilities. */
#include "bperc/data.h"

#include "base/alloc.h"
#include "data/classes.h"

#include <assert.h>
#include <math.h>

const char *bperc_scheme_name(bperc_scheme scheme) {
  static const char *const names[] = {"two", "rest", "pairs", "bits"};
  return scheme <= BPERC_SCHEME_BITS ? names[scheme] : "?";
}

void bperc_classifier_free(bperc_classifier *c) {
  if (!c)
    return;
  for (size_t k = 0; k < c->unit_count; k++) {
    bperc_i_free(c->units[k].weights);
    bperc_i_free(c->units[k].code);
  }
  bperc_i_free(c->units);
  bperc_encoding_free(c->encoding);
  bperc_i_free(c->weights);
  bperc_i_free(c->source);
  bperc_i_free(c);
}

size_t bperc_classifier_classes(const bperc_classifier *c) {
  return bperc_encoding_classes(c->encoding);
}

size_t bperc_classifier_units(const bperc_classifier *c) {
  return c->unit_count ? c->unit_count : 1;
}

bperc_unit bperc_classifier_unit(const bperc_classifier *c, size_t unit) {
  assert(unit < bperc_classifier_units(c));
  if (c->unit_count)
    return c->units[unit];
  return (bperc_unit){.weights = c->weights,
                      .threshold = c->model.a > 0 ? (double)c->n / c->model.a
                                                  : c->model.theta,
                      .kappa = c->model.kappa,
                      .slope = c->linked ? c->slope : 1,
                      .offset = c->linked ? c->offset : 0};
}

/* log(1 / (1 + exp(-z))) without overflow. */
static double log_chance(double z) {
  return z > 0 ? -log1p(exp(-z)) : z - log1p(exp(z));
}

/* What a unit with this sum adds to the scores of the classes. */
static void add_unit_scores(const bperc_unit *u, size_t classes, double sum,
                            double *scores) {
  double z = u->offset + u->slope * (sum - u->threshold);
  double for_it = log_chance(z), against = log_chance(-z);
  for (size_t v = 0; v < classes; v++) {
    int wants = u->code ? u->code[v] : v ? 1 : -1;
    if (wants)
      scores[v] += wants > 0 ? for_it : against;
  }
}

static void probabilities_of(const double *scores, size_t classes,
                             double sharpness, double *out) {
  double most = -INFINITY, total = 0;
  for (size_t v = 0; v < classes; v++)
    most = fmax(most, scores[v]);
  for (size_t v = 0; v < classes; v++)
    total += out[v] = exp(sharpness * (scores[v] - most));
  for (size_t v = 0; v < classes; v++)
    out[v] /= total;
}

static size_t largest_score(const double *scores, size_t classes) {
  size_t best = 0;
  for (size_t v = 1; v < classes; v++)
    if (scores[v] > scores[best])
      best = v;
  return best;
}

void bperc_i_classes_decide(const bperc_unit *units, size_t unit_count,
                            size_t class_count, double sharpness,
                            const int64_t *sums, size_t m, uint16_t *classes,
                            double *scores, double *probabilities) {
  double own[256];
  assert(class_count <= 256);
  for (size_t mu = 0; mu < m; mu++) {
    for (size_t v = 0; v < class_count; v++)
      own[v] = 0;
    for (size_t k = 0; k < unit_count; k++)
      add_unit_scores(&units[k], class_count, (double)sums[k * m + mu], own);
    if (classes)
      classes[mu] = (uint16_t)largest_score(own, class_count);
    for (size_t v = 0; scores && v < class_count; v++)
      scores[mu * class_count + v] = own[v];
    if (probabilities)
      probabilities_of(own, class_count, sharpness,
                       probabilities + mu * class_count);
  }
}

/* One perceptron: its sum alone decides, whatever the link. */
static void decide_two(const bperc_unit *u, const int64_t *sums, size_t m,
                       uint16_t *classes, double *scores) {
  for (size_t mu = 0; mu < m; mu++) {
    double score = (double)sums[mu] - u->threshold;
    if (classes)
      classes[mu] = score > 0;
    if (scores)
      scores[mu] = score;
  }
}

bperc_status bperc_classifier_decide(const bperc_classifier *c,
                                     const bperc_instance *in,
                                     uint16_t *classes, double *scores,
                                     double *probabilities) {
  size_t count = bperc_classifier_units(c);
  int64_t *sums = bperc_i_alloc(count * in->m + 1, sizeof *sums);
  bperc_unit *units = bperc_i_alloc(count, sizeof *units);
  if (sums && units) {
    for (size_t k = 0; k < count; k++) {
      units[k] = bperc_classifier_unit(c, k);
      bperc_instance_sums(in, units[k].weights, sums + k * in->m);
    }
    if (c->unit_count)
      bperc_i_classes_decide(
          units, count, c->encoding ? bperc_classifier_classes(c) : 2,
          c->sharpness, sums, in->m, classes, scores, probabilities);
    else {
      decide_two(units, sums, in->m, classes, scores);
      if (probabilities)
        bperc_i_classes_decide(units, 1, 2, 1, sums, in->m, NULL, NULL,
                               probabilities);
    }
  }
  bperc_i_free(sums);
  bperc_i_free(units);
  return sums && units ? BPERC_OK : BPERC_E_MEMORY;
}
