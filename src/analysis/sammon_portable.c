/* The loop of Sammon maps compiled for: portable. */
#define SAMMON bperc_i_sammon_portable
#include "analysis/sammon_body.h"
