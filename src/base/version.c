/* The version that the build was given. */
#include "bperc/status.h"

const char *bperc_version(void) { return BPERC_VERSION; }

/* Raised when a public struct or function changes so that programs compiled
 * against older headers would break. */
int bperc_abi_version(void) { return BPERC_ABI_VERSION; }
