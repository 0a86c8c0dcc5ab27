/* The version that the build was given. */
#include "bperc/status.h"

const char *bperc_version(void) { return BPERC_VERSION; }
