/* All ranks of an MPI program write their parts of one file at the rate that the I/O arbiter grants to the program:
 * mpirun -n 4 writer_mpi BYTES FILE, where each rank writes BYTES. Each rank has a connection of its own; the arbiter treats those of
 * one job (or of one HOLDFAST_IO_LABEL) as one application, and divides its rate among the ranks that write. */
#include <holdfast_io.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 };

static void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  fprintf(stderr, "%s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* MPI-IO writes by itself, so the program waits before and reports after each piece. */
static void write_part(hf_io* io, MPI_File file, const char* piece, uint64_t begin,
                       uint64_t bytes) {
  hf_io_begin(io, bytes, HF_IO_WRITE);
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t left = bytes - done;
    const int64_t may = hf_io_wait(io, left < PIECE ? left : PIECE, -1);
    if (may < 0) MPI_Abort(MPI_COMM_WORLD, 1);
    check(MPI_File_write_at(file, (MPI_Offset)(begin + done), piece, (int)may, MPI_BYTE,
                            MPI_STATUS_IGNORE),
          "MPI_File_write_at");
    hf_io_moved(io, (uint64_t)may);
    done += (uint64_t)may;
  }
  hf_io_end(io);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const uint64_t bytes = count == 3 ? strtoull(words[1], NULL, 10) : 0;
  if (bytes == 0) {
    if (rank == 0) fprintf(stderr, "usage: writer_mpi BYTES FILE\n");
    MPI_Finalize();
    return 2;
  }
  hf_io_options options = {.size = sizeof options, .ranks = (uint32_t)ranks};
  hf_io* io = NULL;
  char* piece = calloc(PIECE, 1);
  if (piece == NULL || hf_io_open(&io, &options) != HF_IO_OK) MPI_Abort(MPI_COMM_WORLD, 1);

  MPI_File file;
  check(MPI_File_open(MPI_COMM_WORLD, words[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file),
        words[2]);
  const double begin = MPI_Wtime();
  write_part(io, file, piece, (uint64_t)rank * bytes, bytes);
  check(MPI_File_close(&file), "MPI_File_close");
  const double took = MPI_Wtime() - begin;

  hf_io_state state = {.size = sizeof state};
  hf_io_get_state(io, &state);
  int connected = 0;
  MPI_Reduce(&state.connected, &connected, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks, %.0f MB in %.1f s, %.1f MB/s; an arbiter answered %d of them\n", ranks,
           1e-6 * (double)ranks * (double)bytes, took, 1e-6 * (double)ranks * (double)bytes / took,
           connected);
  }
  hf_io_close(io);
  free(piece);
  MPI_Finalize();
  return 0;
}
