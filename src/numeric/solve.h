/* Nonlinear equations: one unknown (Brent), a few unknowns (damped Newton),
 * and following a solution along a parameter (parabola as predictor, Newton as
 * corrector, step shortened on failure).
 */
#ifndef BPERC_SRC_NUMERIC_SOLVE_H
#define BPERC_SRC_NUMERIC_SOLVE_H

#include "bperc/status.h"

#include <stdbool.h>
#include <stddef.h>

#define BPERC_I_UNKNOWNS 8

/* A function of one variable; NaN says "not defined here". */
typedef double bperc_i_scalar(double x, void *context);

/* Root of f between low and high, where its signs differ, to a bracket of
 * relative width tolerance. BPERC_E_NUMERIC without a sign change. */
bperc_status bperc_i_root(bperc_i_scalar *f, void *context, double low,
                          double high, double tolerance, double *root);

/* Residuals r[0..n-1] at u[0..n-1], scaled so that 1 is "completely wrong".
 * BPERC_E_NUMERIC where they are not defined; other failures end the solve. */
typedef bperc_status bperc_i_solve_function(const double *u, double parameter,
                                            double *r, void *context);

typedef struct {
  size_t n;
  bperc_i_solve_function *residual;
  void *context;
  double tolerance;  /* on the largest |r| */
  int max_steps;     /* Newton steps */
  double max_change; /* of any unknown in one Newton step */
} bperc_i_system;

/* Improve u at the parameter. On BPERC_OK *size is the largest |r|. On
 * BPERC_E_NUMERIC u is where it stopped. */
bperc_status bperc_i_newton(const bperc_i_system *system, double parameter,
                            double *u, double *size);

/* A solution and where it was last seen. */
typedef struct {
  double parameter, u[BPERC_I_UNKNOWNS], size;
  double slope[BPERC_I_UNKNOWNS]; /* divided differences of the last steps, */
  double bend[BPERC_I_UNKNOWNS];  /* first and second, or 0 */
  double last;                    /* the last step */
  double step;                    /* length to go on with */
} bperc_i_branch;

/* Keep the unknowns, name the place and forget the way here: after a change of
 * the parameter's or an unknown's meaning. */
void bperc_i_branch_restart(bperc_i_branch *branch, double parameter);

/* Is the solution acceptable? Called after each corrected step. */
typedef bool bperc_i_accept(const bperc_i_branch *branch, void *context);

typedef struct {
  double first, largest, smallest; /* steps of the parameter, positive */
  bperc_i_accept *accept;          /* NULL accepts all */
  bperc_i_accept *enough;          /* go no further, or NULL: never */
  bool foresee; /* shorter steps before an end where unknowns diverge */
} bperc_i_stride;

/* Move the branch to the target parameter. BPERC_E_NUMERIC when the step fell
 * below the smallest or it was enough before: the branch then holds the last
 * solution found. */
bperc_status bperc_i_follow(const bperc_i_system *system,
                            const bperc_i_stride *stride, double target,
                            bperc_i_branch *branch);

#endif
