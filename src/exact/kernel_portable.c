/* The search kernel compiled for: portable. */
#define ISA portable
#include "exact/kernel_body.h"
