/* The laboratory: all headers of libbperc-lab. */
#ifndef BPERC_LAB_LAB_H
#define BPERC_LAB_LAB_H

#include "bperc/lab/experiments.h"
#include "bperc/lab/measure.h"
#include "bperc/lab/plan.h"
#include "bperc/lab/report.h"
#include "bperc/lab/run.h"
#include "bperc/lab/store.h"
#include "bperc/lab/table.h"
#include "bperc/lab/verdict.h"

#endif
