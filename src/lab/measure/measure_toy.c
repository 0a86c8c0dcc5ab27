/* toy: numbers with noise and a known answer, for trying out plans, judges and
 * the store without a perceptron. */
#include "lab/measure/measurements.h"

#include "bperc/stream.h"
#include "lab/base/memory.h"

#include <math.h>
#include <time.h>

#define ROWS(X)                                                                \
  X(REAL, x, 0, 0, -1e6, 1e6, "position")                                      \
  X(REAL, top, 0, 0, -1e6, 1e6, "where y has its maximum")                     \
  X(REAL, noise, 1, 1, 0, 1e6, "standard deviation of y")                      \
  X(REAL, fail, 0, 0, 0, 1, "probability of a failure")                        \
  X(INT, length, 4, 4, 0, 100000, "positions of the vectors")                  \
  X(INT, work, 1000, 1000, 0, 1e12,                                            \
    "random numbers to draw, for time to pass")                                \
  X(FLAG, hold, 0, 0, "never ends: waits until it is interrupted")
BPERC_I_MEASURE_OPTIONS(toy, ROWS);

/* A normal deviate as a sum of twelve uniform ones. */
static double draw_normal(bperc_stream *s) {
  double sum = -6;
  for (int k = 0; k < 12; k++)
    sum += bperc_stream_double(s);
  return sum;
}

static bperc_status pass_time(const toy_options *o, bperc_stream *s,
                              double *sum) {
  for (int64_t k = 0; k < o->work; k++) {
    *sum += bperc_stream_double(s);
    if (k % 65536 == 0 && bperc_cancelled())
      return BPERC_E_INTERRUPTED;
  }
  return BPERC_OK;
}

static bperc_status wait_for_interrupt(void) {
  const struct timespec moment = {0, 5000000};
  while (!bperc_cancelled())
    nanosleep(&moment, NULL);
  return BPERC_E_INTERRUPTED;
}

static bperc_status run_toy_task(const bperc_inputs *in, bperc_record *out,
                                 bperc_error *error) {
  const toy_options *o = in->own;
  bperc_stream s = bperc_stream_make(in->seed, BPERC_FOR_SAMPLE, 0);
  size_t length = (size_t)o->length;
  double *values = bperc_alloc(length, sizeof *values), sum = 0;
  bperc_status status = BPERC_E_MEMORY;
  if (values && bperc_stream_double(&s) < o->fail)
    status = bperc_error_set(error, BPERC_E_NUMERIC, "the toy failed");
  else if (values)
    status = o->hold ? wait_for_interrupt() : pass_time(o, &s, &sum);
  if (status == BPERC_OK) {
    double shift = o->x - o->top;
    bperc_record_scalar(out, "y", -shift * shift + o->noise * draw_normal(&s));
    bperc_record_scalar(out, "line", o->x + o->noise * draw_normal(&s));
    bperc_record_scalar(out, "sum", sum);
    for (size_t k = 0; k < length; k++)
      values[k] = (double)k * o->x + o->noise * draw_normal(&s);
    bperc_record_vector(out, "along/ramp", values, length);
  }
  bperc_free(values);
  return status;
}

static double cost_toy(const bperc_inputs *in) {
  return 3e-9 * (double)((const toy_options *)in->own)->work + 1e-5;
}

const bperc_measurement bperc_i_measure_toy = {
    .name = "toy",
    .summary = "numbers with noise and a known answer, to try out plans",
    .results = "y           -(x - top)^2 plus noise\n"
               "line        x plus noise\n"
               "sum         of the numbers drawn to pass the time\n"
               "along/ramp  k x plus noise, k = 0 .. length-1",
    .version = 1,
    BPERC_I_MEASURE_TABLE(toy),
    .seeded_by = "x",
    .cost = cost_toy,
    .run = run_toy_task,
};
