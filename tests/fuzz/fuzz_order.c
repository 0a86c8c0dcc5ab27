/* Files of --order, as JSON or as lines, and texts of --fix: read for an
 * instance of 12 weights. */
#include "cli.h"
#include "fixing.h"
#include "fuzz.h"
#include "sink.h"

#include <stdlib.h>

enum { N = 12 };

static sink said;

static void check_order(const bperc_order *o) {
  unsigned seen = 0;
  assert(o->fixed <= N);
  for (size_t k = 0; k < o->fixed; k++) {
    assert(o->weight[k] < N && o->value[k] <= 1);
    assert(!(seen >> o->weight[k] & 1));
    seen |= 1u << o->weight[k];
  }
}

static int count_lines(const char *text) {
  int lines = 0;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

/* The first two weights of the order held, if it has so many. */
static void hold(const char *path, size_t count) {
  int8_t *fixed;
  cli_fixing_options options = {.order = path, .fixed = 2};
  sink_begin(&said, &stderr);
  int code = cli_read_fixing(&options, N, &fixed);
  sink_end(&said, &stderr);
  assert((code == CLI_DONE) == (fixed != NULL));
  assert(code == (count < 2 ? CLI_USAGE : CLI_DONE) || fuzz_is_faulty());
  int held = 0;
  for (size_t i = 0; fixed && i < N; i++)
    held += fixed[i] >= 0;
  assert(!fixed || held == 2);
  bperc_free(fixed);
}

static void read_fix(const uint8_t *data, size_t size) {
  char text[200];
  int8_t *fixed;
  cli_fixing_options options = {.fix = text};
  snprintf(text, sizeof text, "%.*s", (int)(size < 199 ? size : 199),
           data ? (const char *)data : "");
  sink_begin(&said, &stderr);
  int code = cli_read_fixing(&options, N, &fixed);
  sink_end(&said, &stderr);
  assert((code == CLI_DONE) == (fixed != NULL));
  for (size_t i = 0; fixed && i < N; i++)
    assert(fixed[i] >= -1 && fixed[i] <= 1);
  bperc_free(fixed);
}

/* What needs no bytes: --fixed without an order, an order that is not there. */
static void refuse(void) {
  int8_t *fixed;
  bperc_order order;
  cli_fixing_options options = {.fixed = 2};
  sink_begin(&said, &stderr);
  int code = cli_read_fixing(&options, N, &fixed);
  assert(!fixed && (code == CLI_USAGE || fuzz_is_faulty()));
  code = cli_read_order("", N, &order);
  assert(!order.weight && code == CLI_INPUT);
  sink_end(&said, &stderr);
}

static void run(const uint8_t *data, size_t size) {
  bperc_order order;
  sink_begin(&said, &stderr);
  int code = cli_read_order(fuzz_file(data, size), N, &order);
  sink_end(&said, &stderr);
  if (code == CLI_DONE) {
    check_order(&order);
    assert(!said.size);
    hold(fuzz_file(data, size), order.fixed);
  } else {
    assert(code == CLI_INPUT || code == CLI_SYSTEM);
    assert(said.size && !order.weight && count_lines(said.text) == 1);
  }
  bperc_order_clear(&order);
  read_fix(data, size);
  if (!size)
    refuse();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
