/* Small HDF5 helpers: datasets that grow by rows, scalar attributes. */
#ifndef BPERC_RUN_HDF5_H
#define BPERC_RUN_HDF5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* A dataset of rows x columns (columns 0: one-dimensional) with a buffer of
 * rows in memory that is written when full. */
typedef struct {
  hid_t set, type; /* type in memory */
  size_t row_bytes, columns, room, used;
  hsize_t rows; /* on disk */
  char *buffer;
} bperc_i_rows_file;

/* All return false on failure; close also flushes, and is safe on zeroes. */
bool bperc_i_rows_open(bperc_i_rows_file *r, hid_t file, const char *name,
                       hid_t disk, hid_t memory, size_t columns);
/* Where the next row goes; then bperc_i_rows_push. */
void *bperc_i_rows_next(bperc_i_rows_file *r);
bool bperc_i_rows_push(bperc_i_rows_file *r);
bool bperc_i_rows_close(bperc_i_rows_file *r);

bool bperc_i_hdf5_vector(hid_t file, const char *name, hid_t disk, hid_t memory,
                         size_t count, const void *values);
bool bperc_i_hdf5_number(hid_t at, const char *name, hid_t disk, hid_t memory,
                         const void *value);
bool bperc_i_hdf5_text(hid_t at, const char *name, const char *text);

#endif
