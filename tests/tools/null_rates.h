/* How often the rules of claims are wrong, counted on data of a known truth. */
#ifndef BPERC_TESTS_NULL_RATES_H
#define BPERC_TESTS_NULL_RATES_H

#include "bperc/status.h"

#include <stdint.h>

typedef struct {
  size_t draws; /* of each row */
  uint64_t seed;
  unsigned looks; /* at growing data, each with four times the instances, until
                     a verdict is clear; 0: one */
} null_options;

/* One rule on one kind of made-up data with so many instances; the truth is on
 * the edge of what the rule asks for. */
typedef struct {
  const char *rule, *data;
  size_t instances, draws, holds, fails; /* both verdicts are wrong */
  double rate;                           /* what the rule states of either */
} null_rate;
typedef void null_watch(void *context, const null_rate *row);

/* Calls watch with every row. */
bperc_status count_null_rates(const null_options *options, null_watch *watch,
                              void *context, bperc_error *error);

#endif
