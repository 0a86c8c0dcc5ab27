/* Error rates of the rules, counted: results are drawn from a known truth that
 * lies on the edge of a claim, where both `holds` and `fails` are wrong as soon
 * as they are said more often than the rate.
 *
 * Draws do not go through the store: tables are filled by hand, everything from
 * derived tables to verdicts is what experiments use.
 */
#include "null_rates.h"

#include "base/number.h"
#include "lab/table/derive.h"
#include "lab/verdict/judge.h"

#include "bperc/stream.h"
#include "lab/base/memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { SERIES = 3, POINTS = 5, COLUMNS = 4 };

static const char plan_text[] = "[block c]\nmeasurement = toy\n"
                                "[derive top]\nfrom = c\nrule = argmax\n"
                                "x = x\ny = y\n";
static const char *const column_names[COLUMNS] = {"y", "z", "u", "v"};

/* ---- truths: the mean of a column at a series and a point */

typedef struct {
  size_t column, series, point;
} place;
typedef double truth(place p);

static double flat(place p) {
  (void)p;
  return 0;
}

/* Series 0 is flat, the others rise: only it is on the edge. */
static double one_flat(place p) { return p.series ? 20 * (double)p.point : 0; }

/* Rises and stays: no inner point is above the right end. */
static double plateau(place p) { return p.point ? 0 : -20; }

/* The same parabola in every series. */
static double hill(place p) {
  return -0.3 * ((double)p.point - 2) * ((double)p.point - 2);
}

/* z - y is 0 in series 0 and large in the others. */
static double equal_once(place p) { return p.column == 1 && p.series ? 20 : 0; }

/* z - y is 1 in series 0, and 0 in the others; v - u is 4. */
static double apart_once(place p) {
  if (p.column > 1)
    return p.column == 3 ? 4 : 0;
  return p.column == 1 && p.series == 0 ? 1 : 0;
}

/* The same in two series. */
static double apart_twice(place p) {
  return p.column == 1 && p.series < 2 ? 1 : 0;
}

/* ---- kinds of data */

typedef enum {
  NORMAL,
  LOG_NORMAL,
  YES_NO,
  RARE_YES,
  SHARED,
  MISSING,
  KINDS
} kind;
static const char *const kind_names[KINDS] = {
    "normal", "log-normal",       "yes/no (half)", "yes/no (one in ten)",
    "shared", "missing (3 in 10)"};

typedef struct {
  const char *name, *test;
  truth *mean;
  int skewed_grid; /* points at 1, 2, 3, 4, 10 */
  unsigned kinds;  /* bits */
} scenario;

#define REALS (1u << NORMAL | 1u << LOG_NORMAL | 1u << SHARED | 1u << MISSING)
#define ALL (REALS | 1u << YES_NO | 1u << RARE_YES)
/* Yes/no data have no room for large steps: their truths are flat. */
static const scenario scenarios[] = {
    {"trend", "trend table=c y=y x=x direction=up by=g where=g=0", flat, 0,
     ALL},
    {"trend, uneven x", "trend table=c y=y x=x direction=up by=g where=g=0",
     flat, 1, ALL},
    {"trend, every series", "trend table=c y=y x=x direction=up by=g", one_flat,
     0, REALS},
    {"trend, pooled", "trend table=c y=y x=x direction=up by=g need=pooled",
     flat, 0, ALL},
    {"trend of argmax", "trend table=top y=x x=g direction=up", hill, 0, REALS},
    {"trend of argmax, flat", "trend table=top y=x x=g direction=up", flat, 0,
     REALS},
    {"maximum", "maximum table=c y=y x=x by=g where=g=0", plateau, 0, REALS},
    {"maximum, flat", "maximum table=c y=y x=x by=g where=g=0", flat, 0, ALL},
    {"order", "order low=c:y high=c:z where=g=0,x=1", flat, 0, ALL},
    {"order, every point", "order low=c:y high=c:z where=x=1", equal_once, 0,
     REALS},
    {"order, pooled", "order low=c:y high=c:z need=pooled", flat, 0, ALL},
    {"order of medians", "order low=c:y high=c:z where=g=0,x=1 of=median", flat,
     0, REALS},
    {"near", "near table=c y=y value=-1 tolerance=1 where=g=0,x=1", flat, 0,
     ALL},
    {"near, pooled rows", "near table=c y=y value=-1 tolerance=1 by=", flat, 0,
     ALL},
    {"overlap", "overlap a=c:y b=c:z tolerance=1 where=x=1", apart_once, 0,
     REALS},
    {"overlap of two thirds",
     "overlap a=c:y b=c:z tolerance=1 fraction=0.66 where=x=1", apart_twice, 0,
     REALS},
    {"overlap by share",
     "overlap a=c:y b=c:z share=0.25 low=c:u high=c:v "
     "where=g=0,x=1",
     apart_once, 0, REALS},
    {"below", "below table=c y=y value=0 where=g=0,x=1", flat, 0, ALL},
    {"above", "above table=c y=y value=0 where=g=0,x=1", flat, 0, ALL},
    {"above, pooled", "above table=c y=y value=0 need=pooled", flat, 0, ALL},
    {"below, median", "below table=c y=y value=0 where=g=0,x=1 of=median", flat,
     0, 1u << NORMAL | 1u << SHARED | 1u << MISSING},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static double gauss(bperc_stream *s) {
  return gsl_cdf_ugaussian_Pinv((bperc_stream_double(s) + 0x1p-54));
}

/* Yes with the probability that stands for 0 in tests: see `test_text`. */
static double share_of(kind what) { return what == YES_NO ? 0.5 : 0.1; }

static double draw(kind what, double mean, double common, bperc_stream *s) {
  switch (what) {
  case LOG_NORMAL:
    return mean + exp(gauss(s)) - exp(0.5);
  case YES_NO:
  case RARE_YES:
    return bperc_stream_double(s) < share_of(what);
  case SHARED:
    return mean + 2 * common + 0.5 * gauss(s);
  default:
    return mean + gauss(s);
  }
}

/* Instances of a row at its last look: at look k the first of them. */
enum { GROWTH = 4 };
static size_t instances_at(size_t first, unsigned look) {
  while (look--)
    first *= GROWTH;
  return first;
}

/* Draws `drawn` values and keeps the first n. */
static int fill_cell(bperc_i_table_cell *c, kind what, double mean,
                     const double *common, size_t drawn, size_t n,
                     bperc_stream *s) {
  if (!bperc_i_cell_room(c, n))
    return 0;
  for (size_t i = 0; i < drawn; i++) {
    double y = draw(what, mean, common[i], s);
    if ((what == MISSING && bperc_stream_double(s) < 0.3) || i >= n)
      continue;
    c->values[c->n] = y;
    c->instances[c->n++] = (uint32_t)i;
  }
  bperc_i_cell_finish(c, 0);
  return 1;
}

static int set_keys(bperc_i_table *t, size_t r, int skewed) {
  static const char *const x[2][POINTS] = {{"1", "2", "3", "4", "5"},
                                           {"1", "2", "3", "4", "10"}};
  static const char *const g[SERIES] = {"0", "1", "2"};
  return bperc_i_row_set(t, r, 0, g[r / POINTS]) &&
         bperc_i_row_set(t, r, 1, x[skewed][r % POINTS]);
}

static int fill_table(bperc_tables *tables, const scenario *q, kind what,
                      size_t drawn, size_t n, bperc_stream *s) {
  static const char *const keys[] = {"g", "x"};
  bperc_i_table *t = bperc_i_table_add(tables, "c", keys, 2, SERIES * POINTS);
  double *common = bperc_alloc(drawn, sizeof *common);
  int good = t && common;
  for (size_t i = 0; good && i < drawn; i++)
    common[i] = gauss(s);
  for (size_t r = 0; good && r < SERIES * POINTS; r++)
    good = set_keys(t, r, q->skewed_grid);
  for (size_t c = 0; good && c < COLUMNS; c++) {
    bperc_i_column *column = bperc_i_column_add(t, column_names[c]);
    good = column != NULL;
    for (size_t r = 0; good && r < SERIES * POINTS; r++)
      good = fill_cell(&column->cells[r], what,
                       q->mean((place){c, r / POINTS, r % POINTS}), common,
                       drawn, n, s);
  }
  bperc_free(common);
  return good;
}

/* ---- counting */

/* For yes/no data the 0 of a test is their share, its 1 a tenth of a half. */
static void test_text(const scenario *q, kind what, char *out, size_t size) {
  const char *at = strstr(q->test, "value=");
  double p = share_of(what);
  if ((what != YES_NO && what != RARE_YES) || !at) {
    snprintf(out, size, "%s", q->test);
    return;
  }
  snprintf(out, size, "%.*s", (int)(at - q->test), q->test);
  size -= strlen(out);
  out += strlen(out);
  if (strstr(at, "tolerance=1"))
    bperc_i_snprintf(out, size, "value=%g tolerance=0.05%s", p - 0.05,
                     strstr(at, "tolerance=1") + 11);
  else
    bperc_i_snprintf(out, size, "value=%g%s", p, at + 7);
}

/* What the judge says of one draw when it looks at its first n instances. */
static bperc_status look_at_draw(const bperc_experiment *x,
                                 const bperc_judge *j, const scenario *q,
                                 kind what, bperc_stream s, size_t drawn,
                                 size_t n, bperc_claim_verdict *out,
                                 bperc_error *error) {
  bperc_tables *t = bperc_calloc(1, sizeof *t);
  bperc_claims verdicts = {0};
  bperc_status status = BPERC_E_MEMORY;
  if (t) {
    t->x = x;
    status = fill_table(t, q, what, drawn, n, &s)
                 ? bperc_i_tables_derive(t, error)
                 : BPERC_E_MEMORY;
  }
  if (status == BPERC_OK)
    status = bperc_judge_claims(j, t, &verdicts, error);
  if (status == BPERC_OK)
    *out = verdicts.claims[0].verdict;
  bperc_claims_clear(&verdicts);
  bperc_tables_free(t);
  return status == BPERC_E_MEMORY
             ? bperc_error_set(error, status, "no memory for tables")
             : status;
}

static bperc_status judge_once(const bperc_experiment *x, const bperc_judge *j,
                               const scenario *q, kind what,
                               const null_options *o, null_rate *row,
                               uint64_t number, bperc_error *error) {
  bperc_stream s = bperc_stream_make(o->seed, BPERC_FOR_JUDGES, number);
  size_t drawn = instances_at(row->instances, o->looks - 1);
  bperc_claim_verdict verdict = BPERC_UNDECIDED;
  bperc_status status = BPERC_OK;
  for (unsigned look = 0;
       look < o->looks && status == BPERC_OK && verdict == BPERC_UNDECIDED;
       look++)
    status = look_at_draw(x, j, q, what, s, drawn,
                          instances_at(row->instances, look), &verdict, error);
  if (status == BPERC_OK) {
    row->draws++;
    row->holds += verdict == BPERC_HOLDS;
    row->fails += verdict == BPERC_FAILS;
  }
  return status;
}

static bperc_status count_row(const bperc_experiment *x, size_t number,
                              kind what, const null_options *o, null_rate *row,
                              bperc_error *error) {
  const scenario *q = &scenarios[number];
  char test[300], claim[400];
  bperc_judge *j = NULL;
  bperc_status status;
  test_text(q, what, test, sizeof test);
  snprintf(claim, sizeof claim,
           "[claim null]\ntext = t\nexpected = e\ntest = %s\n", test);
  status = bperc_judge_parse(x, "null", claim, strlen(claim), &j, error);
  if (status == BPERC_OK)
    bperc_judge_looks(j, o->looks);
  for (size_t d = 0; status == BPERC_OK && d < o->draws; d++) {
    uint64_t at = (((uint64_t)number * KINDS + what) << 8) + row->instances;
    status = bperc_cancelled()
                 ? bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted")
                 : judge_once(x, j, q, what, o, row, at << 32 | d, error);
  }
  bperc_judge_free(j);
  return status;
}

bperc_status count_null_rates(const null_options *options, null_watch *watch,
                              void *context, bperc_error *error) {
  static const size_t instances[] = {2, 3, 5, 10, 20, 30};
  null_options o = *options;
  bperc_experiment *x = NULL;
  bperc_status status = bperc_experiment_parse("null", plan_text,
                                               sizeof plan_text - 1, &x, error);
  o.looks = o.looks ? o.looks : 1;
  for (size_t q = 0; q < SCENARIOS && status == BPERC_OK; q++)
    for (kind what = 0; what < KINDS && status == BPERC_OK; what++)
      for (size_t n = 0; n < 6 && status == BPERC_OK; n++) {
        null_rate row = {scenarios[q].name, kind_names[what],
                         .instances = instances[n], .rate = 0.01};
        if (!(scenarios[q].kinds >> what & 1) ||
            (o.looks > 1 && instances[n] != 3 && instances[n] != 10))
          continue;
        status = count_row(x, q, what, &o, &row, error);
        if (status == BPERC_OK)
          watch(context, &row);
      }
  bperc_experiment_free(x);
  return status;
}
