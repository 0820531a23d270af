/* As much of MPI as examples/field/heat.c needs, for one rank: the program then needs no mpirun, and starts in milliseconds.
 * So the experiment (bench/field/run) can run many jobs at once on a small machine, where mpirun would take longer to start
 * than a recovery lasts. */
#ifndef HOLDFAST_ONE_RANK_MPI_H
#define HOLDFAST_ONE_RANK_MPI_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info, MPI_Status, MPI_File;
typedef off_t MPI_Offset;

/* The value of a datatype is its size in bytes. */
enum {
  MPI_BYTE = 1,
  MPI_UINT32_T = 4,
  MPI_INT = sizeof(int),
  MPI_LONG = sizeof(long),
  MPI_DOUBLE = sizeof(double)
};
enum {
  MPI_SUCCESS,
  MPI_COMM_WORLD = 0,
  MPI_INFO_NULL = 0,
  MPI_LAND = 0,
  MPI_MAX = 1,
  MPI_PROC_NULL = -1,
  MPI_ERR_IO
};
enum { MPI_MODE_CREATE = O_CREAT, MPI_MODE_WRONLY = O_WRONLY, MPI_MODE_RDONLY = O_RDONLY };
#define MPI_STATUS_IGNORE ((MPI_Status*)0)

static inline int MPI_Init(int* count, char*** words) {
  (void)count;
  (void)words;
  return MPI_SUCCESS;
}
static inline int MPI_Finalize(void) {
  return MPI_SUCCESS;
}
static inline int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  _exit(code);
}
static inline int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  (void)comm;
  *rank = 0;
  return MPI_SUCCESS;
}
static inline int MPI_Comm_size(MPI_Comm comm, int* ranks) {
  (void)comm;
  *ranks = 1;
  return MPI_SUCCESS;
}
static inline int MPI_Barrier(MPI_Comm comm) {
  (void)comm;
  return MPI_SUCCESS;
}
static inline int MPI_Bcast(void* what, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  (void)what;
  (void)count;
  (void)type;
  (void)root;
  (void)comm;
  return MPI_SUCCESS;
}
static inline int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm) {
  (void)op;
  (void)comm;
  memcpy(to, from, (size_t)count * (size_t)type);
  return MPI_SUCCESS;
}
/* The border of the plate has no neighbour. */
static inline int MPI_Sendrecv(const void* from, int count, MPI_Datatype type, int to_rank, int tag,
                               void* to, int to_count, MPI_Datatype to_type, int from_rank,
                               int to_tag, MPI_Comm comm, MPI_Status* status) {
  (void)from;
  (void)count;
  (void)type;
  (void)to_rank;
  (void)tag;
  (void)to;
  (void)to_count;
  (void)to_type;
  (void)from_rank;
  (void)to_tag;
  (void)comm;
  (void)status;
  return MPI_SUCCESS;
}
static inline double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info,
                                MPI_File* file) {
  (void)comm;
  (void)info;
  *file = open(name, mode | O_CLOEXEC, 0644);
  return *file >= 0 ? MPI_SUCCESS : MPI_ERR_IO;
}
static inline int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* what, int count,
                                    MPI_Datatype type, MPI_Status* status) {
  const size_t size = (size_t)count * (size_t)type;
  (void)status;
  return pwrite(file, what, size, at) == (ssize_t)size ? MPI_SUCCESS : MPI_ERR_IO;
}
static inline int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* what, int count,
                                        MPI_Datatype type, MPI_Status* status) {
  return MPI_File_write_at(file, at, what, count, type, status);
}
static inline int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void* what, int count,
                                       MPI_Datatype type, MPI_Status* status) {
  const size_t size = (size_t)count * (size_t)type;
  (void)status;
  return pread(file, what, size, at) == (ssize_t)size ? MPI_SUCCESS : MPI_ERR_IO;
}
static inline int MPI_File_sync(MPI_File file) {
  return fsync(file) == 0 ? MPI_SUCCESS : MPI_ERR_IO;
}
static inline int MPI_File_close(MPI_File* file) {
  return close(*file) == 0 ? MPI_SUCCESS : MPI_ERR_IO;
}

#endif
