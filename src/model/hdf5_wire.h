/* What the process that reads an HDF5 file sends to the one that asked.
 *
 * The HDF5 library was not made for hostile files: of ten thousand damaged
 * ones a few crash it and many leave it in a state that it cannot close. It
 * therefore reads in a child process; the parent checks whatever arrives.
 */
#ifndef BPERC_MODEL_HDF5_WIRE_H
#define BPERC_MODEL_HDF5_WIRE_H

#include <stdint.h>

/* Most bytes of values in one message. */
#define BPERC_I_WIRE_BLOCK ((uint64_t)1 << 18)

typedef enum {
  BPERC_I_WIRE_SHAPE,    /* count = {m, n} and the model */
  BPERC_I_WIRE_PATTERNS, /* a rectangle start, count; its bytes follow */
  BPERC_I_WIRE_LABELS,   /* start[0], count[0]; bytes follow */
  BPERC_I_WIRE_END,
  BPERC_I_WIRE_FAILED, /* text says why */
} bperc_i_wire_kind;

typedef struct {
  uint64_t kind;
  uint64_t start[2], count[2];
  double a, threshold, kappa; /* of a shape; a is 0 with a threshold */
  uint64_t pm;                /* weights are -1/+1 */
  uint64_t is_signed;         /* bytes of patterns are int8 */
  char text[120];
} bperc_i_wire;

/* The child: reads the file, sends all of it down the pipe and exits. */
_Noreturn void bperc_i_hdf5_send(const char *file, int pipe);

#endif
