/* The laboratory as a whole: which experiments, their run, their report. */
#include "bperc/lab/experiments.h"

#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

struct bperc_lab {
  bperc_experiment **list;
  bperc_judge **judges; /* one per experiment */
  size_t count;
  unsigned looks; /* 0: one */
};

static bperc_status lack_of_memory(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for experiments");
}

bperc_status bperc_lab_new(bperc_lab **out, bperc_error *error) {
  *out = bperc_calloc(1, sizeof **out);
  return *out ? BPERC_OK : lack_of_memory(error);
}

void bperc_lab_free(bperc_lab *l) {
  for (size_t k = 0; l && k < l->count; k++) {
    bperc_experiment_free(l->list[k]);
    bperc_judge_free(l->judges[k]);
  }
  if (l) {
    bperc_free(l->list);
    bperc_free(l->judges);
  }
  bperc_free(l);
}

size_t bperc_lab_count(const bperc_lab *l) { return l->count; }

const bperc_experiment *bperc_lab_experiment(const bperc_lab *l, size_t k) {
  assert(k < l->count);
  return l->list[k];
}

const bperc_judge *bperc_lab_judge(const bperc_lab *l, size_t k) {
  assert(k < l->count);
  return l->judges[k];
}

size_t bperc_lab_find(const bperc_lab *l, const char *claim) {
  size_t k = 0;
  while (k < l->count && !bperc_judge_has(l->judges[k], claim))
    k++;
  return k;
}

/* ---- reading */

bperc_status bperc_lab_add(bperc_lab *l, bperc_experiment *x,
                           bperc_judge *judge, bperc_error *error) {
  bperc_experiment **list = bperc_i_lab_grow(l->list, l->count, sizeof *list);
  bperc_judge **judges =
      list ? bperc_i_lab_grow(l->judges, l->count, sizeof *judges) : NULL;
  l->list = list ? list : l->list;
  l->judges = judges ? judges : l->judges;
  if (!judges) {
    bperc_experiment_free(x);
    bperc_judge_free(judge);
    return lack_of_memory(error);
  }
  l->list[l->count] = x;
  l->judges[l->count++] = judge;
  return BPERC_OK;
}

bperc_status bperc_lab_read(bperc_lab *l, const char *path,
                            bperc_error *error) {
  bperc_experiment *x;
  bperc_judge *judge;
  bperc_status status = bperc_experiment_read(path, &x, error);
  if (status != BPERC_OK)
    return status;
  status = bperc_judge_read(x, &judge, error);
  if (status == BPERC_OK)
    return bperc_lab_add(l, x, judge, error);
  bperc_experiment_free(x);
  return status;
}

/* ---- what is asked for */

typedef struct {
  const char *const *ids; /* NULL: everything */
  size_t count;
  char *used;         /* of each id */
  bperc_i_text names; /* of all experiments there are, for a mistyped one */
} request;

/* all, fig2, or 2. */
static int is_called(const char *name, const char *id) {
  return !strcmp(id, "all") || !strcasecmp(name, id) ||
         (!strncasecmp(name, "fig", 3) && !strcasecmp(name + 3, id));
}

/* By its name or by one of its claims; negative: no memory. */
static int is_wanted(request *r, const char *path, const char *name) {
  int wanted = !r->ids;
  bperc_i_text_format(&r->names, "%s %s", r->names.length ? "," : "", name);
  for (size_t q = 0; q < r->count; q++) {
    int mentioned =
        is_called(name, r->ids[q]) ? 1 : bperc_claims_mention(path, r->ids[q]);
    if (mentioned < 0)
      return mentioned;
    if (mentioned)
      r->used[q] = 1;
    wanted |= mentioned;
  }
  return r->names.failed ? BPERC_E_MEMORY : wanted;
}

/* fig2 before fig10: numbers count as numbers. */
static int natural_order(const struct dirent **a, const struct dirent **b) {
  return strverscmp((*a)->d_name, (*b)->d_name);
}

static bperc_status read_if_wanted(bperc_lab *l, const char *folder,
                                   const char *name, request *r, size_t *plans,
                                   bperc_error *error) {
  bperc_i_text path = {0};
  bperc_status status = BPERC_OK;
  int wanted = 0;
  bperc_i_text_format(&path, "%s/%s/plan", folder, name);
  if (path.failed)
    return lack_of_memory(error);
  if (name[0] != '.' && access(path.text, R_OK) == 0) {
    path.text[path.length - strlen("/plan")] = 0;
    ++*plans;
    wanted = is_wanted(r, path.text, name);
  }
  if (wanted < 0)
    status = lack_of_memory(error);
  else if (wanted)
    status = bperc_lab_read(l, path.text, error);
  bperc_i_text_clear(&path);
  return status;
}

static bperc_status read_wanted(bperc_lab *l, const char *folder, request *r,
                                bperc_error *error) {
  struct dirent **names;
  size_t plans = 0;
  bperc_status status = BPERC_OK;
  int count = scandir(folder, &names, NULL, natural_order);
  if (count < 0) {
    int reason = errno;
    return bperc_error_set(error,
                           reason == ENOMEM ? BPERC_E_MEMORY : BPERC_E_FORMAT,
                           "%s: %s", folder, strerror(reason));
  }
  for (int k = 0; k < count; k++) {
    if (status == BPERC_OK)
      status = read_if_wanted(l, folder, names[k]->d_name, r, &plans, error);
    free(names[k]);
  }
  free(names);
  return status == BPERC_OK && plans == 0
             ? bperc_error_set(error, BPERC_E_FORMAT, "%s: no experiment in it",
                               folder)
             : status;
}

bperc_status bperc_lab_read_folder(bperc_lab *l, const char *folder,
                                   bperc_error *error) {
  request r = {0};
  bperc_status status = read_wanted(l, folder, &r, error);
  bperc_i_text_clear(&r.names);
  return status;
}

/* If only some of its claims are asked for, an experiment becomes the part that
 * they need. */
static bperc_status keep_part(bperc_experiment *x, bperc_judge *judge,
                              const request *r, bperc_error *error) {
  const char **claims = bperc_alloc(r->count + 1, sizeof *claims);
  size_t count = 0;
  int whole = 0;
  if (!claims)
    return lack_of_memory(error);
  for (size_t q = 0; q < r->count; q++) {
    whole |= is_called(bperc_experiment_name(x), r->ids[q]);
    if (bperc_judge_has(judge, r->ids[q]))
      claims[count++] = r->ids[q];
  }
  if (!whole)
    bperc_judge_narrow(judge, x, claims, count);
  bperc_free(claims);
  return BPERC_OK;
}

bperc_status bperc_lab_choose(bperc_lab *l, const char *folder,
                              const char *const *ids, size_t count,
                              bperc_error *error) {
  request r = {.ids = ids, .count = count};
  size_t before = l->count;
  bperc_status status = BPERC_E_MEMORY;
  if ((r.used = bperc_calloc(count + 1, 1)))
    status = read_wanted(l, folder, &r, error);
  else
    lack_of_memory(error);
  for (size_t q = 0; status == BPERC_OK && q < count; q++)
    if (!r.used[q])
      status = bperc_error_set(error, BPERC_E_ARGUMENT,
                               "there is no experiment or claim '%s': give "
                               "all, a claim such as F2.1, or one of%s",
                               ids[q], r.names.text);
  for (size_t k = before; status == BPERC_OK && k < l->count; k++)
    status = keep_part(l->list[k], l->judges[k], &r, error);
  bperc_free(r.used);
  bperc_i_text_clear(&r.names);
  return status;
}

/* ---- running */

bperc_status bperc_lab_run(const bperc_lab *l, bperc_store *store,
                           const bperc_sweep_options *options,
                           bperc_sweep_state *state, bperc_error *error) {
  return bperc_sweep_run((const bperc_experiment *const *)l->list, l->count,
                         store, options, state, error);
}

bperc_status bperc_lab_work(const bperc_lab *l,
                            const bperc_sweep_options *options,
                            bperc_error *error) {
  return bperc_ranks_work((const bperc_experiment *const *)l->list, l->count,
                          options, error);
}

bperc_status bperc_lab_verdicts(const bperc_lab *l, size_t k,
                                bperc_store *store,
                                const bperc_sweep_options *options,
                                bperc_claims *out, bperc_error *error) {
  const bperc_sweep_options plain = {0}, *o = options ? options : &plain;
  const bperc_experiment *x = bperc_lab_experiment(l, k);
  bperc_tables *tables;
  int measured;
  bperc_status status =
      bperc_experiment_measured(x, store, o->scale, o->seed, &measured, error);
  *out = (bperc_claims){0};
  if (status != BPERC_OK || !measured)
    return status;
  status = bperc_judge_tables(x, store, o->scale, o->seed, &tables, error);
  if (status == BPERC_OK)
    status = bperc_judge_claims(l->judges[k], tables, out, error);
  bperc_tables_free(tables);
  return status;
}

/* ---- repeated looks */

enum { GROWTH = 4 };

void bperc_lab_looks(bperc_lab *l, unsigned looks) {
  assert(looks > 0 && !l->looks);
  l->looks = looks;
  for (size_t k = 0; k < l->count; k++)
    bperc_judge_looks(l->judges[k], looks);
}

static bool has_undecided(const bperc_claims *claims) {
  for (size_t c = 0; c < claims->count; c++)
    if (claims->claims[c].verdict == BPERC_UNDECIDED)
      return true;
  return false;
}

bperc_status bperc_lab_extend(bperc_lab *l, bperc_store *store,
                              bperc_scale scale, uint64_t seed, size_t *open,
                              bperc_error *error) {
  const bperc_sweep_options o = {.scale = scale, .seed = seed};
  bperc_status status = BPERC_OK;
  *open = 0;
  for (size_t k = 0; k < l->count && status == BPERC_OK; k++) {
    bperc_claims claims;
    status = bperc_lab_verdicts(l, k, store, &o, &claims, error);
    if (status == BPERC_OK && has_undecided(&claims)) {
      bperc_experiment_extend(l->list[k], scale, GROWTH);
      ++*open;
    }
    bperc_claims_clear(&claims);
  }
  return status;
}

/* ---- the report */

static size_t count_kept(const bperc_lab *l) {
  size_t count = 0;
  for (size_t k = 0; k < l->count; k++)
    count += bperc_experiment_saved(l->list[k], BPERC_SCALE_PAPER) != 0;
  return count;
}

/* Scale, seed and date for the head of the page. */
static void describe_origin(const bperc_lab *l,
                            const bperc_lab_report_options *o, char *out,
                            size_t size) {
  const char *fixed = getenv("SOURCE_DATE_EPOCH");
  time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
  int quick = o->scale == BPERC_SCALE_QUICK;
  struct tm day;
  char date[64] = "";
  if (gmtime_r(&now, &day))
    strftime(date, sizeof date, "%-d %B %Y", &day);
  if (o->kept)
    snprintf(out, size,
             "Paper scale: tables kept with the experiments, each figure says "
             "of when; %zu of %zu experiments have such tables. Page of %s.",
             count_kept(l), l->count, date);
  else
    snprintf(out, size, "%s scale (%s), seed %" PRIu64 ", bperc %s, %s.",
             quick ? "Quick" : "Paper",
             quick ? "smaller systems or fewer instances than in the paper"
                   : "sizes of the paper",
             o->seed, bperc_version(), date);
  if (!o->kept && l->looks > 1) {
    size_t used = strlen(out);
    snprintf(out + used, size - used,
             " Looked at up to %u times, with %d times the instances each time "
             "while claims were undecided; a claim's rate (1 %% unless it says "
             "so) is shared evenly among the looks.",
             l->looks, GROWTH);
  }
}

static bperc_status add_measured(const bperc_lab *l, bperc_report *r, size_t k,
                                 const bperc_lab_report_options *o,
                                 bperc_error *error) {
  const bperc_experiment *x = l->list[k];
  int measured;
  bperc_status status = bperc_experiment_measured(x, o->store, o->scale,
                                                  o->seed, &measured, error);
  if (status == BPERC_OK && !measured && o->missing)
    o->missing(o->context, bperc_experiment_name(x));
  if (status != BPERC_OK || !measured)
    return status;
  status =
      bperc_report_add(r, x, l->judges[k], o->store, o->scale, o->seed, error);
  if (status == BPERC_OK && o->save)
    status = bperc_report_save(r, bperc_report_count(r) - 1, o->scale, error);
  return status;
}

static bperc_status add_figures(const bperc_lab *l, bperc_report *r,
                                const bperc_lab_report_options *o,
                                bperc_error *error) {
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < l->count && status == BPERC_OK; k++) {
    if (o->tell)
      o->tell(o->context, bperc_experiment_name(l->list[k]), k, l->count);
    if (o->kept && bperc_experiment_saved(l->list[k], BPERC_SCALE_PAPER))
      status = bperc_report_add_saved(r, l->list[k], l->judges[k],
                                      BPERC_SCALE_PAPER, error);
    else if (o->store)
      status = add_measured(l, r, k, o, error);
  }
  return status;
}

bperc_status bperc_lab_report(const bperc_lab *l,
                              const bperc_lab_report_options *o,
                              bperc_report **out, bperc_error *error) {
  char origin[512];
  bperc_report *r;
  bperc_status status;
  *out = NULL;
  if (!o || !o->folder)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "a report needs a folder");
  describe_origin(l, o, origin, sizeof origin);
  status = bperc_report_new(o->folder, origin, &r, error);
  if (status != BPERC_OK)
    return status;
  if (o->trust)
    bperc_report_trust(r);
  status = add_figures(l, r, o, error);
  if (status == BPERC_OK && (bperc_report_count(r) || !o->store))
    status = bperc_report_finish(r, error);
  if (status == BPERC_OK)
    *out = r;
  else
    bperc_report_free(r);
  return status;
}
