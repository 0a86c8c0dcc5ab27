/* The binary perceptron laboratory: all headers of libbperc; those of
 * libbperc-lab: bperc/lab/lab.h. */
#ifndef BPERC_BPERC_H
#define BPERC_BPERC_H

#include "bperc/amp.h"
#include "bperc/auto.h"
#include "bperc/bp.h"
#include "bperc/bpd.h"
#include "bperc/capacity.h"
#include "bperc/control.h"
#include "bperc/data.h"
#include "bperc/decimate.h"
#include "bperc/ecp.h"
#include "bperc/embed.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/fit.h"
#include "bperc/inference.h"
#include "bperc/instance.h"
#include "bperc/io.h"
#include "bperc/localentropy.h"
#include "bperc/options.h"
#include "bperc/order.h"
#include "bperc/rbp.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/solver.h"
#include "bperc/solving.h"
#include "bperc/status.h"
#include "bperc/stream.h"
#include "bperc/symmetric.h"
#include "bperc/teacher.h"
#include "bperc/theory.h"
#include "bperc/trace.h"
#include "bperc/walk.h"
#include "bperc/xcorr.h"

BPERC_C_BEGIN

BPERC_C_END

#endif
