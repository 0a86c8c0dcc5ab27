/* The loop of Sammon maps, compiled once per instruction set. Four pairs at a
 * time; the same operations in the same order on every instruction set. */
#include "analysis/sammon.h"

#include <math.h>
#include <string.h>

typedef double four __attribute__((vector_size(32)));

static const double touching = 1e-9; /* points never count as closer */

static inline void load_four(four *to, const double *from) {
  memcpy(to, from, sizeof *to);
}

static inline void add_four(double *to, const four *more) {
  four sum;
  load_four(&sum, to);
  sum += *more;
  memcpy(to, &sum, sizeof sum);
}

static inline double lanes(const four *v) {
  return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* Sums of one point over its pairs. */
typedef struct {
  four stress, gx, gy, hx, hy;
} row;

/* The terms of four pairs at offsets (dx, dy). */
static inline void pair_terms(const four *dx, const four *dy, const four *far,
                              row *out) {
  four d = *dx * *dx + *dy * *dy;
  for (int q = 0; q < 4; q++) {
    d[q] = sqrt(d[q]);
    d[q] = d[q] > touching ? d[q] : touching;
  }
  four near = 1.0 / d, miss = *far - d, each = 1.0 / *far;
  four scale = each * near, bend = near + miss * near * near;
  four pull = miss * scale;
  out->stress = miss * miss * each;
  out->gx = pull * *dx;
  out->gy = pull * *dy;
  out->hx = pull - scale * *dx * *dx * bend;
  out->hy = pull - scale * *dy * *dy * bend;
}

/* Adds the terms of four pairs to the row, and their counterparts to the other
 * points. */
static inline void spread_forces(row *sum, row *term, double *gx, double *gy,
                                 double *hx, double *hy) {
  sum->stress += term->stress;
  sum->gx += term->gx;
  sum->gy += term->gy;
  sum->hx += term->hx;
  sum->hy += term->hy;
  term->gx = -term->gx;
  term->gy = -term->gy;
  add_four(gx, &term->gx);
  add_four(gy, &term->gy);
  add_four(hx, &term->hx);
  add_four(hy, &term->hy);
}

/* The last pairs of a row, fewer than four: what is not there adds nothing. */
static void last_pairs(const double *x, const double *y, const uint8_t *far_of,
                       const four *at, size_t have, row *term) {
  four far = {1, 1, 1, 1}, dx = {1, 1, 1, 1}, dy = {0};
  for (size_t q = 0; q < have; q++) {
    far[q] = far_of[q];
    dx[q] = (*at)[0] - x[q];
    dy[q] = (*at)[1] - y[q];
  }
  pair_terms(&dx, &dy, &far, term);
  for (size_t q = have; q < 4; q++)
    term->stress[q] = term->gx[q] = term->gy[q] = term->hx[q] = term->hy[q] = 0;
}

static double sammon_run(const double *x, const double *y, const uint8_t *delta,
                         size_t count, double *gx, double *gy, double *hx,
                         double *hy) {
  double stress = 0;
  for (size_t k = 0; k < count; k++)
    gx[k] = gy[k] = hx[k] = hy[k] = 0;
  for (size_t k = 1; k < count; k++) {
    const uint8_t *far_of = delta + k * count;
    four at = {x[k], y[k], 0, 0};
    row sum, term;
    size_t l = 0;
    memset(&sum, 0, sizeof sum);
    for (; l + 4 <= k; l += 4) {
      four far = {far_of[l], far_of[l + 1], far_of[l + 2], far_of[l + 3]};
      four dx, dy;
      load_four(&dx, x + l);
      load_four(&dy, y + l);
      dx = at[0] - dx;
      dy = at[1] - dy;
      pair_terms(&dx, &dy, &far, &term);
      spread_forces(&sum, &term, gx + l, gy + l, hx + l, hy + l);
    }
    if (l < k) {
      last_pairs(x + l, y + l, far_of + l, &at, k - l, &term);
      spread_forces(&sum, &term, gx + l, gy + l, hx + l, hy + l);
    }
    stress += lanes(&sum.stress);
    gx[k] += lanes(&sum.gx);
    gy[k] += lanes(&sum.gy);
    hx[k] += lanes(&sum.hx);
    hy[k] += lanes(&sum.hy);
  }
  return stress;
}

const bperc_i_sammon_kernels BPERC_I_FOR_ISA(bperc_i_sammon_kernels) = {
    .run = sammon_run};
