/* The program bperc-hdf5 as seen from the library: found beside the library or
 * program, started with no descriptors but its own, spoken to with a time
 * limit. Whatever happens to it, the caller goes on. */
#ifndef BPERC_HDF5_HELPER_H
#define BPERC_HDF5_HELPER_H

#include "bperc/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  int socket;
  pid_t pid;
  bool to_the_end; /* cancelling does not end the conversation */
} bperc_i_helper;

bperc_status bperc_i_helper_start(bperc_i_helper *helper, bperc_error *error);
/* Exactly size bytes there or back. BPERC_E_FORMAT when it died or hangs,
 * BPERC_E_INTERRUPTED when the call was cancelled. */
bperc_status bperc_i_helper_put(const bperc_i_helper *helper, const void *data,
                                size_t size);
bperc_status bperc_i_helper_get(const bperc_i_helper *helper, void *data,
                                size_t size);
/* Whether it has said something that nobody has read. */
bool bperc_i_helper_has_news(const bperc_i_helper *helper);
/* Done, useless or stuck: its work ends here. */
/* Of a program that says nothing more: whether it did not end by itself, as on
 * some damaged files. */
bool bperc_i_helper_has_crashed(const bperc_i_helper *helper);
void bperc_i_helper_end(bperc_i_helper *helper);

/* Tests: something else that fills *helper; NULL: the program. */
void bperc_i_helper_replace(bool (*start)(bperc_i_helper *helper));

#endif
