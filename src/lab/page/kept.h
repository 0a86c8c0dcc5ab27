/* Kept tables: what a file paper.tsv has of verdicts and pictures. */
#ifndef BPERC_LAB_PAGE_KEPT_H
#define BPERC_LAB_PAGE_KEPT_H

#include "lab/page/figure.h"

typedef enum {
  BPERC_I_KEPT_GOOD,
  BPERC_I_KEPT_BAD, /* not what bperc writes */
  BPERC_I_KEPT_NO_MEMORY,
} bperc_i_kept_result;

/* kept_verdicts.c. Adds the sections of claims, tests and numbers. */
void bperc_i_kept_verdicts(bperc_i_text *t, const bperc_claims *claims);
/* Reads one of them, or that of bperc 0.2; other sections are left. Cuts the
 * text. */
bperc_i_kept_result bperc_i_kept_read(bperc_claims *claims, const char *section,
                                      char *text);
/* An empty claim at the end; NULL: no memory. */
bperc_claim *bperc_i_claims_add(bperc_claims *claims);

#endif
