/* The measurements there are; measurements.c lists them. */
#ifndef BPERC_MEASURE_MEASUREMENTS_H
#define BPERC_MEASURE_MEASUREMENTS_H

#include "bperc/measure.h"

extern const bperc_measurement bperc_i_measure_capacity;
extern const bperc_measurement bperc_i_measure_clusters;
extern const bperc_measurement bperc_i_measure_coupled;
extern const bperc_measurement bperc_i_measure_dynamics;
extern const bperc_measurement bperc_i_measure_geometry;
extern const bperc_measurement bperc_i_measure_hidden;
extern const bperc_measurement bperc_i_measure_late;
extern const bperc_measurement bperc_i_measure_map;
extern const bperc_measurement bperc_i_measure_polarisation;
extern const bperc_measurement bperc_i_measure_solving;
extern const bperc_measurement bperc_i_measure_stability;
extern const bperc_measurement bperc_i_measure_theory_alpha_u;
extern const bperc_measurement bperc_i_measure_theory_capacity;
extern const bperc_measurement bperc_i_measure_theory_local;
extern const bperc_measurement bperc_i_measure_theory_optimum;
extern const bperc_measurement bperc_i_measure_theory_typical;
extern const bperc_measurement bperc_i_measure_toy;
extern const bperc_measurement bperc_i_measure_walking;
extern const bperc_measurement bperc_i_measure_xcorr;
extern const bperc_measurement bperc_i_measure_unconverged;

#endif
