/* Instances: construction, thresholds and tie rules, random generation. */
#include "bperc/instance.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "model/bit_rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *bperc_ties_name(bperc_ties ties) {
  static const char *const names[] = {"zero", "strict", "either"};
  return names[ties];
}

const char *bperc_weights_name(bperc_weight_kind weights) {
  return weights == BPERC_WEIGHTS_PM ? "pm" : "01";
}

const char *bperc_inputs_name(bperc_input_kind inputs) {
  static const char *const names[] = {"01", "pm", "signed"};
  return names[inputs];
}

/* ---- thresholds */

/* A level snapped to an integer when rounding is all that separates them: with
 * a = 0.1 the quotient n/a must still be a tie. */
static double snap(double level, double kappa) {
  double whole = nearbyint(level);
  return fabs(level - whole) <= 1e-9 * fmax(fabs(whole), kappa) ? whole : level;
}

/* The least sum of label 1 or the largest of label 0: [BZ section 2] and the
 * tie rules, docs/choices.md 1. */
static int64_t last_sum(const bperc_instance *in, int label) {
  double level = snap(in->theta + (label ? in->kappa : -in->kappa), in->kappa);
  double low = floor(level);
  int whole = low == level;
  if (label)
    return (int64_t)low + !(whole && in->ties == BPERC_TIES_EITHER);
  return (int64_t)low - (whole && in->ties == BPERC_TIES_STRICT);
}

static int64_t ones(const uint64_t *row, size_t words) {
  int64_t count = 0;
  for (size_t k = 0; k < words; k++)
    count += __builtin_popcountll(row[k]);
  return count;
}

size_t bperc_instance_degree(const bperc_instance *in, size_t mu) {
  const uint64_t *rows = in->support ? in->support : in->patterns;
  if (in->inputs == BPERC_INPUTS_PM)
    return in->n;
  assert(mu < in->m);
  return (size_t)ones(rows + mu * in->words, in->words);
}

/* hits = (sum + shift) / scale whatever the weights, docs/model.md. */
static void to_hits(const bperc_instance *in, size_t mu, int64_t *shift,
                    int *scale) {
  *scale = in->weights == BPERC_WEIGHTS_PM ? 2 : 1;
  *shift = 0;
  if (in->weights == BPERC_WEIGHTS_PM)
    *shift = (int64_t)bperc_instance_degree(in, mu);
  else if (in->inputs != BPERC_INPUTS_01)
    *shift = (int64_t)bperc_instance_degree(in, mu) -
             ones(bperc_instance_pattern(in, mu), in->words);
}

double bperc_i_instance_level(const bperc_instance *in, size_t mu) {
  int64_t shift;
  int scale;
  to_hits(in, mu, &shift, &scale);
  return (in->theta + (in->labels[mu] ? in->kappa : -in->kappa) +
          (double)shift) /
         scale;
}

int64_t bperc_instance_hits(const bperc_instance *in, size_t mu,
                            const uint64_t *weights) {
  const bperc_i_rows rows = bperc_i_instance_rows(in);
  return bperc_i_bit_kernels_get()->hits(&rows, mu, weights);
}

/* Sum of pattern mu. */
static int64_t sum_of(const bperc_instance *in, const bperc_i_rows *rows,
                      const bperc_i_bit_kernels *kernels, size_t mu,
                      const uint64_t *weights) {
  int64_t shift;
  int scale;
  to_hits(in, mu, &shift, &scale);
  return scale * kernels->hits(rows, mu, weights) - shift;
}

void bperc_instance_sums(const bperc_instance *in, const uint64_t *weights,
                         int64_t *sums) {
  const bperc_i_rows rows = bperc_i_instance_rows(in);
  const bperc_i_bit_kernels *kernels = bperc_i_bit_kernels_get();
  for (size_t mu = 0; mu < in->m; mu++)
    sums[mu] = sum_of(in, &rows, kernels, mu, weights);
}

void bperc_instance_predict(const bperc_instance *in, const uint64_t *weights,
                            uint8_t *labels) {
  const bperc_i_rows rows = bperc_i_instance_rows(in);
  const bperc_i_bit_kernels *kernels = bperc_i_bit_kernels_get();
  for (size_t mu = 0; mu < in->m; mu++)
    labels[mu] = (uint8_t)bperc_instance_says(
        in, sum_of(in, &rows, kernels, mu, weights));
}

static int64_t half_down(int64_t x) { return (x - (x & 1)) / 2; }

/* Whether hits follow from the sum alone: all patterns of a label then have
 * one bound. */
static int by_label(const bperc_instance *in) {
  return in->weights == BPERC_WEIGHTS_01 ? in->inputs == BPERC_INPUTS_01
                                         : in->inputs == BPERC_INPUTS_PM;
}

static int allocate_patterns(bperc_instance *in) {
  in->patterns = bperc_i_calloc(in->m, in->words * sizeof *in->patterns);
  in->labels = bperc_i_calloc(in->m, sizeof *in->labels);
  if (in->inputs == BPERC_INPUTS_SIGNED)
    in->support = bperc_i_calloc(in->m, in->words * sizeof *in->support);
  return in->patterns && in->labels &&
         (in->support || in->inputs != BPERC_INPUTS_SIGNED);
}

/* ---- bands: two patterns of one bound each stand for one */

static void free_split(bperc_instance *in) {
  bperc_instance_free(in->split);
  in->split = NULL;
}

/* Levels theta - band and theta + band, both inside: a margin of -band whose
 * ties satisfy both labels. */
static bperc_instance *make_split(const bperc_instance *in) {
  bperc_instance *split = bperc_i_calloc(1, sizeof *split);
  if (!split)
    return NULL;
  *split = (bperc_instance){.n = in->n,
                            .m = 2 * in->m,
                            .words = in->words,
                            .ties = BPERC_TIES_EITHER,
                            .weights = in->weights,
                            .inputs = in->inputs};
  if (allocate_patterns(split) && bperc_i_instance_bounds(split) == BPERC_OK)
    return split;
  bperc_instance_free(split);
  return NULL;
}

static void fill_split(bperc_instance *in) {
  bperc_instance *split = in->split;
  const size_t bytes = in->words * sizeof *in->patterns;
  split->a = in->a;
  split->theta = in->theta;
  split->kappa = -in->band;
  for (size_t k = 0; k < 2 * in->m; k++) {
    size_t to = k * in->words, from = k / 2 * in->words;
    memcpy(split->patterns + to, in->patterns + from, bytes);
    if (in->support)
      memcpy(split->support + to, in->support + from, bytes);
    split->labels[k] = k % 2 == 0;
  }
  bperc_instance_update_bounds(split);
}

static bperc_status band_bounds(bperc_instance *in) {
  free_split(in);
  if (!in->bound)
    in->bound = bperc_i_alloc(in->m, sizeof *in->bound);
  if (!in->upper)
    in->upper = bperc_i_alloc(in->m, sizeof *in->upper);
  in->split = make_split(in);
  return in->bound && in->upper && in->split ? BPERC_OK : BPERC_E_MEMORY;
}

static void settle_band(bperc_instance *in) {
  fill_split(in);
  in->outside = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    in->bound[mu] = bperc_instance_bound(in->split, 2 * mu);
    in->upper[mu] = bperc_instance_bound(in->split, 2 * mu + 1);
    in->outside += !in->labels[mu];
  }
}

bperc_status bperc_i_one_sided(const bperc_instance **in, const char *who,
                               bperc_error *error) {
  if ((*in)->band == 0)
    return BPERC_OK;
  if ((*in)->outside)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%s does not know patterns that want to be outside "
                           "of a band (label 0): there are %zu",
                           who, (*in)->outside);
  *in = (*in)->split;
  return BPERC_OK;
}

bperc_status bperc_i_no_band(const bperc_instance *in, const char *who,
                             bperc_error *error) {
  if (in->band == 0)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s is not worked out for constraints on both sides "
                         "(a band)",
                         who);
}

bperc_status bperc_i_instance_bounds(bperc_instance *in) {
  if (in->band > 0)
    return band_bounds(in);
  free_split(in);
  bperc_i_free(in->upper);
  in->upper = NULL;
  if (by_label(in)) {
    bperc_i_free(in->bound);
    in->bound = NULL;
  } else if (!in->bound) {
    in->bound = bperc_i_alloc(in->m, sizeof *in->bound);
  }
  return in->bound || by_label(in) ? BPERC_OK : BPERC_E_MEMORY;
}

static int64_t bound_of(const bperc_instance *in, size_t mu, int label,
                        int64_t last) {
  int64_t shift;
  int scale;
  to_hits(in, mu, &shift, &scale);
  shift += last;
  return scale == 1 ? shift : half_down(shift + label);
}

void bperc_instance_update_bounds(bperc_instance *in) {
  const int64_t last[2] = {last_sum(in, 0), last_sum(in, 1)};
  if (in->band > 0) {
    settle_band(in);
    return;
  }
  assert(in->bound || by_label(in));
  for (int label = 0; by_label(in) && label < 2; label++)
    in->label_bound[label] = bound_of(in, 0, label, last[label]);
  for (size_t mu = 0; in->bound && mu < in->m; mu++)
    in->bound[mu] = bound_of(in, mu, in->labels[mu], last[in->labels[mu]]);
}

static bperc_status check_model(size_t n, size_t m, const bperc_model *model,
                                bperc_error *error) {
  double a = model->a;
  if (a != 0 && (!(a > 0) || !isfinite(a) || !((double)n / a < 1e15)))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "A = %g must be positive with N/A below 1e15", a);
  if (a == 0 && !(fabs(model->theta) < 1e15))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the threshold %g is not a number below 1e15",
                           model->theta);
  if (!(model->kappa >= 0) || !(model->kappa < 1e15))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "kappa = %g must be 0 or more", model->kappa);
  if (!(model->band >= 0) || !(model->band < 1e15))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "band = %g must be above 0, or 0 for none",
                           model->band);
  if (model->band > 0 && model->kappa > 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a problem has a band or a margin kappa, not both");
  if (model->band > 0 && m > BPERC_MOST_PATTERNS / 2)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "M = %zu with a band is above %zu", m,
                           BPERC_MOST_PATTERNS / 2);
  return BPERC_OK;
}

/* Of a model that is sound. */
static bperc_status take_model(bperc_instance *in, const bperc_model *model) {
  in->weights = model->weights;
  in->band = model->band;
  if (bperc_i_instance_bounds(in) != BPERC_OK)
    return BPERC_E_MEMORY;
  in->a = model->a;
  in->theta = snap(in->a > 0 ? (double)in->n / in->a : model->theta, 0);
  in->kappa = model->kappa;
  in->ties = model->ties;
  bperc_instance_update_bounds(in);
  return BPERC_OK;
}

bperc_model bperc_instance_model(const bperc_instance *in) {
  return (bperc_model){in->a,       in->theta,  in->kappa, in->ties,
                       in->weights, in->inputs, in->band};
}

bperc_status bperc_instance_set_model(bperc_instance *in,
                                      const bperc_model *model,
                                      bperc_error *error) {
  const bperc_weight_kind before = in->weights;
  const double band = in->band;
  bperc_status status = check_model(in->n, in->m, model, error);
  if (status != BPERC_OK || take_model(in, model) == BPERC_OK)
    return status;
  in->weights = before;
  in->band = band;
  return bperc_error_set(error, BPERC_E_MEMORY,
                         "no memory for the bounds of %zu patterns", in->m);
}

void bperc_instance_set_ties(bperc_instance *in, bperc_ties ties) {
  in->ties = ties;
  bperc_instance_update_bounds(in);
}

bperc_status bperc_i_only_01_inputs(const bperc_instance *in, const char *who,
                                    bperc_error *error) {
  if (in->inputs == BPERC_INPUTS_01)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s takes inputs 0 and 1 only, not signed ones", who);
}

/* ---- construction */

static bperc_status check_sizes(size_t n, size_t m, bperc_error *error) {
  if (n < 1 || n > BPERC_MOST_WEIGHTS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "N = %zu is not in the range 1 to %zu", n,
                           BPERC_MOST_WEIGHTS);
  if (m > BPERC_MOST_PATTERNS)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "M = %zu is above %zu", m,
                           BPERC_MOST_PATTERNS);
  return BPERC_OK;
}

bperc_status bperc_instance_new(size_t n, size_t m, const bperc_model *model,
                                bperc_instance **out, bperc_error *error) {
  bperc_instance *in;
  *out = NULL;
  if (check_sizes(n, m, error) || check_model(n, m, model, error))
    return BPERC_E_ARGUMENT;
  in = bperc_i_calloc(1, sizeof *in);
  if (in) {
    in->n = n;
    in->m = m;
    in->words = bperc_i_words(n);
    in->inputs = model->inputs;
  }
  if (!in || !allocate_patterns(in) || take_model(in, model) != BPERC_OK) {
    bperc_instance_free(in);
    return bperc_error_set(error, BPERC_E_MEMORY,
                           "no memory for %zu patterns of %zu bits", m, n);
  }
  *out = in;
  return BPERC_OK;
}

static void free_rows(bperc_instance *in) {
  bperc_i_free(in->patterns);
  bperc_i_free(in->support);
  bperc_i_free(in->labels);
  bperc_i_free(in->bound);
}

void bperc_instance_free(bperc_instance *in) {
  if (!in)
    return;
  free_rows(in);
  bperc_i_free(in->upper);
  bperc_instance_free(in->split);
  bperc_i_free(in);
}

static void copy_patterns(const bperc_instance *from, size_t first,
                          size_t count, bperc_instance *to, size_t at) {
  if (count == 0)
    return;
  memcpy(to->patterns + at * to->words, from->patterns + first * from->words,
         count * from->words * sizeof(uint64_t));
  if (from->support)
    memcpy(to->support + at * to->words, from->support + first * from->words,
           count * from->words * sizeof(uint64_t));
  memcpy(to->labels + at, from->labels + first, count);
  assert(!from->bound == !to->bound);
  if (from->bound)
    memcpy(to->bound + at, from->bound + first, count * sizeof *to->bound);
}

bperc_status bperc_instance_without(const bperc_instance *in, size_t first,
                                    size_t count, bperc_instance **out,
                                    bperc_error *error) {
  *out = NULL;
  if (first > in->m || count > in->m - first)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns from %zu on left out of an instance "
                           "of %zu",
                           count, first, in->m);
  bperc_model model = bperc_instance_model(in);
  bperc_status status =
      bperc_instance_new(in->n, in->m - count, &model, out, error);
  if (status != BPERC_OK)
    return status;
  copy_patterns(in, 0, first, *out, 0);
  copy_patterns(in, first + count, in->m - first - count, *out, first);
  if (in->band > 0)
    bperc_instance_update_bounds(*out);
  return BPERC_OK;
}

/* Rows from first on at the beginning of a block of their own size; NULL: no
 * memory. */
static void *keep_rows(const void *rows, size_t first, size_t count,
                       size_t size) {
  void *kept = rows ? bperc_i_alloc(count + 1, size) : NULL;
  if (kept)
    memcpy(kept, (const char *)rows + first * size, count * size);
  return kept;
}

bperc_status bperc_instance_spread(bperc_instance *in,
                                   const bperc_spread *spread, size_t count,
                                   bperc_error *error) {
  const size_t first = spread->first, row = in->words * sizeof(uint64_t);
  bperc_instance own = *in;
  if (in->band > 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a problem with a band is for one process");
  if (in->spread || spread->m != in->m || first > in->m ||
      count > in->m - first)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns from %zu on of an instance of %zu",
                           count, first, in->m);
  own.patterns = keep_rows(in->patterns, first, count, row);
  own.support = keep_rows(in->support, first, count, row);
  own.labels = keep_rows(in->labels, first, count, 1);
  own.bound = keep_rows(in->bound, first, count, sizeof *in->bound);
  if (!own.patterns || !own.labels || !own.support != !in->support ||
      !own.bound != !in->bound) {
    free_rows(&own);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu patterns",
                           count);
  }
  free_rows(in);
  *in = own;
  in->m = count;
  in->spread = spread;
  return BPERC_OK;
}

/* The first m patterns of another instance. */
static bperc_status prefix(const bperc_instance *in, size_t m,
                           bperc_instance **out, bperc_error *error) {
  *out = NULL;
  if (m > in->m)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns asked of an instance of %zu", m,
                           in->m);
  return bperc_instance_without(in, m, in->m - m, out, error);
}

bperc_status bperc_instance_thin(const bperc_instance *in, double keep,
                                 uint64_t seed, bperc_instance **out,
                                 bperc_error *error) {
  *out = NULL;
  if (!(keep >= 0 && keep <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "keep = %g is not in the range 0 to 1", keep);
  bperc_status status = bperc_i_only_01_inputs(in, "thinning", error);
  if (status == BPERC_OK)
    status = prefix(in, in->m, out, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < in->m; mu++) {
    bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_THINNING, mu);
    uint64_t *bits = (*out)->patterns + mu * in->words;
    bperc_stream_bernoulli(&stream, keep, bits, in->n);
    for (size_t k = 0; k < in->words; k++)
      bits[k] &= in->patterns[mu * in->words + k];
  }
  bperc_instance_update_bounds(*out);
  return BPERC_OK;
}
