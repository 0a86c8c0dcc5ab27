/* Franz-Parisi potential: local entropy around a typical solution
 * [BZ eq. 29]. Private to the theory; formulas in docs/theory.md 3.
 */
#ifndef BPERC_SRC_THEORY_FRANZ_PARISI_H
#define BPERC_SRC_THEORY_FRANZ_PARISI_H

#include "numeric/quadrature.h"
#include "theory/typical.h"

/* The reference: a typical solution. A weight is base + scale k, k = 0, 1. */
typedef struct {
  bool ising;               /* weights -1, +1: no h, Q = 1 */
  double base, scale;       /* 0, 1; for ISING -1, 2 */
  double mean, alpha;       /* Q, alpha */
  double q0, gap0, h0, qh0; /* q0, Q - q0, its field and conjugate */
} bperc_i_reference;

bperc_i_reference bperc_i_reference_of(bperc_theory_weights weights,
                                       const bperc_i_typical *typical);

/* Distance per change of the overlap with the reference: 2, for ISING 1/2. */
double bperc_i_reference_unit(const bperc_i_reference *ref);

/* All order parameters at one distance. */
typedef struct {
  double p, t, q1;      /* overlap with the reference, with another, within */
  double h, ph, qh, th; /* fields of the sum and of p; conjugates of q1, t */
} bperc_i_fp_state;

typedef struct {
  bperc_i_legendre legendre;
  double reach, panel;
  bool lean; /* no log_z and log_h: a search does without them */
} bperc_i_fp_rule;

bperc_status bperc_i_fp_rule_init(bperc_i_fp_rule *rule, int finer);

/* Averages over weights: GS, <s>, <w' s>, <s (1-s)>, <sig s>. */
typedef struct {
  double log_z, mean, overlap, width, other;
} bperc_i_fp_sites;

bperc_status bperc_i_fp_sites_average(const bperc_i_reference *ref,
                                      const bperc_i_fp_state *s,
                                      const bperc_i_fp_rule *rule,
                                      bperc_i_fp_sites *out);

/* Averages over patterns: GE, <L^2>, <r L>. */
typedef struct {
  double log_h, square, cross;
} bperc_i_fp_patterns;

bperc_status bperc_i_fp_patterns_average(const bperc_i_reference *ref,
                                         const bperc_i_fp_state *s,
                                         const bperc_i_fp_rule *rule,
                                         bperc_i_fp_patterns *out);

/* dGE/dp at fixed other parameters: <r E[L | the reference on its threshold]>.
 */
bperc_status bperc_i_fp_patterns_pull(const bperc_i_reference *ref,
                                      const bperc_i_fp_state *s,
                                      const bperc_i_fp_rule *rule,
                                      double *pull);

/* The free entropy at any values of the order parameters. */
bperc_status bperc_i_fp_free_entropy(const bperc_i_reference *ref,
                                     const bperc_i_fp_state *s,
                                     const bperc_i_fp_rule *rule,
                                     double *entropy);

/* Expansion around the typical distance, where p = q0 + e: first derivatives
 * of h, ph, t by e, v / e^2, and d^2F/de^2. */
typedef struct {
  double h, ph, t, v, bend;
} bperc_i_fp_expansion;

bperc_i_fp_expansion bperc_i_fp_expand(const bperc_i_reference *ref);

/* Where the saddle point lies at overlap p = q0 + e with the reference: h, ph,
 * t to first order in e, v to second. */
typedef struct {
  double h, ph, t, v;
} bperc_i_fp_guess;

bperc_i_fp_guess bperc_i_fp_near_typical(const bperc_i_reference *ref,
                                         const bperc_i_fp_expansion *by,
                                         double e);

#endif
