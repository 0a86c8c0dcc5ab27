/* What the laboratory says while it works and when it is done. */
#include "cli_solver.h"
#include "lab.h"

#include <string.h>

/* ---- progress */

void lab_watch(void *context, const bperc_sweep_state *s) {
  lab_progress *p = context;
  size_t todo = s->total - s->found; /* fewer when others work too */
  double rate = s->seconds > 0 ? (double)s->done / s->seconds : 0;
  char bar[21], left[32];
  size_t filled = todo ? 20 * s->done / todo : 20;
  if (!p->started) {
    p->started = true;
    cli_duration(s->estimate, left, sizeof left);
    if (!p->quiet && todo)
      fprintf(stderr,
              "%zu tasks, %zu in the store; estimate for the rest: %s of one "
              "core\n",
              s->total, s->found, left);
    return;
  }
  memset(bar, '.', 20);
  memset(bar, '#', filled);
  bar[20] = 0;
  cli_duration(s->left, left, sizeof left);
  if (s->elsewhere)
    cli_progress_show(&p->line,
                      "[%s] %zu/%zu  other processes run the last %zu", bar,
                      s->found + s->done, s->total, s->elsewhere);
  else
    cli_progress_show(&p->line, "[%s] %zu/%zu  %.3g/s  %s left  %zu failures",
                      bar, s->found + s->done, s->total, rate, left, s->failed);
  if (!p->line.active && !p->quiet && s->seconds >= p->told + 30) {
    fprintf(stderr, "%zu of %zu tasks, %s left\n", s->found + s->done, s->total,
            left);
    p->told = s->seconds;
  }
}

/* ---- the answer */

static size_t verdict_column(const bperc_report *r) {
  size_t most = 5;
  for (size_t k = 0; k < bperc_report_count(r); k++)
    for (size_t c = 0; c < bperc_report_claims(r, k)->count; c++) {
      size_t n = strlen(bperc_report_claims(r, k)->claims[c].id);
      most = n > most ? n : most;
    }
  return most;
}

/* On the terminal a claim with hundreds of series would hide all others: its
 * numbers end at a comma before the limit, and the page has them all. */
enum { MOST_SHOWN = 1000 };
static void print_measured(const bperc_claim *claim) {
  char *text = bperc_claim_measured(claim);
  size_t n = text ? strlen(text) : 0;
  if (n > MOST_SHOWN) {
    for (n = MOST_SHOWN; n > 0 && text[n] != ',' && text[n] != ';';)
      n--;
    printf("%.*s, ... (all of them are in the page)\n", (int)n, text);
  } else
    printf("%s\n", text ? text : "");
  bperc_free(text);
}

static void print_claims(const bperc_report *r) {
  int width = (int)verdict_column(r);
  for (size_t k = 0; k < bperc_report_count(r); k++) {
    const bperc_claims *claims = bperc_report_claims(r, k);
    for (size_t c = 0; c < claims->count; c++) {
      const bperc_claim *q = &claims->claims[c];
      printf("%-*s  %-9s  %s\n%*s  ", width, q->id,
             bperc_claim_verdict_name(q->verdict), q->text, width + 11, "");
      print_measured(q);
    }
  }
}

static size_t count_verdicts(const bperc_report *r, bperc_claim_source source,
                             bperc_claim_verdict verdict) {
  size_t count = 0;
  for (size_t k = 0; k < bperc_report_count(r); k++)
    count += bperc_claims_tally(bperc_report_claims(r, k), source, verdict);
  return count;
}

static void print_tally(const bperc_report *r) {
  static const char *const names[] = {"claims of the paper", "our claims"};
  for (int s = 0; s < 2; s++) {
    size_t number[3], all = 0;
    for (int v = 0; v < 3; v++)
      all += number[v] =
          count_verdicts(r, (bperc_claim_source)s, (bperc_claim_verdict)v);
    if (all)
      printf("%s: %zu hold, %zu fail, %zu undecided\n", names[s],
             number[BPERC_HOLDS], number[BPERC_FAILS], number[BPERC_UNDECIDED]);
  }
}

static json_t *tally_json(const bperc_report *r) {
  json_t *object = json_object();
  for (int s = 0; s < 2; s++) {
    bperc_claim_source source = (bperc_claim_source)s;
    json_object_set_new(
        object, bperc_claim_source_name(source),
        json_pack("{s:I, s:I, s:I}", "hold",
                  (json_int_t)count_verdicts(r, source, BPERC_HOLDS), "fail",
                  (json_int_t)count_verdicts(r, source, BPERC_FAILS),
                  "undecided",
                  (json_int_t)count_verdicts(r, source, BPERC_UNDECIDED)));
  }
  return object;
}

static json_t *words_or_null(const char *words) {
  return *words ? json_string(words) : json_null();
}

static json_t *claims_json(const bperc_report *r, bool *fails) {
  json_t *list = json_array();
  for (size_t k = 0; k < bperc_report_count(r); k++) {
    const bperc_claims *claims = bperc_report_claims(r, k);
    for (size_t c = 0; c < claims->count; c++) {
      const bperc_claim *q = &claims->claims[c];
      char *measured = bperc_claim_measured(q);
      *fails |= q->verdict == BPERC_FAILS;
      json_array_append_new(
          list,
          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}",
                    "id", q->id, "verdict",
                    bperc_claim_verdict_name(q->verdict), "measured",
                    measured ? measured : "", "expected", q->expected, "text",
                    q->text, "figure",
                    bperc_experiment_name(bperc_report_experiment(r, k)),
                    "source", bperc_claim_source_name(q->source), "quote",
                    words_or_null(q->quote), "place", words_or_null(q->place),
                    "why", words_or_null(q->why), "tests", lab_tests_json(q)));
      bperc_free(measured);
    }
  }
  return list;
}

static json_t *state_json(const bperc_sweep_state *s) {
  return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I}", "total",
                   (json_int_t)s->total, "found", (json_int_t)s->found, "done",
                   (json_int_t)s->done, "failed", (json_int_t)s->failed,
                   "seconds", s->seconds, "busy", s->busy, "storing",
                   s->storing, "workers", (json_int_t)s->workers);
}

int lab_answer_shard(const lab *l, const bperc_sweep_state *s) {
  if (l->cx->common.json)
    cli_json_print(json_pack("{s:s, s:o}", "shard", l->options->shard, "tasks",
                             state_json(s)));
  else
    printf("part %s: %zu tasks are done, %zu of them now; when all parts are, "
           "put their\nstores together with 'bperc store merge' and run it "
           "once more without --shard\n",
           l->options->shard, s->total, s->done);
  return CLI_DONE;
}

int lab_answer(const lab *l, const bperc_report *r, const char *out,
               const bperc_sweep_state *s) {
  bool fails = false;
  json_t *claims = claims_json(r, &fails);
  if (bperc_report_warning(r))
    cli_warn("%s", bperc_report_warning(r));
  if (l->cx->common.json) {
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:s}", "claims", claims, "tally", tally_json(r),
        "scale", bperc_scale_name((bperc_scale)l->options->scale), "out", out);
    if (s)
      json_object_set_new(object, "tasks", state_json(s));
    cli_json_print(object);
  } else {
    json_decref(claims);
    print_claims(r);
    print_tally(r);
    printf("%s/index.html\n", out);
  }
  if (bperc_report_failed_plots(r))
    return CLI_SYSTEM;
  return fails ? CLI_NEGATIVE : CLI_DONE;
}
