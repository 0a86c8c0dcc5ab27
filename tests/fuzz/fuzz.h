/* What fuzz targets share: the bytes of an input as a file that lies in memory
 * alone, and faults of memory and reading that the bytes choose. */
#ifndef BPERC_TESTS_FUZZ_H
#define BPERC_TESTS_FUZZ_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>

/* The entry that libFuzzer and replay.c call; one per target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes the bytes a file and returns its path; the bytes are borrowed until
 * the next call. memory.c: fopen, fstat and stat, replaced by the linker, know
 * the path; no system call is made. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* A folder whose file `claims` has the same bytes. */
#define FUZZ_FOLDER "fuzz-folder"
/* The same under a name that ends in .csv. */
const char *fuzz_csv_file(const uint8_t *data, size_t size);

/* A file on disk, the same one every time: file.c, for other processes. */
const char *fuzz_disk_file(const uint8_t *data, size_t size);

/* What the library wrote last: every output of a target goes into memory. */
const uint8_t *fuzz_written(size_t *size);

/* Bits that depend on the bytes: choices that a target makes. */
uint64_t fuzz_hash(const uint8_t *data, size_t size);

/* Calls run with the bytes as they are. For one input in eight then once more
 * with a fault: an allocation fails, a read fails, or the file is a pipe. With
 * FUZZ_EVERY_FAULT in the environment, with every fault in turn.
 * Returns 0, as LLVMFuzzerTestOneInput does. */
int fuzz_run(const uint8_t *data, size_t size,
             void (*run)(const uint8_t *data, size_t size));
/* Every fault in turn: what replay.c does with its corpus. */
void fuzz_every_fault(const uint8_t *data, size_t size);
/* Whether run is called with a fault now: then anything may fail. */
int fuzz_is_faulty(void);

/* What a reader answered: good, with something in hand, or refused with one
 * sentence, with nothing. What it accepts without a fault is refused with one
 * for that reason alone: lack of memory, reading, cancelling. */
void fuzz_check_answer(bperc_status status, const void *made,
                       const bperc_error *error);
/* From here on answers are not those of the run without a fault. */
void fuzz_other_answers(void);

#endif
