/* The program bperc-hdf5 inside: one file, read or written as the messages of
 * wire.h say. It knows no perceptron. The process ends when the work does, on
 * success as on failure: nothing needs closing. */
#ifndef BPERC_HDF5_SERVE_H
#define BPERC_HDF5_SERVE_H

#include "io/hdf5_wire.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

enum { BPERC_I_SERVE_SETS = 16 };

/* A dataset that is being written. */
typedef struct {
  hid_t set, type;
  int rank;
  bool grows;
  size_t value;    /* bytes of one */
  hsize_t dims[2]; /* rows so far and columns (1 without) when it grows */
  uint64_t done;   /* values written */
  char *buffer;    /* of whole rows, when it grows */
  size_t used, room;
} bperc_i_serve_set;

typedef struct {
  int socket;
  hid_t file;
  uint64_t file_size;
  bperc_i_serve_set sets[BPERC_I_SERVE_SETS];
  int count;
  bool failed; /* the reason was sent */
  char bytes[BPERC_I_H5_BLOCK];
} bperc_i_server;

/* Answers what comes over the socket until it ends; does not return. */
_Noreturn void bperc_i_serve(int socket);

/* ---- serve.c */
/* All bytes over the socket; ends the process when nobody listens. */
void bperc_i_serve_put(const bperc_i_server *s, const void *data, size_t size);
void bperc_i_serve_answer(const bperc_i_server *s, bperc_i_h5_message *m,
                          const void *data, size_t size);
/* FAILED with a sentence; the first one counts. */
void bperc_i_serve_fail(bperc_i_server *s, const char *text);
/* The same where the system failed, not the file. */
void bperc_i_serve_fail_system(bperc_i_server *s, const char *text);
/* Ends the process when the next piece of work takes more CPU time than any
 * honest one. */
void bperc_i_serve_expect_progress(void);
hid_t bperc_i_serve_type(uint32_t type);

/* ---- serve_read.c: path and values in s->bytes */
void bperc_i_serve_open(bperc_i_server *s);
void bperc_i_serve_look(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_ask(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_read(bperc_i_server *s, const bperc_i_h5_message *m);

/* ---- serve_write.c */
void bperc_i_serve_create(bperc_i_server *s);
void bperc_i_serve_group(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_value(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_words(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_set_new(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_rows(bperc_i_server *s, const bperc_i_h5_message *m);
void bperc_i_serve_close(bperc_i_server *s);

#endif
