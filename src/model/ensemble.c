/* Random instances: independent patterns, noisy copies, prototypes, a source
 * of few dimensions; labels by coins or by a teacher. */
#include "bperc/ensemble.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "model/bit_rows.h"

#include <math.h>
#include <string.h>

/* Patterns of a test set have indices from here on. */
#define TEST_PATTERNS ((uint64_t)1 << 40)
/* How often an input is drawn until the teacher has its margin. */
enum { MOST_DRAWS = 10000, MOST_DIMENSIONS = 64 };

/* What all patterns of an instance share. */
typedef struct {
  const bperc_ensemble *e;
  uint64_t seed;
  size_t words;
  uint64_t *teacher;
  uint64_t *prototypes;
  double *directions; /* n unit vectors in the space of the source */
  uint64_t *row;      /* room for two rows */
  bperc_instance *in; /* one pattern: what the teacher says to it */
} drawing;

/* ---- sound parameters */

static double theta_of(const bperc_ensemble *e) {
  return e->model.a > 0 ? (double)e->n / e->model.a : e->model.theta;
}

/* The largest and the least sum that any weights and inputs have. */
static void sums_of(const bperc_ensemble *e, double *least, double *most) {
  *most = (double)e->n;
  *least =
      e->model.weights == BPERC_WEIGHTS_PM || e->model.inputs != BPERC_INPUTS_01
          ? -*most
          : 0;
}

/* Of thresholds given directly: A is also for the unbounded weights. */
static bperc_status check_threshold(const bperc_ensemble *e,
                                    bperc_error *error) {
  double least, most, theta = theta_of(e), kappa = e->model.kappa;
  sums_of(e, &least, &most);
  if (e->model.a > 0 || (theta + kappa < most && theta - kappa >= least))
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "no sum reaches the threshold %g with kappa = %g: "
                         "sums of N = %zu inputs go from %g to %g",
                         theta, kappa, e->n, least, most);
}

static bperc_status check_structure(const bperc_ensemble *e,
                                    bperc_error *error) {
  if (e->model.inputs == BPERC_INPUTS_SIGNED)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "random inputs are 01 or pm, not signed with zeros");
  if (!(e->noise >= 0 && e->noise <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "noise = %g is not in the range 0 to 1", e->noise);
  if (e->structure != BPERC_PATTERNS_FREE &&
      (e->groups < 1 || e->groups > BPERC_MOST_PATTERNS))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "copies, prototypes or dimensions: %zu is not in "
                           "the range 1 to %zu",
                           e->groups, BPERC_MOST_PATTERNS);
  if (e->structure == BPERC_PATTERNS_SOURCE && e->groups > MOST_DIMENSIONS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a source has at most %d dimensions, not %zu",
                           MOST_DIMENSIONS, e->groups);
  return BPERC_OK;
}

static bperc_status check_rows(const bperc_ensemble *e, bperc_error *error) {
  if (e->teacher || e->structure != BPERC_PATTERNS_FREE)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "rows of a file have labels and noise of their own");
  if (e->n != e->rows->n)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "N = %zu of a file with %zu inputs", e->n,
                           e->rows->n);
  if (e->m > e->rows->m)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns of a file with %zu rows", e->m,
                           e->rows->m);
  return BPERC_OK;
}

bperc_status bperc_ensemble_check(const bperc_ensemble *e, bperc_error *error) {
  bperc_status status;
  if (e->rows)
    return check_rows(e, error);
  if (!(e->fin >= 0 && e->fin <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_in = %g is not in the range 0 to 1", e->fin);
  if (e->fout != 0 && !(e->fout > 0 && e->fout < 1) &&
      !(e->fout == 1 && e->model.band > 0))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_out = %g is not between 0 and 1", e->fout);
  status = check_threshold(e, error);
  return status == BPERC_OK ? check_structure(e, error) : status;
}

/* ---- the teacher */

/* Probability that weights with k ones say 1 to a random input: sums are
 * Gaussian, and whole numbers. */
static double says_one(const bperc_ensemble *e, double k) {
  double n = (double)e->n, f = e->fin, step = 0.5, mean, variance, ones = k;
  int pm = e->model.weights == BPERC_WEIGHTS_PM;
  if (pm)
    ones = 2 * k - n; /* the sum of the weights */
  mean = f * ones;
  variance = f * (1 - f) * (pm ? n : k);
  if (e->model.inputs != BPERC_INPUTS_01) {
    mean = (2 * f - 1) * ones;
    variance *= 4;
  }
  if (pm && e->model.inputs != BPERC_INPUTS_01)
    step = 0; /* sums of one parity */
  return erfc((floor(theta_of(e)) + step - mean) /
              sqrt(2 * variance + 1e-300)) /
         2;
}

/* The number of ones for which label 1 has probability fout; half of them
 * where it does not depend on it. */
static size_t activity(const bperc_ensemble *e) {
  double wanted = e->fout > 0 ? e->fout : 0.5, least = INFINITY;
  size_t best = e->n / 2, from = 0, to = e->n;
  if (e->model.inputs != BPERC_INPUTS_01 && fabs(e->fin - 0.5) < 1e-9)
    return best;
  for (size_t stride = e->n / 4096 + 1;; stride = 1) {
    for (size_t k = from; k <= to; k += stride) {
      double miss = fabs(says_one(e, (double)k) - wanted);
      if (miss < least) {
        least = miss;
        best = k;
      }
    }
    if (stride == 1)
      return best;
    from = best > stride ? best - stride : 0;
    to = best + stride < e->n ? best + stride : e->n;
  }
}

bperc_status bperc_ensemble_teacher(const bperc_ensemble *e, uint64_t seed,
                                    uint64_t **weights, bperc_error *error) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEACHER, 0);
  size_t ones = activity(e);
  *weights = bperc_i_calloc(bperc_i_words(e->n), sizeof **weights);
  if (!*weights)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a teacher");
  /* Each weight is a one with the share of ones that are left. */
  for (size_t i = 0; i < e->n; i++)
    if (bperc_stream_below(&s, e->n - i) < ones) {
      bperc_i_bit_set(*weights, i, 1);
      ones--;
    }
  return BPERC_OK;
}

/* ---- inputs */

/* Draws every input again with the probability of the noise. */
static void add_noise(const drawing *d, bperc_stream *s, uint64_t *row) {
  uint64_t *where = d->row, *fresh = d->row + d->words;
  if (d->e->noise == 0)
    return;
  bperc_stream_bernoulli(s, d->e->noise, where, d->e->n);
  bperc_stream_bernoulli(s, d->e->fin, fresh, d->e->n);
  for (size_t k = 0; k < d->words; k++)
    row[k] = (row[k] & ~where[k]) | (fresh[k] & where[k]);
}

/* A number with mean 0 and variance 1, nearly Gaussian: without functions that
 * could differ between machines. */
static double normal(bperc_stream *s) {
  double sum = -6;
  for (int k = 0; k < 12; k++)
    sum += bperc_stream_double(s);
  return sum;
}

/* x with P(z > x) = p for a Gaussian z. */
static double quantile(double p) {
  double low = -40, high = 40;
  for (int k = 0; k < 100; k++) {
    double middle = (low + high) / 2;
    *(erfc(middle / sqrt(2)) / 2 > p ? &low : &high) = middle;
  }
  return low;
}

static void draw_source(const drawing *d, bperc_stream *s, uint64_t *row) {
  size_t dimensions = d->e->groups;
  double cut = quantile(d->e->fin);
  double point[MOST_DIMENSIONS];
  memset(row, 0, d->words * sizeof *row);
  for (size_t k = 0; k < dimensions; k++)
    point[k] = normal(s);
  for (size_t i = 0; i < d->e->n; i++) {
    double sum = 0;
    for (size_t k = 0; k < dimensions; k++)
      sum += d->directions[i * dimensions + k] * point[k];
    bperc_i_bit_set(row, i, sum > cut);
  }
}

/* The stream goes on with the next inputs when these are refused. */
static void draw_inputs(const drawing *d, bperc_stream *s, uint64_t *row) {
  const bperc_ensemble *e = d->e;
  switch (e->structure) {
  case BPERC_PATTERNS_PROTOTYPES:
    memcpy(row, d->prototypes + bperc_stream_below(s, e->groups) * d->words,
           d->words * sizeof *row);
    add_noise(d, s, row);
    break;
  case BPERC_PATTERNS_SOURCE:
    draw_source(d, s, row);
    add_noise(d, s, row);
    break;
  default:
    bperc_stream_bernoulli(s, e->fin, row, e->n);
  }
}

/* ---- labels */

/* What the teacher says, -1 when neither label holds: ties and margin. */
static int teacher_says(const drawing *d, const uint64_t *row) {
  bperc_instance *in = d->in;
  memcpy(in->patterns, row, d->words * sizeof *row);
  for (int label = 0; label < 2; label++) {
    in->labels[0] = (uint8_t)label;
    bperc_instance_update_bounds(in);
    if (bperc_verify(in, d->teacher, NULL).errors == 0)
      return label;
  }
  return -1;
}

/* A coin: for f_out = 1/2 its first bit, as in the first version. */
static int coin(const drawing *d, uint64_t index) {
  bperc_stream s = bperc_stream_make(d->seed, BPERC_FOR_LABELS, index);
  double fout = d->e->fout > 0 ? d->e->fout : 0.5;
  return bperc_stream_double(&s) >= 1 - fout;
}

static bperc_status draw_pattern(const drawing *d, uint64_t index,
                                 uint64_t *row, uint8_t *label,
                                 bperc_error *error) {
  bperc_stream s;
  uint64_t copy = 0, original = index;
  int says = -1;
  if (d->e->structure == BPERC_PATTERNS_COPIES) {
    copy = index % d->e->groups;
    original = index - copy;
  }
  s = bperc_stream_make(d->seed, BPERC_FOR_PATTERNS, original);
  for (int k = 0; k < MOST_DRAWS && says < 0; k++) {
    draw_inputs(d, &s, row);
    says = d->teacher ? teacher_says(d, row) : coin(d, original);
  }
  if (says < 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the teacher has no margin of kappa = %g: none of "
                           "%d inputs is beyond it",
                           d->e->model.kappa, MOST_DRAWS);
  if (copy > 0) {
    s = bperc_stream_make(d->seed, BPERC_FOR_NOISE, index);
    add_noise(d, &s, row);
  }
  *label = (uint8_t)says;
  return BPERC_OK;
}

/* ---- instances */

static void clear(drawing *d) {
  bperc_i_free(d->teacher);
  bperc_i_free(d->prototypes);
  bperc_i_free(d->directions);
  bperc_i_free(d->row);
  bperc_instance_free(d->in);
}

static void draw_directions(const drawing *d, size_t dimensions) {
  bperc_stream s = bperc_stream_make(d->seed, BPERC_FOR_SOURCE, 0);
  for (size_t i = 0; i < d->e->n; i++) {
    double *u = d->directions + i * dimensions, square = 1e-300;
    for (size_t k = 0; k < dimensions; k++) {
      u[k] = normal(&s);
      square += u[k] * u[k];
    }
    for (size_t k = 0; k < dimensions; k++)
      u[k] /= sqrt(square);
  }
}

static bperc_status draw_shared(drawing *d) {
  const bperc_ensemble *e = d->e;
  size_t rows = e->structure == BPERC_PATTERNS_PROTOTYPES ? e->groups : 0;
  size_t dimensions = e->structure == BPERC_PATTERNS_SOURCE ? e->groups : 0;
  d->row = bperc_i_alloc(2 * d->words, sizeof *d->row);
  d->prototypes = bperc_i_alloc(rows, d->words * sizeof *d->prototypes);
  d->directions = bperc_i_alloc(e->n, dimensions * sizeof *d->directions);
  if (!d->row || !d->prototypes || !d->directions)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < rows; k++) {
    bperc_stream p = bperc_stream_make(d->seed, BPERC_FOR_PROTOTYPES, k);
    bperc_stream_bernoulli(&p, e->fin, d->prototypes + k * d->words, e->n);
  }
  if (dimensions)
    draw_directions(d, dimensions);
  return BPERC_OK;
}

static bperc_status prepare(drawing *d, bperc_error *error) {
  bperc_status status = bperc_ensemble_check(d->e, error);
  if (status != BPERC_OK)
    return status;
  if (draw_shared(d))
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for an ensemble");
  if (!d->e->teacher)
    return BPERC_OK;
  status = bperc_ensemble_teacher(d->e, d->seed, &d->teacher, error);
  if (status == BPERC_OK)
    status = bperc_instance_new(d->e->n, 1, &d->e->model, &d->in, error);
  return status;
}

/* m patterns from an index on. */
static bperc_status draw(const bperc_ensemble *e, uint64_t seed, uint64_t first,
                         bperc_instance **out, bperc_error *error) {
  drawing d = {.e = e, .seed = seed, .words = bperc_i_words(e->n)};
  bperc_status status = prepare(&d, error);
  *out = NULL;
  if (status == BPERC_OK)
    status = bperc_instance_new(e->n, e->m, &e->model, out, error);
  for (size_t mu = 0; status == BPERC_OK && mu < e->m; mu++) {
    status = draw_pattern(&d, first + mu, (*out)->patterns + mu * d.words,
                          (*out)->labels + mu, error);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  clear(&d);
  if (status == BPERC_OK) {
    bperc_instance_update_bounds(*out);
    return status;
  }
  bperc_instance_free(*out);
  *out = NULL;
  return status;
}

/* ---- rows of a file */

/* The first m of a random order of all rows: a larger m extends a smaller. */
static bperc_status draw_rows(const bperc_ensemble *e, uint64_t seed,
                              bperc_instance **out, bperc_error *error) {
  const bperc_instance *rows = e->rows;
  bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_ROWS, 0);
  bperc_model model = e->model;
  size_t bytes = rows->words * sizeof(uint64_t);
  uint32_t *order;
  bperc_status status = bperc_ensemble_check(e, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  model.inputs = rows->inputs;
  order = bperc_i_alloc(rows->m, sizeof *order);
  if (!order)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for an ensemble");
  for (size_t mu = 0; mu < rows->m; mu++)
    order[mu] = (uint32_t)mu;
  bperc_stream_shuffle(&stream, order, rows->m);
  status = bperc_instance_new(e->n, e->m, &model, out, error);
  for (size_t mu = 0; status == BPERC_OK && mu < e->m; mu++) {
    size_t from = order[mu] * rows->words, to = mu * rows->words;
    memcpy((*out)->patterns + to, rows->patterns + from, bytes);
    if (rows->support)
      memcpy((*out)->support + to, rows->support + from, bytes);
    (*out)->labels[mu] = rows->labels[order[mu]];
  }
  if (status == BPERC_OK)
    bperc_instance_update_bounds(*out);
  bperc_i_free(order);
  return status;
}

bperc_status bperc_ensemble_draw(const bperc_ensemble *e, uint64_t seed,
                                 bperc_instance **out, bperc_error *error) {
  return e->rows ? draw_rows(e, seed, out, error)
                 : draw(e, seed, 0, out, error);
}

bperc_status bperc_ensemble_test(const bperc_ensemble *e, uint64_t seed,
                                 bperc_instance **out, bperc_error *error) {
  if (e->rows)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "rows of a file have no teacher for new patterns");
  return draw(e, seed, TEST_PATTERNS, out, error);
}
