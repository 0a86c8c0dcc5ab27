/* Experiments, from plans to verdicts and a page.
 *
 *   bperc_lab_new(&lab, &error);
 *   bperc_lab_choose(lab, "experiments", ids, count, &error);
 *   bperc_lab_run(lab, store, &sweep, &state, &error);
 *   bperc_lab_report(lab, &how, &report, &error);
 *
 * Prints nothing. The store is the caller's.
 */
#ifndef BPERC_LAB_EXPERIMENTS_H
#define BPERC_LAB_EXPERIMENTS_H

#include "bperc/lab/report.h"
#include "bperc/lab/run.h"

BPERC_C_BEGIN

/* Experiments with their claims. */
typedef struct bperc_lab bperc_lab;

BPERC_API bperc_status bperc_lab_new(bperc_lab **out, bperc_error *error);
BPERC_API void bperc_lab_free(bperc_lab *lab); /* NULL is fine */
/* Reads one experiment, a folder or the file of a plan, with its claims. */
BPERC_API bperc_status bperc_lab_read(bperc_lab *lab, const char *path,
                                      bperc_error *error);
/* Takes over an experiment and its judge that were read by the caller; frees
 * them when it fails. */
BPERC_API bperc_status bperc_lab_add(bperc_lab *lab, bperc_experiment *x,
                                     bperc_judge *judge, bperc_error *error);
/* Reads all experiments of a folder, fig2 before fig10; BPERC_E_FORMAT when
 * there is none. */
BPERC_API bperc_status bperc_lab_read_folder(bperc_lab *lab, const char *folder,
                                             bperc_error *error);
/* Reads of a folder what is asked for and nothing else: experiments by name
 * (fig2, or 2), claims by id, or all. An experiment of which only claims are
 * asked for becomes the part that they need (bperc_judge_narrow).
 * BPERC_E_ARGUMENT when the folder has nothing of an id. */
BPERC_API bperc_status bperc_lab_choose(bperc_lab *lab, const char *folder,
                                        const char *const *ids, size_t count,
                                        bperc_error *error);

BPERC_API size_t bperc_lab_count(const bperc_lab *lab);
BPERC_API const bperc_experiment *bperc_lab_experiment(const bperc_lab *lab,
                                                       size_t k);
BPERC_API const bperc_judge *bperc_lab_judge(const bperc_lab *lab, size_t k);
/* The experiment that has this claim; the count when none has. */
BPERC_API size_t bperc_lab_find(const bperc_lab *lab, const char *claim);

/* bperc_sweep_run over all experiments; options NULL: all zero. */
BPERC_API bperc_status bperc_lab_run(const bperc_lab *lab, bperc_store *store,
                                     const bperc_sweep_options *options,
                                     bperc_sweep_state *state,
                                     bperc_error *error);
/* bperc_ranks_work over all experiments; options NULL: all zero. */
BPERC_API bperc_status bperc_lab_work(const bperc_lab *lab,
                                      const bperc_sweep_options *options,
                                      bperc_error *error);
/* The verdicts on experiment k from what a store has of it at the scale and
 * seed of the options (NULL: all zero); none when not all of its blocks were
 * measured. Clear *out with bperc_claims_clear. */
BPERC_API bperc_status bperc_lab_verdicts(const bperc_lab *lab, size_t k,
                                          bperc_store *store,
                                          const bperc_sweep_options *options,
                                          bperc_claims *out,
                                          bperc_error *error);

/* Looks at growing data: so many in all, among which every claim's rate is
 * shared (bperc_judge_looks). Once, before judging. */
BPERC_API void bperc_lab_looks(bperc_lab *lab, unsigned looks);
/* After a look: experiments with an undecided claim get four times the
 * instances, all blocks of one, so that the data of a look do not depend on
 * what was seen before. *open: how many. */
BPERC_API bperc_status bperc_lab_extend(bperc_lab *lab, bperc_store *store,
                                        bperc_scale scale, uint64_t seed,
                                        size_t *open, bperc_error *error);

typedef struct {
  const char *folder; /* for index.html and a folder per experiment; needed */
  bperc_store *store; /* NULL: without */
  bperc_scale scale;
  uint64_t seed;
  int kept;  /* tables kept with the experiments (paper scale) before the store
              */
  int trust; /* plot scripts of the experiments run */
  int save;  /* tables of the store are kept with the experiments */
  /* Called before experiment k of count is written; NULL: not wanted. */
  void (*tell)(void *context, const char *name, size_t k, size_t count);
  /* Called for every experiment that is left out: it is not measured yet. */
  void (*missing)(void *context, const char *name);
  void *context;
} bperc_lab_report_options;

/* Writes tables, pictures and the page. Without a folder, or options, it is
 * BPERC_E_ARGUMENT. Nothing was written when the report has
 * no figure. The report borrows from the lab until it is freed. */
BPERC_API bperc_status bperc_lab_report(const bperc_lab *lab,
                                        const bperc_lab_report_options *options,
                                        bperc_report **out, bperc_error *error);

BPERC_C_END

#endif
