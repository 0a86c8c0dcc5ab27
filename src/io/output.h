/* The unfinished file beside an output.
 *
 * PATH is written as PATH.XXXXXXXXXXXXXXXX.part, with a random suffix, in the
 * same folder. The file is created new (no link is followed, nothing that
 * exists is opened) and stays locked while its writer lives, so that the next
 * writer of PATH can tell what a killed one left behind, and removes it. */
#ifndef BPERC_MODEL_PART_H
#define BPERC_MODEL_PART_H

#include "bperc/status.h"

/* A new part of `path`: its name in *name (release with bperc_i_free), open for
 * writing and locked. -1 with errno when it cannot be made. */
int bperc_i_part_create(const char *path, char **name);

/* Gives a part its final name, so that after a power failure either the old
 * file is there or the whole new one. The descriptor stays open. 0 with errno
 * on failure. */
int bperc_i_part_finish(int file, const char *name, const char *path);

/* The part is no longer one to remove when the process ends early. */
void bperc_i_part_forget(const char *name);

/* Makes the entry of `path` in its folder last; no failure is told. */
void bperc_i_part_sync_folder(const char *path);

/* Removes parts of `path` whose writers are gone. */
void bperc_i_part_sweep(const char *path);

#endif
