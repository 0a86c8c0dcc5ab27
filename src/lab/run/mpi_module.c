/* bperc_mpi.so: messages between ranks by MPI, loaded under mpirun. */
#include "lab/run/ranks.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 7 };

static int start_mpi(int *rank, int *size) {
  int provided;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
      MPI_SUCCESS)
    return -1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

static int send(int to, const void *bytes, size_t size) {
  return MPI_Send(bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD) ==
                 MPI_SUCCESS
             ? 0
             : -1;
}

/* Polls with short sleeps: a waiting rank must not burn a core. */
static int receive(int *from, void **bytes, size_t *size, int wait_ms) {
  const struct timespec nap = {0, 500000};
  MPI_Status status;
  int there = 0, count;
  for (int k = 0; k <= 2 * wait_ms && !there; k++) {
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) !=
        MPI_SUCCESS)
      return -1;
    if (!there && k < 2 * wait_ms)
      nanosleep(&nap, NULL);
  }
  if (!there)
    return 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *bytes = malloc(count > 0 ? (size_t)count : 1);
  if (!*bytes)
    return -1;
  MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  *from = status.MPI_SOURCE;
  *size = (size_t)count;
  return 1;
}

/* Messages of at most so many numbers, or bytes: counts are int. */
enum { MOST = 1 << 24 };

static void sum_ranks(int64_t *numbers, size_t count) {
  for (size_t k = 0; k < count; k += MOST)
    MPI_Allreduce(MPI_IN_PLACE, numbers + k,
                  (int)(count - k < MOST ? count - k : MOST), MPI_INT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
}

static void gather_ranks(void *all, const size_t *at) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int r = 0; r < size; r++)
    for (size_t k = at[r]; k < at[r + 1]; k += MOST)
      MPI_Bcast((char *)all + k,
                (int)(at[r + 1] - k < MOST ? at[r + 1] - k : MOST), MPI_BYTE, r,
                MPI_COMM_WORLD);
}

static void release_mpi(void *bytes) { free(bytes); }
static void end(void) { MPI_Finalize(); }

extern const bperc_i_transport bperc_transport;
__attribute__((visibility("default")))
const bperc_i_transport bperc_transport = {BPERC_I_TRANSPORT_VERSION,
                                           start_mpi,
                                           send,
                                           receive,
                                           release_mpi,
                                           end,
                                           sum_ranks,
                                           gather_ranks};
