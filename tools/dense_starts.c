/* Start points of the densest region, for src/theory/dense_starts.h:
 *
 *   ninja -C build dense_starts
 *   build/dense_starts > src/theory/dense_starts.h
 *
 * Two points come from outside, with a few digits: (Q, alpha, D) =
 * (0.05, 0.2, 0.02) of weights 0, 1 and (alpha, D) = (0.4, 0.1) of -1, +1. All
 * others are reached from the first one, each from the one before it in the
 * list, and written with three decimals: a start needs no more, and the table
 * does not depend on the machine.
 */
#include "theory/dense_map.h"

#include <stdio.h>
#include <string.h>

static const bperc_i_dense_known first = {
    BPERC_THEORY_01,
    0.05,
    0.2,
    0.02,
    {-6.354, -5.273, -2.233, 0.878, 2.058, -1.741}};
static const bperc_i_dense_known ising = {
    BPERC_THEORY_ISING, 1, 0.4, 0.1, {-3.12, -2.26, -2.54, 1.446, 3.59}};

/* Where others are wanted: Q from 0.01 to 0.8 at small, middle and large load.
 */
static const bperc_i_dense_known places[] = {
    {BPERC_THEORY_01, 0.01, 0.05, 0.0045, {0}},
    {BPERC_THEORY_01, 0.25, 0.03, 0.175, {0}},
    {BPERC_THEORY_01, 0.25, 0.15, 0.107, {0}},
    {BPERC_THEORY_01, 0.25, 0.45, 0.0692, {0}},
    {BPERC_THEORY_01, 0.25, 0.55, 0.0585, {0}},
    {BPERC_THEORY_01, 0.5, 0.1, 0.165, {0}},
    {BPERC_THEORY_01, 0.5, 0.4, 0.0826, {0}},
    {BPERC_THEORY_01, 0.5, 0.49, 0.0628, {0}},
    {BPERC_THEORY_01, 0.8, 0.05, 0.0857, {0}},
    {BPERC_THEORY_01, 0.8, 0.15, 0.0438, {0}}};

static void print(const bperc_i_dense_known *k) {
  bool is_ising = k->weights == BPERC_THEORY_ISING;
  int unknowns = BPERC_I_DENSE_UNKNOWNS - is_ising;
  printf("{BPERC_THEORY_%s, %g, %g, %g,\n {", is_ising ? "ISING" : "01",
         k->mean, k->alpha, k->distance);
  for (int j = 0; j < unknowns; j++)
    printf(is_ising && j != BPERC_I_DENSE_LAM ? "%.2f%s" : "%.3f%s", k->u[j],
           j + 1 < unknowns ? ", " : "}},\n");
}

int main(void) {
  bperc_i_dense_known from = first;
  puts("/* Written by tools/dense_starts.c: build/dense_starts. Do not edit. "
       "*/\n"
       "/* clang-format off */");
  print(&first);
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    const bperc_i_dense_known *to = &places[k];
    bperc_i_dense dense;
    if (bperc_i_dense_start_from(&from, to->mean, to->alpha, &dense) !=
            BPERC_OK ||
        bperc_i_dense_move(&dense, to->distance) != BPERC_OK) {
      fprintf(stderr, "lost on the way to Q = %g, alpha = %g, D = %g\n",
              to->mean, to->alpha, to->distance);
      return 1;
    }
    from = *to;
    memcpy(from.u, dense.branch.u, sizeof from.u);
    print(&from);
  }
  print(&ising);
  puts("/* clang-format on */");
  return 0;
}
