/* The tasks of a sweep, one list that every rank computes alike, and what a
 * task hands back. */
#ifndef BPERC_SWEEP_WORK_H
#define BPERC_SWEEP_WORK_H

#include "bperc/lab/run.h"
#include "lab/plan/plan.h"
#include "lab/store/store.h"

typedef struct {
  const bperc_i_point *point;
  uint32_t kind; /* the block that it comes from */
  uint32_t instance;
  bperc_i_identity id;
} bperc_i_job;

typedef struct {
  bperc_i_job *jobs; /* sorted by key, every key once; points of the plans */
  size_t count;
  uint32_t kinds;
} bperc_i_run_work;

bperc_status bperc_i_work_gather(const bperc_experiment *const *x, size_t count,
                                 bperc_scale scale, uint64_t seed,
                                 bperc_i_run_work *out, bperc_error *error);
void bperc_i_work_clear(bperc_i_run_work *work);
/* A number that differs when the lists of two ranks differ. */
uint64_t bperc_i_work_digest(const bperc_i_run_work *work);

typedef struct {
  uint32_t job; /* position in bperc_i_run_work.jobs */
  bperc_status status;
  char message[256];
  double seconds;
  unsigned char *bytes; /* packed record, NULL unless BPERC_OK */
  size_t size;
} bperc_i_outcome;

/* Runs one task; a failure is an outcome too. */
void bperc_i_job_run(const bperc_i_run_work *work, uint32_t job,
                     bperc_i_outcome *out);
void bperc_i_outcome_clear(bperc_i_outcome *outcome);

typedef struct {
  uint32_t job;
  double cost; /* seconds, expected */
} bperc_i_candidate;

/* Tasks of one block, in seconds. */
typedef struct {
  double left;     /* expected, of those that are not finished */
  double finished; /* expected, of those that are */
  double busy;     /* what these took */
} bperc_i_pace;
/* Seconds to the end of a sweep that has run for so long: what is left of each
 * block counts as much more or less than expected as what is finished of it
 * did, or of all blocks while nothing of it is finished. */
double bperc_i_time_left(const bperc_i_pace *paces, size_t count,
                         double elapsed, unsigned workers);

/* A sweep under way on the process that keeps the store. */
typedef struct {
  const bperc_i_run_work *work;
  bperc_i_candidate *todo; /* not yet claimed by anybody known, longest first */
  size_t todo_count;
  size_t next;      /* of todo, to be looked at */
  size_t elsewhere; /* todo[0 .. elsewhere): claimed by others when asked */
  double asked;     /* when a round over all of these ended in vain */
  bperc_store *store;
  const bperc_sweep_options *options;
  bperc_sweep_state *state;
  bperc_error *error;
  bperc_status status; /* why to stop early */
  double started, committed, watched;
  double commit_cost;       /* seconds of the last one */
  double *cost;             /* of every job of work, seconds, expected */
  bperc_i_pace *paces;      /* of every kind of them */
  double claimed, finished; /* sums of these */
} bperc_i_session;

double bperc_i_clock(void); /* seconds, monotonic */
/* Claims tasks into jobs, at most room: one for each of `idle` workers, and
 * more while all workers have less than about a second to do. Returns how
 * many; 0 when there is none now. *over: nothing will come any more. */
size_t bperc_i_session_claim(bperc_i_session *s, size_t idle, uint32_t *jobs,
                             size_t room, int *over);
/* Stores an outcome and clears it. */
void bperc_i_session_take(bperc_i_session *s, bperc_i_outcome *outcome);
/* Commits and calls the watch when it is time; whether to go on. */
int bperc_i_session_tick(bperc_i_session *s);

/* The two ways to get the work done. */
void bperc_i_run_threads(bperc_i_session *s, unsigned threads);
void bperc_i_run_ranks(bperc_i_session *s);

#endif
