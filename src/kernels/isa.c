/* Choice of the instruction set at run time. */
#include "kernels/isa.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bperc_i_isa found;
static bperc_i_isa forced = BPERC_ISA_COUNT;

const char *bperc_i_isa_name(bperc_i_isa isa) {
  return isa == BPERC_ISA_AVX2 ? "avx2" : "portable";
}

int bperc_i_isa_available(bperc_i_isa isa) {
#if defined(BPERC_HAVE_AVX2)
  if (isa == BPERC_ISA_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#endif
  return isa == BPERC_ISA_PORTABLE;
}

static void choose(void) {
  const char *wish = getenv("BPERC_ISA");
  found = bperc_i_isa_available(BPERC_ISA_AVX2) ? BPERC_ISA_AVX2
                                                : BPERC_ISA_PORTABLE;
  if (wish && strcmp(wish, "portable") == 0)
    found = BPERC_ISA_PORTABLE;
}

bperc_i_isa bperc_i_isa_chosen(void) {
  if (forced != BPERC_ISA_COUNT)
    return forced;
  pthread_once(&once, choose);
  return found;
}

void bperc_i_isa_force(bperc_i_isa isa) { forced = isa; }
