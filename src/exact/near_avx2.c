/* Distances compiled for: avx2. */
#define ISA avx2
#include "exact/near_body.h"
