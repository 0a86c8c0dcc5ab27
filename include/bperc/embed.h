/* Pictures of solution spaces: solutions as points of the plane.
 *
 * Solves   Sammon's criterion [BZ app. G]: least
 *            E = 1 / sum delta * sum (delta - d)^2 / delta  over pairs,
 *          delta the Hamming distance of two solutions, d that of their points
 * Start    classical scaling (principal axes by LAPACK), then random starts;
 *          the least stress wins
 * Cost     points^2 per iteration; above `points` solutions, a random sample
 */
#ifndef BPERC_EMBED_H
#define BPERC_EMBED_H

#include "bperc/exact.h"

#include <stdio.h>

BPERC_C_BEGIN

/* name, default, value of the paper, range, meaning */
#define BPERC_EMBED_OPTIONS(X)                                                 \
  X(INT, points, 1000, 1000, 1, 20000,                                         \
    "most points drawn; of more solutions, a random sample")                   \
  X(INT, restarts, 3, 3, 0, 1000, "random starts besides the classical one")   \
  X(INT, iterations, 300, 300, 0, 1e6, "most iterations from each start")      \
  X(REAL, tolerance, 1e-5, 1e-5, 0, 1,                                         \
    "stop when an iteration lowers the stress by less than this part")

BPERC_OPTIONS_DECLARE(bperc_embed_options, BPERC_EMBED_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_embed_option_table(void);

typedef struct {
  size_t count;       /* points */
  size_t solutions;   /* of so many solutions: more than count if sampled */
  uint32_t *solution; /* which solution a point is */
  double *x, *y;
  double stress;    /* E; NAN below two points */
  double classical; /* E of the classical start, scaled to fit best */
  size_t winner;    /* 0: from the classical start, else which random one */
} bperc_embedding;

/* options, how NULL: the defaults; how->fixed is not looked at. Its watch is
 * told the share of the iterations that are done or no longer needed, and how
 * many were done. The answer does not depend on threads. After a failure *out
 * is NULL. */
BPERC_API bperc_status bperc_embed(const bperc_solutions *s,
                                   const bperc_embed_options *options,
                                   const bperc_space_options *how,
                                   bperc_embedding **out, bperc_error *error);
BPERC_API void bperc_embedding_free(bperc_embedding *e); /* NULL is fine */

/* Clusters as colours and shapes, the largest as black circles; title may be
 * NULL. The caller looks at ferror(out). */
BPERC_API void bperc_embedding_svg(const bperc_embedding *e,
                                   const bperc_clusters *c, const char *title,
                                   FILE *out);
/* Columns x, y, cluster, size of the cluster, solution, weights. */
BPERC_API void bperc_embedding_tsv(const bperc_embedding *e,
                                   const bperc_clusters *c,
                                   const bperc_solutions *s, FILE *out);

BPERC_C_END

#endif
