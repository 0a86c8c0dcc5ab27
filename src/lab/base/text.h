/* Growing text and small helpers on strings, for everything that writes. */
#ifndef BPERC_SWEEP_TEXT_H
#define BPERC_SWEEP_TEXT_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  char *text; /* always ends with 0 once something was added */
  size_t length, room;
  int failed; /* a lack of memory is remembered here */
} bperc_i_text;

void bperc_i_text_add(bperc_i_text *t, const char *text);
void bperc_i_text_add_bytes(bperc_i_text *t, const void *bytes, size_t count);
void bperc_i_text_format(bperc_i_text *t, const char *format, ...)
    BPERC_PRINTF(2, 3);
/* A stream whose bytes are added; close it before *t is used. NULL: no memory.
 * Unlike open_memstream it remembers when memory failed on the way. */
FILE *bperc_i_text_stream(bperc_i_text *t);
void bperc_i_text_clear(bperc_i_text *t);
/* Hands the string over (never NULL unless failed) and empties *t. */
char *bperc_i_text_take(bperc_i_text *t);

/* A whole file; *out ends with a 0 that is not counted in *size. */
bperc_status bperc_i_file_read(const char *path, char **out, size_t *size,
                               bperc_error *error);
/* Writes a file that appears under its name only when complete. */
bperc_status bperc_i_file_write(const char *path, const void *bytes,
                                size_t size, bperc_error *error);
/* "folder/name", to be freed; NULL: no memory. */
char *bperc_i_path(const char *folder, const char *name);
/* A file of a folder; NULL in *out when there is none, or no folder. */
bperc_status bperc_i_folder_read(const char *folder, const char *name,
                                 char **out, size_t *size, bperc_error *error);
/* The file NAME and its ending; text NULL stands for a lack of memory. */
bperc_status bperc_i_folder_write(const char *folder, const char *name,
                                  const char *end, const char *text,
                                  bperc_error *error);
/* FNV-1a with 128 bits as 32 hexadecimal digits and a 0. */
void bperc_i_hash_text(const char *text, char digits[33]);
uint64_t bperc_i_hash_word(const char *text);
/* The same piece by piece, of any bytes. */
typedef struct {
  uint64_t high, low;
} bperc_i_hash;
bperc_i_hash bperc_i_hash_start(void);
void bperc_i_hash_add(bperc_i_hash *h, const void *bytes, size_t size);
void bperc_i_hash_digits(bperc_i_hash h, char digits[33]);

#endif
