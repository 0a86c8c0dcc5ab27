/* Quadrature nodes: Gauss-Legendre panels on meshes graded around features.
 *
 * The integrands of the theory are smooth except near a few points, where they
 * bend on a scale that may be far below 1. A mesh lists those points; panels
 * shrink in proportion to the distance from them, down to their width, so the
 * number of nodes grows with the logarithm of the width only.
 */
#ifndef BPERC_SRC_NUMERIC_QUADRATURE_H
#define BPERC_SRC_NUMERIC_QUADRATURE_H

#include "bperc/status.h"

#include <stddef.h>

#define BPERC_I_LEGENDRE_MAX 16

/* Nodes and weights on [-1, 1]. */
typedef struct {
  size_t n;
  double x[BPERC_I_LEGENDRE_MAX], w[BPERC_I_LEGENDRE_MAX];
} bperc_i_legendre;

/* n <= BPERC_I_LEGENDRE_MAX nodes, from GSL. */
bperc_status bperc_i_legendre_init(bperc_i_legendre *rule, size_t n);

#define BPERC_I_HERMITE_MAX 24

/* Nodes and weights for the standard Gaussian measure. */
typedef struct {
  size_t n;
  double x[BPERC_I_HERMITE_MAX], w[BPERC_I_HERMITE_MAX];
} bperc_i_hermite;

/* n <= BPERC_I_HERMITE_MAX nodes, from GSL. */
bperc_status bperc_i_hermite_init(bperc_i_hermite *rule, size_t n);

/* A growing list of nodes; zero-initialise, clear at the end. */
typedef struct {
  size_t n, capacity;
  double *x, *w;
} bperc_i_nodes;

void bperc_i_nodes_clear(bperc_i_nodes *nodes);

#define BPERC_I_MESH_FEATURES 3

typedef struct {
  double low, high; /* interval */
  double largest;   /* no panel is longer */
  double growth;    /* panel length per distance from a feature */
  size_t features;
  struct {
    double at, width; /* no panel needs to be shorter than width here */
  } feature[BPERC_I_MESH_FEATURES];
} bperc_i_mesh;

/* Append the nodes of the mesh, weights for Lebesgue measure. */
bperc_status bperc_i_nodes_add(bperc_i_nodes *nodes, const bperc_i_mesh *mesh,
                               const bperc_i_legendre *rule);

/* Turn Lebesgue weights into those of the standard Gaussian measure. */
void bperc_i_nodes_gauss(bperc_i_nodes *nodes);

/* A sum over an equidistant grid with Gaussian weights converges faster than
 * any power of the step for analytic integrands. The step is at most 0.4 and
 * resolves a function that varies on the given scale; finer halves it. */
typedef struct {
  double limit, step;
  long half; /* nodes are k * step, |k| <= half */
} bperc_i_trapezoid;

bperc_i_trapezoid bperc_i_trapezoid_make(double scale, int finer);
double bperc_i_trapezoid_weight(const bperc_i_trapezoid *t, double z);

#endif
