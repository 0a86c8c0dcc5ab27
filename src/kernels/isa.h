/* Which instruction set the hot loops use: chosen once, at run time.
 *
 * Every kernel family is one body file of plain C with GCC vector extensions,
 * compiled once per instruction set (same source, no contraction: the same
 * bits come out). BPERC_ISA=portable|avx2|avx512 in the environment overrides
 * the choice; an instruction set that the processor lacks is never chosen. A
 * family without kernels for the one in force uses the best below it. */
#ifndef BPERC_KERNELS_ISA_H
#define BPERC_KERNELS_ISA_H

typedef enum {
  BPERC_ISA_PORTABLE,
  BPERC_ISA_AVX2,
  BPERC_ISA_AVX512, /* with VBMI, VNNI and GFNI */
  BPERC_ISA_COUNT
} bperc_i_isa;

bperc_i_isa bperc_i_isa_chosen(void);
const char *bperc_i_isa_name(bperc_i_isa isa);
/* Whether this processor can run it: tests compare all that can. */
int bperc_i_isa_available(bperc_i_isa isa);
/* Tests and benchmarks: overrides the choice; BPERC_ISA_COUNT undoes it. */
void bperc_i_isa_force(bperc_i_isa isa);

#endif
