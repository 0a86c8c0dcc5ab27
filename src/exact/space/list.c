/* Lists of solutions: making, filtering, looking up, checking. */
#include "exact/space/space.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "base/options.h"
#include "exact/search/search.h"
#include "exact/search/states.h"

#include <string.h>
#include <unistd.h>

enum { SHORT_LIST = 48 };

BPERC_OPTIONS_DEFINE(bperc_exact_option_table, bperc_exact_options,
                     BPERC_EXACT_OPTIONS);

#define WORD uint64_t
#define NAME(x) x##_64
#include "exact/space/list_template.h"

#define WORD bperc_i_word
#define NAME(x) x##_128
#include "exact/space/list_template.h"
#include "model/bit_rows.h"

bperc_status bperc_i_list_sort(uint64_t *bits, size_t count, size_t columns) {
  return columns > 64 ? sort_128(bits, count, columns)
                      : sort_64(bits, count, columns);
}

size_t bperc_i_list_find(const bperc_solutions *s, bperc_i_word word) {
  return s->words == 2 ? find_128(s->bits, s->count, word)
                       : find_64(s->bits, s->count, (uint64_t)word);
}

/* ---- making ---- */

bperc_status bperc_i_list_new(size_t n, const int8_t *fixed,
                              bperc_solutions **out) {
  bperc_solutions *s = bperc_i_calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return BPERC_E_MEMORY;
  s->n = n;
  for (size_t i = 0; i < n; i++)
    s->columns += !fixed || fixed[i] < 0;
  s->column = bperc_i_alloc(s->columns + 1, sizeof *s->column);
  s->fixed = bperc_i_alloc(n + 1, sizeof *s->fixed);
  if (!s->column || !s->fixed) {
    bperc_solutions_free(s);
    return BPERC_E_MEMORY;
  }
  for (size_t i = 0, j = 0; i < n; i++) {
    s->fixed[i] = fixed ? fixed[i] : -1;
    if (s->fixed[i] < 0)
      s->column[j++] = (uint32_t)i;
  }
  bperc_i_word live = bperc_i_word_low(s->columns);
  s->live[0] = (uint64_t)live;
  s->live[1] = (uint64_t)(live >> 64);
  s->unfixed = s->columns;
  s->words = bperc_i_list_words(s->columns);
  s->complete = true;
  *out = s;
  return BPERC_OK;
}

void bperc_solutions_free(bperc_solutions *s) {
  if (!s)
    return;
  bperc_i_free(s->column);
  bperc_i_free(s->fixed);
  bperc_i_free(s->bits);
  bperc_i_free(s);
}

/* The most solutions that fit: while a list is put together and sorted it
 * takes up to three times its size. */
static uint64_t list_limit(const bperc_exact_options *options, size_t words) {
  double bytes = options->memory * 1e9;
  double physical =
      0.75 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (physical > 0 && physical < bytes)
    bytes = physical;
  double max = bytes / (3 * 8.0 * (double)words);
  if (max > UINT32_MAX - 1)
    max = UINT32_MAX - 1; /* positions in a list are 32 bits wide */
  uint64_t limit = (uint64_t)max + 1;
  if (options->limit > 0 && (uint64_t)options->limit < limit)
    limit = (uint64_t)options->limit;
  return limit;
}

static bperc_status read_options(const bperc_exact_options *given,
                                 bperc_exact_options *options,
                                 bperc_error *error) {
  return bperc_i_options_take(bperc_exact_option_table(), sizeof *options,
                              given, options, error);
}

static bperc_status list_by_search(const bperc_instance *in,
                                   const int8_t *fixed, bperc_i_search *run,
                                   bperc_solutions *s, bperc_error *error) {
  bperc_i_search_residual r;
  bperc_status status = bperc_i_residual_init(&r, in, fixed, error);
  if (status != BPERC_OK)
    return status;
  status = bperc_i_search_run(run, &r, NULL);
  if (status == BPERC_OK) {
    s->bits = run->list;
    s->count = run->used;
    s->complete = run->complete;
  } else {
    bperc_i_free(run->list);
  }
  bperc_i_residual_clear(&r);
  return status;
}

static bperc_status list_by_gray(const bperc_instance *in, const int8_t *fixed,
                                 uint64_t limit, bperc_solutions *s,
                                 bperc_error *error) {
  uint64_t count;
  bperc_status status =
      bperc_i_gray(in, fixed, limit, true, &count, &s->bits, error);
  if (status == BPERC_OK) {
    s->complete = count <= limit;
    s->count = s->complete ? count : limit;
  }
  return status;
}

static bperc_status explain(bperc_status status, const bperc_i_search *run,
                            bperc_error *error) {
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "not enough memory for the search");
  if (status == BPERC_E_INTERRUPTED && run->share > 0)
    bperc_error_set(error, status,
                    "interrupted after about %.1f %% of the search, with %.6g "
                    "solutions met: not complete, nothing is kept",
                    100 * run->share, run->met);
  else if (status == BPERC_E_INTERRUPTED)
    bperc_error_set(error, status, "interrupted: nothing is kept");
  return status;
}

bperc_status bperc_exact_list(const bperc_instance *in,
                              const bperc_exact_options *given,
                              const bperc_space_options *asked,
                              bperc_solutions **out, bperc_error *error) {
  bperc_exact_options options;
  bperc_space_options how;
  bperc_solutions *s = NULL;
  bperc_i_options_plain(sizeof how, asked, &how);
  bperc_i_search run = {
      .mode = BPERC_I_LIST, .threads = how.threads, .watch = how.watch};
  *out = NULL;
  bperc_status status = read_options(given, &options, error);
  if (status == BPERC_OK)
    status = bperc_i_one_sided(&in, "the exact search", error);
  if (status == BPERC_OK)
    status = bperc_i_list_new(in->n, how.fixed, &s);
  if (status != BPERC_OK)
    goto done;
  if (s->columns > BPERC_I_WIDEST) {
    status = bperc_error_set(error, BPERC_E_ARGUMENT,
                             "%zu weights are not fixed, a list takes at most "
                             "%d: fix more of them",
                             s->columns, BPERC_I_WIDEST);
    goto done;
  }
  run.limit = list_limit(&options, s->words);
  if (options.method == BPERC_EXACT_GRAY)
    status = list_by_gray(in, how.fixed, run.limit, s, error);
  else
    status = list_by_search(in, how.fixed, &run, s, error);
  if (status == BPERC_OK)
    status = bperc_i_list_sort(s->bits, s->count, s->columns);
  BPERC_I_CHECK(status != BPERC_OK || bperc_i_recount_list(s, in));
done:
  if (status != BPERC_OK) {
    bperc_solutions_free(s);
    return explain(status, &run, error);
  }
  *out = s;
  return status;
}

/* ---- counting ---- */

/* Weights of a word, and those that are fixed or forced. */
static void write_weights(const bperc_i_search_residual *r, bperc_i_word word,
                          uint64_t *weights) {
  memset(weights, 0, bperc_i_words(r->n) * sizeof *weights);
  for (size_t i = 0; i < r->n; i++)
    bperc_i_bit_set(weights, i, r->value[i] == 1);
  for (size_t j = 0; j < r->columns; j++)
    bperc_i_bit_set(weights, r->column[j], (int)(word >> j & 1));
}

/* draw: NULL, or what to draw as well, into weights. */
static bperc_status count_by_search(const bperc_instance *in,
                                    const int8_t *fixed, bperc_i_search *run,
                                    bperc_exact_answer *out, bperc_i_draw *draw,
                                    uint64_t *weights, bperc_error *error) {
  bperc_i_search_residual r;
  bperc_status status = bperc_i_residual_init(&r, in, fixed, error);
  if (status != BPERC_OK)
    return status;
  out->contradiction = r.contradiction;
  out->conflicting_pattern = r.conflicting_pattern;
  status = bperc_i_search_run(run, &r, draw);
  out->count = bperc_i_count_make(run->count, run->shift);
  out->complete = run->complete;
  out->nodes = run->nodes;
  size_t words = bperc_i_words(in->n);
  for (size_t k = 0;
       draw && status == BPERC_OK && run->count > 0 && k < draw->count; k++)
    write_weights(&r, draw->word[k], weights + k * words);
  bperc_i_residual_clear(&r);
  return status;
}

/* After a failure nothing is counted. */
static bperc_status explain_answer(bperc_status status,
                                   const bperc_i_search *run,
                                   bperc_exact_answer *out,
                                   bperc_error *error) {
  if (status != BPERC_OK)
    *out = (bperc_exact_answer){0};
  return explain(status, run, error);
}

bperc_status bperc_exact_count(const bperc_instance *in,
                               const bperc_exact_options *given,
                               const bperc_space_options *asked,
                               bperc_exact_answer *out, bperc_error *error) {
  bperc_space_options how;
  bperc_exact_options options;
  bperc_status status = read_options(given, &options, error);
  bperc_i_options_plain(sizeof how, asked, &how);
  if (status == BPERC_OK)
    status = bperc_i_one_sided(&in, "the exact search", error);
  *out = (bperc_exact_answer){.complete = status == BPERC_OK};
  if (status != BPERC_OK)
    return status;
  uint64_t limit = options.limit ? (uint64_t)options.limit : UINT64_MAX, count;
  bperc_i_search run = {.mode = BPERC_I_COUNT,
                        .threads = how.threads,
                        .limit = limit,
                        .watch = how.watch};
  if (options.method == BPERC_EXACT_SEARCH)
    return explain_answer(
        count_by_search(in, how.fixed, &run, out, NULL, NULL, error), &run, out,
        error);
  status = bperc_i_gray(in, how.fixed, limit, false, &count, NULL, error);
  if (status == BPERC_OK) {
    out->complete = count <= limit;
    out->count = bperc_count_from(out->complete ? count : limit);
  }
  return explain_answer(status, &run, out, error);
}

bperc_status bperc_exact_sample(const bperc_instance *in,
                                const bperc_space_options *asked, size_t count,
                                uint64_t *weights, bperc_exact_answer *out,
                                bperc_error *error) {
  bperc_space_options how;
  bperc_i_options_plain(sizeof how, asked, &how);
  bperc_i_draw draw = {.count = count, .seed = how.seed};
  bperc_i_search run = {
      .mode = BPERC_I_COUNT, .threads = how.threads, .watch = how.watch};
  *out = (bperc_exact_answer){.complete = true};
  bperc_status status = bperc_i_one_sided(&in, "the exact search", error);
  if (status != BPERC_OK) {
    out->complete = false;
    return status;
  }
  draw.word = bperc_i_alloc(count + 1, sizeof *draw.word);
  status = draw.word ? count_by_search(in, how.fixed, &run, out, &draw, weights,
                                       error)
                     : BPERC_E_MEMORY;
  bperc_i_free(draw.word);
  return explain_answer(status, &run, out, error);
}

/* ---- using ---- */

static size_t column_of(const bperc_solutions *s, size_t weight) {
  for (size_t j = 0; j < s->columns; j++)
    if (s->column[j] == weight)
      return j;
  return SIZE_MAX;
}

bperc_status bperc_solutions_filter(const bperc_solutions *s, size_t weight,
                                    int value, bperc_solutions **out,
                                    uint32_t *origin) {
  size_t j = column_of(s, weight);
  *out = NULL;
  if (j == SIZE_MAX || (value != 0 && value != 1))
    return BPERC_E_ARGUMENT;
  bperc_status status = bperc_i_list_new(s->n, s->fixed, out);
  if (status != BPERC_OK)
    return status;
  bperc_solutions *t = *out;
  t->bits = bperc_i_alloc((s->count + 1) * s->words, sizeof *t->bits);
  if (!t->bits) {
    bperc_solutions_free(t);
    *out = NULL;
    return BPERC_E_MEMORY;
  }
  bperc_i_word bit = bperc_i_word_bit(j), want = value ? bit : 0;
  bperc_i_word live = bperc_i_list_live(s) & ~bit;
  if (s->words == 2)
    t->count = filter_128(s->bits, s->count, bit, want, t->bits, origin);
  else
    t->count = filter_64(s->bits, s->count, (uint64_t)bit, (uint64_t)want,
                         t->bits, origin);
  t->live[0] = (uint64_t)live;
  t->live[1] = (uint64_t)(live >> 64);
  t->unfixed = (size_t)bperc_i_word_popcount(live);
  t->complete = s->complete;
  assert(t->unfixed + 1 == s->unfixed || !(bperc_i_list_live(s) & bit));
  BPERC_I_CHECK(bperc_i_recount_ascends(t->bits, t->count, t->words));
  return BPERC_OK;
}

void bperc_solutions_weights(const bperc_solutions *s, size_t k,
                             uint64_t *weights) {
  bperc_i_word word = bperc_i_list_word(s, k);
  memset(weights, 0, bperc_i_words(s->n) * sizeof *weights);
  for (size_t i = 0; i < s->n; i++)
    if (s->fixed[i] == 1)
      bperc_i_bit_set(weights, i, 1);
  for (size_t j = 0; j < s->columns; j++)
    bperc_i_bit_set(weights, s->column[j], (int)(word >> j & 1));
}

size_t bperc_solutions_find(const bperc_solutions *s, const uint64_t *weights) {
  bperc_i_word word = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->fixed[i] >= 0 && s->fixed[i] != bperc_i_bit(weights, i))
      return SIZE_MAX;
  for (size_t j = 0; j < s->columns; j++)
    if (bperc_i_bit(weights, s->column[j]))
      word |= bperc_i_word_bit(j);
  return bperc_i_list_find(s, word);
}

const char *bperc_solutions_check(const bperc_solutions *s,
                                  const bperc_instance *in) {
  const char *wrong = NULL;
  uint64_t *weights =
      in ? bperc_i_alloc(bperc_i_words(s->n) + 1, sizeof *weights) : NULL;
  if (in && !weights)
    return "not enough memory to check";
  for (size_t i = 0; i < s->n && !wrong; i++)
    if (s->fixed[i] < -1 || s->fixed[i] > 1)
      wrong = "a weight is fixed at neither 0 nor 1";
  for (size_t k = 0; k < s->count && !wrong; k++) {
    bperc_i_word word = bperc_i_list_word(s, k);
    if (word & ~bperc_i_word_low(s->columns))
      wrong = "a word has bits beyond its columns";
    else if (k > 0 && bperc_i_list_word(s, k - 1) >= word)
      wrong = "the list is not ascending";
    if (in && !wrong) {
      bperc_solutions_weights(s, k, weights);
      if (bperc_verify(in, weights, NULL).errors)
        wrong = "a configuration violates a pattern";
    }
  }
  bperc_i_free(weights);
  return wrong;
}

/* ---- from scratch, for the checking build: nothing is allocated, so that
 * tests of failing allocations count the same ones in every build ---- */

enum {
  SWEPT = 10,     /* columns up to which every configuration is looked at */
  LARGEST = 4096, /* weights */
  LISTED = 5000,  /* solutions of which each is verified */
  FILLED = 4096   /* solutions up to which clusters are flooded */
};

bool bperc_i_recount_ascends(const uint64_t *bits, size_t count, size_t words) {
  const bperc_solutions s = {.bits = (uint64_t *)bits, .words = words};
  for (size_t k = 1; k < count; k++)
    if (bperc_i_list_word(&s, k - 1) >= bperc_i_list_word(&s, k))
      return false;
  return true;
}

/* Whether weights are a solution by plain sums, word and fixed ones together.
 */
static bool solves(const bperc_solutions *s, const bperc_instance *in,
                   bperc_i_word word) {
  uint64_t weights[LARGEST / 64] = {0};
  for (size_t i = 0; i < s->n; i++)
    bperc_i_bit_set(weights, i, s->fixed[i] == 1);
  for (size_t j = 0; j < s->columns; j++)
    bperc_i_bit_set(weights, s->column[j], (int)(word >> j & 1));
  return bperc_verify(in, weights, NULL).errors == 0;
}

/* Every configuration is in the list exactly when it is a solution. */
static bool swept(const bperc_solutions *s, const bperc_instance *in) {
  for (bperc_i_word word = 0; word < bperc_i_word_bit(s->columns); word++)
    if (solves(s, in, word) != (bperc_i_list_find(s, word) != SIZE_MAX))
      return false;
  return true;
}

bool bperc_i_recount_list(const bperc_solutions *s, const bperc_instance *in) {
  if (!bperc_i_recount_ascends(s->bits, s->count, s->words))
    return false;
  if (s->n > LARGEST)
    return true;
  if (s->complete && s->columns <= SWEPT)
    return swept(s, in);
  for (size_t k = 0; k < s->count && k < LISTED; k++)
    if (!solves(s, in, bperc_i_list_word(s, k)))
      return false;
  return true;
}

/* ---- clusters */

typedef struct {
  const bperc_solutions *s;
  uint32_t mark[FILLED], stack[FILLED];
  size_t height;
} flood;

static void reach(flood *f, bperc_i_word word, uint32_t g) {
  const size_t k = bperc_i_list_find(f->s, word);
  if (k == SIZE_MAX || f->mark[k] != UINT32_MAX)
    return;
  f->mark[k] = g;
  f->stack[f->height++] = (uint32_t)k;
}

/* Puts cluster g on everything that flips lead to from solution k; how many. */
static size_t flood_cluster(flood *f, size_t flips, size_t k, uint32_t g) {
  const bperc_i_word live = bperc_i_list_live(f->s);
  size_t seen = 0;
  reach(f, bperc_i_list_word(f->s, k), g);
  while (f->height > 0) {
    const bperc_i_word here = bperc_i_list_word(f->s, f->stack[--f->height]);
    seen++;
    for (bperc_i_word x = live; x; x &= x - 1) {
      const bperc_i_word next = here ^ (x & -x);
      reach(f, next, g);
      for (bperc_i_word y = flips == 2 ? x & (x - 1) : 0; y; y &= y - 1)
        reach(f, next ^ (y & -y), g);
    }
  }
  return seen;
}

static bool flooded(const bperc_clusters *c, const bperc_solutions *s,
                    size_t flips) {
  flood f = {.s = s};
  size_t found = 0;
  for (size_t k = 0; k < s->count; k++)
    f.mark[k] = UINT32_MAX;
  for (size_t k = 0; k < s->count; k++) {
    if (f.mark[k] == UINT32_MAX) {
      found++;
      if (flood_cluster(&f, flips, k, c->of[k]) != c->size[c->of[k]])
        return false;
    }
    if (f.mark[k] != c->of[k])
      return false;
  }
  return found == c->count;
}

bool bperc_i_recount_clusters(const bperc_clusters *c, const bperc_solutions *s,
                              size_t flips) {
  size_t sum = 0;
  for (size_t g = 0; g < c->count; g++) {
    sum += c->size[g];
    if (c->size[g] == 0 || (g > 0 && c->size[g] > c->size[g - 1]))
      return false;
  }
  if (sum != s->count)
    return false;
  return s->count > FILLED || flooded(c, s, flips);
}
