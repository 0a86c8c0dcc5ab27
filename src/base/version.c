/* The version that the build was given. */
#include "bperc/bperc.h"

const char *bperc_version(void) { return BPERC_VERSION; }
