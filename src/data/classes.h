/* What two or more classes share: links, schemes. */
#ifndef BPERC_DATA_CLASSES_H
#define BPERC_DATA_CLASSES_H

#include "bperc/data.h"
#include "bperc/fit.h"

/* Scores and classes of m rows from sums[unit * m + row]; outputs may be NULL:
 * bperc_classifier_decide. */
void bperc_i_classes_decide(const bperc_unit *units, size_t unit_count,
                            size_t class_count, double sharpness,
                            const int64_t *sums, size_t m, uint16_t *classes,
                            double *scores, double *probabilities);

/* A logistic link P(label 1) = 1 / (1 + exp(-offset - slope z)) by maximum
 * likelihood, with the counts of Platt (1999) in place of 0 and 1, so that
 * scores without overlap have a finite slope. want: 1, 0, or -1: not counted.
 * The slope is not negative. */
void bperc_i_link_fit(const double *z, const int8_t *want, size_t m,
                      double *slope, double *offset);

/* The sharpness of largest likelihood of the true classes; scores of every row
 * and class. */
double bperc_i_link_sharpness(const double *scores, const uint16_t *classes,
                              size_t m, size_t class_count);

/* Codes of the classes, class_count marks per unit; *units is how many. NULL:
 * no memory, or a scheme that this number of classes does not have. */
int8_t *bperc_i_classes_code(bperc_scheme scheme, size_t class_count,
                             uint64_t seed, size_t *units);

#endif
