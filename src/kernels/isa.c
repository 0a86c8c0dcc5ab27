/* Choice of the instruction set at run time. */
#include "kernels/isa.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bperc_i_isa found;
static bperc_i_isa forced = BPERC_ISA_COUNT;

const char *bperc_i_isa_name(bperc_i_isa isa) {
  static const char *const names[] = {"portable", "avx2", "avx512"};
  return names[isa];
}

int bperc_i_isa_available(bperc_i_isa isa) {
#if defined(BPERC_HAVE_AVX512)
  if (isa == BPERC_ISA_AVX512)
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("gfni") &&
           bperc_i_isa_available(BPERC_ISA_AVX2);
#endif
#if defined(BPERC_HAVE_AVX2)
  if (isa == BPERC_ISA_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#endif
  return isa == BPERC_ISA_PORTABLE;
}

/* The best one that is there and not above the wish. */
static void choose(void) {
  const char *wish = getenv("BPERC_ISA");
  int most = BPERC_ISA_COUNT - 1;
  for (int isa = 0; wish && isa < BPERC_ISA_COUNT; isa++)
    if (strcmp(wish, bperc_i_isa_name((bperc_i_isa)isa)) == 0)
      most = isa;
  while (!bperc_i_isa_available((bperc_i_isa)most))
    most--;
  found = (bperc_i_isa)most;
}

bperc_i_isa bperc_i_isa_chosen(void) {
  if (forced != BPERC_ISA_COUNT)
    return forced;
  pthread_once(&once, choose);
  return found;
}

void bperc_i_isa_force(bperc_i_isa isa) { forced = isa; }
