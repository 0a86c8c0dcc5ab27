/* bperc trends: how the geometry of random solution spaces changes along exact
 * decimation, with input density and with load [BZ figs. 7, 9]. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t size, instances, most;
  double threshold_a;
} options;

static options opt;

static const bperc_option rows[] = {
    {"size", BPERC_OPTION_INT, offsetof(options, size), 0, 0, 0, 128, NULL,
     "number of weights N; 0: both 25 and 50"},
    {"instances", BPERC_OPTION_INT, offsetof(options, instances), 0, 0, 0, 1e6,
     NULL, "instances of each kind; 0: 100 at N up to 25, 30 above"},
    {"most", BPERC_OPTION_INT, offsetof(options, most), 1000000, 1000000, 1,
     4e9, NULL, "instances with more solutions are left out and counted"},
    {"threshold-a", BPERC_OPTION_REAL, offsetof(options, threshold_a), 12, 12,
     0.1, 1e6, NULL, "A of the instances"},
};

static void setup(cli *cx) {
  cli_group(cx, "trends",
            (bperc_option_table){rows, sizeof rows / sizeof *rows}, &opt);
}

/* ---- averages over instances */

enum { STAGES = 5, MEASURES = 6 }; /* 0, 1/5, ..., 4/5 of the weights fixed */
enum { XCORR2, PARISI, Q_SAME, Q_DIFF, Q_GAP, K_INDEX };
static const char *const names[MEASURES] = {"xcorr^2", "x*",     "q_same",
                                            "q_diff",  "q gap*", "k index"};

typedef struct {
  double sum, square, count;
} mean;

static void add(mean *m, double x) {
  if (!isfinite(x))
    return;
  m->sum += x;
  m->square += x * x;
  m->count += 1;
}

static double value(const mean *m) { return m->sum / m->count; }

/* Standard error of the mean. */
static double error_of(const mean *m) {
  double v = value(m);
  return sqrt(fmax(0, m->square / m->count - v * v) / (m->count - 1));
}

/* One kind of instance. */
typedef struct {
  size_t n;
  double alpha, fin;
  size_t used, unsatisfiable, large;
  mean at[STAGES][MEASURES];
  mean fall_x, rise_k, rise_xcorr; /* last stage minus first, per instance */
  mean last_k, largest;            /* at the end; log of the largest cluster */
} kind;

static double measure_of(const bperc_exact_step *s, int which) {
  const double all[MEASURES] = {
      s->xcorr_mean_square,  s->parisi_x, s->q_same, s->q_diff,
      s->q_same - s->q_diff, s->k_index};
  return all[which];
}

static void add_steps(kind *k, const bperc_exact_step *steps) {
  const bperc_exact_step *first = steps, *late = steps + k->n * 4 / 5;
  const bperc_exact_step *middle = steps + k->n * 3 / 5;
  for (size_t stage = 0; stage < STAGES; stage++)
    for (int which = 0; which < MEASURES; which++)
      add(&k->at[stage][which],
          measure_of(&steps[k->n * stage / STAGES], which));
  add(&k->fall_x, late->parisi_x - first->parisi_x);
  add(&k->rise_k, steps[k->n].k_index - first->k_index);
  add(&k->rise_xcorr, middle->xcorr_mean_square - first->xcorr_mean_square);
  add(&k->last_k, steps[k->n].k_index);
  add(&k->largest, log((double)first->largest) / (double)k->n);
  k->used++;
}

static bperc_status decimate(const bperc_instance *in, const bperc_solutions *s,
                             bperc_exact_step *steps) {
  bperc_marginals source;
  bperc_decimation *d = NULL;
  bperc_decimation_view view;
  bperc_progress outcome = BPERC_RUNNING;
  bperc_status status = bperc_marginals_exact(s, &source);
  if (status == BPERC_OK)
    status = bperc_decimation_new(in, source, &d);
  while (status == BPERC_OK && outcome == BPERC_RUNNING)
    status = bperc_decimation_step(d, &outcome);
  if (status == BPERC_OK) {
    bperc_decimation_look(d, &view);
    status = bperc_exact_along(s, BPERC_ALONG_CLUSTERS, view.order, view.values,
                               view.fixed, steps);
  }
  bperc_decimation_free(d);
  return status;
}

static bperc_status add_instance(kind *k, uint64_t seed, unsigned threads,
                                 bperc_error *error) {
  bperc_instance *in = NULL;
  bperc_solutions *s = NULL;
  bperc_exact_options search;
  bperc_exact_step *steps = calloc(k->n + 1, sizeof *steps);
  bperc_options_default(bperc_exact_option_table(), &search);
  search.limit = opt.most;
  bperc_status status =
      steps ? bperc_instance_generate(
                  k->n, (size_t)floor(k->alpha * (double)k->n + 0.5), k->fin,
                  opt.threshold_a, BPERC_TIES_ZERO, seed, &in, error)
            : bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  if (status == BPERC_OK)
    status = bperc_exact_list(in, NULL, &search, threads, NULL, &s, error);
  if (status == BPERC_OK) {
    k->large += !s->complete;
    k->unsatisfiable += s->count == 0;
    if (s->complete && s->count > 0) {
      status = decimate(in, s, steps);
      if (status == BPERC_OK)
        add_steps(k, steps);
      else
        bperc_error_set(error, status, "the measures failed: %s",
                        bperc_status_name(status));
    }
  }
  free(steps);
  bperc_solutions_free(s);
  bperc_instance_free(in);
  return status;
}

/* ---- judging */

typedef struct {
  const char *id, *verdict;
  char measured[200];
} claim;

enum { CLAIMS = 8 };

/* Whether a mean is above 0 by more than two standard errors. */
static int sign_of(const mean *m) {
  double v = value(m), e = 2 * error_of(m);
  return v > e ? 1 : v < -e ? -1 : 0;
}

static const char *verdict(int worst) {
  return worst > 0 ? "holds" : worst < 0 ? "fails" : "undecided";
}

static int lesser(int a, int b) { return a < b ? a : b; }

/* Difference of the averages, as the paper plots it. */
static double gap(const kind *k, size_t stage) {
  return value(&k->at[stage][Q_SAME]) - value(&k->at[stage][Q_DIFF]);
}

/* [BZ eq. 9] from averages. */
static double predicted(const kind *k, size_t stage) {
  double x = value(&k->at[stage][PARISI]), q = gap(k, stage);
  return x * (1 - x) * q * q / 3;
}

/* Of three kinds in the order in which the paper says that a measure grows:
 * whether the last is above the first. */
static int grows(const kind *k, int which, size_t stage) {
  const mean *low = &k[0].at[stage][which], *high = &k[2].at[stage][which];
  double up = value(high) - value(low);
  double e = 2 * hypot(error_of(high), error_of(low));
  return up > e ? 1 : up < -e ? -1 : 0;
}

static int sign(double x) { return x > 0 ? 1 : -1; }

static double gap_error(const kind *k, size_t stage) {
  return hypot(error_of(&k->at[stage][Q_SAME]),
               error_of(&k->at[stage][Q_DIFF]));
}

/* Whether one gap is above another by more than two standard errors. */
static int gap_above(const kind *a, size_t at, const kind *b, size_t bt) {
  double up = gap(a, at) - gap(b, bt);
  double e = 2 * hypot(gap_error(a, at), gap_error(b, bt));
  return up > e ? 1 : up < -e ? -1 : 0;
}

/* The claims shared by figures 7 and 9 for three kinds each. */
static void judge(const kind *k, const char *figure, claim *out) {
  int fall = 1, rise = 1, index = 1, wider = 1, same = 1;
  bool nine = figure[0] == '9';
  for (int a = 0; a < 3; a++) {
    fall = lesser(fall, -sign_of(&k[a].fall_x));
    rise = lesser(rise, sign_of(&k[a].rise_xcorr));
    index = lesser(index, sign_of(&k[a].rise_k));
    wider = lesser(wider, gap_above(&k[a], 3, &k[a], 0));
    same = lesser(same, sign(predicted(&k[a], 3) - predicted(&k[a], 0)) ==
                                sign(value(&k[a].rise_xcorr))
                            ? 1
                            : -1);
  }
  /* The ends of the three: neighbours are within each other's errors. */
  int order = gap_above(&k[2], 3, &k[0], 3);
  if (nine)
    fall = lesser(fall, grows(k, PARISI, 0));
  out[0] = (claim){nine ? "F9.2" : "F7.1", verdict(fall), ""};
  snprintf(out[0].measured, sizeof out[0].measured,
           "x* changes by %.3f(%.3f) %.3f(%.3f) %.3f(%.3f) up to 4/5 fixed",
           value(&k[0].fall_x), error_of(&k[0].fall_x), value(&k[1].fall_x),
           error_of(&k[1].fall_x), value(&k[2].fall_x), error_of(&k[2].fall_x));
  if (nine) {
    out[1] = (claim){"F9.1", verdict(lesser(rise, grows(k, XCORR2, 3))), ""};
    snprintf(out[1].measured, sizeof out[1].measured,
             "xcorr^2 at 3/5 fixed minus at 0: %.2e %.2e %.2e; at 3/5: %.2e "
             "%.2e %.2e",
             value(&k[0].rise_xcorr), value(&k[1].rise_xcorr),
             value(&k[2].rise_xcorr), value(&k[0].at[3][XCORR2]),
             value(&k[1].at[3][XCORR2]), value(&k[2].at[3][XCORR2]));
  } else {
    out[1] = (claim){"F7.2", verdict(index), ""};
    snprintf(out[1].measured, sizeof out[1].measured,
             "k rises by %.4f(%.4f) %.4f(%.4f) %.4f(%.4f); ends at %.4f %.4f "
             "%.4f, largest clusters %.4f %.4f %.4f",
             value(&k[0].rise_k), error_of(&k[0].rise_k), value(&k[1].rise_k),
             error_of(&k[1].rise_k), value(&k[2].rise_k),
             error_of(&k[2].rise_k), value(&k[0].last_k), value(&k[1].last_k),
             value(&k[2].last_k), value(&k[0].largest), value(&k[1].largest),
             value(&k[2].largest));
  }
  out[2] = (claim){nine ? "F9.3" : "F7.3", verdict(lesser(wider, order)), ""};
  snprintf(out[2].measured, sizeof out[2].measured,
           "q_same - q_diff of averages %.4f %.4f %.4f at 0, %.4f %.4f %.4f at "
           "3/5 fixed",
           gap(&k[0], 0), gap(&k[1], 0), gap(&k[2], 0), gap(&k[0], 3),
           gap(&k[1], 3), gap(&k[2], 3));
  out[3] = (claim){nine ? "F9.4" : "F7.4", verdict(same), ""};
  snprintf(out[3].measured, sizeof out[3].measured,
           "eq. 9 gives %.1e %.1e %.1e at 0, %.1e %.1e %.1e at 3/5 fixed",
           predicted(&k[0], 0), predicted(&k[1], 0), predicted(&k[2], 0),
           predicted(&k[0], 3), predicted(&k[1], 3), predicted(&k[2], 3));
}

/* ---- answers */

static void print_kind(const kind *k) {
  printf("N = %zu, alpha = %g, f_in = %g: %zu instances; left out: %zu without "
         "solutions, %zu with more than %lld\n",
         k->n, k->alpha, k->fin, k->used, k->unsatisfiable, k->large,
         (long long)opt.most);
  printf("  %-8s", "fixed");
  for (size_t stage = 0; stage < STAGES; stage++)
    printf(" %18zu", k->n * stage / STAGES);
  printf("\n");
  for (int which = 0; which < MEASURES; which++) {
    printf("  %-8s", names[which]);
    for (size_t stage = 0; stage < STAGES; stage++)
      printf(" %9.6f(%.6f)", value(&k->at[stage][which]),
             error_of(&k->at[stage][which]));
    printf("\n");
  }
}

static json_t *json_kind(const kind *k) {
  static const char *const keys[MEASURES] = {
      "xcorr_mean_square", "parisi_x", "q_same", "q_diff", "q_gap", "k_index"};
  json_t *stages = json_array();
  for (size_t stage = 0; stage < STAGES; stage++) {
    json_t *x =
        json_pack("{s:I}", "fixed", (json_int_t)(k->n * stage / STAGES));
    for (int which = 0; which < MEASURES; which++)
      json_object_set_new(
          x, keys[which],
          json_pack("[o, o]", cli_json_real(value(&k->at[stage][which])),
                    cli_json_real(error_of(&k->at[stage][which]))));
    json_array_append_new(stages, x);
  }
  return json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:o}", "n", (json_int_t)k->n,
                   "alpha", k->alpha, "fin", k->fin, "instances",
                   (json_int_t)k->used, "unsatisfiable",
                   (json_int_t)k->unsatisfiable, "too_large",
                   (json_int_t)k->large, "stages", stages);
}

/* Kinds of figure 7, sparse to dense, then of figure 9, low to high load; the
 * last of the one is the first of the other. */
enum { KINDS = 5 };
static const double plan[KINDS][2] = {
    {0.36, 0.3}, {0.36, 0.4}, {0.36, 0.5}, {0.40, 0.5}, {0.48, 0.5}};

static int run_size(cli *cx, size_t n, json_t *all, json_t *claims) {
  kind kinds[KINDS];
  claim out[CLAIMS];
  bperc_error error;
  cli_progress progress;
  size_t instances = opt.instances ? (size_t)opt.instances : n <= 25 ? 100 : 30;
  memset(kinds, 0, sizeof kinds);
  cli_progress_start(&progress, cx);
  for (size_t a = 0; a < KINDS; a++) {
    kinds[a].n = n;
    kinds[a].alpha = plan[a][0];
    kinds[a].fin = plan[a][1];
    for (size_t t = 0; t < instances; t++) {
      uint64_t seed = bperc_stream_seed(cx->seed, BPERC_FOR_TRIAL, t);
      if (cli_progress_due(&progress))
        cli_progress_show(&progress, "N = %zu: instance %zu of %zu", n,
                          a * instances + t + 1, KINDS * instances);
      if (add_instance(&kinds[a], seed, (unsigned)cx->common.threads, &error)) {
        cli_progress_end(&progress);
        return cli_fail(&error);
      }
    }
    if (!cx->common.json) {
      cli_progress_end(&progress);
      print_kind(&kinds[a]);
      cli_progress_start(&progress, cx);
    }
    json_array_append_new(all, json_kind(&kinds[a]));
  }
  cli_progress_end(&progress);
  judge(kinds, "7", out);
  judge(kinds + 2, "9", out + 4);
  for (size_t c = 0; c < CLAIMS; c++) {
    if (!cx->common.json)
      printf("%s %-9s N = %zu: %s\n", out[c].id, out[c].verdict, n,
             out[c].measured);
    json_array_append_new(claims, json_pack("{s:s, s:s, s:I, s:s}", "id",
                                            out[c].id, "verdict",
                                            out[c].verdict, "n", (json_int_t)n,
                                            "measured", out[c].measured));
  }
  return CLI_DONE;
}

static int run(cli *cx) {
  json_t *kinds = json_array(), *claims = json_array();
  int code = CLI_DONE;
  if (!cx->common.json)
    printf("Averages over instances with standard errors; q gap* is the "
           "average of per-instance differences.\n");
  if (opt.size > 0)
    code = run_size(cx, (size_t)opt.size, kinds, claims);
  else
    for (size_t n = 25; n <= 50 && code == CLI_DONE; n *= 2)
      code = run_size(cx, n, kinds, claims);
  if (cx->common.json && code == CLI_DONE)
    cli_json_print(json_pack("{s:O, s:O}", "kinds", kinds, "claims", claims));
  json_decref(kinds);
  json_decref(claims);
  return code;
}

const cli_command cmd_trends = {
    .name = "trends",
    .arguments = "",
    .summary = "geometry of random solution spaces along exact decimation",
    .text =
        "Lists the solutions of random instances, decimates by exact "
        "marginals\n"
        "and averages correlations, x*, overlaps and k index at 0, 1/5, ...,\n"
        "4/5 of the weights fixed: for three input densities at one load, and\n"
        "for three loads at one density. Judges the claims of figures 7 and "
        "9.\n\n"
        "  bperc trends --size 25 --instances 100",
    .least = 0,
    .most = 0,
    .setup = setup,
    .run = run,
};
