/* What the library and the program bperc-hdf5 say to each other.
 *
 * The HDF5 library is not loaded into the process that uses bperc: it brings
 * forty others, is not made for two threads at once, and of ten thousand
 * damaged files a few crash it. A program of its own reads and writes the
 * files; both sides are of one version and speak over a socket.
 *
 * Every message is a bperc_i_h5_message and `size` bytes behind it. The library
 * checks whatever it is told.
 */
#ifndef BPERC_HDF5_WIRE_H
#define BPERC_HDF5_WIRE_H

#include <stdint.h>

/* Changes with the messages: the first thing that the program is told. */
#define BPERC_I_H5_VERSION 2
/* Most bytes of values in one message. */
#define BPERC_I_H5_BLOCK ((uint64_t)1 << 18)
/* Most bytes of a name with its end, and of a text. */
enum { BPERC_I_H5_NAME = 48, BPERC_I_H5_TEXT = 256 };

typedef enum {
  /* requests that are answered */
  BPERC_I_H5_OPEN,  /* size bytes of a path: DONE or FAILED */
  BPERC_I_H5_LOOK,  /* name of a dataset: an info follows DONE */
  BPERC_I_H5_ASK,   /* attribute `name` of `at`: an attribute follows DONE */
  BPERC_I_H5_READ,  /* dataset `name` as type: BLOCKs, then DONE or FAILED */
  BPERC_I_H5_CLOSE, /* of a new file: DONE or FAILED */
  /* requests that are not: the first failure is the answer to CLOSE */
  BPERC_I_H5_CREATE, /* size bytes of a path */
  BPERC_I_H5_GROUP,  /* name */
  BPERC_I_H5_VALUE,  /* attribute `name` of `at`: one value of type */
  BPERC_I_H5_WORDS,  /* the same with size bytes of text; count[0] its room */
  BPERC_I_H5_SET,    /* dataset `name`, rank, count = dims, flags */
  BPERC_I_H5_ROWS,   /* the next values of set number start[0] */
  /* answers */
  BPERC_I_H5_DONE,
  BPERC_I_H5_FAILED, /* size bytes of text; type 1: not for the file's sake */
  BPERC_I_H5_VALUES, /* a rectangle start, count of READ */
} bperc_i_h5_kind;

typedef enum {
  BPERC_I_H5_U8,
  BPERC_I_H5_I8,
  BPERC_I_H5_U32,
  BPERC_I_H5_I32,
  BPERC_I_H5_U64,
  BPERC_I_H5_I64,
  BPERC_I_H5_F32,
  BPERC_I_H5_F64,
  BPERC_I_H5_TYPES
} bperc_i_h5_type;

enum {
  BPERC_I_H5_GROWS = 1,  /* rows are added until the file is closed */
  BPERC_I_H5_DEFLATE = 2 /* compressed */
};

typedef struct {
  uint32_t kind, type, rank, flags;
  uint64_t start[2], count[2];
  uint64_t size;
  char name[BPERC_I_H5_NAME], at[BPERC_I_H5_NAME];
} bperc_i_h5_message;

/* A dataset as it lies in the file. */
typedef enum {
  BPERC_I_H5_MISSING,
  BPERC_I_H5_NO_SET,
  BPERC_I_H5_BROKEN,
  BPERC_I_H5_GOOD,
  BPERC_I_H5_ELSEWHERE /* a link to another file, or values in one */
} bperc_i_h5_state;

typedef struct {
  uint32_t state;
  uint32_t rank; /* dims hold at most two */
  uint64_t dims[2];
  uint32_t whole;     /* values are whole numbers (or named bytes) */
  uint32_t is_signed; /* and may be negative */
  uint32_t bytes;     /* of one value */
  uint32_t readable;  /* a known layout with chunks of at most 256 MiB */
  uint64_t stored;    /* bytes in the file, of file_size */
  uint64_t file_size;
} bperc_i_h5_info;

/* An attribute with one value. */
typedef enum {
  BPERC_I_H5_ABSENT,
  BPERC_I_H5_NUMBER,
  BPERC_I_H5_STRING,
  BPERC_I_H5_OTHER
} bperc_i_h5_attribute_kind;

typedef struct {
  uint32_t kind;
  double real;
  uint64_t count; /* the same as a whole number from 0 */
  char text[16];  /* longer ones are OTHER */
} bperc_i_h5_attribute;

/* Bytes of one value of a type. */
static inline uint64_t bperc_i_h5_bytes(uint32_t type) {
  static const uint8_t bytes[BPERC_I_H5_TYPES] = {1, 1, 4, 4, 8, 8, 4, 8};
  return type < BPERC_I_H5_TYPES ? bytes[type] : 1;
}

#endif
