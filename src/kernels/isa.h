/* Which instruction set the hot loops use: chosen once, at run time.
 *
 * Every family of kernels is a table of functions, filled by one body file
 * (NAME_body.c: plain C with GCC vector extensions) that is compiled once per
 * instruction set: same source, no contraction, the same bits. BPERC_ISA=NAME
 * in the environment overrides the choice; an instruction set that the
 * processor lacks is never chosen.
 *
 * To add one: its name in BPERC_I_ISAS and bperc_i_isa, what the processor must
 * have in isa.c, its compiler flags in meson.build of this folder. */
#ifndef BPERC_KERNELS_ISA_H
#define BPERC_KERNELS_ISA_H

typedef enum {
  BPERC_ISA_portable,
  BPERC_ISA_neon,
  BPERC_ISA_avx2,   /* with BMI2 and POPCNT */
  BPERC_ISA_avx512, /* with VBMI, VNNI, GFNI and VPOPCNTDQ */
  BPERC_ISA_COUNT
} bperc_i_isa;

/* Those that this build has, the best last. */
#if defined(__x86_64__)
#define BPERC_I_ISAS(X, name) X(portable, name) X(avx2, name) X(avx512, name)
#elif defined(__aarch64__)
#define BPERC_I_ISAS(X, name) X(portable, name) X(neon, name)
#else
#define BPERC_I_ISAS(X, name) X(portable, name)
#endif

/* Inside a body: the name with the instruction set that it is compiled for,
 * which the build gives as BPERC_I_ISA. */
#define BPERC_I_FOR_ISA(name) BPERC_I_JOIN_ISA(name, BPERC_I_ISA)
#define BPERC_I_JOIN_ISA(name, isa) BPERC_I_JOINED_ISA(name, isa)
#define BPERC_I_JOINED_ISA(name, isa) name##_##isa

/* The tables `name`_ISA of type `name`. */
#define BPERC_I_DECLARE(name) BPERC_I_ISAS(BPERC_I_DECLARE_ONE, name)
#define BPERC_I_DECLARE_ONE(isa, name) extern const name name##_##isa;

/* They in an array, and the one in force. */
#define BPERC_I_TABLES(name)                                                   \
  ((const name *const[BPERC_ISA_COUNT]){BPERC_I_ISAS(BPERC_I_TABLES_ONE, name)})
#define BPERC_I_TABLES_ONE(isa, name) [BPERC_ISA_##isa] = &name##_##isa,
#define BPERC_I_PICK(name) (BPERC_I_TABLES(name)[bperc_i_isa_chosen()])

/* Both: declares the tables and `name`_get(). */
#define BPERC_I_FAMILY(name)                                                   \
  BPERC_I_DECLARE(name)                                                        \
  static inline const name *name##_get(void) { return BPERC_I_PICK(name); }

bperc_i_isa bperc_i_isa_chosen(void);
const char *bperc_i_isa_name(bperc_i_isa isa);
/* Whether this build has it and this processor can run it: tests compare all
 * that can. */
int bperc_i_isa_available(bperc_i_isa isa);
/* Tests and benchmarks: overrides the choice; BPERC_ISA_COUNT undoes it. */
void bperc_i_isa_force(bperc_i_isa isa);

#endif
