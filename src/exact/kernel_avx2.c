/* The search kernel compiled for: avx2. */
#define ISA avx2
#include "exact/kernel_body.h"
