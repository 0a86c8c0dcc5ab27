/* Random ensembles on the command line. */
#include "ensemble.h"

#include "solver.h"

#include <math.h>

void cli_group_ensemble(cli *cx, cli_ensemble *values, bool patterns) {
  static const bperc_option rows[] = {
      {"n", BPERC_OPTION_INT, offsetof(cli_ensemble, n), 0, 0, 1, 4294967296.,
       NULL, "number of weights N"},
      {"fin", BPERC_OPTION_REAL, offsetof(cli_ensemble, fin), -1, -1, 0, 1,
       NULL, "probability of an input to be 1 [f_in]"},
      {"a", BPERC_OPTION_REAL, offsetof(cli_ensemble, a), 0, 0, 1e-12, 1e12,
       NULL, "threshold parameter A: output 1 when w.xi > N/A"},
      {"ties", BPERC_OPTION_CHOICE, offsetof(cli_ensemble, ties), 0, 0, 0, 0,
       "zero|strict|either", "what a sum on the threshold means"},
      {"m", BPERC_OPTION_INT, offsetof(cli_ensemble, m), -1, -1, 0, 4294967296.,
       NULL, "number of patterns M, or give --alpha"},
      {"alpha", BPERC_OPTION_REAL, offsetof(cli_ensemble, alpha), -1, -1, 0,
       1e9, NULL, "patterns per weight; M is the nearest whole number"},
  };
  size_t count = sizeof rows / sizeof *rows;
  *values = (cli_ensemble){.m = -1, .alpha = -1};
  cli_group(cx, "instances",
            (bperc_option_table){rows, patterns ? count : count - 2}, values);
}

int cli_ensemble_take(const cli *cx, const cli_ensemble *values, bool patterns,
                      bperc_ensemble *out) {
  if (values->n < 1 || values->fin < 0 || values->a <= 0 ||
      (patterns && (values->m < 0) == (values->alpha < 0)))
    return cli_usage("%s needs --n, --fin, --a%s", cx->command->name,
                     patterns ? " and one of --m, --alpha" : "");
  *out = (bperc_ensemble){.n = (size_t)values->n,
                          .fin = values->fin,
                          .a = values->a,
                          .ties = (bperc_ties)values->ties};
  if (patterns)
    out->m = values->m >= 0
                 ? (size_t)values->m
                 : (size_t)nearbyint(values->alpha * (double)values->n);
  return CLI_DONE;
}

json_t *cli_json_ensemble(const bperc_ensemble *ensemble) {
  return json_pack("{s:I, s:f, s:f, s:s}", "n", (json_int_t)ensemble->n, "fin",
                   ensemble->fin, "a", ensemble->a, "ties",
                   bperc_ties_name(ensemble->ties));
}

void cli_trials_tick(void *context, size_t done, size_t total) {
  cli_trials *t = context;
  char left[32];
  double seconds;
  if (!cli_progress_due(&t->progress))
    return;
  seconds = cli_now() - t->progress.started;
  cli_duration(seconds * (double)(total - done) / (double)done, left,
               sizeof left);
  cli_progress_show(&t->progress, "%s: %zu of %zu, about %s left", t->what,
                    done, total, left);
}

size_t cli_trials_kept(size_t kept, size_t total, const char *what) {
  if (kept)
    cli_warn("the answer is of the first %zu of %zu %s", kept, total, what);
  else
    cli_warn("the first of %zu %s was not finished: nothing is kept", total,
             what);
  return kept;
}
