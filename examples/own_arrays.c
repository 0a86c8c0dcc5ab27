/* A problem from one's own arrays: solve it under a time limit, keep the
 * weights in a file, use them on new patterns.
 *
 *   own_arrays [FILE [SECONDS]]    where the weights go, own_arrays.txt by
 *                                  default; the limit, 5 seconds by default
 */
#include <bperc/bperc.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 12, M = 8, NEW = 3 };

static const int8_t inputs[M][N] = {
    {1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1}, {0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0},
    {1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1},
    {1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1}, {0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0},
    {1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1}, {0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0}};
static const int8_t labels[M] = {1, -1, -1, 1, 1, -1, 1, -1};
static const int8_t fresh[NEW][N] = {{1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1},
                                     {0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0},
                                     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

/* Rows of bytes as an instance with this threshold. */
static bperc_status take(const int8_t *rows, size_t m, const int8_t *y,
                         double threshold, bperc_instance **out,
                         bperc_error *error) {
  bperc_bytes bytes = {.values = rows, .row = N, .step = 1, .labels = y};
  bperc_model model = {.theta = threshold};
  return bperc_instance_from_bytes(N, m, &bytes, &model, out, error);
}

/* Solves within so many seconds; weights get n bytes 0/1. At the deadline they
 * are the best that were met: *run holds them, as it does after a whole run,
 * and is cleared in any case. */
static bperc_status solve(const bperc_instance *in, double seconds,
                          int8_t *weights, bperc_error *error) {
  bperc_control control = {.deadline = bperc_control_in(seconds)};
  const bperc_control *before = bperc_control_use(&control);
  const bperc_run_options how = {.seed = 1, .threads = 1};
  bperc_run_result run;
  bperc_status status =
      bperc_run(&bperc_auto_class, in, NULL, &how, &run, error);
  bperc_control_use(before);
  if (status == BPERC_E_INTERRUPTED && run.weights) {
    printf("the time is over\n");
    status = BPERC_OK;
  }
  if (status == BPERC_OK) {
    bperc_bits_unpack(run.weights, in->n, weights);
    printf("%zu errors after %llu steps of %s\n", run.errors,
           (unsigned long long)run.steps, run.by);
  }
  bperc_run_clear(&run);
  return status;
}

/* The outputs of new patterns, and how many of their inputs a weight joins. */
static bperc_status use(const int8_t *weights, double threshold,
                        bperc_error *error) {
  uint64_t bits[(N + 63) / 64];
  uint8_t outputs[NEW];
  bperc_instance *in;
  bperc_status status = take(fresh[0], NEW, NULL, threshold, &in, error);
  if (status != BPERC_OK)
    return status;
  bperc_bits_pack(weights, N, bits);
  bperc_instance_predict(in, bits, outputs);
  for (size_t mu = 0; mu < NEW; mu++) {
    int joined = 0;
    for (size_t i = 0; i < N; i++)
      joined += bperc_instance_input(in, mu, i) * bperc_bit_get(bits, i);
    printf("pattern %zu: sum %d, output %d\n", mu, joined, outputs[mu]);
  }
  bperc_instance_free(in);
  return BPERC_OK;
}

/* All of it; what was made is given back whatever happens. */
static bperc_status work(const char *path, double seconds, bperc_error *error) {
  const double threshold = 1.5;
  int8_t weights[N];
  uint64_t bits[(N + 63) / 64];
  bperc_instance *in;
  bperc_status status = take(inputs[0], M, labels, threshold, &in, error);
  if (status != BPERC_OK)
    return status;
  status = solve(in, seconds, weights, error);
  if (status == BPERC_OK) {
    bperc_bits_pack(weights, N, bits);
    status = bperc_weights_write(path, in, bits, NULL, error);
  }
  bperc_instance_free(in);
  return status == BPERC_OK ? use(weights, threshold, error) : status;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "own_arrays.txt";
  double seconds = argc > 2 ? strtod(argv[2], NULL) : 5;
  bperc_error error;
  if (work(path, seconds, &error) == BPERC_OK)
    return EXIT_SUCCESS;
  fprintf(stderr, "own_arrays: %s\n", error.text);
  return EXIT_FAILURE;
}
