/* Reports: results of experiments in a folder, and one page over all. */
#ifndef BPERC_LAB_REPORT_H
#define BPERC_LAB_REPORT_H

#include "bperc/lab/verdict.h"

BPERC_C_BEGIN

typedef struct bperc_report bperc_report;

/* origin: a sentence for the head of the page. */
BPERC_API bperc_status bperc_report_new(const char *folder, const char *origin,
                                        bperc_report **out, bperc_error *error);
/* From now on scripts in the folders of experiments run: plot.gp, and style.gp
 * beside the folders. Without this, pictures are made from the tables alone. */
BPERC_API void bperc_report_trust(bperc_report *r);
/* Writes folder/NAME/ with tables and pictures and keeps what the page needs.
 * Borrows x until the report is freed. */
BPERC_API bperc_status bperc_report_add(bperc_report *r,
                                        const bperc_experiment *x,
                                        const bperc_judge *judge,
                                        bperc_store *store, bperc_scale scale,
                                        uint64_t seed, bperc_error *error);
/* The same from the tables kept in the experiment's folder (quick.tsv,
 * paper.tsv), without a store. Claims of the judge that the tables have no
 * verdict on count as undecided. */
BPERC_API int bperc_experiment_saved(const bperc_experiment *x,
                                     bperc_scale scale);
BPERC_API bperc_status bperc_report_add_saved(bperc_report *r,
                                              const bperc_experiment *x,
                                              const bperc_judge *judge,
                                              bperc_scale scale,
                                              bperc_error *error);
/* Keeps the tables of figure k there, with machine, version and date. */
BPERC_API bperc_status bperc_report_save(const bperc_report *r, size_t k,
                                         bperc_scale scale, bperc_error *error);
/* Writes folder/index.html. */
BPERC_API bperc_status bperc_report_finish(bperc_report *r, bperc_error *error);
BPERC_API size_t bperc_report_count(const bperc_report *r);
BPERC_API const bperc_claims *bperc_report_claims(const bperc_report *r,
                                                  size_t k);
BPERC_API const bperc_experiment *bperc_report_experiment(const bperc_report *r,
                                                          size_t k);
/* Pictures that gnuplot could not draw; a missing gnuplot does not count. */
BPERC_API size_t bperc_report_failed_plots(const bperc_report *r);
/* What went wrong with pictures; NULL when nothing did. */
BPERC_API const char *bperc_report_warning(const bperc_report *r);
BPERC_API void bperc_report_free(bperc_report *r); /* NULL is fine */

BPERC_C_END

#endif
