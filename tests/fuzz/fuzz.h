/* What fuzz targets share: the bytes of an input as a file. */
#ifndef BPERC_TESTS_FUZZ_H
#define BPERC_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The entry that libFuzzer and replay.c call; one per target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes the bytes into a scratch file (the same one every time) and returns
 * its path. After a crash the file is still there with the guilty bytes. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
