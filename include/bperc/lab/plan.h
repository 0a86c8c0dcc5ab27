/* Plans: what a sweep measures.
 *
 * An experiment is a folder with a plan and, if wanted, claims, a gnuplot
 * script and a note (docs/sweeps.md). Its tasks are known by a key computed
 * from measurement, result version, every parameter, seed and instance number:
 * a store that has the key has the result, whoever asked for it first.
 */
#ifndef BPERC_LAB_PLAN_H
#define BPERC_LAB_PLAN_H

#include "bperc/lab/measure.h"

BPERC_C_BEGIN

typedef enum { BPERC_SCALE_QUICK, BPERC_SCALE_PAPER } bperc_scale;
/* "quick", "paper"; constant. */
BPERC_API const char *bperc_scale_name(bperc_scale scale);

typedef struct bperc_experiment bperc_experiment;

/* folder: has `plan`, perhaps `claims`, `plot.gp`, `note.md`, `paper.tsv`. Or
 * the path of a plan file alone. The name is that of the folder or file. */
BPERC_API bperc_status bperc_experiment_read(const char *path,
                                             bperc_experiment **out,
                                             bperc_error *error);
/* From memory. `path` is for messages. */
BPERC_API bperc_status bperc_experiment_parse(const char *path,
                                              const char *plan, size_t size,
                                              bperc_experiment **out,
                                              bperc_error *error);
BPERC_API void bperc_experiment_free(bperc_experiment *x); /* NULL is fine */
BPERC_API const char *bperc_experiment_name(const bperc_experiment *x);
BPERC_API const char *bperc_experiment_title(const bperc_experiment *x);
/* So many times the instances of every block at this scale; those that a store
 * has are part of them. At most 2^31 - 1 each. */
BPERC_API void bperc_experiment_extend(bperc_experiment *x, bperc_scale scale,
                                       unsigned times);
/* Whether bperc_judge_narrow() left something out: no picture then. */
BPERC_API int bperc_experiment_is_part(const bperc_experiment *x);

BPERC_C_END

#endif
