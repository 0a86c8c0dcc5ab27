/* Proofs in the format of VeriPB: proof.h. */
#include "exact/search/proof.h"

#include <inttypes.h>

static void put_literal(const bperc_i_proof *p, uint32_t literal) {
  fprintf(p->stream, " %sx%" PRIu32, literal & 1 ? "~" : "", literal / 2 + 1);
}

void bperc_i_proof_start(bperc_i_proof *p, FILE *stream, uint64_t constraints) {
  *p = (bperc_i_proof){.stream = stream, .last = constraints};
  fprintf(stream, "pseudo-Boolean proof version 3.0\nf %" PRIu64 " ;\n",
          constraints);
}

void bperc_i_proof_begin(bperc_i_proof *p, uint64_t id) {
  fprintf(p->stream, "pol %" PRIu64, id);
}

void bperc_i_proof_push(bperc_i_proof *p, uint64_t id) {
  fprintf(p->stream, " %" PRIu64, id);
}

void bperc_i_proof_weaken(bperc_i_proof *p, uint32_t literal, int64_t factor) {
  put_literal(p, literal);
  if (factor != 1)
    bperc_i_proof_multiply(p, factor);
  bperc_i_proof_add(p);
}

void bperc_i_proof_divide(bperc_i_proof *p, int64_t by) {
  fprintf(p->stream, " %" PRId64 " d", by);
}

void bperc_i_proof_multiply(bperc_i_proof *p, int64_t by) {
  fprintf(p->stream, " %" PRId64 " *", by);
}

void bperc_i_proof_add(bperc_i_proof *p) { fputs(" +", p->stream); }

void bperc_i_proof_saturate(bperc_i_proof *p) { fputs(" s", p->stream); }

uint64_t bperc_i_proof_end(bperc_i_proof *p) {
  fputs(" ;\n", p->stream);
  return ++p->last;
}

void bperc_i_proof_delete(bperc_i_proof *p, uint64_t id) {
  fprintf(p->stream, "del id %" PRIu64 " ;\n", id);
}

uint64_t bperc_i_proof_contradiction(bperc_i_proof *p) {
  fputs("rup >= 1 ;\n", p->stream);
  return ++p->last;
}

uint64_t bperc_i_proof_solution(bperc_i_proof *p, const bool *value,
                                size_t variables) {
  fputs("soli", p->stream);
  for (size_t v = 0; v < variables; v++)
    put_literal(p, 2 * (uint32_t)v + !value[v]);
  fputs(" ;\n", p->stream);
  return ++p->last;
}

static void put_end(const bperc_i_proof *p) {
  fputs("end pseudo-Boolean proof ;\n", p->stream);
}

void bperc_i_proof_refuted(bperc_i_proof *p, uint64_t id) {
  fprintf(p->stream, "output NONE ;\nconclusion UNSAT : %" PRIu64 " ;\n", id);
  put_end(p);
}

void bperc_i_proof_least(bperc_i_proof *p, uint64_t id, uint64_t value) {
  fprintf(p->stream,
          "output NONE ;\nconclusion BOUNDS %" PRIu64 " : %" PRIu64 " %" PRIu64
          " ;\n",
          value, id, value);
  put_end(p);
}

void bperc_i_proof_nothing(bperc_i_proof *p) {
  fputs("output NONE ;\nconclusion NONE ;\n", p->stream);
  put_end(p);
}
