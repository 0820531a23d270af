/* One client of the arbiter, as the files of this folder share it: connection.c speaks with the arbiter, operation.c waits and
 * counts, holdfast_io.c is what programs call. Nothing of it is seen outside the library. */
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
/* What a HELLO says of the client. */
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
  double since; /* of the HELLO */
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
  uint64_t moved; /* of the operation */
  int is_posted;
  uint64_t operation;    /* number on this connection */
  uint64_t moved_before; /* the POST */
  uint64_t reported;
  double reported_at;

  uint64_t moved_in_all;
  uint64_t stalled_ns;
  uint64_t stalled_before;
};

/* All but the first six expect that the caller holds the lock. */

/* Seconds on the clock that never goes back. */
double hf_client_now(void);
/* The same up to some milliseconds ago, at a fifth of the cost. */
double hf_client_about_now(void);
/* Fills a client in memory that the caller has; options may be null. HF_IO_OK, or HF_IO_E_VALUE. */
int hf_client_make(hf_io* io, const hf_io_options* options);
/* Takes the lock; a child of a fork forgets its parent's connection first. Until hf_client_leave the thread is not cancelled.
 * Returns what hf_client_leave wants back. */
int hf_client_enter(hf_io* io);
/* The same; less than 0 where somebody has the lock for a quarter of a second. */
int hf_client_try_enter(hf_io* io);
void hf_client_leave(hf_io* io, int before);

/* Connects, reads, posts and reports, as far as that is due. */
void hf_client_attend(hf_io* io, double now);
/* Reads what the arbiter said; a frame that cannot be ends the connection. */
void hf_client_hear(hf_io* io, double now);
/* Is there something to hear before a rate is known? */
int hf_client_awaits_welcome(const hf_io* io, double now);
void hf_client_say_moved(hf_io* io, unsigned char type, uint64_t last, double now);
void hf_client_say_bye(hf_io* io, double now);
/* The child of a fork: its parent goes on with the connection. */
void hf_client_forget(hf_io* io);

void hf_client_begin(hf_io* io, uint64_t bytes, int direction);
/* As hf_io_wait; lets go of the lock while it sleeps. `before` is what hf_client_enter returned. */
int64_t hf_client_wait(hf_io* io, uint64_t bytes, int timeout_ms, int before);
void hf_client_moved(hf_io* io, uint64_t bytes);
void hf_client_end(hf_io* io);

#ifdef __cplusplus
}
#endif

#endif
