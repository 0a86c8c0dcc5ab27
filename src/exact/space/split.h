/* Joining keys that differ in one column: hot loops, compiled for both widths
 * of word and for each instruction set. They end early when bperc_cancelled(),
 * which the caller asks. */
#ifndef BPERC_EXACT_SPLIT_H
#define BPERC_EXACT_SPLIT_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Keys are words of solutions, or of blocks of them (cover.inc). */
typedef struct {
  const void *key; /* ascending */
  size_t count;
  const uint32_t *first; /* per block, and one more: its first part; */
  const uint64_t *part;  /* masks; NULL, both: every key is a part */
  uint32_t *parent;      /* forest over the parts */
} bperc_i_keys;

/* For words of 64 and of 128 bits. */
typedef struct {
  void (*join[2])(const bperc_i_keys *keys);
} bperc_i_split_kernels;

/* bperc_i_split_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_split_kernels)

#endif
