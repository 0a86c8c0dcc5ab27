/* Recording a run in an HDF5 file: hidden states over time, errors, t_fix.
 *
 * The layout is described in docs/trace.md. A trace is a bperc_watch: give
 * bperc_trace_watch and the trace to bperc_run. The file appears under its
 * name when bperc_trace_close succeeds, never half-written.
 */
#ifndef BPERC_TRACE_H
#define BPERC_TRACE_H

#include "bperc/run.h"

BPERC_C_BEGIN

typedef struct bperc_trace bperc_trace;

typedef struct {
  uint64_t every; /* record hidden states every so many steps; 0 means 1 */
  size_t weights; /* of so many weights, drawn at random; 0 means all */
  const void *solver_options; /* of the run: struct of its class, NULL for the
                                 defaults */
  uint64_t seed;              /* of the run */
} bperc_trace_options;

/* The trace of a run to come. The values of the solver's options that the run
 * uses are written into the file. options NULL: all zero. Borrows in until
 * close. On failure *out is NULL and no file is left. */
BPERC_API bperc_status bperc_trace_open(const char *path,
                                        const bperc_solver_class *solver,
                                        const bperc_instance *in,
                                        const bperc_trace_options *options,
                                        bperc_trace **out, bperc_error *error);
/* context is the trace; a failed write ends the run. */
BPERC_API int bperc_trace_watch(void *context, const bperc_solver *solver,
                                const bperc_view *view);
/* Adds the result and closes; result NULL: throws the file away. Releases the
 * trace in any case; NULL is fine. */
BPERC_API bperc_status bperc_trace_close(bperc_trace *trace,
                                         const bperc_run_result *result,
                                         bperc_error *error);

BPERC_C_END

#endif
