/* Products of the pattern bits with vectors, both of an iteration of AMP,
 * against the loop over a matrix of doubles, and against reading memory. */
#include "bench.h"
#include "bounds.h"

#include "base/alloc.h"
#include "bperc/stream.h"
#include "kernels/isa.h"
#include "kernels/matvec.h"

enum { ROUNDS = 7 };

typedef struct {
  size_t n, m;
  bperc_i_bit_matrix x;
  uint64_t *bits;
  double *dense, *m_i, *g_mu, *sums;
  int32_t *columns, *rows;
  int64_t *out;
  volatile double sink;
} problem;

static problem make(size_t n, size_t m, int dense) {
  problem p = {.n = n, .m = m};
  size_t words = (n + 63) / 64;
  bperc_stream s = bperc_stream_make(1, BPERC_FOR_TEST, n);
  p.bits = bperc_i_alloc(m * words, sizeof *p.bits);
  p.x = (bperc_i_bit_matrix){p.bits, m, words};
  p.dense = dense ? bperc_i_alloc(m * n, sizeof *p.dense) : NULL;
  p.m_i = bperc_i_calloc(n, sizeof *p.m_i);
  p.g_mu = bperc_i_calloc(m, sizeof *p.g_mu);
  p.sums = bperc_i_calloc(n + m, sizeof *p.sums);
  p.columns = bperc_i_calloc(words * 64, sizeof *p.columns);
  p.rows = bperc_i_calloc(m, sizeof *p.rows);
  p.out = bperc_i_calloc(words * 64 + m, sizeof *p.out);
  for (size_t mu = 0; mu < m; mu++)
    bperc_stream_bernoulli(&s, 0.5, p.bits + mu * words, n);
  for (size_t k = 0; dense && k < m * n; k++)
    p.dense[k] = (double)(p.bits[k / n * words + k % n / 64] >> k % n % 64 & 1);
  for (size_t i = 0; i < n; i++)
    p.columns[i] = (int32_t)((p.m_i[i] = bperc_stream_double(&s)) * 0x1p12);
  for (size_t mu = 0; mu < m; mu++)
    p.rows[mu] = (int32_t)((p.g_mu[mu] = bperc_stream_double(&s)) * 0x1p12);
  return p;
}

static void clear(problem *p) {
  bperc_i_free(p->bits);
  bperc_i_free(p->dense);
  bperc_i_free(p->m_i);
  bperc_i_free(p->g_mu);
  bperc_i_free(p->sums);
  bperc_i_free(p->columns);
  bperc_i_free(p->rows);
  bperc_i_free(p->out);
}

static void plain(void *context) {
  problem *p = context;
  double *column = p->sums + p->m;
  memset(p->sums, 0, (p->n + p->m) * sizeof *p->sums);
  for (size_t mu = 0; mu < p->m; mu++)
    for (size_t i = 0; i < p->n; i++)
      p->sums[mu] += p->dense[mu * p->n + i] * p->m_i[i];
  for (size_t mu = 0; mu < p->m; mu++)
    for (size_t i = 0; i < p->n; i++)
      column[i] += p->dense[mu * p->n + i] * p->g_mu[mu];
  p->sink = p->sums[0] + column[0];
}

static void ours(void *context) {
  problem *p = context;
  bperc_i_matvec_rows(&p->x, p->columns, NULL, p->out);
  bperc_i_matvec_columns(&p->x, p->rows, NULL, p->out);
}

static void only_rows(void *context) {
  problem *p = context;
  bperc_i_matvec_rows(&p->x, p->columns, NULL, p->out);
}

/* Reads the packed patterns twice, as the two products do. */
static void read_twice(void *context) {
  problem *p = context;
  bounds_read_words(p->bits, p->m * p->x.words, 2);
}

static void against_doubles(bench *b, size_t n, size_t m, int isa,
                            double floor) {
  problem p = make(n, m, 1);
  double bits = (double)n * (double)m;
  char name[80];
  bperc_i_isa_force((bperc_i_isa)isa);
  snprintf(name, sizeof name, "both products, N = %zu, M = %zu, %s", n, m,
           bperc_i_isa_name(bperc_i_isa_chosen()));
  bench_duel(b, name, "pattern bit and iteration",
             (bench_variant){plain, &p, bits, 0},
             (bench_variant){ours, &p, bits, 0}, ROUNDS, floor);
  snprintf(name, sizeof name, "reading the patterns twice, the same problem");
  bench_duel(b, name, "pattern bit", (bench_variant){read_twice, &p, bits, 0},
             (bench_variant){ours, &p, bits, 0}, ROUNDS, 0);
  clear(&p);
}

static void against_memory(bench *b, size_t n, size_t m) {
  problem p = make(n, m, 0);
  double bits = (double)n * (double)m;
  char name[80];
  snprintf(name, sizeof name, "reading memory, N = %zu, M = %zu", n, m);
  bench_duel(b, name, "pattern bit", (bench_variant){read_twice, &p, bits, 0},
             (bench_variant){ours, &p, bits, 0}, ROUNDS, 0);
  bench_duel(b, "rows of it alone", "pattern bit",
             (bench_variant){read_twice, &p, 2 * bits, 0},
             (bench_variant){only_rows, &p, bits, 0}, ROUNDS, 0);
  clear(&p);
}

int main(int argc, char **argv) {
  bench b = bench_start(argc, argv, "AMP");
  against_doubles(&b, 10000, 2000, BPERC_ISA_COUNT, 8);
  for (int isa = (int)bperc_i_isa_chosen() - 1; isa >= 0; isa--)
    if (bperc_i_isa_available((bperc_i_isa)isa))
      against_doubles(&b, 10000, 2000, isa, 0);
  bperc_i_isa_force(BPERC_ISA_COUNT);
  against_memory(&b, 100000, 8000);
  return bench_end(&b);
}
