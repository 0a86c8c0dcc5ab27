/* Traces: what is read back is what a bystander saw; no memory, no disk. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/ensemble.h"
#include "bperc/sbpi.h"
#include "bperc/trace.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/bperc_trace_XXXXXX";

static bperc_instance *small(void) {
  bperc_instance *in;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 70, .m = 40, .fin = 0.4, .model = {.a = 8}}, 3,
      &in, NULL);
  return in;
}

typedef struct {
  bperc_trace *trace;
  double hidden[64 * 70];
  size_t rows;
} both;

static int watch(void *context, const bperc_solver *solver,
                 const bperc_view *view) {
  both *b = context;
  if (view->step % 2 == 0)
    bperc_solver_fields(solver, b->hidden + 70 * b->rows++);
  return bperc_trace_watch(b->trace, solver, view);
}

static void read_set(hid_t file, const char *name, hid_t type, void *out,
                     hssize_t expected) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space;
  assert_true(set >= 0);
  space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_npoints(space), expected);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
  H5Sclose(space);
  H5Dclose(set);
}

static void round_trip(void **state) {
  static both b;
  static double hidden[64 * 70];
  bperc_instance *in = small();
  bperc_sbpi_options options;
  bperc_trace_options how = {.every = 2, .solver_options = &options, .seed = 5};
  bperc_run_result run;
  uint32_t t_fix[70];
  hid_t file;
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = 31;
  assert_int_equal(
      bperc_trace_open(path, &bperc_sbpi_class, in, &how, &b.trace, NULL),
      BPERC_OK);
  assert_int_equal(
      bperc_run(&bperc_sbpi_class, in, &options,
                &(bperc_run_options){
                    .seed = 5, .threads = 1, .watch = watch, .context = &b},
                &run, NULL),
      BPERC_OK);
  assert_int_equal(bperc_trace_close(b.trace, &run, NULL), BPERC_OK);
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  read_set(file, "hidden", H5T_NATIVE_DOUBLE, hidden, (hssize_t)b.rows * 70);
  assert_memory_equal(hidden, b.hidden, b.rows * 70 * sizeof *hidden);
  read_set(file, "t_fix", H5T_NATIVE_UINT32, t_fix, 70);
  assert_memory_equal(t_fix, run.t_fix, sizeof t_fix);
  H5Fclose(file);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

static void thrown_away(void **state) {
  bperc_instance *in = small();
  bperc_trace *trace;
  (void)state;
  remove(path);
  assert_int_equal(
      bperc_trace_open(path, &bperc_sbpi_class, in, NULL, &trace, NULL),
      BPERC_OK);
  assert_int_equal(bperc_trace_close(trace, NULL, NULL), BPERC_OK);
  assert_int_not_equal(access(path, F_OK), 0);
  bperc_instance_free(in);
}

static void no_place(void **state) {
  bperc_instance *in = small();
  bperc_trace *trace;
  bperc_error error;
  (void)state;
  assert_int_equal(bperc_trace_open("/nowhere/at/all.h5", &bperc_sbpi_class, in,
                                    NULL, &trace, &error),
                   BPERC_E_IO);
  assert_null(trace);
  assert_non_null(strstr(error.text, "/nowhere/at/all.h5"));
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in = small();
  bperc_trace *trace;
  long needed;
  (void)state;
  bperc_i_alloc_fail_after(-1);
  bperc_trace_open(path, &bperc_sbpi_class, in, NULL, &trace, NULL);
  needed = bperc_i_alloc_count();
  bperc_trace_close(trace, NULL, NULL);
  assert_in_range(needed, 5, 20);
  for (long k = 0; k < needed; k++) {
    bperc_i_alloc_fail_after(k);
    assert_int_not_equal(
        bperc_trace_open(path, &bperc_sbpi_class, in, NULL, &trace, NULL),
        BPERC_OK);
    assert_null(trace);
  }
  bperc_i_alloc_fail_after(-1);
  assert_int_not_equal(access(path, F_OK), 0);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip),
      cmocka_unit_test(thrown_away),
      cmocka_unit_test(no_place),
      cmocka_unit_test(no_memory),
  };
  int file = mkstemp(path), failed;
  if (file < 0)
    return 1;
  close(file);
  failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
