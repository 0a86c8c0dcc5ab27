/* The loop of Sammon maps compiled for: avx2. */
#define SAMMON bperc_i_sammon_avx2
#include "analysis/sammon_body.h"
