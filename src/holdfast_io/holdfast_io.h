/* How fast may this program write now? The client of Holdfast's I/O arbiter (`holdfast io serve`) for C, C++, Fortran and
 * whatever calls C.
 *
 *   hf_io* io;
 *   hf_io_open(&io, NULL);                          socket and label from the environment
 *   hf_io_begin(io, bytes, HF_IO_WRITE);
 *   while (left > 0) {
 *     int64_t now = hf_io_wait(io, left, -1);       sleeps until some of them may move
 *     ssize_t done = write(file, data, now);
 *     hf_io_moved(io, done);
 *     ...
 *   }
 *   hf_io_end(io);
 *   hf_io_close(io);
 *
 * hf_io_write() is that loop. Without an arbiter all calls succeed at once and nothing is paced.
 *
 * C99, no other header of ours, nothing but the C library. Any thread may call any function but hf_io_close; a signal handler
 * may call none. No thread is started, no signal handled, nothing printed, nothing allocated after hf_io_open. The child of a
 * fork has no operation open, and connects anew; that of a vfork may call none.
 *
 * Nothing waits for ever. A grant that the arbiter does not renew ends with its lease (10 s); then the floor holds, this
 * program's share of the bandwidth; 300 s later there is no limit. An arbiter that says "pause" again and again is obeyed for
 * 120 s at a time. A call of hf_io_wait sleeps no longer than it was told. */
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

#define HF_IO_UNKNOWN UINT64_MAX /* a volume that is not known; a rate without limit */

enum { HF_IO_WRITE = 1, HF_IO_READ = 2 };
enum {
  HF_IO_OK = 0,
  HF_IO_E_VALUE = -1, /* an argument that cannot be */
  HF_IO_E_STATE = -2, /* a call out of order: nothing has changed */
  HF_IO_E_MEMORY = -3
};

typedef struct hf_io hf_io;

/* What is zero comes from HOLDFAST_IO_SOCKET, HOLDFAST_IO_LABEL, HOLDFAST_IO_BANDWIDTH (bytes/s), HOLDFAST_IO_NODES.
 * Programs of one user with one label are one application to the arbiter. The caller sets size to sizeof(hf_io_options). */
typedef struct {
  size_t size;
  const char* socket;
  const char* label;
  uint64_t bandwidth; /* that this application can use, bytes/s */
  uint32_t nodes;
  uint32_t ranks;
} hf_io_options;

/* Where this handle stands. The caller sets size to sizeof(hf_io_state). */
typedef struct {
  size_t size;
  int connected;       /* an arbiter has answered, and the connection stands */
  int paused;          /* nothing may move now */
  int orphaned;        /* the arbiter is gone for so long that nothing is paced */
  uint64_t rate;       /* bytes/s now; HF_IO_UNKNOWN: no limit */
  uint64_t floor;      /* bytes/s while the arbiter is away */
  uint64_t moved;      /* bytes of all operations */
  uint64_t stalled_ns; /* slept in all operations */
  uint32_t epoch;      /* of the arbiter: one more after each restart */
} hf_io_state;

/* Connects when the first operation begins. options may be null. */
HF_IO_API int hf_io_open(hf_io** out, const hf_io_options* options);
/* An operation of so many bytes (or HF_IO_UNKNOWN); returns at once. One at a time. */
HF_IO_API int hf_io_begin(hf_io* io, uint64_t bytes, int direction);
/* Sleeps until some bytes may move, and returns how many: at least 1, at most `bytes` and 0.05 s of the rate
 * (at most 16 MiB). 0: not within timeout_ms (-1: no timeout). Less than 0: an error. */
HF_IO_API int64_t hf_io_wait(hf_io* io, uint64_t bytes, int timeout_ms);
/* They moved. More than was waited for is waited for later, as far as 10 s of the rate. */
HF_IO_API int hf_io_moved(hf_io* io, uint64_t bytes);
HF_IO_API int hf_io_end(hf_io* io);
/* As write(2), chunk by chunk at the granted rate. Outside an operation, or where `io` is null, it is write(2). */
HF_IO_API ssize_t hf_io_write(hf_io* io, int fd, const void* data, size_t bytes);
HF_IO_API int hf_io_get_state(const hf_io* io, hf_io_state* out);
/* Ends an operation that is open. */
HF_IO_API void hf_io_close(hf_io* io);
/* What a code means. */
HF_IO_API const char* hf_io_text(int code);

#ifdef __cplusplus
}
#endif

#endif
