/* Dispatch of the kernels of belief propagation; Chebyshev interpolation. */
#include "kernels/bp.h"

#include "kernels/isa.h"

#include <math.h>
#include <pthread.h>

const bperc_i_bp_kernels *bperc_i_bp_kernels_get(void) {
#if defined(BPERC_HAVE_AVX2)
  if (bperc_i_isa_chosen() == BPERC_ISA_AVX2)
    return &bperc_i_bp_kernels_avx2;
#endif
  return &bperc_i_bp_kernels_portable;
}

enum { NODES = BPERC_I_NODES };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static double node[NODES];
/* Coefficient k of the power s^k from the value at node j. */
static double power[NODES][NODES];

/* Powers of s in the Chebyshev polynomials, row by row. */
static void prepare(void) {
  double t[NODES][NODES] = {{1}, {0, 1}};
  for (int k = 2; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      t[k][i] = (i ? 2 * t[k - 1][i - 1] : 0) - t[k - 2][i];
  for (int j = 0; j < NODES; j++) {
    double angle = M_PI * (j + 0.5) / NODES;
    node[j] = (1 + cos(angle)) / 2;
    for (int i = 0; i < NODES; i++)
      for (int k = 0; k < NODES; k++)
        power[j][i] += t[k][i] * cos(k * angle) * (k ? 2. : 1.) / NODES;
  }
}

void bperc_i_bp_nodes(double top, double *p) {
  pthread_once(&once, prepare);
  for (int j = 0; j < NODES; j++)
    p[j] = top * node[j];
}

double bperc_i_bp_fit(double top, const double *values, float *poly) {
  double sum[NODES] = {0};
  pthread_once(&once, prepare);
  for (int j = 0; j < NODES; j++)
    for (int i = 0; i < NODES; i++)
      sum[i] += power[j][i] * values[j];
  for (int i = 0; i < NODES; i++)
    poly[i] = (float)sum[i];
  poly[NODES] = (float)(2 / top);
  return fabs(sum[NODES - 1]) / (1 << (NODES - 2));
}
