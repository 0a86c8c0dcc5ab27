/* Scores to probabilities: logistic links on held-out scores. */
#include "data/classes.h"

#include <math.h>

enum { STEPS = 50 };

/* Platt's targets: as if one more row of each label had been seen. */
typedef struct {
  const double *z;
  const int8_t *want;
  size_t m;
  double one, zero, scale;
} link_data;

static double target_of(const link_data *d, size_t k) {
  return d->want[k] ? d->one : d->zero;
}

/* Minus the log likelihood, its gradient and second derivatives in slope (times
 * scale) and offset. */
static double link_cost(const link_data *d, double slope, double offset,
                        double *gradient, double *second) {
  double cost = 0;
  gradient[0] = gradient[1] = 0;
  second[0] = second[1] = second[2] = 1e-12;
  for (size_t k = 0; k < d->m; k++) {
    double x, y, t, p;
    if (d->want[k] < 0)
      continue;
    x = d->z[k] * d->scale;
    y = offset + slope * x;
    t = target_of(d, k);
    p = 1 / (1 + exp(-y));
    cost += (y > 0 ? y + log1p(exp(-y)) : log1p(exp(y))) - t * y;
    gradient[0] += (p - t) * x;
    gradient[1] += p - t;
    second[0] += p * (1 - p) * x * x;
    second[1] += p * (1 - p) * x;
    second[2] += p * (1 - p);
  }
  return cost;
}

/* Newton's steps, halved until the cost falls. */
static void descend_link(const link_data *d, double *slope, double *offset) {
  double gradient[2], second[3];
  double cost = link_cost(d, *slope, *offset, gradient, second);
  for (int step = 0; step < STEPS; step++) {
    double det = second[0] * second[2] - second[1] * second[1], size = 1;
    double da = -(second[2] * gradient[0] - second[1] * gradient[1]) / det;
    double db = -(second[0] * gradient[1] - second[1] * gradient[0]) / det;
    double next = INFINITY;
    if (!(det > 0) || fabs(gradient[0]) + fabs(gradient[1]) < 1e-9)
      return;
    for (; size > 1e-10; size /= 2) {
      double g[2], s[3];
      next = link_cost(d, *slope + size * da, *offset + size * db, g, s);
      if (next < cost)
        break;
    }
    if (!(next < cost))
      return;
    *slope += size * da;
    *offset += size * db;
    cost = link_cost(d, *slope, *offset, gradient, second);
  }
}

void bperc_i_link_fit(const double *z, const int8_t *want, size_t m,
                      double *slope, double *offset) {
  double count[2] = {0, 0}, square = 0;
  link_data d = {.z = z, .want = want, .m = m};
  for (size_t k = 0; k < m; k++)
    if (want[k] >= 0) {
      count[want[k]]++;
      square += z[k] * z[k];
    }
  d.one = (count[1] + 1) / (count[1] + 2);
  d.zero = 1 / (count[0] + 2);
  d.scale = square > 0 ? sqrt((count[0] + count[1]) / square) : 1;
  *slope = 0;
  *offset = log((count[1] + 1) / (count[0] + 1));
  descend_link(&d, slope, offset);
  *slope *= d.scale;
  if (*slope >= 0)
    return;
  *slope = 0; /* the scores say nothing: the shares alone */
  *offset = log((count[1] + 1) / (count[0] + 1));
}

/* ---- sharpness of more than two classes */

/* Minus the log likelihood of the true classes under exp(sharpness * score). */
static double class_cost(const double *scores, const uint16_t *classes,
                         size_t m, size_t class_count, double sharpness) {
  double cost = 0;
  for (size_t mu = 0; mu < m; mu++) {
    const double *own = scores + mu * class_count;
    double truth = own[classes[mu]], total = 0;
    for (size_t v = 0; v < class_count; v++)
      total += exp(fmin(sharpness * (own[v] - truth), 700));
    cost += log(total);
  }
  return cost;
}

double bperc_i_link_sharpness(const double *scores, const uint16_t *classes,
                              size_t m, size_t class_count) {
  const double golden = 0.6180339887498949;
  double low = log(0.02), high = log(20);
  for (int step = 0; step < STEPS; step++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (class_cost(scores, classes, m, class_count, exp(a)) <
        class_cost(scores, classes, m, class_count, exp(b)))
      high = b;
    else
      low = a;
  }
  return exp((low + high) / 2);
}
