/* Plans, records, the store, sweeps, tables: what is measured once stays, and
 * tables do not depend on threads. */
#include "check.h"

#include "base/alloc.h"
#include "base/cancel.h"
#include "bperc/lab/run.h"
#include "bperc/lab/verdict.h"
#include "lab/base/text.h"
#include "lab/plan/plan.h"
#include "lab/run/work.h"
#include "lab/store/store.h"
#include "lab/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char toy_plan[] = "title = toy\n"
                               "[block c]\n"
                               "measurement = toy\n"
                               "noise = 0.5\n"
                               "top = 2\n"
                               "work = 100\n"
                               "x@quick = 0 2 4\n"
                               "x@paper = 0:4:1\n"
                               "instances@quick = 6\n"
                               "instances@paper = 9\n"
                               "[table c.along]\n"
                               "column twice = 2 * ramp + k\n"
                               "[derive top]\n"
                               "from = c\nrule = argmax\nx = x\ny = y\n";

static bperc_experiment *parse(const char *plan) {
  bperc_experiment *x;
  bperc_error error;
  if (bperc_experiment_parse("toy.plan", plan, strlen(plan), &x, &error) !=
      BPERC_OK)
    fail_msg("%s", error.text);
  return x;
}

static void refused(const char *plan, const char *says) {
  bperc_experiment *x;
  bperc_judge *j = NULL;
  bperc_error error = {BPERC_OK, ""};
  bperc_status status =
      bperc_experiment_parse("p", plan, strlen(plan), &x, &error);
  if (status == BPERC_OK) /* what it computes from tables */
    status = bperc_judge_parse(x, "c", NULL, 0, &j, &error);
  bperc_experiment_free(x);
  assert_true(status != BPERC_OK && !j);
  if (!strstr(error.text, says))
    fail_msg("'%s' does not say '%s'", error.text, says);
}

static void plans_are_checked(void **state) {
  (void)state;
  refused("", "needs a block");
  refused("[block a]\nx = 1\n", "p:1: block 'a' names no measurement");
  refused("[block a]\nmeasurement = tyo\n", "did you mean 'toy'");
  refused("[block a]\nmeasurement = toy\nnoize = 1\n",
          "p:3: measurement 'toy' has no parameter 'noize': did you mean "
          "'noise'?");
  refused("[block a]\nmeasurement = toy\nnoise = -1\n", "p:3: ");
  refused("[block a]\nmeasurement = toy\nx = 1:2:-1\n", "low:high:step");
  refused("[block a]\nmeasurement = toy\nx@tiny = 1\n", "@quick or @paper");
  refused("[block a]\nmeasurement = toy\nx@quick = 1\n", "at paper scale");
  refused("[block a]\nmeasurement = toy\ninstances = 0\n", "instances");
  refused("[block a]\nmeasurement = toy\n[block a]\n", "second section");
  refused("[plot a]\n", "sections block, table and derive");
  refused("[block a]\nmeasurement = toy\n[table a]\ncolumn z = y +\n", "p:4: ");
  refused("[block a]\nmeasurement = toy\n[derive b]\nrule = argmax\n",
          "needs 'from'");
  refused("[block a]\nmeasurement = geometry\nn = 200\n", "128");
  refused("[block a]\nx = 1\nmeasurement = nix\n",
          "p:3: there is no measurement 'nix'");
  refused("[block a]\nmeasurement = capacity\np_s = 1\n",
          "p:3: measurement 'capacity' has no parameter 'p_s': did you mean "
          "'sbpi.p_s'?");
  refused("[block a]\nmeasurement = capacity\nsbpi.p_z = 1\n",
          "did you mean 'sbpi.p_s'?");
  refused("[block a]\nmeasurement = toy\nx = 1\npreset = papper\n", "p:4: ");
  refused("titel = t\n[block a]\nmeasurement = toy\n",
          "p:1: before the first block a plan has title, caption, size and "
          "picture, not "
          "'titel': did you mean 'title'?");
  refused("[block a`b`]\nmeasurement = toy\n", "p:1: ");
}

/* Patterns from a file are named once, by a name. */
static void data_are_named_once(void **state) {
  const char *block = "[block a]\nmeasurement = solving\n";
  char path[] = "/tmp/bperc-rows-XXXXXX", plan[300];
  int file = mkstemp(path);
  (void)state;
  assert_true(file >= 0);
  assert_int_equal(write(file, "label,a,b\n1,0,1\n0,1,1\n", 22), 22);
  close(file);
  snprintf(plan, sizeof plan,
           "%sdata = %s\nalpha = 0.5\nthreshold = 1\na = 0\n", block, path);
  bperc_experiment_free(parse(plan));
  snprintf(plan, sizeof plan, "%sdata = %s\ndata = %s\n", block, path, path);
  refused(plan, "p:4: data is given twice");
  snprintf(plan, sizeof plan, "%sdata =\n", block);
  refused(plan, "p:3: data names no file");
  unlink(path);
}

/* Adds the lines "name = v v" and "name = v" for the default v of each. */
static size_t add_twice(bperc_option_table table, const char *prefix,
                        const char *dot, bperc_i_text *plan) {
  _Alignas(16) char values[1024];
  char value[64];
  size_t count = 0;
  bperc_options_preset(table, values, "default", NULL);
  for (size_t k = 0; k < table.count; k++) {
    const bperc_option *row = &table.rows[k];
    if (row->kind == BPERC_OPTION_TEXT)
      continue;
    bperc_options_show(row, values, value, sizeof value);
    for (int times = 2; times > 0; times--)
      bperc_i_text_format(plan, "%s%s%s = %s %s\n", prefix, dot, row->name,
                          value, times > 1 ? value : "");
    count++;
  }
  return count;
}

/* A list that a later line makes one value is no list: no key of the tables,
 * however many there are of them. */
static void the_last_line_counts(void **state) {
  const bperc_measurement *m = bperc_measurement_find("capacity");
  bperc_i_text plan = {0};
  bperc_store *store;
  bperc_tables *t;
  bperc_experiment *x;
  size_t count, size;
  (void)state;
  bperc_i_text_add(&plan, "[block c]\nmeasurement = capacity\n");
  count = add_twice(m->options(), "", "", &plan);
  for (int g = 0; g < BPERC_MEASURE_GROUPS && m->groups[g].prefix; g++)
    count += add_twice(bperc_i_group_table(&m->groups[g], &size),
                       m->groups[g].prefix, ".", &plan);
  assert_true(count > BPERC_I_KEYS);
  x = parse(plan.text);
  assert_int_equal(x->blocks[0].parameter_count, count);
  assert_int_equal(x->blocks[0].points[BPERC_SCALE_QUICK].count, 1);
  bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
  assert_int_equal(
      bperc_tables_collect(x, store, BPERC_SCALE_QUICK, 1, &t, NULL), BPERC_OK);
  assert_int_equal(t->tables[0]->key_count, 0);
  bperc_tables_free(t);
  bperc_store_close(store);
  bperc_experiment_free(x);
  bperc_i_text_clear(&plan);
}

static void points_are_the_product(void **state) {
  bperc_experiment *x = parse("[block a]\nmeasurement = toy\nx = 1 0.30:0.5:"
                              "0.1\nnoise = 1e0 2\n");
  bperc_i_points points = x->blocks[0].points[BPERC_SCALE_QUICK];
  bperc_i_identity a, b;
  (void)state;
  assert_int_equal(points.count, 8);
  assert_string_equal(x->blocks[0].parameters[0].values[0][1], "0.3");
  assert_string_equal(x->blocks[0].parameters[1].values[0][0], "1");
  a = bperc_i_point_identity(&points.points[2], 1, 5);
  b = bperc_i_point_identity(&points.points[3], 1, 5);
  assert_string_not_equal(a.key, b.key);
  assert_true(a.seed == b.seed); /* noise is not among what seeds depend on */
  b = bperc_i_point_identity(&points.points[4], 1, 5);
  assert_true(a.seed != b.seed); /* x is */
  b = bperc_i_point_identity(&points.points[2], 2, 5);
  assert_string_not_equal(a.key, b.key);
  /* made once: both scales have this list */
  assert_ptr_equal(points.points,
                   x->blocks[0].points[BPERC_SCALE_PAPER].points);
  bperc_experiment_free(x);
  x = parse("[block a]\nmeasurement = toy\nx@quick = 1\nx@paper = 1 2\n");
  assert_int_equal(x->blocks[0].points[BPERC_SCALE_QUICK].count, 1);
  assert_int_equal(x->blocks[0].points[BPERC_SCALE_PAPER].count, 2);
  bperc_experiment_free(x);
  x = parse("[block a]\nmeasurement = toy\nx = 1\ninstances@paper = 7\n");
  assert_int_equal(x->blocks[0].points[BPERC_SCALE_QUICK].points->instances, 1);
  assert_int_equal(x->blocks[0].points[BPERC_SCALE_PAPER].points->instances, 7);
  bperc_experiment_free(x);
}

static void records_survive_bytes(void **state) {
  bperc_record *r, *back;
  unsigned char bytes[400];
  double v[3] = {0.1, NAN, -7e300};
  size_t size, count;
  int is_vector;
  (void)state;
  assert_int_equal(bperc_record_new(&r), BPERC_OK);
  bperc_record_scalar(r, "a", 0.3);
  bperc_record_vector(r, "g/b", v, 3);
  size = bperc_record_pack(r, bytes, sizeof bytes);
  assert_int_equal(bperc_record_unpack(bytes, size, &back), BPERC_OK);
  assert_int_equal(bperc_record_count(back), 2);
  assert_string_equal(bperc_record_name(back, 1), "g/b");
  assert_memory_equal(bperc_record_values(back, 1, &count, &is_vector), v,
                      sizeof v);
  bperc_record_free(back);
  for (size_t k = 0; k < size; k++) /* every cut is noticed */
    assert_int_equal(bperc_record_unpack(bytes, k, &back), BPERC_E_FORMAT);
  for (size_t k = 0; k < size; k++) { /* no flip hurts */
    bytes[k] ^= 0x85;
    if (bperc_record_unpack(bytes, size, &back) == BPERC_OK)
      bperc_record_free(back);
    bytes[k] ^= 0x85;
  }
  bperc_record_free(r);
}

static bperc_sweep_state sweep(const bperc_experiment *x, bperc_store *store,
                               bperc_scale scale, unsigned threads) {
  bperc_sweep_options o = {.scale = scale, .seed = 1, .threads = threads};
  bperc_sweep_state s;
  bperc_error error;
  if (bperc_sweep_run(&x, 1, store, &o, &s, &error) != BPERC_OK)
    fail_msg("%s", error.text);
  return s;
}

static void put_and_free(char *text, FILE *out) {
  assert_non_null(text);
  fputs(text, out);
  bperc_free(text);
}

/* The cells of a table are those of its text. */
static void check_cells(const bperc_tables *t, size_t k) {
  char *text = bperc_table_text(t, k), *line = strchr(text, '\n') + 1, *end;
  for (size_t r = 0; r < bperc_table_rows(t, k); r++) {
    for (size_t key = 0; key < bperc_table_keys(t, k); key++) {
      const char *value = bperc_table_key(t, k, r, key);
      assert_int_equal(strncmp(line, value, strlen(value)), 0);
      line += strlen(value) + 1;
    }
    for (size_t c = 0; c < bperc_table_columns(t, k); c++) {
      bperc_table_cell cell = bperc_table_value(t, k, r, c);
      const double numbers[] = {cell.mean, cell.sem, cell.median,
                                (double)cell.n};
      for (int q = 0; q < (bperc_table_is_count(t, k, c) ? 1 : 4); q++) {
        double told = strtod(line, &end);
        assert_true(end > line);
        if (isnan(told))
          assert_true(isnan(numbers[q]));
        else
          assert_close(told, numbers[q], 1e-8 * fabs(numbers[q]));
        line = end + 1;
      }
    }
  }
  bperc_free(text);
}

static char *print(const bperc_experiment *x, bperc_store *store,
                   bperc_scale scale) {
  bperc_tables *t;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_int_equal(bperc_judge_tables(x, store, scale, 1, &t, NULL), BPERC_OK);
  for (size_t k = 0; k < bperc_tables_count(t); k++) {
    put_and_free(bperc_table_text(t, k), out);
    check_cells(t, k);
  }
  put_and_free(bperc_tables_gnuplot(t), out);
  fclose(out);
  bperc_tables_free(t);
  return text;
}

static bperc_store *memory(void) {
  bperc_store *s;
  assert_int_equal(bperc_store_open(":memory:", BPERC_STORE_WRITE, &s, NULL),
                   BPERC_OK);
  return s;
}

static void only_what_is_missing_runs(void **state) {
  bperc_experiment *x = parse(toy_plan);
  bperc_store *store = memory(), *other = memory();
  bperc_sweep_state s = sweep(x, store, BPERC_SCALE_QUICK, 1);
  char *a, *b;
  (void)state;
  assert_int_equal(s.done, 18);
  s = sweep(x, store, BPERC_SCALE_QUICK, 1);
  assert_int_equal(s.done, 0);
  assert_int_equal(s.found, 18);
  s = sweep(x, store, BPERC_SCALE_PAPER, 2); /* 5 points, 9 instances */
  assert_int_equal(s.total, 45);
  assert_int_equal(s.found, 18);
  sweep(x, other, BPERC_SCALE_PAPER, 3);
  a = print(x, store, BPERC_SCALE_PAPER);
  b = print(x, other, BPERC_SCALE_PAPER);
  assert_string_equal(a, b);
  free(a);
  free(b);
  bperc_store_close(store);
  bperc_store_close(other);
  bperc_experiment_free(x);
}

/* Interrupted at any poll of a run on one thread, a sweep keeps what it says
 * and goes on from there; while it still counts, it says nothing. */
static void what_is_kept_is_said(void **state) {
  bperc_experiment *x = parse(toy_plan);
  (void)state;
  for (long k = 0; k < 60; k += 3) {
    bperc_store *store = memory();
    bperc_sweep_options o = {.seed = 1, .threads = 1};
    bperc_sweep_state s;
    sweep(x, store, BPERC_SCALE_QUICK, 1); /* 18 of the 45 at paper scale */
    o.scale = BPERC_SCALE_PAPER;
    bperc_i_cancel_after(k);
    bperc_status status = bperc_sweep_run((const bperc_experiment *const *)&x,
                                          1, store, &o, &s, NULL);
    bperc_i_cancel_after(-1);
    bperc_i_cancel_reset();
    size_t kept = s.found + s.done;
    if (status == BPERC_E_INTERRUPTED && s.total == 0)
      kept = 18;
    assert_true(status == BPERC_OK || status == BPERC_E_INTERRUPTED);
    s = sweep(x, store, BPERC_SCALE_PAPER, 1);
    assert_int_equal(s.found, kept);
    assert_int_equal(s.found + s.done, 45);
    bperc_store_close(store);
  }
  bperc_experiment_free(x);
}

static void tables_hold_what_was_measured(void **state) {
  bperc_experiment *x = parse(toy_plan);
  bperc_store *store = memory();
  bperc_tables *t;
  const bperc_i_table *c, *along, *top;
  const bperc_i_table_cell *cell;
  double sum = 0;
  (void)state;
  sweep(x, store, BPERC_SCALE_PAPER, 2);
  assert_int_equal(bperc_judge_tables(x, store, BPERC_SCALE_PAPER, 1, &t, NULL),
                   BPERC_OK);
  c = bperc_i_table_find(t, "c");
  along = bperc_i_table_find(t, "c.along");
  top = bperc_i_table_find(t, "top");
  assert_int_equal(c->row_count, 5);
  assert_int_equal(along->row_count, 20);
  assert_int_equal(top->row_count, 1);
  cell = &c->columns[bperc_i_table_column(c, "y")].cells[3];
  assert_int_equal(cell->n, 9);
  for (size_t k = 0; k < 9; k++)
    sum += cell->values[k];
  assert_close(cell->mean, sum / 9, 1e-12);
  assert_close(bperc_i_table_number(along, "twice", 13),
               2 * bperc_i_table_number(along, "ramp", 13) + 1, 1e-12);
  assert_close(bperc_i_table_number(top, "x", 0), 2, 0.4);
  bperc_tables_free(t);
  bperc_store_close(store);
  bperc_experiment_free(x);
}

static void failures_are_kept_with_their_reason(void **state) {
  bperc_experiment *x =
      parse("[block c]\nmeasurement = toy\nfail = 0.5\ninstances = 40\n");
  bperc_store *store = memory();
  bperc_sweep_options o = {.seed = 1, .threads = 2, .retry = 1};
  bperc_sweep_state s = sweep(x, store, BPERC_SCALE_QUICK, 2);
  size_t failed = s.failed;
  (void)state;
  assert_true(failed > 5 && failed < 35);
  s = sweep(x, store, BPERC_SCALE_QUICK, 2);
  assert_int_equal(s.done, 0);
  assert_int_equal(s.failed, failed);
  assert_int_equal(bperc_sweep_run((const bperc_experiment *const *)&x, 1,
                                   store, &o, &s, NULL),
                   BPERC_OK);
  assert_int_equal(s.done, failed);
  bperc_store_close(store);
  bperc_experiment_free(x);
}

/* No allocation may be missed: every one fails once. */
static void lack_of_memory_is_told(void **state) {
  (void)state;
  for (long k = 0; k < 5000; k++) {
    bperc_experiment *x = NULL;
    bperc_store *store = NULL;
    bperc_tables *t = NULL;
    bperc_sweep_options o = {.seed = 1, .threads = 1};
    bperc_status status;
    bperc_i_alloc_fail_after(k);
    status = bperc_experiment_parse("p", toy_plan, strlen(toy_plan), &x, NULL);
    if (status == BPERC_OK)
      status = bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
    if (status == BPERC_OK)
      status = bperc_sweep_run((const bperc_experiment *const *)&x, 1, store,
                               &o, NULL, NULL);
    if (status == BPERC_OK)
      status = bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 1, &t, NULL);
    bperc_i_alloc_fail_after(-1);
    bperc_tables_free(t);
    bperc_store_close(store);
    bperc_experiment_free(x);
    if (status == BPERC_OK && k > 2000)
      return;
  }
}

/* A task that lacked memory anywhere is no result: not one with a number less,
 * nor a failure that is kept. */
static void results_need_all_their_memory(void **state) {
  bperc_experiment *x = parse("[block m]\nmeasurement = map\nn = 11\n"
                              "alpha = 0.3\ncandidates = 3\nstages = 2\n"
                              "last = 2\nembed.points = 8\n");
  const bperc_experiment *list = x;
  bperc_i_run_work w;
  bperc_i_outcome good, o;
  long asked, told = 0;
  (void)state;
  assert_int_equal(
      bperc_i_work_gather(&list, 1, BPERC_SCALE_QUICK, 1, &w, NULL), BPERC_OK);
  bperc_i_alloc_fail_after(-1);
  bperc_i_job_run(&w, 0, &good);
  asked = bperc_i_alloc_count();
  assert_int_equal(good.status, BPERC_OK);
  for (long k = 0; k < asked; k++) {
    bperc_i_alloc_fail_after(k);
    bperc_i_job_run(&w, 0, &o);
    bperc_i_alloc_fail_after(-1);
    assert_int_equal(o.status, BPERC_E_MEMORY);
    told += o.message[0] != 0;
    bperc_i_outcome_clear(&o);
  }
  assert_int_equal(told, asked);
  bperc_i_outcome_clear(&good);
  bperc_i_work_clear(&w);
  bperc_experiment_free(x);
}

/* Two blocks: one expected to take ten times as long as it does, one a fifth
 * of it. Tasks run one by one, the longest expected first. */
static void time_left_comes_from_finished_tasks(void **state) {
  enum { TASKS = 100 };
  const double expected[] = {1, 0.02}, takes[] = {0.1, 0.1};
  bperc_i_pace p[2] = {{TASKS * expected[0], 0, 0},
                       {TASKS * expected[1], 0, 0}};
  double truth = TASKS * (takes[0] + takes[1]), elapsed = 0;
  (void)state;
  assert_close(bperc_i_time_left(p, 2, 0, 4), 102. / 4, 1e-12);
  for (int done = 1; done < 2 * TASKS; done++) {
    int k = done > TASKS;
    p[k].left -= expected[k];
    p[k].finished += expected[k];
    p[k].busy += takes[k];
    elapsed += takes[k] / 2; /* by two workers */
    truth -= takes[k];
    if (k) /* something of both is known */
      assert_close(bperc_i_time_left(p, 2, elapsed, 2), truth / 2, 1e-9);
    else /* the second block by the error of the first */
      assert_close(bperc_i_time_left(p, 2, elapsed, 2),
                   (TASKS - done) * takes[0] / 2 + 0.1 * TASKS * 0.02 / 2,
                   1e-9);
  }
  /* a loaded machine: everything takes three times as long as its CPU time */
  assert_close(bperc_i_time_left(p, 2, 3 * elapsed, 2), 3 * truth / 2, 1e-9);
}

/* The end is 0, though sums of costs do not cancel exactly. */
static void nothing_is_left_at_the_end(void **state) {
  const bperc_i_pace p[2] = {{-1e-17, 3, 2}, {0, 1, 1}};
  (void)state;
  assert_close(bperc_i_time_left(p, 2, 5, 2), 0, 0);
  assert_close(bperc_i_time_left(p, 0, 0, 0), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_are_checked),
      cmocka_unit_test(data_are_named_once),
      cmocka_unit_test(the_last_line_counts),
      cmocka_unit_test(points_are_the_product),
      cmocka_unit_test(records_survive_bytes),
      cmocka_unit_test(only_what_is_missing_runs),
      cmocka_unit_test(what_is_kept_is_said),
      cmocka_unit_test(tables_hold_what_was_measured),
      cmocka_unit_test(failures_are_kept_with_their_reason),
      cmocka_unit_test(lack_of_memory_is_told),
      cmocka_unit_test(results_need_all_their_memory),
      cmocka_unit_test(time_left_comes_from_finished_tasks),
      cmocka_unit_test(nothing_is_left_at_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
