/* A store with made-up results for every task of experiments, so that their
 * tables, claims and pictures can be tested without measuring anything.
 *
 *   made_up STORE SCALE SEED FOLDER...
 *
 * A record has every result that the measurement declares. Positions along a
 * vector (weights fixed, distances, levels) are as in real records, for claims
 * and pictures choose rows by them; all else is drawn from (0, 1), yes/no
 * results are mostly 1.
 */
#include "lab/base/text.h"
#include "lab/run/work.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LONGEST = 10000, /* of all vectors */
  POSITIONS = 200, /* of most of them, where N is not smaller */
  LEVELS = 5,
  SIZES = 20,
  CLUSTERS = 4,
  STAGES = 10, /* where the measurement has no option for it */
  BATCH = 5000 /* results from commit to commit */
};

static _Noreturn void fail(const char *text) {
  fprintf(stderr, "made_up: %s\n", text);
  exit(1);
}

/* A number in (0, 1). */
static double draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*state >> 11) + 0.5) / 0x1p53;
}

/* ---- declared results */

typedef struct {
  const bperc_i_point *point;
  uint64_t random;
  bperc_record *record;
} task;

/* An own option of the measurement. */
static double option(const task *t, const char *name, double otherwise) {
  const bperc_option *row =
      bperc_options_find(t->point->measurement->options(), name);
  const void *value = row ? t->point->own + row->offset : NULL;
  if (!row)
    return otherwise;
  return row->kind == BPERC_OPTION_REAL ? *(const double *)value
                                        : (double)*(const int64_t *)value;
}

static size_t number(const task *t, const char *name, size_t otherwise) {
  return (size_t)option(t, name, (double)otherwise);
}

static int starts(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static size_t length_of(const task *t, const char *name) {
  size_t n = number(t, "n", POSITIONS), every = number(t, "every", 0);
  if (starts(name, "pdf/"))
    return number(t, "stages", STAGES) * number(t, "bins", 1);
  if (starts(name, "stage/"))
    return number(t, "stages", STAGES);
  if (starts(name, "start/"))
    return LEVELS;
  if (starts(name, "sizes/"))
    return SIZES;
  return every ? (n - 2) / every + 1 : (n < POSITIONS ? n : POSITIONS) + 1;
}

/* Weights fixed at position k of a vector. */
static size_t fixed_at(const task *t, const char *name, size_t k,
                       size_t length) {
  size_t n = number(t, "n", POSITIONS), every = number(t, "every", 0);
  if (starts(name, "pdf/"))
    k /= number(t, "bins", 1);
  if (every)
    return k * every;
  return starts(name, "step/") ? k * n / (length - 1)
                               : k * n / (number(t, "stages", STAGES) + 1);
}

/* A column of a vector that says where position k lies; 0: it does not. */
static int place_at(const task *t, const char *name, size_t k, size_t length,
                    double *out) {
  static const double levels[LEVELS] = {0.02, 0.03, 0.05, 0.1, 0.2};
  const char *column = strchr(name, '/') + 1;
  double along = ((double)k + 0.5) / (double)length;
  if (!strcmp(column, "fixed"))
    *out = (double)fixed_at(t, name, k, length);
  else if (!strcmp(column, "level"))
    *out = levels[k];
  else if (!strcmp(name, "sizes/size"))
    *out = exp2((double)k);
  else if (!strcmp(column, "cluster"))
    *out = (double)(k % CLUSTERS);
  else if (!strcmp(column, "distance"))
    *out = along * along;
  else if (!strcmp(name, "stage/share"))
    *out = 1 - (1 - option(t, "from", 0)) * (1 - (double)k / (double)length);
  else if (!strcmp(column, "at") || !strcmp(column, "position") ||
           !strcmp(column, "share") || !strcmp(column, "t"))
    *out = along;
  else
    return 0;
  return 1;
}

/* `meaning` is what the declaration says of the result. */
static double value_at(task *t, const char *name, const char *meaning, size_t k,
                       size_t length) {
  double value;
  if (strchr(name, '/') && place_at(t, name, k, length, &value))
    return value;
  if (starts(name, "alpha"))
    return 0.5 + draw(&t->random) / 2; /* loads of the plans are below */
  if (starts(meaning, "1 or 0") || starts(meaning, "1, or 0") ||
      starts(meaning, "1 when"))
    return draw(&t->random) < 0.9;
  return draw(&t->random);
}

static void put(task *t, const char *name, const char *meaning) {
  double values[LONGEST];
  size_t length = strchr(name, '/') ? length_of(t, name) : 1;
  if (length > LONGEST)
    fail("a vector is too long");
  for (size_t k = 0; k < length; k++)
    values[k] = value_at(t, name, meaning, k, length);
  if (strchr(name, '/'))
    bperc_record_vector(t->record, name, values, length);
  else
    bperc_record_scalar(t->record, name, values[0]);
}

/* "*_rank" stands for NAME_rank of every declared "NAME_*". */
static void put_all_kinds(task *t, const char *end, const char *meaning) {
  const char *at = t->point->measurement->results;
  char name[128];
  while ((at = strstr(at, "_*"))) {
    const char *start = at;
    while (start > t->point->measurement->results && start[-1] != '\n')
      start--;
    snprintf(name, sizeof name, "%.*s%s", (int)(at - start), start, end + 1);
    put(t, name, meaning);
    at++;
  }
}

/* "mapS/x" stands for map0/x, map1/x, ... */
static void put_all_stages(task *t, const char *end, const char *meaning) {
  char name[128];
  for (size_t s = 0; s < number(t, "stages", STAGES); s++) {
    snprintf(name, sizeof name, "map%zu%s", s, end + strlen("mapS"));
    put(t, name, meaning);
  }
}

static void put_declared(task *t, const char *name, const char *meaning) {
  size_t length = strlen(name);
  if (name[0] == '*')
    put_all_kinds(t, name, meaning);
  else if (starts(name, "mapS/"))
    put_all_stages(t, name, meaning);
  else if (name[length - 1] != '*')
    put(t, name, meaning);
}

/* The names of a line, with commas between them, and what they mean; a line
 * that starts with a blank goes on with the one before. */
static void read_line(task *t, const char *line) {
  char names[8][128];
  int count = 0, used = 0, more = 1;
  while (more && count < 8 && !isspace((unsigned char)*line) &&
         sscanf(line, "%127[^ ,\n]%n", names[count], &used) == 1) {
    count++;
    line += used;
    more = *line == ',';
    line += more;
    line += strspn(line, " ");
  }
  for (int k = 0; k < count; k++)
    put_declared(t, names[k], line);
}

static void make_record(task *t) {
  const char *line = t->point->measurement->results;
  for (; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    read_line(t, line);
  }
  if (bperc_record_status(t->record) != BPERC_OK)
    fail("no memory");
}

/* ---- the store */

static void store_job(bperc_store *store, const bperc_i_job *job) {
  task t = {job->point, bperc_i_hash_word(job->id.key), NULL};
  bperc_error error;
  bperc_i_result r = {.key = job->id.key,
                      .inputs = job->point->inputs,
                      .instance = job->instance,
                      .seed = job->id.seed,
                      .message = ""};
  void *bytes;
  if (bperc_record_new(&t.record) != BPERC_OK)
    fail("no memory");
  make_record(&t);
  r.size = bperc_record_pack(t.record, NULL, 0);
  r.bytes = bytes = malloc(r.size);
  if (!bytes)
    fail("no memory");
  bperc_record_pack(t.record, bytes, r.size);
  if (bperc_i_store_put(store, &r, &error) != BPERC_OK)
    fail(error.text);
  free(bytes);
  bperc_record_free(t.record);
}

static void store_experiment(bperc_store *store, const char *folder,
                             bperc_scale scale, uint64_t seed) {
  bperc_experiment *x;
  bperc_error error;
  bperc_i_run_work work;
  if (bperc_experiment_read(folder, &x, &error) != BPERC_OK ||
      bperc_i_work_gather((const bperc_experiment *const *)&x, 1, scale, seed,
                          &work, &error) != BPERC_OK)
    fail(error.text);
  for (size_t k = 0; k < work.count; k++) {
    store_job(store, &work.jobs[k]);
    if ((k + 1 == work.count || k % BATCH == 0) &&
        bperc_i_store_commit(store, &error) != BPERC_OK)
      fail(error.text);
  }
  bperc_i_work_clear(&work);
  bperc_experiment_free(x);
}

int main(int count, char **words) {
  bperc_store *store;
  bperc_error error;
  bperc_scale scale = BPERC_SCALE_QUICK;
  if (count < 5)
    fail("usage: made_up STORE SCALE SEED FOLDER...");
  if (!strcmp(words[2], bperc_scale_name(BPERC_SCALE_PAPER)))
    scale = BPERC_SCALE_PAPER;
  if (bperc_store_open(words[1], BPERC_STORE_WRITE, &store, &error))
    fail(error.text);
  for (int k = 4; k < count; k++)
    store_experiment(store, words[k], scale, strtoull(words[3], NULL, 10));
  bperc_store_close(store);
  return 0;
}
