/* Traces: docs/trace.md has the layout. */
#include "bperc/trace.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "io/formats.h"
#include "io/hdf5_file.h"
#include "solver/methods.h"

#include <assert.h>
#include <stdlib.h>

enum { LAYOUT_VERSION = 1 };

struct bperc_trace {
  const bperc_instance *in;
  const bperc_solver_class *class;
  bperc_output out;
  bperc_i_h5 *file;
  uint64_t every;
  size_t sample;                   /* weights recorded */
  uint32_t *index;                 /* which ones, ascending */
  double *fields;                  /* room for all n */
  void *row;                       /* room for the values of a sample */
  int errors, step, field, weight; /* datasets that grow */
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

static void write_u64(bperc_trace *t, const char *name, uint64_t value) {
  bperc_i_h5_value(t->file, "/", name, BPERC_I_H5_U64, &value);
}

static void write_real(bperc_trace *t, const char *name, double value) {
  bperc_i_h5_value(t->file, "/", name, BPERC_I_H5_F64, &value);
}

static void write_text(bperc_trace *t, const char *name, const char *text) {
  bperc_i_h5_words(t->file, "/", name, text, 0);
}

static void write_options(bperc_trace *t, const void *values) {
  bperc_option_table table = t->class->options();
  bperc_i_h5_group(t->file, "options");
  for (size_t k = 0; k < table.count; k++) {
    const bperc_option *row = &table.rows[k];
    const void *at = (const char *)values + row->offset;
    char text[64];
    if (row->kind == BPERC_OPTION_REAL)
      bperc_i_h5_value(t->file, "options", row->name, BPERC_I_H5_F64, at);
    else if (row->kind == BPERC_OPTION_INT)
      bperc_i_h5_value(t->file, "options", row->name, BPERC_I_H5_I64, at);
    else
      bperc_i_h5_words(t->file, "options", row->name,
                       bperc_options_show(row, values, text, sizeof text), 0);
  }
}

static void write_head(bperc_trace *t, const void *options, uint64_t seed) {
  const bperc_instance *in = t->in;
  write_u64(t, "layout", LAYOUT_VERSION);
  write_text(t, "solver", t->class->name);
  write_text(t, "step_name", t->class->step_name);
  write_u64(t, "n", in->n);
  write_u64(t, "m", in->m);
  write_real(t, "a", in->a);
  write_real(t, "theta", in->theta);
  write_text(t, "ties", bperc_ties_name(in->ties));
  write_u64(t, "seed", seed);
  write_u64(t, "every", t->every);
  write_options(t, options);
  bperc_i_h5_vector(t->file, "index", BPERC_I_H5_U32, t->sample, t->index);
}

/* ---- what grows */

static int open_rows(bperc_trace *t, const char *name, bperc_i_h5_type type,
                     size_t columns) {
  return bperc_i_h5_set(t->file, name, type, columns ? 2 : 1, 0, columns,
                        BPERC_I_H5_GROWS | BPERC_I_H5_DEFLATE);
}

static void open_all_rows(bperc_trace *t) {
  t->errors = open_rows(t, "errors", BPERC_I_H5_U64, 0);
  t->step = open_rows(t, "step", BPERC_I_H5_U64, 0);
  t->weight = open_rows(t, "weights",
                        t->class->unbounded ? BPERC_I_H5_I32 : BPERC_I_H5_U8,
                        t->sample);
  if (t->class->methods->fields)
    t->field = open_rows(t, "hidden", BPERC_I_H5_F32, t->sample);
}

static void push_weights(bperc_trace *t, const bperc_view *view) {
  int32_t *integers = t->row;
  uint8_t *bits = t->row;
  if (t->class->unbounded)
    for (size_t k = 0; k < t->sample; k++)
      integers[k] = view->integers[t->index[k]];
  else
    for (size_t k = 0; k < t->sample; k++)
      bits[k] = (uint8_t)bperc_i_bit(view->weights, t->index[k]);
  bperc_i_h5_rows(t->file, t->weight, t->row,
                  t->sample * (t->class->unbounded ? sizeof *integers : 1));
}

static void push_fields(bperc_trace *t, const bperc_solver *solver) {
  float *row = t->row;
  if (bperc_solver_fields(solver, t->fields) != BPERC_OK)
    return;
  for (size_t k = 0; k < t->sample; k++)
    row[k] = (float)t->fields[t->index[k]];
  bperc_i_h5_rows(t->file, t->field, row, t->sample * sizeof *row);
}

int bperc_trace_watch(void *context, const bperc_solver *solver,
                      const bperc_view *view) {
  bperc_trace *t = context;
  uint64_t errors = view->errors, step = view->step;
  assert(bperc_solver_kind(solver) == t->class && errors <= t->in->m &&
         t->every > 0);
  bperc_i_h5_rows(t->file, t->errors, &errors, sizeof errors);
  if (step % t->every == 0) {
    bperc_i_h5_rows(t->file, t->step, &step, sizeof step);
    push_weights(t, view);
    push_fields(t, solver);
  }
  return bperc_i_h5_failed(t->file);
}

/* ---- life */

static bool reserve_trace(bperc_trace *t) {
  t->index = bperc_i_alloc(t->in->n, sizeof *t->index);
  t->fields = bperc_i_alloc(t->in->n, sizeof *t->fields);
  t->row = bperc_i_alloc(t->sample, sizeof(int32_t));
  return t->index && t->fields && t->row;
}

static void release_trace(bperc_trace *t) {
  bperc_i_h5_free(t->file);
  if (t->out.stream)
    bperc_output_abandon(&t->out);
  bperc_i_free(t->index);
  bperc_i_free(t->fields);
  bperc_i_free(t->row);
  bperc_i_free(t);
}

static bperc_status start_trace(bperc_trace *t, const char *path, uint64_t seed,
                                bperc_error *error) {
  bperc_error inner;
  bperc_status status;
  if (!reserve_trace(t))
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  choose_weights(t, seed);
  status = bperc_output_open(&t->out, path, error);
  if (status != BPERC_OK)
    return status;
  if (!t->out.temporary) /* became a device since it was looked at */
    return bperc_error_set(error, BPERC_E_IO,
                           "%s: a trace needs a regular file", path);
  status = bperc_i_h5_create(t->out.temporary, &t->file, &inner);
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "%s: %s", path, inner.text);
}

bperc_status bperc_trace_open(const char *path, const bperc_solver_class *class,
                              const bperc_instance *in,
                              const bperc_trace_options *options,
                              bperc_trace **out, bperc_error *error) {
  _Alignas(16) char used[BPERC_SOLVER_OPTIONS_MOST];
  bperc_trace_options how;
  bperc_trace *t;
  bperc_status status;
  *out = NULL;
  bperc_i_options_plain(sizeof how, options, &how);
  status = bperc_solver_options(class, in, how.solver_options, used, error);
  if (status != BPERC_OK)
    return status;
  if (bperc_i_output_special(path))
    return bperc_error_set(error, BPERC_E_IO,
                           "%s: a trace needs a regular file", path);
  t = bperc_i_calloc(1, sizeof *t);
  if (!t)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  t->in = in;
  t->class = class;
  t->every = how.every ? how.every : 1;
  t->sample = how.weights && how.weights < in->n ? how.weights : in->n;
  status = start_trace(t, path, how.seed, error);
  if (status != BPERC_OK) {
    release_trace(t);
    return status;
  }
  write_head(t, used, how.seed);
  open_all_rows(t);
  *out = t;
  return BPERC_OK;
}

static bool write_trace_bits(bperc_trace *t, const char *name,
                             const uint64_t *bits) {
  uint8_t *bytes = bperc_i_alloc(t->in->n, 1);
  if (!bytes)
    return false;
  for (size_t i = 0; i < t->in->n; i++)
    bytes[i] = (uint8_t)bperc_i_bit(bits, i);
  bperc_i_h5_vector(t->file, name, BPERC_I_H5_U8, t->in->n, bytes);
  bperc_i_free(bytes);
  return true;
}

static bool write_result(bperc_trace *t, const bperc_run_result *r) {
  write_u64(t, "solved", r->outcome == BPERC_SOLVED);
  write_u64(t, "steps", r->steps);
  write_u64(t, "best_errors", r->errors);
  bperc_i_h5_vector(t->file, "t_fix", BPERC_I_H5_U32, t->in->n, r->t_fix);
  if (!r->integers)
    return write_trace_bits(t, "best_weights", r->weights) &&
           write_trace_bits(t, "final_weights", r->final);
  bperc_i_h5_vector(t->file, "best_weights", BPERC_I_H5_I32, t->in->n,
                    r->integers);
  return true;
}

bperc_status bperc_trace_close(bperc_trace *t, const bperc_run_result *result,
                               bperc_error *error) {
  bperc_status status = BPERC_OK;
  bperc_error inner;
  if (!t)
    return BPERC_OK;
  if (!result)
    goto done;
  if (!write_result(t, result)) {
    status =
        bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->out.path);
    goto done;
  }
  status = bperc_i_h5_close(t->file, &inner);
  t->file = NULL;
  if (status == BPERC_OK)
    status = bperc_output_commit(&t->out, error);
  else
    bperc_error_set(error, status, "%s: %s", t->out.path, inner.text);
done:
  release_trace(t);
  return status;
}
