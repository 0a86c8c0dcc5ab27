/* Messages between the processes of a sweep, or of one problem.
 *
 * The library knows this table only. The module bperc_mpi.so fills it with
 * MPI calls and is loaded when the program finds itself under mpirun, so that
 * bperc needs no MPI on a single machine.
 */
#ifndef BPERC_SWEEP_TRANSPORT_H
#define BPERC_SWEEP_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { BPERC_I_TRANSPORT_VERSION = 2 };
#define BPERC_I_TRANSPORT_SYMBOL "bperc_transport"

typedef struct {
  int version;
  /* 0 on success. */
  int (*start)(int *rank, int *size);
  int (*send)(int to, const void *bytes, size_t size);
  /* Waits up to wait_ms for a message from anybody: 1 came, 0 none, -1 lost.
   * *bytes is to be released with release. */
  int (*receive)(int *from, void **bytes, size_t *size, int wait_ms);
  void (*release)(void *bytes);
  void (*end)(void);
  /* Of one problem that is spread over ranks: bperc_spread. */
  void (*sum)(int64_t *numbers, size_t count);
  void (*gather)(void *all, const size_t *at);
} bperc_i_transport;

/* Ranks of this run, 1 without a transport. */
int bperc_i_transport_size(void);
/* Tests: use this table instead of a module. */
void bperc_i_transport_use(const bperc_i_transport *t, int rank, int size);

#endif
