/* Geometry of pure states [BZ App. F]: g(x) is piecewise linear.
 *
 * 1RSB1, x <= 1: isolated solutions, q_same = Q, q_diff = q, g = F.
 * 1RSB2, x >= 1: few large states, q_same = q_diff = q, g = x F.
 * Sigma(s) is the Legendre transform: the line from (0, F) to (F, 0).
 */
#include "bperc/theory.h"

bperc_theory_state bperc_theory_geometry(const bperc_theory_typical *typical,
                                         double x) {
  bool small = x < 1;
  double f = typical->entropy;
  return (bperc_theory_state){.x = x,
                              .g = small ? f : x * f,
                              .q_same =
                                  small ? typical->square : typical->overlap,
                              .q_diff = typical->overlap,
                              .size = small ? 0 : f,
                              .complexity = small ? f : 0};
}
