/* Scores that are added up over folds. */
#ifndef BPERC_ANALYSIS_SCORE_H
#define BPERC_ANALYSIS_SCORE_H

#include "bperc/fit.h"

/* errors, accuracy and balanced accuracy from the four counts. */
void bperc_i_score_finish(bperc_score *score);

#endif
