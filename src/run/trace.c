/* Traces: docs/trace.md tells the layout. */
#include "bperc/trace.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "model/formats.h"
#include "run/hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAYOUT_VERSION = 1 };

struct bperc_trace {
  const bperc_instance *in;
  const bperc_solver_class *class;
  bperc_output out; /* the file until it is complete */
  hid_t file;
  uint64_t every;
  size_t sample;   /* weights recorded */
  uint32_t *index; /* which ones, ascending */
  double *fields;  /* room for all n */
  bperc_i_rows_file errors, step, field, weight;
  bool failed;
  H5E_auto2_t report; /* HDF5 stays silent while we use it */
  void *report_context;
};

/* ---- what is written once */

static int ascending(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* The first `sample` of a random permutation, sorted. */
static void choose_weights(bperc_trace *t, uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_SAMPLE, 0);
  for (size_t i = 0; i < t->in->n; i++)
    t->index[i] = (uint32_t)i;
  if (t->sample == t->in->n)
    return;
  bperc_stream_shuffle(&s, t->index, t->in->n);
  qsort(t->index, t->sample, sizeof *t->index, ascending);
}

static bool write_u64(hid_t at, const char *name, uint64_t value) {
  return bperc_i_hdf5_number(at, name, H5T_STD_U64LE, H5T_NATIVE_UINT64,
                             &value);
}

static bool write_real(hid_t at, const char *name, double value) {
  return bperc_i_hdf5_number(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                             &value);
}

static bool write_options(bperc_trace *t, const void *values) {
  bperc_option_table table = t->class->options();
  hid_t group =
      H5Gcreate2(t->file, "options", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = group >= 0;
  for (size_t k = 0; good && k < table.count; k++) {
    const bperc_option *row = &table.rows[k];
    const void *at = (const char *)values + row->offset;
    char text[64];
    if (row->kind == BPERC_OPTION_REAL)
      good = write_real(group, row->name, *(const double *)at);
    else if (row->kind == BPERC_OPTION_INT)
      good = bperc_i_hdf5_number(group, row->name, H5T_STD_I64LE,
                                 H5T_NATIVE_INT64, at);
    else
      good = bperc_i_hdf5_text(
          group, row->name, bperc_options_show(row, values, text, sizeof text));
  }
  return group >= 0 && H5Gclose(group) >= 0 && good;
}

static bool write_head(bperc_trace *t, const void *options, uint64_t seed) {
  _Alignas(16) char defaults[BPERC_SOLVER_OPTIONS_MOST];
  const bperc_instance *in = t->in;
  if (!options) {
    bperc_options_default(t->class->options(), defaults);
    options = defaults;
  }
  return write_u64(t->file, "layout", LAYOUT_VERSION) &&
         bperc_i_hdf5_text(t->file, "solver", t->class->name) &&
         bperc_i_hdf5_text(t->file, "step_name", t->class->step_name) &&
         write_u64(t->file, "n", in->n) && write_u64(t->file, "m", in->m) &&
         write_real(t->file, "a", in->a) &&
         write_real(t->file, "theta", in->theta) &&
         bperc_i_hdf5_text(t->file, "ties", bperc_ties_name(in->ties)) &&
         write_u64(t->file, "seed", seed) &&
         write_u64(t->file, "every", t->every) && write_options(t, options) &&
         bperc_i_hdf5_vector(t->file, "index", H5T_STD_U32LE, H5T_NATIVE_UINT32,
                             t->sample, t->index);
}

/* ---- what grows */

static bool open_rows(bperc_trace *t) {
  return bperc_i_rows_open(&t->errors, t->file, "errors", H5T_STD_U64LE,
                           H5T_NATIVE_UINT64, 0) &&
         bperc_i_rows_open(&t->step, t->file, "step", H5T_STD_U64LE,
                           H5T_NATIVE_UINT64, 0) &&
         bperc_i_rows_open(&t->weight, t->file, "weights",
                           t->class->unbounded ? H5T_STD_I32LE : H5T_STD_U8LE,
                           H5T_NATIVE_INT32, t->sample) &&
         (!t->class->fields ||
          bperc_i_rows_open(&t->field, t->file, "hidden", H5T_IEEE_F32LE,
                            H5T_NATIVE_FLOAT, t->sample));
}

static bool push_weights(bperc_trace *t, const bperc_view *view) {
  int32_t *row = bperc_i_rows_next(&t->weight);
  for (size_t k = 0; k < t->sample; k++)
    row[k] = view->integers ? view->integers[t->index[k]]
                            : bperc_i_bit(view->weights, t->index[k]);
  return bperc_i_rows_push(&t->weight);
}

static bool push_fields(bperc_trace *t, const void *state) {
  float *row;
  if (!t->class->fields)
    return true;
  row = bperc_i_rows_next(&t->field);
  t->class->fields(state, t->fields);
  for (size_t k = 0; k < t->sample; k++)
    row[k] = (float)t->fields[t->index[k]];
  return bperc_i_rows_push(&t->field);
}

int bperc_trace_watch(void *context, const bperc_solver_class *class,
                      const void *state, const bperc_view *view) {
  bperc_trace *t = context;
  (void)class;
  *(uint64_t *)bperc_i_rows_next(&t->errors) = view->errors;
  t->failed = t->failed || !bperc_i_rows_push(&t->errors);
  if (!t->failed && view->step % t->every == 0) {
    *(uint64_t *)bperc_i_rows_next(&t->step) = view->step;
    t->failed = !bperc_i_rows_push(&t->step) || !push_weights(t, view) ||
                !push_fields(t, state);
  }
  return t->failed;
}

/* ---- life */

static bool reserve(bperc_trace *t) {
  t->index = bperc_i_alloc(t->in->n, sizeof *t->index);
  t->fields = bperc_i_alloc(t->in->n, sizeof *t->fields);
  return t->index && t->fields;
}

static void release(bperc_trace *t) {
  H5Eset_auto2(H5E_DEFAULT, t->report, t->report_context);
  bperc_i_free(t->index);
  bperc_i_free(t->fields);
  bperc_i_free(t);
}

bperc_status bperc_trace_open(const char *path, const bperc_solver_class *class,
                              const bperc_instance *in,
                              const void *solver_options, uint64_t seed,
                              const bperc_trace_options *options,
                              bperc_trace **out, bperc_error *error) {
  bperc_status status;
  *out = NULL;
  if (bperc_i_output_special(path))
    return bperc_error_set(error, BPERC_E_IO,
                           "%s: a trace needs a regular file", path);
  bperc_trace *t = bperc_i_calloc(1, sizeof *t);
  if (!t)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  t->in = in;
  t->class = class;
  t->every = options && options->every ? options->every : 1;
  t->sample = options && options->weights && options->weights < in->n
                  ? options->weights
                  : in->n;
  t->file = H5I_INVALID_HID;
  H5Eget_auto2(H5E_DEFAULT, &t->report, &t->report_context);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (!reserve(t)) {
    release(t);
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  }
  status = bperc_output_open(&t->out, path, error);
  if (status != BPERC_OK) {
    release(t);
    return status;
  }
  choose_weights(t, seed);
  t->file =
      H5Fcreate(t->out.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (t->file < 0 || !write_head(t, solver_options, seed) || !open_rows(t)) {
    bperc_trace_close(t, NULL, NULL);
    return bperc_error_set(error, BPERC_E_IO, "%s: cannot be written", path);
  }
  *out = t;
  return BPERC_OK;
}

static bool write_bits(bperc_trace *t, const char *name, const uint64_t *bits) {
  uint8_t *bytes = bperc_i_alloc(t->in->n, 1);
  bool good = bytes != NULL;
  for (size_t i = 0; good && i < t->in->n; i++)
    bytes[i] = (uint8_t)bperc_i_bit(bits, i);
  good = good && bperc_i_hdf5_vector(t->file, name, H5T_STD_U8LE,
                                     H5T_NATIVE_UINT8, t->in->n, bytes);
  bperc_i_free(bytes);
  return good;
}

static bool write_result(bperc_trace *t, const bperc_run_result *r) {
  bool good = write_u64(t->file, "solved", r->outcome == BPERC_SOLVED) &&
              write_u64(t->file, "steps", r->steps) &&
              write_u64(t->file, "best_errors", r->errors) &&
              bperc_i_hdf5_vector(t->file, "t_fix", H5T_STD_U32LE,
                                  H5T_NATIVE_UINT32, t->in->n, r->t_fix);
  if (good && r->integers)
    return bperc_i_hdf5_vector(t->file, "best_weights", H5T_STD_I32LE,
                               H5T_NATIVE_INT32, t->in->n, r->integers);
  return good && write_bits(t, "best_weights", r->weights) &&
         write_bits(t, "final_weights", r->final);
}

bperc_status bperc_trace_close(bperc_trace *t, const bperc_run_result *result,
                               bperc_error *error) {
  bperc_status status = BPERC_OK;
  bool good;
  if (!t)
    return BPERC_OK;
  good = result && !t->failed && write_result(t, result);
  good = bperc_i_rows_close(&t->errors) && good;
  good = bperc_i_rows_close(&t->step) && good;
  good = bperc_i_rows_close(&t->weight) && good;
  good = bperc_i_rows_close(&t->field) && good;
  if (t->file >= 0)
    good = H5Fclose(t->file) >= 0 && good;
  if (good) {
    status = bperc_output_commit(&t->out, error);
  } else {
    if (result)
      status = bperc_error_set(error, BPERC_E_IO, "%s: cannot be written",
                               t->out.path);
    bperc_output_abandon(&t->out);
  }
  release(t);
  return status;
}
