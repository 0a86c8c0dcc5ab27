/* Kernels of belief propagation: accuracy against the double reference, far
 * tails, and the same bits from every instruction set. */
#include "check.h"

#include "any_instance.h"
#include "bp/factor.h"
#include "bp/state.h"
#include "bperc/bp.h"
#include "bperc/ensemble.h"
#include "bperc/stream.h"
#include "kernels/bp_kernels.h"
#include "kernels/isa.h"
#include "literal_factor.h"
#include "numeric/gauss.h"

#include <string.h>

static double reference(double s, double edge, bperc_i_row_sums row, double p) {
  double sigma = sqrt(row.v - p * (1 - p));
  double x = s * (edge - row.a + p) / sigma;
  return fmax(-50, fmin(50, bperc_i_log_h_ratio(x - s / sigma, x)));
}

/* log H ratios for arguments from -40 to beyond 100. */
static void gaussian_is_accurate(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  const double p[4] = {0.013, 0.31, 0.62, 0.97};
  double h_hat[4], terms[4];
  (void)state;
  for (double edge = -300; edge < 700; edge += 7.37)
    for (int label = -1; label <= 1; label += 2) {
      bperc_i_row_sums row = {12.3, 37.9};
      kernels->gaussian(label, edge, row, p, 4, h_hat, terms);
      for (int k = 0; k < 4; k++) {
        double expected = reference(label, edge, row, p[k]);
        assert_close(h_hat[k], expected, 3e-9 * (1 + fabs(expected)));
        assert_close(terms[k], log(1 - p[k] + p[k] * exp(h_hat[k])), 1e-9);
      }
    }
}

/* h_hat of eight edges into out, u with it. */
static void write_eight(const bperc_i_poly *poly, const float *p, float f,
                        float *u, float *out) {
  const uint32_t list[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float row[8];
  memcpy(row, p, sizeof row);
  bperc_i_bp_kernels_get()->write_list(poly, row, list, u, 8, f, out);
}

/* Of a factor that is almost sure to be satisfied nothing is left but the sign
 * and the size of tiny messages; they decide where no other factor speaks. */
static void tiny_messages_have_their_signs(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  const double nodes[4] = {0.1, 0.3, 0.6, 0.9};
  double h_hat[4];
  float p[8], out[8], u[8];
  bperc_i_poly poly;
  (void)state;
  for (double far = 3; far < 12; far += 0.5)
    for (int label = -1; label <= 1; label += 2) {
      bperc_i_row_sums row = {72, 36};
      double edge = row.a - label * 6 * far;
      kernels->gaussian(label, edge, row, nodes, 4, h_hat, NULL);
      for (int k = 0; k < 4; k++)
        assert_close(h_hat[k] / reference(label, edge, row, nodes[k]), 1, 1e-6);
      kernels->fit_gaussian(label, edge, row, &poly);
      for (int k = 0; k < 8; k++) {
        p[k] = 0.13f * (float)k;
        u[k] = out[k] = 0;
      }
      write_eight(&poly, p, 1, u, out);
      for (int k = 0; k < 8; k++)
        assert_close(out[k] / reference(label, edge, row, p[k]), 1, 0.01);
    }
}

static void polynomial_fits(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  bperc_i_row_sums row = {12.3, 9.1};
  float p[8], out[8] = {0}, u[8] = {0};
  bperc_i_poly poly;
  (void)state;
  assert_true(kernels->fit_gaussian(1, 12.5, row, &poly) < 1e-6);
  for (int k = 0; k < 8; k++)
    p[k] = 0.137f * (float)k;
  write_eight(&poly, p, 0.25f, u, out);
  for (int k = 0; k < 8; k++) {
    assert_close(out[k], reference(1, 12.5, row, p[k]), 3e-6);
    assert_close(u[k], out[k] / 4, 1e-6);
  }
}

/* Single precision at the nodes: where the fit is accepted it stands for the
 * factor, far tails included. */
static void factor_is_fitted(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  const float p[8] = {0.001f, 0.02f, 0.11f, 0.3f, 0.52f, 0.74f, 0.9f, 0.998f};
  int accepted = 0;
  (void)state;
  for (double v = 3; v < 2000; v *= 2.3)
    for (double x = -9; x < 25; x += 0.37)
      for (int label = -1; label <= 1; label += 2) {
        bperc_i_row_sums row = {31.7, v};
        double edge = row.a + label * x * sqrt(v);
        float out[8] = {0}, u[8] = {0};
        bperc_i_poly poly;
        if (kernels->fit_gaussian(label, edge, row, &poly) > 1e-5)
          continue;
        accepted++;
        write_eight(&poly, p, 0.25f, u, out);
        for (int k = 0; k < 8; k++) {
          double expected = reference(label, edge, row, p[k]);
          assert_close(out[k], expected, 1e-5 + 1e-6 * fabs(expected));
        }
      }
  assert_true(accepted > 900);
}

/* ---- rows of messages by lists and by masks */

enum { WIDE = 1216, GUARD = 8 };

/* A row with fields of its own, and what the kernels make of it. */
typedef struct {
  size_t width, degree, padded;
  uint64_t mask[WIDE / 64];
  uint32_t list[WIDE + 8];
  float g[WIDE + 1];
  float p[WIDE + 2 * GUARD], h_hat[WIDE + 2 * GUARD], u[WIDE + 2 * GUARD];
  float sums[WIDE + 1];
  bperc_i_row_sums row;
} edges;

static float around(bperc_stream *s, double reach) {
  return (float)(reach * (2 * bperc_stream_double(s) - 1));
}

/* Bytes empty, full, with one bit, or of a density. */
static uint64_t draw_mask(bperc_stream *s, int kind) {
  uint64_t mask = 0;
  for (int bit = 0; bit < 64; bit++) {
    double p = kind == 0   ? 0.5
               : kind == 1 ? 0.04
               : kind == 2 ? 0.96
                           : (double)(bit / 8 % 2);
    mask |= (uint64_t)(bperc_stream_double(s) < p) << bit;
  }
  return kind == 4 ? 0 : kind == 5 ? ~(uint64_t)0 : mask;
}

static void draw_edges(bperc_stream *s, size_t width, int kind, edges *e) {
  memset(e, 0, sizeof *e);
  e->width = width;
  for (size_t w = 0; w < width / 64; w++)
    e->mask[w] = draw_mask(s, kind < 6 ? kind : (int)((w + 1) % 6));
  for (size_t c = 0; c < width; c++) {
    e->g[c] = around(s, 5);
    e->sums[c] = around(s, 1);
    if (e->mask[c / 64] >> c % 64 & 1)
      e->list[e->degree++] = (uint32_t)c;
  }
  e->g[width] = BPERC_I_NO_EDGE;
  e->padded = (e->degree + 7) / 8 * 8;
  for (size_t k = e->degree; k < e->padded; k++)
    e->list[k] = (uint32_t)width;
  for (size_t k = 0; k < e->padded; k++)
    e->u[k] = around(s, 4);
  for (size_t k = 0; k < GUARD; k++) /* not to be touched */
    e->u[e->padded + k] = e->p[e->padded + GUARD + k] = 77;
}

static const bperc_i_poly a_poly = {
    {0.31f, -1.2f, 0.47f, 0.21f, -0.35f, 0.17f, 0.11f, -0.06f}, 7};

/* Reads and writes the row, then writes once more what was written. */
static void run_edges(edges *e, int packed, float bound, int degree, float f) {
  const bperc_i_bp_kernels *k = bperc_i_bp_kernels_get();
  bperc_i_poly poly = a_poly;
  poly.degree = degree;
  e->row = packed ? k->read_packed(e->g, e->mask, e->u, e->width, e->degree,
                                   bound, e->p)
                  : k->read_list(e->g, e->list, e->u, e->degree, bound, e->p);
  memcpy(e->h_hat, e->p, sizeof e->p);
  if (packed) {
    k->write_packed(&poly, e->h_hat, e->mask, e->u, e->width, e->padded, f,
                    e->sums);
    k->apply_packed(e->h_hat, e->mask, e->u, e->width, e->padded, f, e->sums);
  } else {
    k->write_list(&poly, e->h_hat, e->list, e->u, e->padded, f, e->sums);
    k->apply_list(e->h_hat, e->list, e->u, e->padded, f, e->sums);
  }
}

/* The same by a plain loop over the columns. */
static void check_edges(const edges *old, const edges *e, float bound,
                        int degree, float f) {
  double a = 0, v = 0;
  size_t k = 0;
  for (size_t c = 0; c < e->width; c++) {
    float u = old->u[k], h = old->g[c] - u, y = 0, sum;
    double p;
    if (!(e->mask[c / 64] >> c % 64 & 1)) {
      assert_memory_equal(&e->sums[c], &old->sums[c], sizeof(float));
      continue;
    }
    if (bound > 0 && fabsf(h) > bound) {
      h = copysignf(bound, h);
      u = old->g[c] - h;
    }
    p = 1 / (1 + exp(-(double)h));
    a += p;
    v += p * (1 - p);
    assert_close(e->p[k], p, 1e-5 * p);
    for (int i = degree; i >= 0; i--)
      y = y * (e->p[k] - 0.5f) + a_poly.c[i];
    assert_close(e->h_hat[k], y, 2e-6);
    for (int t = 0; t < 2; t++)
      u = u + f * (e->h_hat[k] - u);
    assert_true(e->u[k] == u);
    sum = old->sums[c] + e->h_hat[k];
    assert_true(e->sums[c] == sum + e->h_hat[k]);
    k++;
  }
  assert_int_equal(k, e->degree);
  assert_close(e->row.a, a, 1e-5 * (1 + a));
  assert_close(e->row.v, v, 1e-5 * (1 + v));
}

/* Two ways, every instruction set: the same bits. */
static void compare_edges(const edges *old, float bound, int degree, float f) {
  static edges first, e;
  int runs = 0;
  for (int isa = 0; isa < BPERC_ISA_COUNT; isa++)
    for (int packed = 0; packed < 2; packed++) {
      if (!bperc_i_isa_available((bperc_i_isa)isa))
        continue;
      bperc_i_isa_force((bperc_i_isa)isa);
      e = *old;
      run_edges(&e, packed, bound, degree, f);
      if (runs++ == 0) {
        first = e;
        check_edges(old, &e, bound, degree, f);
      }
      assert_memory_equal(&e.row, &first.row, sizeof e.row);
      assert_memory_equal(e.p, first.p, e.padded * sizeof *e.p);
      assert_memory_equal(e.h_hat, first.h_hat, e.padded * sizeof *e.p);
      assert_memory_equal(e.u, first.u, (e.padded + GUARD) * sizeof *e.u);
      assert_memory_equal(e.sums, first.sums, e.width * sizeof *e.sums);
      for (size_t k = 0; k < GUARD; k++)
        assert_true(e.u[e.padded + k] == 77 && e.p[e.padded + GUARD + k] == 77);
    }
  bperc_i_isa_force(BPERC_ISA_COUNT);
}

static void lists_and_masks_equal_a_plain_loop(void **state) {
  static edges old;
  bperc_stream s = bperc_stream_make(6, BPERC_FOR_TEST, 2);
  (void)state;
  for (size_t width = 64; width <= WIDE; width += width < 512 ? 64 : 704)
    for (int kind = 0; kind < 7; kind++)
      for (int degree = 3; degree <= 7; degree += 2) {
        draw_edges(&s, width, kind, &old);
        compare_edges(&old, 0, degree, 0.23f);
        compare_edges(&old, 2.5f, degree, 0.23f);
      }
}

/* ---- the exact factor */

enum { MOST = 264, ROOM = 2 * MOST };

/* Messages around `mean`, every third place no edge; p and q of the edges. */
static size_t draw_row(bperc_stream *s, size_t degree, double mean, float *row,
                       double *p, double *q) {
  size_t room = 0;
  for (size_t k = 0; k < degree; k++) {
    double h = mean + 5 * bperc_stream_double(s) - 2.5;
    if (room % 3 == 2)
      row[room++] = 0;
    row[room] = (float)(1 / (1 + exp(-h)));
    p[k] = (double)row[room++];
    q[k] = 1 - p[k];
  }
  while (room % 8)
    row[room++] = 0;
  return room;
}

/* h_hat of the edges, by both instruction sets with the same bits; 0 when out
 * of range. */
static int by_kernels(int label, int left, size_t degree, const float *row,
                      size_t room, double *h_hat, double *bethe) {
  static float table[400 * ROOM], out[2][ROOM];
  const bperc_i_capped way = bperc_i_factor_plan(label, left, degree);
  double told[2];
  int good[2];
  size_t k = 0;
  assert_true(bperc_i_exact_table(room, way.bound) <=
              sizeof table / sizeof *table);
  for (int isa = 0; isa < 2; isa++) {
    bperc_i_isa_force(isa ? BPERC_ISA_COUNT : BPERC_ISA_portable);
    good[isa] = bperc_i_bp_kernels_get()->exact(&way, row, room, table,
                                                out[isa], &told[isa]);
  }
  assert_int_equal(good[0], good[1]);
  if (!good[0])
    return 0;
  assert_memory_equal(out[0], out[1], room * sizeof(float));
  assert_memory_equal(&told[0], &told[1], sizeof *told);
  for (size_t i = 0; i < room; i++)
    if (row[i] > 0)
      h_hat[k++] = (double)out[0][i];
    else
      assert_true(out[0][i] == 0);
  assert_int_equal(k, degree);
  *bethe = told[0];
  return 1;
}

static void exact_equals_literal(void **state) {
  bperc_stream s = bperc_stream_make(6, BPERC_FOR_TEST, 0);
  (void)state;
  for (size_t degree = 2; degree <= 10; degree++)
    for (int label = 0; label < 2; label++)
      for (int left = 1; left < (int)degree; left++) {
        float row[ROOM];
        double p[MOST], q[MOST], h_hat[MOST], bethe;
        size_t room = draw_row(&s, degree, -0.4, row, p, q);
        assert_true(by_kernels(label, left, degree, row, room, h_hat, &bethe));
        for (size_t i = 0; i < degree; i++)
          assert_close(h_hat[i], literal_h_hat(label, left, degree, p, i),
                       2e-6);
      }
}

/* Against plain sums in double precision, ones and zeros counted, patterns
 * that hold easily and hardly ever. */
static void exact_equals_plain(void **state) {
  static const size_t degrees[] = {7, 8, 9, 33, 48, 71, 144, 240, MOST};
  static double table[(MOST + 2) * (MOST + 2)];
  bperc_stream s = bperc_stream_make(6, BPERC_FOR_TEST, 1);
  int compared = 0;
  (void)state;
  for (size_t c = 0; c < sizeof degrees / sizeof *degrees; c++)
    for (int label = 0; label < 2; label++)
      for (int part = 0; part < 12; part++) {
        float row[ROOM];
        double p[MOST], q[MOST], h_hat[MOST], plain[MOST], bethe, expected;
        size_t d = degrees[c];
        int left = part < 8 ? 1 + part * (int)(d - 2) / 7 : 1 + part % 5;
        size_t room = draw_row(&s, d, part % 3 - 2.1, row, p, q);
        expected = bperc_i_factor_exact(label, left, d, p, q, table, plain);
        if (!by_kernels(label, left, d, row, room, h_hat, &bethe)) {
          assert_true(expected < -50);
          continue;
        }
        compared++;
        for (size_t i = 0; i < d; i++) {
          assert_close(h_hat[i], plain[i], 3e-6 * (1 + fabs(plain[i])));
          expected -= log(q[i] + p[i] * exp(plain[i]));
        }
        assert_close(bethe, expected, 1e-5 * (1 + fabs(expected)));
      }
  assert_true(compared > 150);
}

/* Ten steps of the fast kernel stay with the plain one, for lists and masks,
 * with and without a bound; both instruction sets give the same bits. */
static void rows_agree(double fin, double bound, int factor) {
  enum { N = 203, M = 60 };
  bperc_instance *in;
  double plain[N], fast[2][N];
  bperc_bp_options opt;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = M, .fin = fin, .model = {.a = 21, .ties = 0}},
      8, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.factor = factor;
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.05;
  opt.h_max = bound;
  for (int run = 0; run < 3; run++) {
    bperc_bp *bp;
    opt.kernel = run < 2 ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
    bperc_i_isa_force(run == 0 ? BPERC_ISA_portable : BPERC_ISA_COUNT);
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (int t = 0; t < 10; t++)
      bperc_bp_step(bp);
    bperc_bp_fields(bp, run < 2 ? fast[run] : plain);
    bperc_bp_free(bp);
  }
  assert_memory_equal(fast[0], fast[1], sizeof fast[0]);
  for (int i = 0; i < N; i++)
    assert_close(fast[0][i], plain[i], 1e-4 * (1 + 0.01 * fabs(plain[i])));
  bperc_instance_free(in);
}

static void fast_equals_plain(void **state) {
  static const int factors[] = {BPERC_BP_GAUSSIAN, BPERC_BP_EXACT};
  (void)state;
  for (int k = 0; k < 2; k++) {
    rows_agree(0.13, 0, factors[k]);
    rows_agree(0.13, 2.5, factors[k]);
    rows_agree(0.47, 0, factors[k]);
    rows_agree(0.47, 2.5, factors[k]);
    rows_agree(0.71, 0, factors[k]);
    rows_agree(0.71, 2.5, factors[k]);
  }
}

/* Messages at the bound are evaluated once a row: strong fields on nearly all
 * weights bring them there, where no polynomial fits. */
static void bounded_messages(void **state) {
  enum { N = 203, M = 60 };
  bperc_instance *in;
  double field[2][N], external[N];
  bperc_bp_options opt;
  (void)state;
  for (int i = 0; i < N; i++)
    external[i] = i % 25 == 0 ? 0.4 * sin(i) : i % 10 == 3 ? 4000 : -3000;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = M, .fin = 0.47, .model = {.a = 21, .ties = 0}},
      8, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.factor = BPERC_BP_GAUSSIAN;
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.3;
  opt.h_max = 8;
  for (int run = 0; run < 2; run++) {
    bperc_bp *bp;
    opt.kernel = run ? BPERC_BP_KERNEL_PLAIN : BPERC_BP_KERNEL_FAST;
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (size_t i = 0; i < N; i++)
      bperc_bp_set_external(bp, i, external[i]);
    for (int t = 0; t < 25; t++)
      bperc_bp_step(bp);
    bperc_bp_fields(bp, field[run]);
    bperc_bp_free(bp);
  }
  for (int i = 0; i < N; i++)
    assert_close(field[0][i], field[1][i], 1e-3 * (1 + fabs(field[1][i])));
  bperc_instance_free(in);
}

/* The Bethe entropy of exact factors along a run is that of the fixed point
 * in double precision. */
static void exact_entropy(void **state) {
  enum { N = 203, M = 40 };
  bperc_instance *in;
  bperc_bp_options opt;
  bperc_bp_report report;
  bperc_bp *bp;
  double entropy;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = M, .fin = 0.31, .model = {.a = 21, .ties = 0}},
      8, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.factor = BPERC_BP_EXACT;
  opt.criterion = BPERC_BP_ENTROPY;
  opt.kernel = BPERC_BP_KERNEL_FAST;
  assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
  bperc_bp_converge(bp, &report);
  assert_true(report.converged);
  entropy = bp->log_z / N; /* of the last sweep */
  assert_close(entropy, bperc_bp_entropy(bp), 1e-6);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* Squeezing masks and packed rows as weights are fixed changes nothing: the
 * same fixed point as in double precision. */
static void fixing_with(double fin) {
  enum { N = 203, M = 20 };
  bperc_instance *in;
  double field[2][N];
  bperc_bp_options opt;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = M, .fin = fin, .model = {.a = 21, .ties = 0}},
      9, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.tolerance = 1e-5;
  opt.factor = BPERC_BP_GAUSSIAN;
  for (int run = 0; run < 2; run++) {
    bperc_bp *bp;
    opt.kernel = run ? BPERC_BP_KERNEL_PLAIN : BPERC_BP_KERNEL_FAST;
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (size_t i = 0; i < 60; i++)
      assert_int_equal(bperc_bp_fix(bp, 3 * i + 1, i % 19 == 0), BPERC_RUNNING);
    bperc_bp_converge(bp, NULL);
    bperc_bp_fields(bp, field[run]);
    bperc_bp_free(bp);
  }
  for (int i = 0; i < N; i++)
    if (isfinite(field[1][i]))
      assert_close(field[0][i], field[1][i], 1e-4);
  bperc_instance_free(in);
}

static void fixing_in_masks(void **state) {
  (void)state;
  fixing_with(0.64);
  fixing_with(0.49);
}

/* With lists and with packed rows a decimation has the same fields, bit by bit;
 * problems of every kind. */
static void decimate_both_ways(uint64_t seed) {
  enum { N = 259, M = 30 };
  bperc_instance *in = any_instance(N, M, seed);
  double field[2][N];
  bperc_bp_options opt;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.kernel = BPERC_BP_KERNEL_FAST;
  for (int run = 0; run < 2; run++) {
    bperc_bp *bp;
    bperc_i_isa_force(run ? BPERC_ISA_COUNT : BPERC_ISA_portable);
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (size_t i = 0; i < 100; i++) { /* a contradiction drops its pattern */
      bperc_bp_step(bp);
      bperc_bp_fix(bp, (38 * i + 5) % N, i % 2 == 0);
    }
    bperc_bp_fields(bp, field[run]);
    bperc_bp_free(bp);
  }
  bperc_i_isa_force(BPERC_ISA_COUNT);
  assert_memory_equal(field[0], field[1], sizeof field[0]);
  bperc_instance_free(in);
}

static void packed_decimation(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 18; seed++)
    decimate_both_ways(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaussian_is_accurate),
      cmocka_unit_test(tiny_messages_have_their_signs),
      cmocka_unit_test(polynomial_fits),
      cmocka_unit_test(factor_is_fitted),
      cmocka_unit_test(lists_and_masks_equal_a_plain_loop),
      cmocka_unit_test(exact_equals_literal),
      cmocka_unit_test(exact_equals_plain),
      cmocka_unit_test(fast_equals_plain),
      cmocka_unit_test(bounded_messages),
      cmocka_unit_test(exact_entropy),
      cmocka_unit_test(fixing_in_masks),
      cmocka_unit_test(packed_decimation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
