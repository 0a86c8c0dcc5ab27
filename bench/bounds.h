/* What this machine can do at most, measured in the run that is compared with
 * it: reading memory and counting ones. One thread, CPU time. */
#ifndef BPERC_BENCH_BOUNDS_H
#define BPERC_BENCH_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* ns to read a byte, again and again, from a block of so many bytes. */
double bounds_read(size_t bytes);

/* Reads these words, a whole number of lines of 64 bytes at an aligned place,
 * so many times. */
void bounds_read_words(const uint64_t *data, size_t words, size_t repeats);

/* ns to AND two words of 64 bits and add the number of ones, data in the first
 * cache, by the best instruction for it that the processor has. */
double bounds_popcount(void);

#endif
