/* Gathering the tasks of experiments, and running one. */
#include "lab/run/work.h"

#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bperc_i_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double thread_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_key(const void *a, const void *b) {
  return strcmp(((const bperc_i_job *)a)->id.key,
                ((const bperc_i_job *)b)->id.key);
}

static void sort_and_unite(bperc_i_run_work *w) {
  size_t kept = 0;
  if (w->count)
    qsort(w->jobs, w->count, sizeof *w->jobs, by_key);
  for (size_t k = 0; k < w->count; k++)
    if (k == 0 || by_key(&w->jobs[kept - 1], &w->jobs[k]) != 0)
      w->jobs[kept++] = w->jobs[k];
  w->count = kept;
}

static size_t count_jobs(const bperc_i_block *b, bperc_scale scale) {
  return b->points[scale].count * b->instances[scale];
}

static void add_jobs(bperc_i_run_work *w, const bperc_i_points *list,
                     uint64_t seed) {
  for (size_t p = 0; p < list->count; p++)
    for (uint32_t i = 0; i < list->points[p].instances; i++)
      w->jobs[w->count++] =
          (bperc_i_job){&list->points[p], w->kinds, i,
                        bperc_i_point_identity(&list->points[p], seed, i)};
  w->kinds++;
}

bperc_status bperc_i_work_gather(const bperc_experiment *const *x, size_t count,
                                 bperc_scale scale, uint64_t seed,
                                 bperc_i_run_work *w, bperc_error *error) {
  size_t jobs = 0;
  *w = (bperc_i_run_work){0};
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < x[k]->block_count; b++)
      jobs += count_jobs(&x[k]->blocks[b], scale);
  if (jobs >= UINT32_MAX)
    return bperc_error_set(error, BPERC_E_LIMIT, "too many tasks");
  w->jobs = bperc_alloc(jobs, sizeof *w->jobs);
  if (!w->jobs)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu tasks",
                           jobs);
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < x[k]->block_count; b++)
      add_jobs(w, &x[k]->blocks[b].points[scale], seed);
  assert(w->count == jobs);
  sort_and_unite(w);
  return BPERC_OK;
}

void bperc_i_work_clear(bperc_i_run_work *w) {
  bperc_free(w->jobs);
  *w = (bperc_i_run_work){0};
}

uint64_t bperc_i_work_digest(const bperc_i_run_work *w) {
  uint64_t digest = w->count;
  for (size_t k = 0; k < w->count; k++)
    digest = digest * 0x100000001b3 ^ bperc_i_hash_word(w->jobs[k].id.key);
  return digest;
}

/* ---- one task */

static bperc_status pack(const bperc_record *r, bperc_i_outcome *out) {
  if (bperc_record_status(r) != BPERC_OK)
    return bperc_record_status(r);
  out->size = bperc_record_pack(r, NULL, 0);
  out->bytes = bperc_alloc(out->size, 1);
  if (!out->bytes)
    return BPERC_E_MEMORY;
  bperc_record_pack(r, out->bytes, out->size);
  return BPERC_OK;
}

void bperc_i_job_run(const bperc_i_run_work *w, uint32_t number,
                     bperc_i_outcome *out) {
  const bperc_i_job *job = &w->jobs[number];
  assert(number < w->count);
  bperc_inputs in =
      bperc_i_point_inputs(job->point, job->id.seed, job->instance);
  bperc_error error = {BPERC_OK, ""};
  bperc_record *record = NULL;
  long failures = bperc_alloc_failures();
  double start = thread_clock();
  *out = (bperc_i_outcome){.job = number};
  out->status = bperc_record_new(&record);
  if (out->status == BPERC_OK)
    out->status = job->point->measurement->run(&in, record, &error);
  /* whatever it found without that memory is not kept */
  if (bperc_alloc_failures() != failures)
    out->status = BPERC_E_MEMORY;
  if (bperc_cancelled()) /* a loop may have ended early: not a result */
    out->status = BPERC_E_INTERRUPTED;
  if (out->status == BPERC_OK)
    out->status = pack(record, out);
  if (out->status != BPERC_OK)
    snprintf(out->message, sizeof out->message, "%.255s",
             error.text[0] ? error.text : bperc_status_name(out->status));
  out->seconds = thread_clock() - start;
  bperc_record_free(record);
}

void bperc_i_outcome_clear(bperc_i_outcome *o) {
  bperc_free(o->bytes);
  o->bytes = NULL;
}
