/* Estimates and their bounds. Sums run in the order of instances, so that
 * results do not depend on who ran what. */
#include "lab/verdict/statistic.h"

#include "lab/base/memory.h"
#include "numeric/sample.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

const bperc_i_estimate bperc_i_unknown = {BPERC_I_UNKNOWN, .value = NAN,
                                          .sem = NAN};

/* ---- is it beyond a bound? */

/* Student's critical value, stretched by the first term of Cornish and Fisher
 * for a mean of n numbers of this skewness. For a log-normal mean it is close
 * to the true quantile at every n (tests/unit/lab/verdict/test_rates.c). */
static double critical(const bperc_i_estimate *e, double rate) {
  double z = gsl_cdf_ugaussian_Qinv(rate);
  double t = e->dof > 1e6 ? z : gsl_cdf_tdist_Qinv(rate, e->dof);
  return t * (1 + e->skewness * (2 * z * z + 1) / (6 * z * sqrt((double)e->n)));
}

/* The smallest p that k of n instances would be below with probability rate,
 * by bisection; p falls from chance 1 at 0. */
static double share_bound(const bperc_i_share *s, double rate, int upper) {
  double low = 0, high = 1;
  for (int k = 0; k < 60; k++) {
    double p = (low + high) / 2;
    double chance =
        upper ? bperc_i_share_below(s, p) : bperc_i_share_above(s, p);
    /* with p the chance of so many grows, that of so few shrinks */
    if (upper ? chance > rate : chance <= rate)
      low = p;
    else
      high = p;
  }
  return upper ? high : low;
}

static int shares_above(const bperc_i_estimate *e, double bound, double rate) {
  if (bound == 0)
    return e->above <= rate;
  return share_bound(&e->share[0], rate / 2, 0) -
             share_bound(&e->share[1], rate / 2, 1) >
         bound;
}

int bperc_i_is_above(const bperc_i_estimate *e, double bound, double rate) {
  switch (e->method) {
  case BPERC_I_EXACT:
    return e->value > bound;
  case BPERC_I_STUDENT:
    if (!(e->value > bound))
      return 0;
    if (!(e->sem > 0)) /* all alike: as many heads in a row */
      return ldexp(1, -(int)(e->n < 1000 ? e->n : 1000)) <= rate;
    return (e->value - bound) / e->sem >= critical(e, rate);
  case BPERC_I_SHARE:
    return bperc_i_share_above(&e->share[0], bound + e->share[1].mean) <= rate;
  case BPERC_I_SHARES:
    return shares_above(e, bound, rate);
  case BPERC_I_CHANCES:
    return bound == 0 && e->above <= rate;
  case BPERC_I_UNKNOWN:
    break;
  }
  return 0;
}

/* The fewest of n instances that are beyond the bound, as a share above it. */
static double share_critical(const bperc_i_estimate *e, double rate) {
  bperc_i_share s = e->share[0];
  double bound = e->share[1].mean;
  size_t low = 0, high = s.n + 1;
  while (high - low > 1) { /* low: not enough */
    size_t k = (low + high) / 2;
    s.mean = (double)k / (double)s.n;
    if (bperc_i_share_above(&s, bound) <= rate)
      high = k;
    else
      low = k;
  }
  return high > s.n ? NAN : (double)high / (double)s.n - bound;
}

double bperc_i_critical_value(const bperc_i_estimate *e, double rate) {
  if (e->method == BPERC_I_EXACT)
    return 0;
  if (e->method == BPERC_I_STUDENT)
    return e->sem > 0 ? e->sem * critical(e, rate) : NAN;
  if (e->method == BPERC_I_SHARE && e->share[0].rows == 1)
    return share_critical(e, rate);
  return NAN;
}

double bperc_i_chance(const bperc_i_estimate *e) {
  switch (e->method) {
  case BPERC_I_SHARE:
    return bperc_i_share_above(&e->share[0], e->share[1].mean);
  case BPERC_I_SHARES:
  case BPERC_I_CHANCES:
    return e->above;
  default:
    return NAN;
  }
}

bperc_i_estimate bperc_i_negative(bperc_i_estimate e) {
  bperc_i_share first = e.share[0];
  double above = e.above;
  e.value = -e.value;
  e.above = e.below;
  e.below = above;
  if (e.method == BPERC_I_SHARES) {
    e.share[0] = e.share[1];
    e.share[1] = first;
  } else if (e.method == BPERC_I_SHARE) { /* of no instead of yes */
    e.share[0].mean = 1 - e.share[0].mean;
    e.share[1].mean = 1 - e.share[1].mean;
  }
  return e;
}

int bperc_i_is_below(const bperc_i_estimate *e, double bound, double rate) {
  bperc_i_estimate other = bperc_i_negative(*e);
  return bperc_i_is_above(&other, -bound, rate);
}

static size_t times_as_many(size_t n, double times) {
  return (size_t)nearbyint((double)n * times);
}

static double sharper(double chance, double times) {
  double z = gsl_cdf_ugaussian_Qinv(fmin(fmax(chance, 1e-300), 1 - 1e-16));
  return gsl_cdf_ugaussian_Q(sqrt(times) * z);
}

bperc_i_estimate bperc_i_with_more(bperc_i_estimate e, double times) {
  if (e.method == BPERC_I_UNKNOWN || e.method == BPERC_I_EXACT)
    return e;
  e.n = times_as_many(e.n, times);
  if (e.most && e.n > e.most)
    e.n = e.most;
  e.dof = (double)e.n - 1;
  e.sem /= sqrt(times);
  for (int k = 0; k < 2; k++)
    e.share[k].n = times_as_many(e.share[k].n, times);
  if (e.method == BPERC_I_CHANCES || e.method == BPERC_I_SHARES) {
    e.above = sharper(e.above, times);
    e.below = sharper(e.below, times);
  }
  return e;
}

/* ---- cells by instance */

/* Mean and standard deviation of what judges use of a cell. */
static void moments(const bperc_i_table_cell *c, double *mean, double *sd) {
  *mean = c->mean;
  *sd = c->exact ? 0 : c->sem * sqrt((double)c->n);
  if (!c->exact && c->values) {
    bperc_i_mean(c->values, c->n, mean, sd);
    *sd *= sqrt((double)c->n);
  }
}

/* ---- contrasts */

/* Skewness of the sum, if rows are as skewed as they may be and alike in shape:
 * rows independent, or those of one sign all together. */
static double skewness(const bperc_i_table_cell *const *cells, const double *w,
                       size_t count) {
  double cube = 0, square = 0, side[2] = {0, 0}, alone, together;
  for (size_t k = 0; k < count; k++) {
    double mean, sd, s;
    moments(cells[k], &mean, &sd);
    s = fabs(w[k]) * sd;
    cube += copysign(s * s * s, w[k]);
    square += s * s;
    side[w[k] < 0] += s;
  }
  alone = fabs(cube) / pow(square, 1.5);
  together = fabs(pow(side[0], 3) - pow(side[1], 3)) /
             pow(side[0] * side[0] + side[1] * side[1], 1.5);
  return square > 0 ? BPERC_I_SKEWNESS * fmax(alone, together) : 0;
}

/* The numbers of instances that have every random cell; returns how many. */
static size_t complete(const bperc_i_table_cell *const *cells, const double *w,
                       size_t count, uint32_t most, double *out) {
  size_t n = 0;
  for (uint32_t i = 0; i < most; i++) {
    double sum = 0, y;
    size_t k = 0;
    for (; k < count; k++) {
      if (cells[k]->exact)
        y = cells[k]->mean;
      else if (!bperc_i_cell_value(cells[k], i, &y))
        break;
      sum += w[k] * y;
    }
    if (k == count)
      out[n++] = sum;
  }
  return n;
}

/* Every instance with its influence on all means; scratch: one each. */
static void by_influence(const bperc_i_table_cell *const *cells,
                         const double *w, size_t count, uint32_t most,
                         double *scratch, bperc_i_estimate *e) {
  double square = 0, mean, sd;
  e->value = 0;
  memset(scratch, 0, most * sizeof *scratch);
  for (size_t k = 0; k < count; k++) {
    const bperc_i_table_cell *c = cells[k];
    moments(c, &mean, &sd);
    e->value += w[k] * mean;
    if (!c->exact && !c->values)
      square += w[k] * w[k] * c->sem * c->sem;
    assert(!c->values || !c->n || c->instances[c->n - 1] < most);
    for (size_t i = 0; !c->exact && c->values && i < c->n; i++)
      scratch[c->instances[i]] += w[k] * (c->values[i] - mean) /
                                  sqrt((double)c->n * (double)(c->n - 1));
  }
  for (uint32_t i = 0; i < most; i++)
    square += scratch[i] * scratch[i];
  e->sem = sqrt(square);
}

/* Random cells, their fewest instances and all their values. */
static size_t random_cells(const bperc_i_table_cell *const *cells, size_t count,
                           size_t *fewest, size_t *values) {
  size_t random = 0;
  *fewest = SIZE_MAX;
  *values = 0;
  for (size_t k = 0; k < count; k++) {
    if (cells[k]->exact)
      continue;
    random++;
    *values += cells[k]->n;
    *fewest = cells[k]->n < *fewest ? cells[k]->n : *fewest;
  }
  return random;
}

/* What is nothing but rounding of equal numbers is 0. */
static void without_rounding(const bperc_i_table_cell *const *cells,
                             const double *w, size_t count,
                             bperc_i_estimate *e) {
  double size = 0;
  for (size_t k = 0; k < count; k++)
    size += fabs(w[k] * cells[k]->mean);
  if (fabs(e->value) <= 1e-13 * size)
    e->value = 0;
  if (e->sem <= 1e-13 * size)
    e->sem = 0;
}

bperc_i_estimate bperc_i_contrast(const bperc_i_table_cell *const *cells,
                                  const double *w, size_t count) {
  bperc_i_estimate e = {BPERC_I_STUDENT, .value = 0};
  uint32_t most = bperc_i_most_instances(cells, count);
  double *own = bperc_alloc(most, sizeof *own);
  size_t fewest, values, n;
  size_t random = random_cells(cells, count, &fewest, &values);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(cells[k]->mean))
      random = SIZE_MAX;
  if (!own || random == SIZE_MAX || (random && fewest < 2)) {
    bperc_free(own);
    return bperc_i_unknown;
  }
  n = complete(cells, w, count, most, own);
  if (random && n > 1 && 2 * n * random >= values) {
    bperc_i_mean(own, n, &e.value, &e.sem);
    e.n = n;
  } else {
    by_influence(cells, w, count, most, own, &e);
    e.n = random ? fewest : 0;
  }
  bperc_free(own);
  e.most = bperc_i_most_batches(cells, count);
  e.dof = (double)e.n - 1;
  e.skewness = skewness(cells, w, count);
  e.method = random ? BPERC_I_STUDENT : BPERC_I_EXACT;
  without_rounding(cells, w, count, &e);
  return isfinite(e.value) && e.sem >= 0 ? e : bperc_i_unknown;
}

static bperc_i_share share_of(const bperc_i_table_cell *c, size_t rows) {
  double mean, sd;
  moments(c, &mean, &sd);
  return (bperc_i_share){mean, c->exact ? 0 : c->n, rows};
}

bperc_i_estimate bperc_i_level(const bperc_i_table_cell *c, int yes_no,
                               size_t rows) {
  const double one = 1;
  bperc_i_estimate e = bperc_i_contrast(&c, &one, 1);
  if (!yes_no || c->exact || !c->values || !c->n || !isfinite(c->mean))
    return e;
  e.method = BPERC_I_SHARE;
  e.value = c->mean;
  e.sem = c->sem;
  e.n = c->n;
  e.share[0] = share_of(c, rows);
  e.share[1] = (bperc_i_share){0, 0, 0};
  return e;
}

bperc_i_estimate bperc_i_difference(const bperc_i_table_cell *a,
                                    const bperc_i_table_cell *b, int yes_no) {
  const bperc_i_table_cell *cells[] = {a, b};
  const double w[] = {-1, 1};
  bperc_i_estimate e = bperc_i_contrast(cells, w, 2);
  if (a->exact && b->exact)
    return e; /* no randomness, whatever the numbers look like */
  if (yes_no && a->exact && !b->exact) {
    e = bperc_i_level(b, 1, 1);
    e.value -= a->mean;
    e.share[1].mean = a->mean;
    return e;
  }
  if (yes_no && b->exact && !a->exact)
    return bperc_i_negative(bperc_i_difference(b, a, 1));
  if (!yes_no || !a->values || !b->values || !a->n || !b->n)
    return e;
  e.method = BPERC_I_SHARES;
  e.value = b->mean - a->mean;
  e.share[0] = share_of(b, 1);
  e.share[1] = share_of(a, 1);
  e.n = a->n < b->n ? a->n : b->n;
  bperc_i_compare_shares(a, b, &e);
  return e;
}

/* ---- pooling */
