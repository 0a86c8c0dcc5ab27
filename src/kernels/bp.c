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
static double cosine[NODES][NODES];    /* node j, Chebyshev k, weighted */
static double chebyshev[NODES][NODES]; /* power i of s in polynomial k */

static void prepare(void) {
  chebyshev[0][0] = chebyshev[1][1] = 1;
  for (int k = 2; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      chebyshev[k][i] =
          (i ? 2 * chebyshev[k - 1][i - 1] : 0) - chebyshev[k - 2][i];
  for (int j = 0; j < NODES; j++) {
    double angle = M_PI * (j + 0.5) / NODES;
    node[j] = (1 + cos(angle)) / 2;
    for (int k = 0; k < NODES; k++)
      cosine[j][k] = cos(k * angle) * (k ? 2. : 1.) / NODES;
  }
}

void bperc_i_bp_nodes(double top, double *p) {
  pthread_once(&once, prepare);
  for (int j = 0; j < NODES; j++)
    p[j] = top * node[j];
}

/* Terms that add up to less than this are left out. */
#define NEGLIGIBLE 3e-7

double bperc_i_bp_fit(double top, const double *values, bperc_i_poly *poly) {
  double c[NODES] = {0}, power[NODES] = {0};
  pthread_once(&once, prepare);
  for (int j = 0; j < NODES; j++)
    for (int k = 0; k < NODES; k++)
      c[k] += cosine[j][k] * values[j];
  poly->degree = NODES - 1;
  while (poly->degree > 3 &&
         fabs(c[poly->degree]) + fabs(c[poly->degree - 1]) < NEGLIGIBLE)
    poly->degree -= 2;
  for (int k = 0; k <= poly->degree; k++)
    for (int i = 0; i < NODES; i++)
      power[i] += chebyshev[k][i] * c[k];
  for (int i = 0; i < NODES; i++)
    poly->c[i] = (float)power[i];
  poly->scale = (float)(2 / top);
  return fabs(c[NODES - 1]);
}
