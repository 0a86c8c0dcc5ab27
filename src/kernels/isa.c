/* Choice of the instruction set at run time. */
#include "kernels/isa.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bperc_i_isa found;
static bperc_i_isa forced = BPERC_ISA_COUNT;

const char *bperc_i_isa_name(bperc_i_isa isa) {
  static const char *const names[] = {"portable", "neon", "avx2", "avx512"};
  return names[isa];
}

/* What the processor must have for each of those that were built. */
static int has_portable(void) { return 1; }
#if defined(__x86_64__)
static int has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

static int has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512vpopcntdq") &&
         __builtin_cpu_supports("gfni");
}
#elif defined(__aarch64__)
static int has_neon(void) { return 1; } /* part of the architecture */
#endif

int bperc_i_isa_available(bperc_i_isa isa) {
#define ENTRY(isa, name) [BPERC_ISA_##isa] = name##_##isa,
  static int (*const has[BPERC_ISA_COUNT])(void) = {BPERC_I_ISAS(ENTRY, has)};
#undef ENTRY
  return has[isa] && has[isa]();
}

/* The best one that is there and not above the wish. */
static void choose_isa(void) {
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
  pthread_once(&once, choose_isa);
  return found;
}

void bperc_i_isa_force(bperc_i_isa isa) { forced = isa; }
