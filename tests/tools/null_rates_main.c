/* null_rates [DRAWS [SEED [LOOKS]]]: a table of how often the rules of claims
 * are wrong.
 *
 * Results are drawn from a known truth on the edge of a claim, for every rule
 * and for normal, log-normal and yes/no data, rows that share instances and
 * missing values, with 2 to 30 instances; `holds` and `fails` are both wrong
 * there. Exit status 1 when one comes more than 1.5 times as often as stated.
 * docs/sweeps.md describes the rules. */
#include "null_rates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One rule on one kind of data, summed over numbers of instances. */
typedef struct {
  null_rate sum;
  double worst; /* the larger of both rates at one number of instances */
  size_t worst_at;
  int above;
} rate_table;

static double percent(size_t count, size_t draws) {
  return 100 * (double)count / (double)draws;
}

static void print_rate(rate_table *t) {
  const null_rate *r = &t->sum;
  double holds, fails;
  int above;
  if (!r->draws)
    return;
  holds = percent(r->holds, r->draws);
  fails = percent(r->fails, r->draws);
  above = holds > 150 * r->rate || fails > 150 * r->rate;
  t->above |= above;
  printf("%-23s  %-20s  %6zu  %5.2f %%  %5.2f %%  %5.2f %% at %2zu%s\n",
         r->rule, r->data, r->draws, holds, fails, t->worst, t->worst_at,
         above ? "  too often" : "");
  fflush(stdout); /* a row may take a while */
  t->sum.draws = 0;
}

static void add_rate(void *context, const null_rate *row) {
  rate_table *t = context;
  size_t most = row->holds > row->fails ? row->holds : row->fails;
  if (t->sum.draws &&
      (strcmp(t->sum.rule, row->rule) || strcmp(t->sum.data, row->data)))
    print_rate(t);
  if (!t->sum.draws) {
    t->sum = (null_rate){row->rule, row->data, .rate = row->rate};
    t->worst = -1;
  }
  t->sum.draws += row->draws;
  t->sum.holds += row->holds;
  t->sum.fails += row->fails;
  if (percent(most, row->draws) > t->worst) {
    t->worst = percent(most, row->draws);
    t->worst_at = row->instances;
  }
}

int main(int count, char **words) {
  null_options o = {.draws = count > 1 ? strtoul(words[1], NULL, 10) : 2000,
                    .seed = count > 2 ? strtoull(words[2], NULL, 10) : 1,
                    .looks = count > 3 ? (unsigned)atoi(words[3]) : 1};
  rate_table t = {0};
  bperc_error error;
  if (o.draws < 1)
    return fputs("null_rates [DRAWS [SEED [LOOKS]]]\n", stderr), 2;
  printf(
      "Truth on the edge of the claim; stated: 1 %% of each verdict, 2 to 30 "
      "instances.\n\n%-23s  %-20s  %6s  %7s  %7s  %s\n",
      "rule", "data", "draws", "holds", "fails", "most, at instances");
  if (count_null_rates(&o, add_rate, &t, &error))
    return fprintf(stderr, "null_rates: %s\n", error.text), 4;
  print_rate(&t);
  return t.above;
}
