/* The laboratory from the command line. */
#include "lab.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- options */

static BPERC_OPTIONS_DEFINE(lab_rows, lab_options, LAB_ROWS);

enum { MOST_ROWS = 32 };

void lab_setup(cli *cx, const char *title, lab_options *options,
               const char *names) {
  static bperc_option rows[MOST_ROWS];
  bperc_option_table all = lab_rows();
  size_t count = 0;
  assert(all.count <= MOST_ROWS);
  for (size_t k = 0; k < all.count; k++) {
    const char *at = strstr(names, all.rows[k].name);
    if (at && (at == names || at[-1] == ' '))
      rows[count++] = all.rows[k];
  }
  memset(options, 0, sizeof *options);
  cli_group(cx, title, (bperc_option_table){rows, count}, options);
}

/* ---- experiments */

int lab_read(lab *l, const char *path) {
  bperc_error error;
  size_t k = l->count;
  bperc_experiment **list = bperc_resize(l->list, k + 1, sizeof *list);
  bperc_judge **judges = bperc_resize(l->judges, k + 1, sizeof *judges);
  l->list = list ? list : l->list;
  l->judges = judges ? judges : l->judges;
  if (!list || !judges)
    return cli_no_memory();
  judges[k] = NULL;
  if (bperc_experiment_read(path, &list[k], &error))
    return cli_fail_input(&error);
  l->count++;
  return bperc_judge_read(list[k], &judges[k], &error) ? cli_fail_input(&error)
                                                       : CLI_DONE;
}

void lab_clear(lab *l) {
  for (size_t k = 0; k < l->count; k++) {
    bperc_experiment_free(l->list[k]);
    bperc_judge_free(l->judges[k]);
  }
  bperc_free(l->list);
  bperc_free(l->judges);
}

/* The folder of the running program; "" when it cannot be told. */
static void program_folder(char *out, size_t size) {
  ssize_t length = readlink("/proc/self/exe", out, size - 1);
  out[length > 0 ? length : 0] = 0;
  if (strrchr(out, '/'))
    *strrchr(out, '/') = 0;
}

int lab_find_folder(lab *l, char *folder, size_t size) {
  const char *given = l->options->experiments;
  char program[2048];
  if (!given)
    given = getenv("BPERC_EXPERIMENTS");
  if (given) {
    snprintf(folder, size, "%s", given);
    return CLI_DONE;
  }
  l->own = true;
  program_folder(program, sizeof program);
  assert(folder && size);
  snprintf(folder, size, "%s/../experiments", program); /* built here */
  if (access(folder, R_OK) == 0)
    return CLI_DONE;
  snprintf(folder, size, "%s/../share/bperc/experiments", program);
  if (access(folder, R_OK) == 0)
    return CLI_DONE;
  return cli_usage("the experiments are not found: give --experiments FOLDER");
}

/* fig2 before fig10: numbers count as numbers. */
static int natural(const struct dirent **a, const struct dirent **b) {
  return strverscmp((*a)->d_name, (*b)->d_name);
}

static int has_plan(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/plan", folder, name);
  return name[0] != '.' && access(path, R_OK) == 0;
}

int lab_read_all(lab *l, const char *folder, lab_wanted *wanted,
                 void *context) {
  size_t plans = 0;
  struct dirent **names;
  char path[4096];
  int code = CLI_DONE, count = scandir(folder, &names, NULL, natural);
  if (count < 0) {
    int reason = errno;
    cli_warn("%s: %s", folder, strerror(reason));
    return reason == ENOMEM ? CLI_SYSTEM : CLI_INPUT;
  }
  for (int k = 0; k < count; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[k]->d_name);
    if (code == CLI_DONE && has_plan(folder, names[k]->d_name)) {
      plans++;
      if (!wanted || wanted(context, path, names[k]->d_name))
        code = lab_read(l, path);
    }
    free(names[k]);
  }
  free(names);
  if (code == CLI_DONE && plans == 0) {
    cli_warn("%s: no experiment in it", folder);
    code = CLI_INPUT;
  }
  return code;
}

/* ---- running */

/* The experiment of the claim of --list; l->count when there is none. */
static size_t listed(const lab *l) {
  size_t k = 0;
  while (k < l->count && !bperc_judge_has(l->judges[k], l->options->list))
    k++;
  return k;
}

/* Whether --list names a claim: said before anything runs. */
static int check_list(const lab *l) {
  if (!l->options->list || listed(l) < l->count)
    return CLI_DONE;
  return cli_usage("--list: there is no claim '%s' in these experiments",
                   l->options->list);
}

static int list_instances(const lab *l, bperc_store *store) {
  size_t k = listed(l);
  bperc_tables *t;
  bperc_error error;
  int code = CLI_DONE;
  if (bperc_judge_tables(l->list[k], store, (bperc_scale)l->options->scale,
                         l->cx->seed, &t, &error))
    return cli_fail(&error);
  if (bperc_judge_list(l->judges[k], t, l->options->list, stdout, &error))
    code = cli_fail(&error);
  bperc_tables_free(t);
  return code;
}

/* What was not measured yet is left out of the page and named in `missing`. */
static bperc_status add_measured(lab *l, bperc_report *r, size_t k,
                                 bperc_store *store, char *missing, size_t size,
                                 bperc_error *error) {
  const bperc_experiment *x = l->list[k];
  bperc_scale scale = (bperc_scale)l->options->scale;
  int measured;
  bperc_status status =
      bperc_experiment_measured(x, store, scale, l->cx->seed, &measured, error);
  if (status == BPERC_OK && measured)
    return bperc_report_add(r, x, l->judges[k], store, scale, l->cx->seed,
                            error);
  if (status == BPERC_OK) {
    size_t used = strlen(missing);
    snprintf(missing + used, size - used, "%s%s", used ? ", " : "",
             bperc_experiment_name(x));
  }
  return status;
}

static size_t count_saved(const lab *l) {
  size_t count = 0;
  for (size_t k = 0; k < l->count; k++)
    count += bperc_experiment_saved(l->list[k], BPERC_SCALE_PAPER) != 0;
  return count;
}

/* Scale, seed and date for the head of the page. */
static void describe(const lab *l, bool from_saved, char *out, size_t size) {
  const char *fixed = getenv("SOURCE_DATE_EPOCH");
  time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
  struct tm day;
  char date[64] = "";
  if (gmtime_r(&now, &day))
    strftime(date, sizeof date, "%-d %B %Y", &day);
  if (from_saved)
    snprintf(out, size,
             "Paper scale: tables kept with the experiments, each figure says "
             "of when; %zu of %zu experiments have such tables. Page of %s.",
             count_saved(l), l->count, date);
  else
    snprintf(out, size, "%s scale (%s), seed %" PRIu64 ", bperc %s, %s.",
             l->options->scale == BPERC_SCALE_QUICK ? "Quick" : "Paper",
             l->options->scale == BPERC_SCALE_QUICK
                 ? "smaller systems or fewer instances than in the paper"
                 : "sizes of the paper",
             l->cx->seed, bperc_version(), date);
}

static int write_report(lab *l, bperc_store *store, const char *out,
                        bool from_saved, const bperc_sweep_state *s) {
  bperc_scale scale = (bperc_scale)l->options->scale;
  char missing[1024] = "", origin[256];
  cli_progress line;
  bperc_report *r;
  bperc_error error;
  bperc_status status;
  describe(l, from_saved, origin, sizeof origin);
  status = bperc_report_new(out, origin, &r, &error);
  if (status == BPERC_OK && (l->own || l->options->trust))
    bperc_report_trust(r);
  if (status != BPERC_OK)
    return cli_fail(&error);
  cli_progress_start(&line, l->cx);
  for (size_t k = 0; k < l->count && status == BPERC_OK; k++) {
    cli_progress_show(&line, "tables and pictures: %s, %zu of %zu",
                      bperc_experiment_name(l->list[k]), k + 1, l->count);
    if (from_saved && bperc_experiment_saved(l->list[k], BPERC_SCALE_PAPER))
      status = bperc_report_add_saved(r, l->list[k], l->judges[k],
                                      BPERC_SCALE_PAPER, &error);
    else if (store)
      status = add_measured(l, r, k, store, missing, sizeof missing, &error);
    if (status == BPERC_OK && l->options->save && store)
      status = bperc_report_save(r, bperc_report_count(r) - 1, scale, &error);
  }
  cli_progress_end(&line);
  if (status == BPERC_OK && store && bperc_report_count(r) == 0) {
    bperc_report_free(r);
    cli_warn("the store has no results of %s at %s scale", missing,
             bperc_scale_name(scale));
    return CLI_INPUT;
  }
  if (status == BPERC_OK && missing[0])
    cli_warn("not yet measured at %s scale and left out: %s",
             bperc_scale_name(scale), missing);
  if (status == BPERC_OK)
    status = bperc_report_finish(r, &error);
  if (status == BPERC_OK) {
    int code = lab_answer(l, r, out, s);
    bperc_report_free(r);
    return code;
  }
  bperc_report_free(r);
  if (status == BPERC_E_INTERRUPTED) {
    cli_warn("interrupted while writing %s; the results are in the store, and "
             "the same command writes it again",
             out);
    return CLI_INTERRUPTED;
  }
  return cli_fail(&error);
}

static const char *out_folder(const lab *l) {
  return l->options->out ? l->options->out : "report";
}

static void store_path(const lab *l, char *path, size_t size) {
  if (l->options->store)
    snprintf(path, size, "%s", l->options->store);
  else
    snprintf(path, size, "%s/store.db", out_folder(l));
}

static int open_store(const lab *l, bperc_store_mode mode, bperc_store **out) {
  char path[4096];
  bperc_error error;
  store_path(l, path, sizeof path);
  if (!l->options->store && mode == BPERC_STORE_WRITE &&
      bperc_folder_make(out_folder(l), &error))
    return cli_fail(&error);
  if (bperc_store_open(path, mode, out, &error))
    return mode == BPERC_STORE_READ || error.status == BPERC_E_FORMAT
               ? cli_fail_input(&error)
               : cli_fail(&error);
  return CLI_DONE;
}

/* "2/4"; both 0 without --shard. */
static int read_shard(const lab *l, unsigned *shard, unsigned *shards) {
  int used = 0;
  *shard = *shards = 0;
  if (!l->options->shard)
    return CLI_DONE;
  if (sscanf(l->options->shard, "%5u/%5u%n", shard, shards, &used) == 2 &&
      l->options->shard[used] == 0 && *shard >= 1 && *shard <= *shards)
    return CLI_DONE;
  return cli_usage("--shard %s: give K/N with K from 1 to N, such as 2/4",
                   l->options->shard);
}

static bperc_sweep_options sweep_options(const lab *l, lab_progress *p) {
  unsigned shard, shards;
  read_shard(l, &shard, &shards);
  return (bperc_sweep_options){.shard = shard,
                               .shards = shards,
                               .scale = (bperc_scale)l->options->scale,
                               .seed = l->cx->seed,
                               .threads = (unsigned)l->cx->common.threads,
                               .retry = (int)l->options->retry,
                               .watch = lab_watch,
                               .context = p};
}

/* What is kept, and how to go on. */
static int interrupted(const lab *l, const bperc_sweep_state *s) {
  char path[4096];
  store_path(l, path, sizeof path);
  if (s->total)
    cli_warn("interrupted: %zu of %zu results are kept in %s; the same command "
             "goes on from there",
             s->found + s->done, s->total, path);
  else /* before they were counted */
    cli_warn("interrupted: all results in %s are kept; the same command goes "
             "on from there",
             path);
  return CLI_INTERRUPTED;
}

/* A damaged result is named; whether there was one. */
static bool warn_damaged(bperc_store *store, const lab *l, const char *what) {
  char first[33];
  size_t count = bperc_store_damaged(store, first);
  if (count)
    cli_warn("%s: %zu damaged result%s (%s%s): %s",
             l->options->store ? l->options->store : out_folder(l), count,
             count == 1 ? "" : "s", first, count == 1 ? "" : ", ...", what);
  return count > 0;
}

/* A bperc_unused_tell: one sentence with the line that would save the time. */
static void tell_unused(void *context, const char *plan, size_t line,
                        const char *block, const bperc_measure_costly *c) {
  (void)context;
  fprintf(stderr, "%s:%zu: claims, formulas and picture do not name", plan,
          line);
  for (size_t k = 0; c->results[k]; k++)
    fprintf(stderr, "%s %s%s", k ? " or" : "",
            c->results[k][0] == '.' ? block : "", c->results[k]);
  fprintf(stderr,
          ", which take a large part of the time of block '%s': the line '%s' "
          "leaves them out\n",
          block, c->without);
}

static int run_first(lab *l) {
  lab_progress p = {.quiet = l->cx->common.quiet != 0};
  bperc_sweep_options options = sweep_options(l, &p);
  bperc_sweep_state state;
  bperc_store *store = NULL;
  bperc_error error;
  bperc_status status;
  int code = open_store(l, BPERC_STORE_WRITE, &store);
  if (code != CLI_DONE) {
    bperc_ranks_end();
    return code;
  }
  for (size_t k = 0; k < l->count; k++)
    bperc_judge_unused(l->judges[k], l->list[k], tell_unused, NULL);
  cli_progress_start(&p.line, l->cx);
  status = bperc_sweep_run((const bperc_experiment *const *)l->list, l->count,
                           store, &options, &state, &error);
  cli_progress_end(&p.line);
  bperc_ranks_end();
  if (status == BPERC_E_INTERRUPTED)
    code = interrupted(l, &state);
  else if (status != BPERC_OK)
    code = cli_fail(&error);
  else if (l->options->shard)
    code = lab_answer_shard(l, &state);
  else if (l->options->list)
    code = list_instances(l, store);
  else
    code = write_report(l, store, out_folder(l), false, &state);
  warn_damaged(store, l, "run again");
  bperc_store_close(store);
  return code;
}

static int run_other(lab *l) {
  bperc_sweep_options options = sweep_options(l, NULL);
  bperc_error error;
  bperc_status status = bperc_ranks_work(
      (const bperc_experiment *const *)l->list, l->count, &options, &error);
  bperc_ranks_end();
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
}

int lab_run(lab *l) {
  char program[2048], installed[2200];
  const char *folders[] = {program, installed, BPERC_MODULES, NULL};
  bperc_ranks ranks;
  bperc_error error;
  unsigned shard, shards;
  int code = check_list(l);
  if (code == CLI_DONE)
    code = read_shard(l, &shard, &shards);
  if (code != CLI_DONE)
    return code;
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error */
  program_folder(program, sizeof program);
  snprintf(installed, sizeof installed, "%s/../lib/bperc", program);
  if (bperc_ranks_start(folders, &ranks, &error))
    return cli_fail(&error);
  return ranks.rank == 0 ? run_first(l) : run_other(l);
}

int lab_report(lab *l, bool saved) {
  bperc_store *store = NULL;
  int code = check_list(l);
  if (code == CLI_DONE && (l->options->store || !saved))
    code = open_store(l, BPERC_STORE_READ, &store);
  if (code == CLI_DONE)
    code = l->options->list && store
               ? list_instances(l, store)
               : write_report(l, store, out_folder(l), saved, NULL);
  if (store && warn_damaged(store, l, "left out, run the sweep again") &&
      code == CLI_DONE)
    code = CLI_NEGATIVE;
  bperc_store_close(store);
  return code;
}
