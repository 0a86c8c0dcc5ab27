/* Weighted local search: flip_search.h. */
#include "solver/flip_search.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"

#include <math.h>
#include <string.h>

/* Energy that a field of 1 against a bit counts for. */
#define LEAN 0.3
/* A flip is made again after 2 + (0, 1 or 2) steps at the earliest. */
#define TENURE 2
/* One step in so many makes heavier patterns lighter. */
#define FORGET 10
#define HEAVIEST 31

/* ---- memory */

static unsigned planes_for(size_t sites) {
  unsigned planes = 1;
  while ((size_t)1 << (planes - 1) < 2 * sites)
    planes++;
  return planes;
}

bperc_status bperc_i_flip_search_init(bperc_i_flip_search *s, size_t most_sites,
                                      size_t most_rows) {
  const size_t sw = bperc_i_words(most_sites), rw = bperc_i_words(most_rows);
  *s = (bperc_i_flip_search){.kernels = bperc_i_flip_kernels_get(),
                             .most_sites = most_sites,
                             .most_rows = most_rows};
  s->raise_row = bperc_i_alloc(most_rows, 2 * sw * sizeof(uint64_t));
  s->raise_site = bperc_i_alloc(most_sites, 2 * rw * sizeof(uint64_t));
  s->slack.plane =
      bperc_i_alloc(planes_for(most_sites) + 4, rw * sizeof(uint64_t));
  s->up = bperc_i_alloc(2 * sw, 64 * sizeof *s->up);
  s->weight = bperc_i_alloc(rw, 64);
  s->first_slack = bperc_i_alloc(most_rows, sizeof *s->first_slack);
  s->field = bperc_i_alloc(most_sites, sizeof *s->field);
  s->free_at = bperc_i_alloc(most_sites, sizeof *s->free_at);
  s->now = bperc_i_alloc(most_sites, 2);
  if (s->raise_row && s->raise_site && s->slack.plane && s->up && s->weight &&
      s->first_slack && s->field && s->free_at && s->now)
    return BPERC_OK;
  bperc_i_flip_search_clear(s);
  return BPERC_E_MEMORY;
}

void bperc_i_flip_search_clear(bperc_i_flip_search *s) {
  bperc_i_free(s->raise_row);
  bperc_i_free(s->raise_site);
  bperc_i_free(s->slack.plane);
  bperc_i_free(s->up);
  bperc_i_free(s->weight);
  bperc_i_free(s->first_slack);
  bperc_i_free(s->field);
  bperc_i_free(s->free_at);
  bperc_i_free(s->now);
  *s = (bperc_i_flip_search){0};
}

/* Where arrays begin, for so many sites and rows. */
static void place_arrays(bperc_i_flip_search *s, size_t sites, size_t rows) {
  const size_t sw = bperc_i_words(sites), rw = bperc_i_words(rows);
  s->sites = sites;
  s->rows = rows;
  s->site_words = sw;
  s->row_words = rw;
  s->lower_row = s->raise_row + rows * sw;
  s->lower_site = s->raise_site + sites * rw;
  s->slack.words = rw;
  s->slack.planes = planes_for(sites);
  s->violated = s->slack.plane + s->slack.planes * rw;
  s->tight = s->violated + rw;
  s->was_violated = s->tight + rw;
  s->was_tight = s->was_violated + rw;
  s->down = s->up + 64 * sw;
  s->best = s->now + sites;
}

/* ---- what a flip would change */

/* A pattern begins to count, with this weight, as one that flips can violate
 * further (`tight`), or as one that they can mend (`violated`). */
static void count_tight(bperc_i_flip_search *s, size_t r, int32_t weight) {
  const size_t at = r * s->site_words;
  s->kernels->add_row(s->lower_row + at, s->site_words, weight, s->up);
  s->kernels->add_row(s->raise_row + at, s->site_words, weight, s->down);
}

static void weigh_violated(bperc_i_flip_search *s, size_t r, int32_t weight) {
  const size_t at = r * s->site_words;
  s->kernels->add_row(s->raise_row + at, s->site_words, -weight, s->up);
  s->kernels->add_row(s->lower_row + at, s->site_words, -weight, s->down);
}

static size_t count_ones(const uint64_t *set, size_t words) {
  size_t ones = 0;
  for (size_t w = 0; w < words; w++)
    ones += (size_t)__builtin_popcountll(set[w]);
  return ones;
}

typedef void count_change(bperc_i_flip_search *, size_t, int32_t);

/* Patterns that are in one set and not in the other. */
static void count_changes(bperc_i_flip_search *s, const uint64_t *was,
                          const uint64_t *is, count_change *change) {
  for (size_t w = 0; w < s->row_words; w++)
    for (uint64_t differ = was[w] ^ is[w]; differ; differ &= differ - 1) {
      size_t r = w * 64 + (size_t)__builtin_ctzll(differ);
      change(s, r, bperc_i_bit(is, r) ? s->weight[r] : -s->weight[r]);
    }
}

/* Slacks after up and down; tight and violated patterns; what flips change. */
static void move_slacks(bperc_i_flip_search *s, const uint64_t *up,
                        const uint64_t *down) {
  uint64_t *violated = s->was_violated, *tight = s->was_tight;
  s->was_violated = s->violated;
  s->was_tight = s->tight;
  s->violated = violated;
  s->tight = tight;
  s->kernels->count(&s->slack, up, down, violated, tight);
  count_changes(s, s->was_violated, violated, weigh_violated);
  count_changes(s, s->was_tight, tight, count_tight);
}

static void make_flip(bperc_i_flip_search *s, size_t k) {
  const uint64_t *raise = s->raise_site + k * s->row_words;
  const uint64_t *lower = s->lower_site + k * s->row_words;
  move_slacks(s, s->now[k] ? lower : raise, s->now[k] ? raise : lower);
  s->now[k] ^= 1;
}

/* ---- the problem */

static int64_t slack_of(const bperc_instance *in, size_t mu,
                        const uint64_t *weights) {
  int64_t slack =
      bperc_instance_hits(in, mu, weights) - bperc_instance_bound(in, mu);
  return in->labels[mu] ? slack : -slack;
}

static void set_slack(bperc_i_flip_search *s, size_t r, int64_t slack) {
  for (unsigned p = 0; p < s->slack.planes; p++)
    bperc_i_bit_set(s->slack.plane + p * s->slack.words, r, slack >> p & 1);
}

/* Which rows the patterns that are here get, and how many there are: all, and
 * before ours. A flip changes hits by at most 1, so that patterns with a slack
 * of `reach` are safe. False: one is out of reach. */
typedef struct {
  size_t first, count, all;
  size_t at[BPERC_MOST_RANKS + 1]; /* of processes: bytes, see gather */
} reached;

static bool count_reached(const bperc_instance *in, const uint64_t *weights,
                          int64_t reach, reached *out) {
  const bperc_spread *spread = in->spread;
  int64_t counts[BPERC_MOST_RANKS + 1] = {0};
  const int self = spread ? spread->rank : 0, size = spread ? spread->size : 1;
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t slack = slack_of(in, mu, weights);
    counts[size] += slack < -reach;
    counts[self] += slack < reach;
  }
  if (spread)
    spread->sum(counts, (size_t)size + 1);
  *out = (reached){.count = (size_t)counts[self]};
  for (int r = 0; r < size; r++) {
    out->first += r < self ? (size_t)counts[r] : 0;
    out->all += (size_t)counts[r];
    out->at[r + 1] = out->all;
  }
  return counts[size] == 0;
}

static void describe_flip_row(bperc_i_flip_search *s, const bperc_instance *in,
                              size_t mu, const uint32_t *site, size_t r) {
  for (size_t k = 0; k < s->sites; k++) {
    int effect = bperc_instance_input(in, mu, site[k]);
    effect = in->labels[mu] ? effect : -effect;
    if (effect != 0)
      bperc_i_bit_set(
          (effect > 0 ? s->raise_row : s->lower_row) + r * s->site_words, k, 1);
  }
}

static void describe_rows(bperc_i_flip_search *s, const bperc_instance *in,
                          const uint64_t *weights, const uint32_t *site,
                          size_t r) {
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t slack = slack_of(in, mu, weights);
    if (slack >= (int64_t)s->sites)
      continue;
    s->first_slack[r] = slack;
    describe_flip_row(s, in, mu, site, r++);
  }
}

/* An array with `size` bytes for every row. */
static void gather_rows(const bperc_spread *spread, const reached *rows,
                        void *all, size_t size) {
  size_t at[BPERC_MOST_RANKS + 1];
  for (int r = 0; r <= spread->size; r++)
    at[r] = rows->at[r] * size;
  spread->gather(all, at);
}

static void columns_of_bits(const uint64_t *rows, size_t count,
                            size_t site_words, size_t row_words,
                            uint64_t *columns) {
  for (size_t r = 0; r < count; r++)
    for (size_t w = 0; w < site_words; w++)
      for (uint64_t set = rows[r * site_words + w]; set; set &= set - 1) {
        size_t k = w * 64 + (size_t)__builtin_ctzll(set);
        columns[k * row_words + r / 64] |= (uint64_t)1 << r % 64;
      }
}

/* Columns and planes from rows. */
static void describe_columns_of_rows(bperc_i_flip_search *s) {
  size_t r = 0;
  columns_of_bits(s->raise_row, s->rows, s->site_words, s->row_words,
                  s->raise_site);
  columns_of_bits(s->lower_row, s->rows, s->site_words, s->row_words,
                  s->lower_site);
  for (; r < s->rows; r++)
    set_slack(s, r, s->first_slack[r]);
  for (; r % 64 != 0; r++) /* no row is there, and none is tight */
    set_slack(s, r, 1);
}

static void forget_problem(bperc_i_flip_search *s) {
  const size_t columns = 2 * s->sites * s->row_words;
  memset(s->raise_row, 0, 2 * s->rows * s->site_words * sizeof(uint64_t));
  memset(s->raise_site, 0, columns * sizeof(uint64_t));
  memset(s->slack.plane, 0,
         (s->slack.planes + 4) * s->row_words * sizeof(uint64_t));
  memset(s->up, 0, 128 * s->site_words * sizeof *s->up);
}

bool bperc_i_flip_search_load(bperc_i_flip_search *s, const bperc_instance *in,
                              const uint64_t *weights, const uint32_t *site,
                              size_t count, const double *fields) {
  reached rows;
  assert(count <= s->most_sites);
  if (!count_reached(in, weights, (int64_t)count, &rows))
    return false;
  assert(rows.all <= s->most_rows);
  place_arrays(s, count, rows.all);
  forget_problem(s);
  describe_rows(s, in, weights, site, rows.first);
  if (in->spread) {
    const size_t row = s->site_words * sizeof(uint64_t);
    gather_rows(in->spread, &rows, s->raise_row, row);
    gather_rows(in->spread, &rows, s->lower_row, row);
    gather_rows(in->spread, &rows, s->first_slack, sizeof *s->first_slack);
  }
  describe_columns_of_rows(s);
  for (size_t k = 0; k < count; k++) {
    s->now[k] = (uint8_t)bperc_i_bit(weights, site[k]);
    s->field[k] = fields ? fields[site[k]] : 0;
  }
  return true;
}

/* ---- steps */

/* The energy after a flip less that before it. */
static int32_t change_by(const bperc_i_flip_search *s, size_t k) {
  return s->now[k] ? s->down[k] : s->up[k];
}

/* SIZE_MAX: all were made just now. */
static size_t choose_best_flip(const bperc_i_flip_search *s, size_t t) {
  double least = INFINITY;
  size_t chosen = SIZE_MAX;
  for (size_t k = 0; k < s->sites; k++) {
    double lean = LEAN * s->field[k];
    double cost = change_by(s, k) + (s->now[k] ? lean : -lean);
    if (cost < least && s->free_at[k] <= t) {
      least = cost;
      chosen = k;
    }
  }
  return chosen;
}

/* The weights of some patterns, all of them violated or tight, by one. */
static void change_weight(bperc_i_flip_search *s, size_t r, int by) {
  s->weight[r] = (uint8_t)(s->weight[r] + by);
  if (bperc_i_bit(s->tight, r))
    count_tight(s, r, by);
  if (bperc_i_bit(s->violated, r))
    weigh_violated(s, r, by);
}

static void make_heavier(bperc_i_flip_search *s) {
  for (size_t w = 0; w < s->row_words; w++)
    for (uint64_t set = s->violated[w]; set; set &= set - 1) {
      size_t r = w * 64 + (size_t)__builtin_ctzll(set);
      if (s->weight[r] < HEAVIEST)
        change_weight(s, r, 1);
    }
}

static void make_lighter(bperc_i_flip_search *s) {
  for (size_t r = 0; r < s->rows; r++)
    if (s->weight[r] > 1)
      change_weight(s, r, -1);
}

/* Whether what flips change is what counting from scratch gives. */
static bool changes_right(const bperc_i_flip_search *s) {
  for (size_t k = 0; k < s->sites; k++) {
    int32_t change = 0;
    for (size_t r = 0; r < s->rows; r++) {
      bool raise = bperc_i_bit(s->raise_row + r * s->site_words, k);
      bool lower = bperc_i_bit(s->lower_row + r * s->site_words, k);
      bool better = s->now[k] ? lower : raise,
           worse = s->now[k] ? raise : lower;
      change += bperc_i_bit(s->tight, r) && worse ? s->weight[r] : 0;
      change -= bperc_i_bit(s->violated, r) && better ? s->weight[r] : 0;
    }
    if (change != change_by(s, k))
      return false;
  }
  return true;
}

/* All weights 1; what flips change, from nothing. */
static void begin_search(bperc_i_flip_search *s) {
  const size_t bytes = s->row_words * sizeof(uint64_t);
  uint64_t *nothing = s->was_tight;
  memset(s->weight, 1, s->rows);
  memset(s->free_at, 0, s->sites * sizeof *s->free_at);
  memset(nothing, 0, bytes);
  s->kernels->count(&s->slack, nothing, nothing, s->violated, s->tight);
  count_changes(s, nothing, s->violated, weigh_violated);
  count_changes(s, nothing, s->tight, count_tight);
}

static void note_fewest(bperc_i_flip_search *s, size_t errors) {
  s->fewest = errors;
  memcpy(s->best, s->now, s->sites);
}

static void step_search(bperc_i_flip_search *s, size_t t,
                        bperc_stream *stream) {
  size_t k = choose_best_flip(s, t);
  if (k != SIZE_MAX) {
    bool lower = change_by(s, k) < 0;
    make_flip(s, k);
    s->free_at[k] = t + 1 + TENURE + bperc_stream_below(stream, TENURE + 1);
    if (!lower)
      make_heavier(s);
  }
  if (bperc_stream_below(stream, FORGET) == 0)
    make_lighter(s);
  BPERC_I_CHECK(changes_right(s));
}

bool bperc_i_flip_search_run(bperc_i_flip_search *s, size_t flips,
                             bperc_stream *stream, size_t *made) {
  size_t first, t = 0;
  begin_search(s);
  first = count_ones(s->violated, s->row_words);
  note_fewest(s, first);
  for (; t < flips && s->fewest > 0; t++) {
    size_t errors;
    step_search(s, t, stream);
    errors = count_ones(s->violated, s->row_words);
    if (errors < s->fewest)
      note_fewest(s, errors);
  }
  if (made)
    *made = t;
  return s->fewest < first;
}
