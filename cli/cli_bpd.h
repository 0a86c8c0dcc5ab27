/* What to say about belief propagation and decimations guided by it. */
#ifndef BPERC_CLI_BPD_H
#define BPERC_CLI_BPD_H

#include "cli.h"

/* Where belief propagation does not converge (it was given up because its
 * residual does not fall, or after --max-iterations), or was stopped before:
 * one sentence on why, and what to try of the options not given yet. */
typedef enum { CLI_BP_FAILS, CLI_BP_CREEPS } cli_bp_trouble;
/* Says so when a decimation has stopped for want of fixed points. */
void cli_say_gave_up(const bperc_bpd *bpd);
void cli_bp_hint(const cli *cx, cli_bp_trouble what);
/* The text of a progress line; the context is a bperc_bp. */
void cli_bp_progress(cli_progress *line, void *bp);

/* After a step: appends it to the list if it did not converge, with what was
 * done: {"fixed", "method", "iterations", "residual"}. True for the first step
 * that nothing but its last messages was left of: a hint is due. */
bool cli_note_unconverged(json_t *list, const bperc_bpd *bpd);
/* The list as a line for people; nothing when all converged. */
void cli_print_unconverged(const json_t *list);

#endif
