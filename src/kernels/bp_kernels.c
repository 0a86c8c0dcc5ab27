/* Chebyshev interpolation for the kernels of belief propagation. */
#include "kernels/bp_kernels.h"

#include <math.h>
#include <pthread.h>

enum { NODES = BPERC_I_NODES };

bperc_i_chebyshev bperc_i_bp_chebyshev;
bperc_i_places bperc_i_bp_places;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_places(bperc_i_places *t) {
  for (int byte = 0; byte < 256; byte++)
    for (int8_t k = 0, edges = 0; k < 8; k++) {
      t->expand[byte][k] = byte >> k & 1 ? edges : -1;
      if (byte >> k & 1)
        t->pack[byte][edges++] = k;
    }
}

static void prepare_bp_kernels(void) {
  bperc_i_chebyshev *t = &bperc_i_bp_chebyshev;
  fill_places(&bperc_i_bp_places);
  t->power[0][0] = 1;
  t->power[1][1] = 2; /* s = 2 (p - 1/2) */
  for (int k = 2; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      t->power[k][i] =
          (i ? 4 * t->power[k - 1][i - 1] : 0) - t->power[k - 2][i];
  for (int j = 0; j < NODES; j++) {
    double angle = M_PI * (j + 0.5) / NODES;
    t->node[j] = (1 + cos(angle)) / 2;
    for (int k = 0; k < NODES; k++)
      t->cosine[j][k] = cos(k * angle) * (k ? 2. : 1.) / NODES;
  }
}

const bperc_i_bp_kernels *bperc_i_bp_kernels_get(void) {
  pthread_once(&once, prepare_bp_kernels);
  return BPERC_I_PICK(bperc_i_bp_kernels);
}
