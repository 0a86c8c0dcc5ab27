/* A sweep over ranks: rank 0 keeps the store and gives out tasks, the others
 * run them, one at a time each, with the next one already waiting.
 *
 * Messages, little-endian in memory of like machines: to a worker the number
 * of a task; from a worker an outcome, the first one empty with the digest of
 * its list of tasks.
 */
#include "lab/run/work.h"

#include "base/options.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"
#include "lab/run/ranks.h"
#include "solver/amp_state.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_JOB = UINT32_MAX, WAIT_MS = 50, AHEAD = 2 };

typedef struct {
  uint32_t job;
  int32_t status;
  double seconds;
  uint64_t digest;
  uint64_t size; /* bytes of the record that follow */
  char message[256];
} header;

static const bperc_i_transport *transport;
static int my_rank, ranks = 1;
static int stopped; /* rank 0 has told everybody */

int bperc_i_transport_size(void) { return ranks; }

void bperc_i_transport_use(const bperc_i_transport *t, int rank, int size) {
  transport = t;
  my_rank = rank;
  ranks = t ? size : 1;
  stopped = 0;
}

/* ---- loading */

static int under_mpirun(void) {
  const char *names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  const char *text = getenv(names[0]);
  if (!text)
    text = getenv(names[1]);
  return text ? atoi(text) > 1 : getenv(names[2]) != NULL;
}

static void *load_module(const char *const *folders, bperc_i_text *tried) {
  void *module = NULL;
  for (size_t k = 0; folders[k] && !module; k++) {
    bperc_i_text path = {0};
    bperc_i_text_format(&path, "%s/bperc_mpi.so", folders[k]);
    if (!path.failed && access(path.text, R_OK) == 0) {
      module = dlopen(path.text, RTLD_NOW | RTLD_GLOBAL);
      if (!module)
        bperc_i_text_format(tried, "%s", dlerror());
    }
    bperc_i_text_clear(&path);
  }
  return module;
}

bperc_status bperc_ranks_start(const char *const *folders, bperc_ranks *out,
                               bperc_error *error) {
  bperc_i_text tried = {0};
  void *module;
  const bperc_i_transport *t;
  *out = (bperc_ranks){0, 1};
  if (!under_mpirun())
    return BPERC_OK;
  module = load_module(folders, &tried);
  t = module ? dlsym(module, BPERC_I_TRANSPORT_SYMBOL) : NULL;
  if (!t || t->version != BPERC_I_TRANSPORT_VERSION) {
    bperc_error_set(error, BPERC_E_IO,
                    "started by mpirun, but %s: build bperc where Open MPI is "
                    "installed",
                    tried.length ? tried.text
                                 : "a fitting bperc_mpi.so was not found");
    bperc_i_text_clear(&tried);
    return BPERC_E_IO;
  }
  bperc_i_text_clear(&tried);
  if (t->start(&out->rank, &out->size) != 0)
    return bperc_error_set(error, BPERC_E_IO, "MPI did not start");
  bperc_i_transport_use(t, out->rank, out->size);
  return BPERC_OK;
}

bperc_status bperc_ranks_spread(bperc_instance *in, bperc_error *error) {
  static bperc_spread spread; /* a process has one rank */
  bperc_i_span own;
  if (!transport)
    return BPERC_OK;
  if (ranks > BPERC_MOST_RANKS || (size_t)ranks > bperc_i_amp_blocks(in->m))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%d ranks for %zu patterns: take fewer", ranks,
                           in->m);
  stopped = 1; /* nobody waits for tasks */
  own = bperc_i_amp_rank_rows(in->m, my_rank, ranks);
  spread = (bperc_spread){in->m, own.from,       my_rank,
                          ranks, transport->sum, transport->gather};
  return bperc_instance_spread(in, &spread, own.to - own.from, error);
}

static void give(int worker, uint32_t job) {
  transport->send(worker, &job, sizeof job);
}

/* Rank 0: no more work will come. */
static void stop_ranks(void) {
  if (!transport || my_rank != 0 || stopped)
    return;
  for (int r = 1; r < ranks; r++)
    give(r, NO_JOB);
  stopped = 1;
}

void bperc_ranks_end(void) {
  if (transport) {
    stop_ranks();
    transport->end();
  }
  bperc_i_transport_use(NULL, 0, 1);
}

/* ---- rank 0 */

enum { BATCH = 2048 };

typedef struct {
  bperc_i_session *session;
  uint32_t queue[BATCH]; /* claimed and not given out: [first, last) */
  size_t first, last;
  size_t open;     /* given out and not yet back */
  int over;        /* nothing more will be claimed */
  int *free_hands; /* per rank: how many more tasks it can have */
  uint64_t digest;
} desk;

static size_t count_free(const desk *d) {
  size_t count = 0;
  for (int r = 1; r < ranks; r++)
    count += (size_t)d->free_hands[r];
  return count;
}

/* Claims tasks for ranks that wait, and hands them out in turn. */
static void give_out(desk *d) {
  size_t idle = count_free(d);
  if (d->session->status != BPERC_OK || !idle)
    return;
  if (d->first == d->last && !d->over) {
    d->first = 0;
    d->last =
        bperc_i_session_claim(d->session, idle, d->queue, BATCH, &d->over);
  }
  for (int hand = AHEAD; hand > 0; hand--)
    for (int r = 1; r < ranks && d->first < d->last; r++)
      if (d->free_hands[r] >= hand) {
        give(r, d->queue[d->first++]);
        d->free_hands[r]--;
        d->open++;
      }
}

static void welcome(desk *d, int worker, uint64_t digest) {
  if (digest != d->digest && d->session->status == BPERC_OK)
    d->session->status = bperc_error_set(
        d->session->error, BPERC_E_FORMAT,
        "rank %d has other plans or another version than rank 0", worker);
  d->free_hands[worker] = AHEAD;
}

static void accept(desk *d, int worker, const void *bytes, size_t size) {
  header h;
  bperc_i_outcome o = {0};
  if (size < sizeof h)
    return;
  memcpy(&h, bytes, sizeof h);
  if (h.job == NO_JOB) {
    welcome(d, worker, h.digest);
    return;
  }
  if (h.job >= d->session->work->count) {
    d->session->status =
        bperc_error_set(d->session->error, BPERC_E_FORMAT,
                        "rank %d sent the result of no task", worker);
    return;
  }
  assert(d->open > 0 && d->free_hands[worker] < AHEAD);
  d->open--;
  d->free_hands[worker]++;
  o.job = h.job;
  o.status = (bperc_status)h.status;
  o.seconds = h.seconds;
  memcpy(o.message, h.message, sizeof o.message);
  if (h.size && size == sizeof h + h.size) {
    o.bytes = bperc_alloc(h.size, 1);
    o.size = h.size;
    if (o.bytes)
      memcpy(o.bytes, (const char *)bytes + sizeof h, h.size);
    else
      o.status = BPERC_E_MEMORY;
  }
  bperc_i_session_take(d->session, &o);
}

static void serve(desk *d) {
  bperc_i_session *s = d->session;
  int lost = 0;
  while (!lost && (d->open || (s->status == BPERC_OK &&
                               (!d->over || d->first < d->last)))) {
    int from, came;
    void *bytes;
    size_t size;
    came = transport->receive(&from, &bytes, &size, WAIT_MS);
    if (came > 0) {
      accept(d, from, bytes, size);
      transport->release(bytes);
    }
    lost = came < 0;
    bperc_i_session_tick(s);
    give_out(d);
  }
  if (lost && s->status == BPERC_OK)
    s->status = bperc_error_set(s->error, BPERC_E_IO,
                                "a rank was lost: start again, finished tasks "
                                "are kept");
}

void bperc_i_run_ranks(bperc_i_session *s) {
  desk *d = bperc_calloc(1, sizeof *d);
  int *free_hands = bperc_calloc((size_t)ranks, sizeof *free_hands);
  s->state->workers = (unsigned)ranks - 1;
  if (d && free_hands) {
    d->session = s;
    d->free_hands = free_hands;
    d->digest = bperc_i_work_digest(s->work);
    serve(d);
  } else
    s->status =
        bperc_error_set(s->error, BPERC_E_MEMORY, "no memory for the ranks");
  bperc_free(free_hands);
  bperc_free(d);
  stop_ranks();
}

/* ---- the others */

static bperc_status tell_ranks(const bperc_i_outcome *o, uint64_t digest,
                               bperc_error *error) {
  bperc_i_text message = {0};
  header h = {.job = o->job,
              .status = o->status,
              .seconds = o->seconds,
              .digest = digest,
              .size = o->bytes ? o->size : 0};
  int bad;
  memcpy(h.message, o->message, sizeof h.message);
  bperc_i_text_add_bytes(&message, &h, sizeof h);
  if (h.size)
    bperc_i_text_add_bytes(&message, o->bytes, o->size);
  bad = message.failed || transport->send(0, message.text, message.length) != 0;
  bperc_i_text_clear(&message);
  return bad ? bperc_error_set(error, BPERC_E_IO,
                               "a result could not be sent to rank 0")
             : BPERC_OK;
}

/* The next task, NO_JOB when there is none any more. */
static uint32_t next_rank_job(void) {
  for (;;) {
    int from, came;
    void *bytes;
    size_t size;
    uint32_t job = NO_JOB;
    came = transport->receive(&from, &bytes, &size, WAIT_MS);
    if (came < 0)
      return NO_JOB;
    if (came == 0)
      continue;
    if (size == sizeof job)
      memcpy(&job, bytes, sizeof job);
    transport->release(bytes);
    return job;
  }
}

bperc_status bperc_ranks_work(const bperc_experiment *const *x, size_t count,
                              const bperc_sweep_options *given,
                              bperc_error *error) {
  bperc_sweep_options options;
  bperc_i_run_work work;
  bperc_i_outcome o = {.job = NO_JOB};
  uint32_t job;
  if (!transport)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "there are no ranks: this is for mpirun");
  bperc_i_options_plain(sizeof options, given, &options);
  bperc_status status =
      bperc_i_work_gather(x, count, options.scale, options.seed, &work, error);
  uint64_t digest = status == BPERC_OK ? bperc_i_work_digest(&work) : 0;
  if (status == BPERC_OK)
    status = tell_ranks(&o, digest, error);
  while (status == BPERC_OK && (job = next_rank_job()) != NO_JOB) {
    if (job >= work.count) {
      status = bperc_error_set(error, BPERC_E_FORMAT, "no such task");
      break;
    }
    bperc_i_job_run(&work, job, &o);
    status = tell_ranks(&o, digest, error);
    bperc_i_outcome_clear(&o);
  }
  bperc_i_work_clear(&work);
  return status;
}
