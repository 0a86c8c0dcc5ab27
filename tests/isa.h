/* The same test with every instruction set of this machine. */
#ifndef BPERC_TESTS_ISA_H
#define BPERC_TESTS_ISA_H

#include "kernels/isa.h"

/* Forces the next one; after the last the choice is free again. */
static inline int next_isa(int isa) {
  do
    isa++;
  while (isa < BPERC_ISA_COUNT && !bperc_i_isa_available((bperc_i_isa)isa));
  bperc_i_isa_force((bperc_i_isa)isa);
  return isa;
}

#define FOR_EACH_ISA(isa)                                                      \
  for (int isa = next_isa(-1); isa < BPERC_ISA_COUNT; isa = next_isa(isa))

#endif
