/* What this machine can do at most, measured in the run that is compared with
 * it: reading memory and counting ones. One thread, CPU time. */
#ifndef BPERC_BENCH_BOUNDS_H
#define BPERC_BENCH_BOUNDS_H

#include <stddef.h>

/* ns to read a byte, again and again, from a block of so many bytes. */
double bounds_read(size_t bytes);

/* ns to AND two words of 64 bits and add the number of ones, data in the first
 * cache, by the best instruction for it that the processor has. */
double bounds_popcount(void);

#endif
