/* The exact solution space of a random instance, by library calls: how many
 * solutions, which clusters they form, what exact decimation does to them.
 *
 *   solution_space [seed]
 */
#include <bperc/bperc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 25, M = 9 };

static int fail(const char *what, const bperc_error *error) {
  fprintf(stderr, "solution_space: %s: %s\n", what, error->text);
  return EXIT_FAILURE;
}

static void print_space(const bperc_solutions *s, const bperc_clusters *c) {
  printf("%zu solutions in %zu clusters, the largest has %u\n", s->count,
         c->count, c->count ? c->size[0] : 0);
  printf("x* = %.4f, q_same = %.4f, q_diff = %.4f\n", c->parisi_x, c->q_same,
         c->q_diff);
}

/* Orders by exact marginals, then measures the space that is left. */
static bperc_status decimate(const bperc_instance *in,
                             const bperc_solutions *s) {
  bperc_exact_step steps[N + 1];
  bperc_order order;
  bperc_status status = bperc_decimate_exactly(in, s, NULL, &order, NULL);
  if (status == BPERC_OK)
    status = bperc_exact_along(s, BPERC_ALONG_FULL, &order, 0, steps, NULL);
  for (size_t k = 0; status == BPERC_OK && k <= order.fixed; k += 5)
    printf("%2zu fixed: %9.0f solutions, xcorr^2 %.6f, k index %.4f\n", k,
           bperc_count_real(steps[k].count), steps[k].xcorr_mean_square,
           steps[k].k_index);
  bperc_order_clear(&order);
  return status;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 2;
  bperc_instance *in = NULL;
  bperc_solutions *s = NULL;
  bperc_clusters *c = NULL;
  bperc_error error = {BPERC_OK, ""};
  int code = EXIT_SUCCESS;
  if (bperc_ensemble_draw(
          &(bperc_ensemble){.n = N, .m = M, .fin = 0.3, .model = {.a = 12}},
          seed, &in, &error))
    return fail("generate", &error);
  if (bperc_exact_list(in, NULL, &(bperc_space_options){.threads = 1}, &s,
                       &error))
    code = fail("list", &error);
  else if (bperc_solutions_check(s, in))
    code = EXIT_FAILURE;
  else if (bperc_clusters_new(s, &c))
    code = fail("clusters", &error);
  if (code == EXIT_SUCCESS) {
    print_space(s, c);
    if (s->count > 0 && decimate(in, s) != BPERC_OK)
      code = fail("decimate", &error);
  }
  bperc_clusters_free(c);
  bperc_solutions_free(s);
  bperc_instance_free(in);
  return code;
}
