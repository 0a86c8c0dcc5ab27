/* The sentence over a verdict, written piece by piece: as text here, as HTML by
 * the page. Nothing reads it again. */
#ifndef BPERC_LAB_VERDICT_VERDICT_H
#define BPERC_LAB_VERDICT_VERDICT_H

#include "bperc/lab/verdict.h"
#include "lab/base/text.h"

/* The worse of two: fails, undecided, holds. */
bperc_claim_verdict bperc_i_verdict_worse(bperc_claim_verdict a,
                                          bperc_claim_verdict b);

/* How the pieces are written; each appends to t. */
typedef struct bperc_i_writer bperc_i_writer;
struct bperc_i_writer {
  bperc_i_text *t;
  void (*words)(const bperc_i_writer *w, const char *text);
  void (*side)(const bperc_i_writer *w, const bperc_claim_side *s);
  void (*axis)(const bperc_i_writer *w, const char *x); /* of a trend */
  void (*value)(const bperc_i_writer *w, double value, double error);
  void (*keys)(const bperc_i_writer *w, const bperc_claim_number *n);
  const void *context;
};

/* "slope of c:y against x", "c:high above c:low at 2 of 3 points". */
void bperc_i_write_subject(const bperc_i_writer *w, const bperc_claim_test *t);
/* What a number has to be, without "to be": "up", "above 0.75". 0: no words,
 * the subject has them. */
int bperc_i_write_condition(const bperc_i_writer *w, const bperc_claim_test *t);
/* How many pieces, divided by commas, the numbers of a test are written in; the
 * last number of a piece; writing one. The first of a comparison is part of the
 * subject. */
size_t bperc_i_piece_end(const bperc_claim_test *t, size_t first);
void bperc_i_write_piece(const bperc_i_writer *w, const bperc_claim_test *t,
                         size_t first, size_t end);
/* Whether the numbers of a test are those of two sides compared. */
int bperc_i_is_comparison(const bperc_claim_test *t);
/* What would decide a test: "about 4 times the instances would decide it". 0:
 * nothing is said. */
int bperc_i_write_advice(bperc_i_text *out, const bperc_claim_test *t);

#endif
