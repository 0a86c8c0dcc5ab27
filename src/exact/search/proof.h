/* Proofs that others can check: the format of VeriPB, version 3.0.
 *
 * Constraints are numbered from 1, those of the problem first. A line `pol`
 * derives one by adding, multiplying, dividing and saturating others, `rup` one
 * that unit propagation shows, `soli` logs a solution and asks for better
 * ones. docs/proofs.md has the steps and what they mean.
 */
#ifndef BPERC_EXACT_PROOF_H
#define BPERC_EXACT_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  FILE *stream;  /* borrowed */
  uint64_t last; /* number of the last constraint */
} bperc_i_proof;

/* The head: so many constraints of the problem. */
void bperc_i_proof_start(bperc_i_proof *p, FILE *stream, uint64_t constraints);

/* A line of derivations: constraints are pushed on a stack and combined. */
void bperc_i_proof_begin(bperc_i_proof *p, uint64_t id);
void bperc_i_proof_push(bperc_i_proof *p, uint64_t id);
/* Adds factor times (literal >= 0) to the top. */
void bperc_i_proof_weaken(bperc_i_proof *p, uint32_t literal, int64_t factor);
void bperc_i_proof_divide(bperc_i_proof *p, int64_t by);
void bperc_i_proof_multiply(bperc_i_proof *p, int64_t by);
void bperc_i_proof_add(bperc_i_proof *p);
void bperc_i_proof_saturate(bperc_i_proof *p);
/* Ends the line; the number of what it derives. */
uint64_t bperc_i_proof_end(bperc_i_proof *p);
/* Removes a constraint. */
void bperc_i_proof_delete(bperc_i_proof *p, uint64_t id);

/* A contradiction by unit propagation; its number. */
uint64_t bperc_i_proof_contradiction(bperc_i_proof *p);
/* A solution, value[v] of every variable: a constraint that asks for better
 * ones is added; its number. */
uint64_t bperc_i_proof_solution(bperc_i_proof *p, const bool *value,
                                size_t variables);

/* The last lines: unsatisfiable, by constraint id; or the least value. */
void bperc_i_proof_refuted(bperc_i_proof *p, uint64_t id);
void bperc_i_proof_least(bperc_i_proof *p, uint64_t id, uint64_t value);
/* Nothing is claimed: the search did not end. */
void bperc_i_proof_nothing(bperc_i_proof *p);

#endif
