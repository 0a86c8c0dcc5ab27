/* bperc infer: message passing without reinforcement. */
#include "commands.h"

#include <math.h>

#define ROWS(X)                                                                \
  X(TEXT, teacher, "FILE",                                                     \
    "weights of a teacher: print the overlap with them")                       \
  X(FLAG, steps, 0, 0, "print what is known after every iteration")            \
  X(FLAG, all, 0, 0, "print the marginals one by one; --json always does")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(infer_option_rows, options, ROWS);

static options infer_wish;
static bperc_inference_options infer_options;

static void setup_infer(cli *cx) {
  cli_group(cx, "infer", infer_option_rows(), &infer_wish);
  cli_group_instance(cx);
  cli_group(cx, "message passing", bperc_inference_option_table(),
            &infer_options);
}

typedef struct {
  const bperc_instance *in;
  bperc_inference *inference;
  uint64_t *teacher; /* NULL: none */
  double *p;
  json_t *rows; /* NULL without --steps */
} inferring;

/* (1/N) sum of mean weight times the teacher's; NaN without one. */
static double teacher_overlap(const inferring *w) {
  double sum = 0;
  int pm = w->in->weights == BPERC_WEIGHTS_PM;
  if (!w->teacher)
    return NAN;
  bperc_inference_marginals(w->inference, w->p);
  for (size_t i = 0; i < w->in->n; i++) {
    int bit = bperc_bit_get(w->teacher, i);
    sum += pm ? (2 * w->p[i] - 1) * (2 * bit - 1) : w->p[i] * bit;
  }
  return sum / (double)w->in->n;
}

static void add_report(json_t *j, const inferring *w,
                       const bperc_inference_report *r) {
  json_object_set_new(j, "overlap", cli_json_real(r->overlap));
  if (w->teacher)
    json_object_set_new(j, "overlap_teacher",
                        cli_json_real(teacher_overlap(w)));
  json_object_set_new(j, "error_bayes", cli_json_real(r->error_bayes));
  json_object_set_new(j, "error_gibbs", cli_json_real(r->error_gibbs));
  json_object_set_new(j, "error_left_out", cli_json_real(r->error_left_out));
}

static void note_infer_step(inferring *w, const bperc_inference_report *r) {
  if (!w->rows)
    return;
  json_t *j = json_pack("{s:I}", "step", (json_int_t)r->iterations);
  add_report(j, w, r);
  json_array_append_new(w->rows, j);
}

static bperc_inference_report iterate_inference(cli *cx, inferring *w) {
  bperc_inference_report r = {0};
  cli_progress progress;
  cli_progress_start(&progress, cx);
  while (!r.converged && !r.diverged &&
         r.iterations < (uint64_t)infer_options.max_iterations &&
         !bperc_cancelled()) {
    r = bperc_inference_step(w->inference);
    note_infer_step(w, &r);
    if (cli_progress_due(&progress))
      cli_progress_show(&progress, "infer: %llu iterations, change %.3g",
                        (unsigned long long)r.iterations, r.change);
  }
  cli_progress_end(&progress);
  return r;
}

static void print_infer_json(const inferring *w,
                             const bperc_inference_report *r) {
  json_t *list = json_array(), *j = json_object();
  bperc_inference_marginals(w->inference, w->p);
  for (size_t i = 0; i < w->in->n; i++)
    json_array_append_new(list, cli_json_real(w->p[i]));
  json_object_set_new(j, "converged", json_boolean(r->converged));
  json_object_set_new(j, "iterations", json_integer((json_int_t)r->iterations));
  json_object_set_new(j, "change", cli_json_real(r->change));
  add_report(j, w, r);
  json_object_set_new(j, "marginals", list);
  json_object_set_new(j, "n", json_integer((json_int_t)w->in->n));
  json_object_set_new(j, "m", json_integer((json_int_t)w->in->m));
  json_object_set_new(j, "ties", json_string(bperc_ties_name(w->in->ties)));
  json_object_set_new(
      j, "options",
      cli_json_options(bperc_inference_option_table(), &infer_options));
  if (w->rows)
    json_object_set(j, "steps", w->rows);
  cli_json_print(j);
}

static void print_infer_steps(const inferring *w) {
  size_t k;
  json_t *row;
  printf("\n%6s%14s%14s%14s%14s\n", "step", "overlap", "with teacher",
         "Bayes error", "Gibbs error");
  json_array_foreach(w->rows, k, row)
      printf("%6lld%14.6f%14.6f%14.6f%14.6f\n",
             (long long)json_integer_value(json_object_get(row, "step")),
             json_number_value(json_object_get(row, "overlap")),
             json_number_value(json_object_get(row, "overlap_teacher")),
             json_number_value(json_object_get(row, "error_bayes")),
             json_number_value(json_object_get(row, "error_gibbs")));
}

static void print_infer_text(const inferring *w,
                             const bperc_inference_report *r) {
  printf("%s after %llu iterations, last change %.3g\n",
         r->converged  ? "converged"
         : r->diverged ? "diverged"
                       : "not converged",
         (unsigned long long)r->iterations, r->change);
  printf("overlap of two students %.6f\n", r->overlap);
  if (w->teacher)
    printf("overlap with the teacher %.6f\n", teacher_overlap(w));
  printf("error on a new pattern: %.6f expected of the likelier label, %.6f of "
         "a random student;\n%.6f counted, each pattern left out\n",
         r->error_bayes, r->error_gibbs, r->error_left_out);
  if (w->rows)
    print_infer_steps(w);
  if (!infer_wish.all)
    return;
  bperc_inference_marginals(w->inference, w->p);
  printf("\nweight  P(bit = 1)\n");
  for (size_t i = 0; i < w->in->n; i++)
    printf("%6zu  %.9f\n", i, w->p[i]);
}

static int answer_infer(cli *cx, inferring *w) {
  bperc_inference_report r = iterate_inference(cx, w);
  if (r.iterations == 0) {
    cli_warn("interrupted before the first iteration: nothing is known");
    return CLI_INTERRUPTED;
  }
  (cx->common.json ? print_infer_json : print_infer_text)(w, &r);
  if (bperc_cancelled())
    return CLI_INTERRUPTED;
  return r.converged ? CLI_DONE : CLI_NEGATIVE;
}

static int begin_inference(cli *cx, inferring *w) {
  bperc_error error;
  w->rows = infer_wish.steps ? json_array() : NULL;
  w->p = bperc_calloc(w->in->n, sizeof *w->p);
  if (!w->p)
    return cli_no_memory();
  if (bperc_inference_new(w->in, &infer_options, (unsigned)cx->common.threads,
                          &w->inference, &error))
    return error.status == BPERC_E_ARGUMENT ? cli_usage("%s", error.text)
                                            : cli_fail(&error);
  return answer_infer(cx, w);
}

static int read_teacher_file(size_t n, uint64_t **teacher) {
  bperc_error error;
  return bperc_weights_read(infer_wish.teacher, n, teacher, &error)
             ? cli_fail_input(&error)
             : CLI_DONE;
}

static int run_infer(cli *cx) {
  bperc_instance *in = NULL;
  inferring w = {0};
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE && infer_wish.teacher)
    code = read_teacher_file(in->n, &w.teacher);
  w.in = in;
  if (code == CLI_DONE)
    code = begin_inference(cx, &w);
  bperc_inference_free(w.inference);
  bperc_free(w.p);
  json_decref(w.rows);
  cli_free(w.teacher);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_infer = {
    .name = "infer",
    .arguments = "FILE",
    .summary = "what patterns say about weights and about new labels",
    .text =
        "Approximate message passing without reinforcement. On labels of a\n"
        "teacher it is the best guess that is known in polynomial time, see\n"
        "'bperc theory generalisation'. Errors on new patterns are estimated\n"
        "from each pattern with its own label left out.\n"
        "Exit status 1 when it does not converge.\n\n"
        "  bperc generate --n 2001 --alpha 1.2 --weights pm --inputs pm "
        "--teacher --teacher-out t.txt --out p.txt\n"
        "  bperc infer p.txt --teacher t.txt --steps",
    .least = 1,
    .most = 1,
    .keys = cli_keys_infer,
    .common = "threads time_limit quiet",
    .setup = setup_infer,
    .run = run_infer,
};
