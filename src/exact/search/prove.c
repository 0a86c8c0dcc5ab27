/* Proofs that there is no solution, and of the fewest errors: the search of
 * cuts.h, written down. */
#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/exact.h"
#include "exact/search/cuts.h"

#include <errno.h>
#include <string.h>

enum { CONFLICTS_APART = 1000 }; /* between looks at the stream */

/* The inputs of a pattern that are not 0, among 64. */
static uint64_t support_of(const bperc_instance *in, size_t mu, size_t k) {
  size_t left = in->n - 64 * k;
  if (in->inputs == BPERC_INPUTS_01)
    return in->patterns[mu * in->words + k];
  if (in->inputs == BPERC_INPUTS_SIGNED)
    return in->support[mu * in->words + k];
  return left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
}

/* Label 1 wants `bound` literals on, label 0 so many off that no more are on.
 * Returns how many terms; *degree: how many of them must be true. */
static size_t pattern_terms(const bperc_instance *in, size_t mu,
                            bperc_i_cut_term *term, int64_t *degree) {
  int64_t bound = bperc_instance_bound(in, mu);
  bool label = in->labels[mu];
  size_t count = 0;
  for (size_t k = 0; k < in->words; k++)
    for (uint64_t x = support_of(in, mu, k); x; x &= x - 1) {
      size_t bit = (size_t)__builtin_ctzll(x);
      bool plus = in->patterns[mu * in->words + k] >> bit & 1;
      uint32_t literal = 2 * (uint32_t)(64 * k + bit) + (plus != label);
      term[count++] = (bperc_i_cut_term){literal, 1};
    }
  *degree = label ? bound : (int64_t)count - bound;
  return count;
}

bperc_status bperc_i_cuts_load(bperc_i_cuts *c, const bperc_instance *in,
                               bool soft) {
  bperc_i_cut_term *term = bperc_i_alloc(in->n + 2, sizeof *term);
  bperc_status status = term ? BPERC_OK : BPERC_E_MEMORY;
  for (size_t mu = 0; mu < in->m && status == BPERC_OK; mu++) {
    int64_t degree;
    size_t count = pattern_terms(in, mu, term, &degree);
    if (soft && degree > 0)
      term[count++] = (bperc_i_cut_term){2 * (uint32_t)(in->n + mu), degree};
    status = bperc_i_cuts_add(c, term, count, degree, mu + 1);
  }
  bperc_i_free(term);
  return status;
}

/* ---- the proof ---- */

typedef struct {
  const bperc_instance *in;
  bperc_i_cuts *cuts;
  bperc_i_proof proof;
  uint64_t *weights;
  bool *value; /* of all variables */
  bool found;  /* weights are better than those to begin with */
  bperc_proof_result *out;
} prover;

/* Fewer errors than the best so far are asked for. */
static bperc_status ask_for_fewer(prover *p, uint64_t id) {
  size_t m = p->in->m;
  bperc_i_cut_term *term = bperc_i_alloc(m + 1, sizeof *term);
  if (!term)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < m; mu++)
    term[mu] = (bperc_i_cut_term){2 * (uint32_t)(p->in->n + mu) + 1, 1};
  int64_t degree = (int64_t)m - (int64_t)p->out->errors + 1;
  bperc_status status = bperc_i_cuts_add(p->cuts, term, m, degree, id);
  bperc_i_free(term);
  return status;
}

/* Logs weights with what they miss, and asks for better ones. */
static bperc_status log_weights(prover *p, const uint64_t *weights) {
  size_t n = p->in->n;
  p->out->errors = bperc_verify(p->in, weights, NULL).errors;
  for (size_t i = 0; i < n; i++)
    p->value[i] = bperc_i_bit(weights, i);
  for (size_t mu = 0; mu < p->in->m; mu++) {
    int64_t over = bperc_instance_hits(p->in, mu, weights) -
                   bperc_instance_bound(p->in, mu);
    p->value[n + mu] = p->in->labels[mu] ? over < 0 : over > 0;
  }
  return ask_for_fewer(
      p, bperc_i_proof_solution(&p->proof, p->value, n + p->in->m));
}

static void take_weights(prover *p) {
  p->found = true;
  for (size_t i = 0; i < p->in->n; i++)
    bperc_i_bit_set(p->weights, i, bperc_i_cuts_value(p->cuts, i));
}

static bperc_status search_proof(prover *p, bool soft) {
  for (;;) {
    bperc_status status = BPERC_OK;
    bperc_i_cuts_outcome end = bperc_i_cuts_run(p->cuts, CONFLICTS_APART);
    p->out->conflicts = bperc_i_cuts_conflicts(p->cuts);
    if (end == BPERC_I_CUTS_FAILED)
      return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_E_MEMORY;
    if (end == BPERC_I_CUTS_REFUTED)
      p->out->proven = 1;
    if (end == BPERC_I_CUTS_SOLVED)
      take_weights(p);
    if (end == BPERC_I_CUTS_SOLVED && soft)
      status = log_weights(p, p->weights);
    else if (end != BPERC_I_CUTS_MORE)
      return BPERC_OK;
    if (status != BPERC_OK)
      return status;
    if (ferror(p->proof.stream))
      return BPERC_E_IO;
  }
}

static void end_proof(prover *p, bool soft) {
  uint64_t id = p->out->proven ? bperc_i_proof_contradiction(&p->proof) : 0;
  if (!p->out->proven)
    bperc_i_proof_nothing(&p->proof);
  else if (soft)
    bperc_i_proof_least(&p->proof, id, p->out->errors);
  else
    bperc_i_proof_refuted(&p->proof, id);
}

static bperc_status run_prover(prover *p, uint64_t *start, bool soft,
                               FILE *stream) {
  const bperc_instance *in = p->in;
  bperc_status status;
  p->weights = bperc_i_calloc(in->words + 1, sizeof *p->weights);
  p->value = bperc_i_calloc(in->n + in->m + 1, sizeof *p->value);
  if (!p->weights || !p->value)
    return BPERC_E_MEMORY;
  bperc_i_proof_start(&p->proof, stream, in->m);
  status = bperc_i_cuts_new(in->n + (soft ? in->m : 0), &p->proof, &p->cuts);
  if (status == BPERC_OK)
    status = bperc_i_cuts_load(p->cuts, in, soft);
  for (size_t i = 0; start && status == BPERC_OK && i < in->n; i++)
    bperc_i_cuts_prefer(p->cuts, i, bperc_i_bit(start, i));
  if (status == BPERC_OK && soft && start)
    status = log_weights(p, start);
  if (status == BPERC_OK)
    status = search_proof(p, soft);
  end_proof(p, soft);
  return status;
}

bperc_status bperc_exact_prove(const bperc_instance *in, int fewest,
                               uint64_t *weights, FILE *stream,
                               bperc_proof_result *out, bperc_error *error) {
  prover p = {.in = in, .out = out};
  *out = (bperc_proof_result){.errors = in->m};
  bperc_status status = run_prover(&p, weights, fewest, stream);
  if (status == BPERC_OK && (fflush(stream) != 0 || ferror(stream)))
    status = BPERC_E_IO;
  if (p.found && weights)
    memcpy(weights, p.weights, in->words * sizeof *weights);
  bperc_i_cuts_free(p.cuts);
  bperc_i_free(p.weights);
  bperc_i_free(p.value);
  if (status == BPERC_E_MEMORY)
    return bperc_error_set(error, status, "not enough memory for the proof");
  if (status == BPERC_E_IO)
    return bperc_error_set(error, status, "the proof cannot be written: %s",
                           strerror(errno));
  if (status == BPERC_E_INTERRUPTED)
    return bperc_error_set(error, status,
                           "interrupted after %llu conflicts: not proven",
                           (unsigned long long)out->conflicts);
  return status;
}
