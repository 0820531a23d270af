/* A client of the arbiter, which the files of this folder share: connection.c talks to the arbiter, operation.c waits and
 * counts, and holdfast_io.c has the functions that programs call. None of it is visible outside the library. */
#ifndef HOLDFAST_IO_CLIENT_H
#define HOLDFAST_IO_CLIENT_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include "holdfast_io.h"
#include "pace.h"
#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HF_CLIENT_FIRST_RETRY 1.0

enum { HF_CLIENT_AWAY, HF_CLIENT_GREETING, HF_CLIENT_WELCOMED };
/* The kind of client that a HELLO states. */
enum { HF_CLIENT_LIBRARY = 1, HF_CLIENT_SHIM = 2 };

struct hf_io {
  pthread_mutex_t lock;
  uint64_t process; /* hf_process_number(): a child forgets its parent's connection */
  struct sockaddr_un address;
  char label[WIRE_LABEL];
  uint64_t bandwidth;
  uint32_t nodes;
  uint32_t ranks;
  int kind;

  int file;
  int stage;
  double since; /* when the HELLO was sent */
  double retry_at;
  double retry_delay;
  double heard_at; /* when the socket was last read */
  uint32_t said;
  uint32_t heard;
  unsigned char in[1024];
  size_t in_size;
  unsigned char out[1024];
  size_t out_size;

  uint64_t handle;
  uint32_t epoch;
  unsigned char resume[WIRE_TOKEN];
  double lease;
  double report;
  hf_pace pace;

  int is_open;
  int direction;
  uint64_t volume;
  uint64_t moved; /* bytes of the operation */
  int is_posted;
  uint64_t operation;    /* number on this connection */
  uint64_t moved_before; /* bytes of the operation that moved before the POST */
  uint64_t reported;
  double reported_at;

  uint64_t moved_in_all;
  uint64_t stalled_ns;
  uint64_t stalled_before;
};

/* All functions but the first six expect the caller to hold the lock. */

/* Returns the seconds on a clock that never goes back. */
double hf_client_now(void);
/* Returns the same, up to a few milliseconds behind, at a fifth of the cost. */
double hf_client_about_now(void);
/* Fills a client in memory of the caller; options may be null. Returns HF_IO_OK or HF_IO_E_VALUE. */
int hf_client_make(hf_io* io, const hf_io_options* options);
/* Takes the lock; a child of a fork forgets its parent's connection first. The thread cannot be cancelled until
 * hf_client_leave, which takes the returned value as `before`. */
int hf_client_enter(hf_io* io);
/* Does the same, but gives up and returns less than 0 if another thread holds the lock for a quarter of a second. */
int hf_client_try_enter(hf_io* io);
void hf_client_leave(hf_io* io, int before);

/* Connects, reads, posts and reports, as far as that is due. */
void hf_client_attend(hf_io* io, double now);
/* Reads the frames that have arrived; an invalid one ends the connection. */
void hf_client_hear(hf_io* io, double now);
/* Returns 1 if the arbiter may still answer the HELLO, so that no rate is known yet. */
int hf_client_awaits_welcome(const hf_io* io, double now);
/* Sends a frame of that type (REPORT or DONE) with the bytes moved and, as its last field, `last`. */
void hf_client_say_moved(hf_io* io, unsigned char type, uint64_t last, double now);
void hf_client_say_bye(hf_io* io, double now);
/* Leaves the connection to the parent; called in the child of a fork. */
void hf_client_forget(hf_io* io);

void hf_client_begin(hf_io* io, uint64_t bytes, int direction);
/* Works like hf_io_wait, and releases the lock while it sleeps. `before` is the value that hf_client_enter returned. */
int64_t hf_client_wait(hf_io* io, uint64_t bytes, int timeout_ms, int before);
void hf_client_moved(hf_io* io, uint64_t bytes);
void hf_client_end(hf_io* io);

#ifdef __cplusplus
}
#endif

#endif
