/* The advisor in programs that use MPI: one rank decides for all. The functions are in this header and use the program's own
 * mpi.h, so that they work with every MPI. Each rank has an advisor of the same document; the one of rank 0 decides. All ranks
 * of the communicator must call both functions equally often. An answer is broadcast together with a number of further calls
 * that need no broadcast: between two checkpoints there are about log2(interval / iteration) broadcasts instead of one per
 * call. */
#ifndef HOLDFAST_MPI_H
#define HOLDFAST_MPI_H

#include <holdfast.h>
#include <mpi.h>

/* Returns 0, or the level of the checkpoint that is due; the same on all ranks. */
static inline int hf_mpi_need_checkpoint(hf_advisor* advisor, MPI_Comm comm) {
  int rank = 0;
  long said[3] = {0, 0, 0}; /* level, stop, calls that need not ask */
  if (hf_advisor_skip(advisor)) return 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    said[0] = hf_advisor_need_checkpoint(advisor);
    said[1] = hf_advisor_should_stop(advisor);
    said[2] = said[0] || said[1] ? 0 : hf_advisor_check_after(advisor) - 1;
  }
  MPI_Bcast(said, 3, MPI_LONG, 0, comm);
  hf_advisor_follow(advisor, (int)said[0], (int)said[1], said[2]);
  return (int)said[0];
}

/* Returns 1 if the program should end, according to the last broadcast of hf_mpi_need_checkpoint, so that it costs no broadcast
 * itself; the same on all ranks. */
static inline int hf_mpi_should_stop(hf_advisor* advisor, MPI_Comm comm) {
  (void)comm;
  return hf_advisor_told_to_stop(advisor);
}

#endif
