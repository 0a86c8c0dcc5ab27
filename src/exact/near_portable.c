/* Distances compiled for: portable. */
#define ISA portable
#include "exact/near_body.h"
