/* The laboratory from the command line. */
#include "lab.h"

#include "cli_ranks.h"

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

int lab_open(lab *l, cli *cx, lab_options *options) {
  bperc_error error;
  *l = (lab){.cx = cx, .options = options};
  return bperc_lab_new(&l->all, &error) ? cli_fail(&error) : CLI_DONE;
}

void lab_clear(lab *l) { bperc_lab_free(l->all); }

int lab_fail_read(const bperc_error *error) {
  return error->status == BPERC_E_ARGUMENT ? cli_usage("%s", error->text)
                                           : cli_fail_input(error);
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
  cli_program_folder(program, sizeof program);
  assert(folder && size);
  snprintf(folder, size, "%s/../experiments", program); /* built here */
  if (access(folder, R_OK) == 0)
    return CLI_DONE;
  snprintf(folder, size, "%s/../share/bperc/experiments", program);
  if (access(folder, R_OK) == 0)
    return CLI_DONE;
  return cli_usage("the experiments are not found: give --experiments FOLDER");
}

/* ---- running */

/* Whether --list names a claim: said before anything runs. */
static int check_list(const lab *l) {
  const char *claim = l->options->list;
  if (!claim || bperc_lab_find(l->all, claim) < bperc_lab_count(l->all))
    return CLI_DONE;
  return cli_usage("--list: there is no claim '%s' in these experiments",
                   claim);
}

static int list_instances(const lab *l, bperc_store *store) {
  const char *claim = l->options->list;
  size_t k = bperc_lab_find(l->all, claim);
  bperc_tables *t;
  bperc_error error;
  int code = CLI_DONE;
  if (bperc_judge_tables(bperc_lab_experiment(l->all, k), store,
                         (bperc_scale)l->options->scale, l->cx->seed, &t,
                         &error))
    return cli_fail(&error);
  if (bperc_judge_list(bperc_lab_judge(l->all, k), t, claim, stdout, &error))
    code = cli_fail(&error);
  bperc_tables_free(t);
  return code;
}

/* What a report says on its way. */
typedef struct {
  cli_progress line;
  char missing[1024]; /* not measured yet */
} report_talk;

static void tell_figure(void *context, const char *name, size_t k,
                        size_t count) {
  report_talk *talk = context;
  cli_progress_show(&talk->line, "tables and pictures: %s, %zu of %zu", name,
                    k + 1, count);
}

static void tell_missing(void *context, const char *name) {
  report_talk *talk = context;
  size_t used = strlen(talk->missing);
  snprintf(talk->missing + used, sizeof talk->missing - used, "%s%s",
           used ? ", " : "", name);
}

static int fail_report(const char *out, const bperc_error *error) {
  if (error->status != BPERC_E_INTERRUPTED)
    return cli_fail(error);
  cli_warn("interrupted while writing %s; the results are in the store, and "
           "the same command writes it again",
           out);
  return CLI_INTERRUPTED;
}

static int write_report(lab *l, bperc_store *store, const char *out,
                        bool from_kept, const bperc_sweep_state *s) {
  report_talk talk = {.missing = ""};
  bperc_lab_report_options o = {.folder = out,
                                .store = store,
                                .scale = (bperc_scale)l->options->scale,
                                .seed = l->cx->seed,
                                .kept = from_kept,
                                .trust = l->own || l->options->trust,
                                .save = l->options->save != 0,
                                .tell = tell_figure,
                                .missing = tell_missing,
                                .context = &talk};
  const char *scale = bperc_scale_name(o.scale);
  bperc_report *r;
  bperc_error error;
  int code;
  cli_progress_start(&talk.line, l->cx);
  bperc_lab_report(l->all, &o, &r, &error);
  cli_progress_end(&talk.line);
  if (!r)
    return fail_report(out, &error);
  if (store && bperc_report_count(r) == 0) {
    cli_warn("the store has no results of %s at %s scale", talk.missing, scale);
    code = CLI_INPUT;
  } else {
    if (talk.missing[0])
      cli_warn("not yet measured at %s scale and left out: %s", scale,
               talk.missing);
    code = lab_answer(l, r, out, s);
  }
  bperc_report_free(r);
  return code;
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
static int say_interrupted(const lab *l, const bperc_sweep_state *s) {
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

static bperc_status run_looks(lab *l, bperc_store *store,
                              const bperc_sweep_options *options,
                              lab_progress *p, bperc_sweep_state *state,
                              bperc_error *error) {
  bperc_status status = BPERC_OK;
  size_t open = 1;
  for (int64_t look = 1; open && status == BPERC_OK; look++) {
    cli_progress_start(&p->line, l->cx);
    status = bperc_lab_run(l->all, store, options, state, error);
    cli_progress_end(&p->line);
    if (status != BPERC_OK || look >= l->options->looks)
      break;
    status = bperc_lab_extend(l->all, store, options->scale, options->seed,
                              &open, error);
    if (status == BPERC_OK && open && !l->cx->common.quiet)
      cli_warn("look %" PRId64 " of %" PRId64 ": undecided claims in %zu "
               "experiment%s, more instances",
               look, l->options->looks, open, open == 1 ? "" : "s");
  }
  return status;
}

static int check_looks(const lab *l) {
  if (l->options->looks <= 1)
    return CLI_DONE;
  if (l->options->shard || l->options->save)
    return cli_usage("--looks: not with --shard or --save");
  bperc_lab_looks(l->all, (unsigned)l->options->looks);
  return CLI_DONE;
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
  for (size_t k = 0; k < bperc_lab_count(l->all); k++)
    bperc_judge_unused(bperc_lab_judge(l->all, k),
                       bperc_lab_experiment(l->all, k), tell_unused, NULL);
  status = run_looks(l, store, &options, &p, &state, &error);
  bperc_ranks_end();
  if (status == BPERC_E_INTERRUPTED)
    code = say_interrupted(l, &state);
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
  bperc_status status = bperc_lab_work(l->all, &options, &error);
  bperc_ranks_end();
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
}

int lab_run(lab *l) {
  bperc_ranks ranks;
  unsigned shard, shards;
  int code = check_list(l);
  if (code == CLI_DONE)
    code = read_shard(l, &shard, &shards);
  if (code == CLI_DONE)
    code = check_looks(l);
  if (code != CLI_DONE)
    return code;
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error */
  code = cli_ranks_start(&ranks);
  if (code != CLI_DONE)
    return code;
  if (ranks.size > 1 && l->options->looks > 1) {
    bperc_ranks_end();
    return cli_usage("--looks: not under mpirun");
  }
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
