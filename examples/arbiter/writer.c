/* Writes a file at the rate that the I/O arbiter grants, and says how long it took: writer BYTES FILE. Without an arbiter it writes
 * as fast as it can. The socket and the name of the application come from HOLDFAST_IO_SOCKET and HOLDFAST_IO_LABEL. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <holdfast_io.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Writes so many bytes as one operation. Returns 0, or -1 and leaves the reason in errno. */
static int write_all(hf_io* io, int file, const char* piece, uint64_t bytes) {
  int result = 0;
  hf_io_begin(io, bytes, HF_IO_WRITE);
  while (bytes > 0 && result == 0) {
    const ssize_t written = hf_io_write(io, file, piece, bytes < PIECE ? (size_t)bytes : PIECE);
    if (written < 0) {
      result = -1;
    } else {
      bytes -= (uint64_t)written;
    }
  }
  /* What follows until the next operation is work: the arbiter gives the bandwidth to others. */
  hf_io_end(io);
  return result;
}

int main(int count, char** words) {
  const uint64_t bytes = count == 3 ? strtoull(words[1], NULL, 10) : 0;
  if (bytes == 0) {
    fprintf(stderr, "usage: writer BYTES FILE\n");
    return 2;
  }
  hf_io* io = NULL;
  const int code = hf_io_open(&io, NULL);
  if (code != HF_IO_OK) {
    fprintf(stderr, "hf_io_open: %s\n", hf_io_text(code));
    return 1;
  }
  const int file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char* piece = calloc(PIECE, 1);
  const double begin = now();
  if (file < 0 || piece == NULL || write_all(io, file, piece, bytes) != 0 || close(file) != 0) {
    perror(words[2]);
    return 1;
  }
  const double took = now() - begin;
  hf_io_state state = {.size = sizeof state};
  hf_io_get_state(io, &state);
  printf("%" PRIu64 " bytes in %.1f s, %.1f MB/s; %.1f s of it waiting%s\n", bytes, took,
         (double)bytes / took / 1e6, (double)state.stalled_ns / 1e9,
         state.connected ? "" : ", and no arbiter answered");
  hf_io_close(io);
  free(piece);
  return 0;
}
