/* How fast may this program write now? This is the client of Holdfast's I/O arbiter (`holdfast io serve`) for C, C++, Fortran
 * and every language that can call C.
 *
 *   hf_io* io;
 *   hf_io_open(&io, NULL);                          socket and label from the environment
 *   hf_io_begin(io, bytes, HF_IO_WRITE);
 *   while (left > 0) {
 *     int64_t now = hf_io_wait(io, left, -1);       sleeps until some of the bytes may move
 *     ssize_t done = write(file, data, now);
 *     hf_io_moved(io, done);
 *     ...
 *   }
 *   hf_io_end(io);
 *   hf_io_close(io);
 *
 * hf_io_write() is this loop. Without an arbiter all calls succeed at once, and there is no limit.
 *
 * It is C99 and needs no other header of Holdfast and no library but the C library. Any thread may call any function except
 * hf_io_close; a signal handler may call none. The library starts no threads, handles no signals, prints nothing, and
 * allocates nothing after hf_io_open. After fork the child has no open operation and makes its own connection; after vfork
 * the child may call no function.
 *
 * No call waits for ever. A grant that the arbiter does not renew ends with its lease (10 s). Then the program uses its floor,
 * which is its share of the bandwidth, and 300 s later there is no limit. If the arbiter says "pause" again and again, the
 * program obeys for at most 120 s at a time. hf_io_wait never sleeps longer than its timeout. */
#ifndef HOLDFAST_IO_H
#define HOLDFAST_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__GNUC__)
#define HF_IO_API __attribute__((visibility("default")))
#else
#define HF_IO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HF_IO_UNKNOWN UINT64_MAX /* an unknown volume; a rate without limit */

enum { HF_IO_WRITE = 1, HF_IO_READ = 2 };
enum {
  HF_IO_OK = 0,
  HF_IO_E_VALUE = -1, /* an invalid argument */
  HF_IO_E_STATE = -2, /* a call in the wrong order; nothing has changed */
  HF_IO_E_MEMORY = -3
};

typedef struct hf_io hf_io;

/* A member that is zero is taken from HOLDFAST_IO_SOCKET, HOLDFAST_IO_LABEL, HOLDFAST_IO_BANDWIDTH (bytes/s) or
 * HOLDFAST_IO_NODES. The arbiter treats programs of one user with the same label as one application. The caller sets size to
 * sizeof(hf_io_options). */
typedef struct {
  size_t size;
  const char* socket;
  const char* label;
  uint64_t bandwidth; /* bandwidth that this application can use, bytes/s */
  uint32_t nodes;
  uint32_t ranks;
} hf_io_options;

/* The state of a handle. The caller sets size to sizeof(hf_io_state). */
typedef struct {
  size_t size;
  int connected;       /* an arbiter has answered, and the connection is open */
  int paused;          /* nothing may move now */
  int orphaned;        /* the arbiter has been gone for so long that there is no limit */
  uint64_t rate;       /* bytes/s now; HF_IO_UNKNOWN: no limit */
  uint64_t floor;      /* bytes/s while the arbiter is unreachable */
  uint64_t moved;      /* bytes moved by all operations */
  uint64_t stalled_ns; /* time slept in all operations */
  uint32_t epoch;      /* number of the arbiter's start, counted up at each restart */
} hf_io_state;

/* Makes a handle. If an arbiter is running, it learns of the program now, so that the program's age counts from here and not
 * from its first operation. hf_io_open waits neither for an answer nor for an arbiter that is not running. options may be
 * null. */
HF_IO_API int hf_io_open(hf_io** out, const hf_io_options* options);
/* Begins an operation of that many bytes (or HF_IO_UNKNOWN) and returns at once. Only one operation may be open. */
HF_IO_API int hf_io_begin(hf_io* io, uint64_t bytes, int direction);
/* Sleeps until some bytes may move, and returns their number: at least 1, at most `bytes`, and at most what the rate allows in
 * 0.05 s (and 16 MiB). Returns 0 after timeout_ms (-1: no timeout), and less than 0 for an error. */
HF_IO_API int64_t hf_io_wait(hf_io* io, uint64_t bytes, int timeout_ms);
/* Reports moved bytes. If they exceed what hf_io_wait returned, later calls wait for the excess, up to 10 s of the rate. */
HF_IO_API int hf_io_moved(hf_io* io, uint64_t bytes);
/* Ends the operation. */
HF_IO_API int hf_io_end(hf_io* io);
/* Works like write(2), chunk by chunk at the granted rate. Outside an operation, or if `io` is null, it is write(2). */
HF_IO_API ssize_t hf_io_write(hf_io* io, int fd, const void* data, size_t bytes);
/* Fills *out with the state of the handle. */
HF_IO_API int hf_io_get_state(const hf_io* io, hf_io_state* out);
/* Closes the handle, and ends its operation if one is open. */
HF_IO_API void hf_io_close(hf_io* io);
/* Returns the meaning of a code. */
HF_IO_API const char* hf_io_text(int code);

#ifdef __cplusplus
}
#endif

#endif
