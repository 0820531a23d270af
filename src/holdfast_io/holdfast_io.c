#define _GNU_SOURCE
#include "holdfast_io.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pace.h"
#include "wire.h"

#define FIRST_RETRY 1.0
#define LONGEST_RETRY 60.0
/* An arbiter that does not answer a HELLO for so long is away. */
#define LONGEST_WELCOME 1.0
/* No sleep is longer: what another thread reads from the socket takes effect then. */
#define LONGEST_SLEEP 0.25
#define LONGEST_REPORT 10.0
#define BETWEEN_REPORTS 0.05
/* A wait for a whole chunk ends after so long, with what there is. */
#define PATIENCE 1.0
/* Where nothing is paced, so much at once. */
#define MOST_AT_ONCE ((uint64_t)1 << 30)

enum { AWAY, GREETING, WELCOMED };

struct hf_io {
  pthread_mutex_t lock;
  pid_t owner; /* a child forgets its parent's connection */
  struct sockaddr_un address;
  char label[WIRE_LABEL];
  uint64_t bandwidth;
  uint32_t nodes;
  uint32_t ranks;

  int file;
  int stage;
  double since; /* of the HELLO */
  double retry_at;
  double retry_delay;
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

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- the connection --- */

static void disconnect(hf_io* io, double now) {
  if (io->file >= 0) close(io->file);
  io->file = -1;
  io->stage = AWAY;
  io->is_posted = 0;
  io->in_size = 0;
  io->out_size = 0;
  io->retry_at = now + io->retry_delay;
  io->retry_delay = io->retry_delay * 2 < LONGEST_RETRY ? io->retry_delay * 2 : LONGEST_RETRY;
}

static void flush_out(hf_io* io, double now) {
  while (io->out_size > 0) {
    const ssize_t count = send(io->file, io->out, io->out_size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count <= 0) {
      disconnect(io, now);
      return;
    }
    memmove(io->out, io->out + count, io->out_size - (size_t)count);
    io->out_size -= (size_t)count;
  }
}

/* Where the body of a frame is to be written, or null: the arbiter does not read, and is as good as away. */
static unsigned char* begin_frame(hf_io* io, int type, uint32_t body, double now) {
  unsigned char* at = io->out + io->out_size;
  if (io->out_size + WIRE_HEADER + body > sizeof io->out) {
    disconnect(io, now);
    return NULL;
  }
  io->out_size += WIRE_HEADER + body;
  memset(at, 0, WIRE_HEADER + body);
  return wire_begin(at, type, body, ++io->said);
}

static void say_hello(hf_io* io, double now) {
  unsigned char* at = begin_frame(io, WIRE_HELLO, 104, now);
  if (at == NULL) return;
  wire_put(at, io->bandwidth, 8);
  wire_put(at + 8, io->nodes, 4);
  wire_put(at + 12, io->ranks, 4);
  wire_put(at + 16, (uint64_t)io->owner, 4);
  at[20] = 1;
  memcpy(at + 24, io->label, WIRE_LABEL);
  memcpy(at + 88, io->resume, WIRE_TOKEN);
  flush_out(io, now);
}

static void say_post(hf_io* io, double now) {
  unsigned char* at = begin_frame(io, WIRE_POST, 32, now);
  uint64_t left = HF_IO_UNKNOWN;
  if (at == NULL) return;
  if (io->volume != HF_IO_UNKNOWN && io->volume > io->moved) left = io->volume - io->moved;
  wire_put(at, io->handle, 8);
  wire_put(at + 8, ++io->operation, 8);
  wire_put(at + 16, left, 8);
  wire_put(at + 24, (uint64_t)io->direction, 4);
  io->is_posted = 1;
  io->moved_before = io->moved;
  io->reported = io->moved;
  io->reported_at = now;
  /* Nothing moves before the first grant, or before a lease has passed without one. */
  hf_pace_grant(&io->pace, 0, io->pace.floor, io->lease, now);
  flush_out(io, now);
}

static void say_moved(hf_io* io, int type, uint64_t last, double now) {
  unsigned char* at = begin_frame(io, type, 32, now);
  if (at == NULL) return;
  wire_put(at, io->handle, 8);
  wire_put(at + 8, io->operation, 8);
  wire_put(at + 16, io->moved - io->moved_before, 8);
  wire_put(at + 24, last, 8);
  io->reported = io->moved;
  io->reported_at = now;
  flush_out(io, now);
}

static void attach(hf_io* io, double now) {
  if (io->stage != AWAY || io->address.sun_path[0] == '\0' || now < io->retry_at) return;
  io->file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (io->file < 0 ||
      connect(io->file, (const struct sockaddr*)&io->address, sizeof io->address) != 0) {
    disconnect(io, now);
    return;
  }
  io->stage = GREETING;
  io->since = now;
  io->said = 0;
  io->heard = 0;
  io->operation = 0;
  say_hello(io, now);
}

static double clamped(uint64_t milliseconds, double most) {
  const double seconds = (double)milliseconds * 1e-3;
  return seconds < most ? seconds : most;
}

static void on_frame(hf_io* io, int type, const unsigned char* body, double now) {
  if (type == WIRE_WELCOME && io->stage == GREETING) {
    io->stage = WELCOMED;
    io->retry_delay = FIRST_RETRY;
    io->handle = wire_get(body, 8);
    io->epoch = (uint32_t)wire_get(body + 8, 4);
    io->lease = clamped(wire_get(body + 12, 4), LONGEST_WELCOME * 60);
    io->report = clamped(wire_get(body + 16, 4), LONGEST_REPORT);
    io->pace.floor = wire_get(body + 24, 8);
    memcpy(io->resume, body + 32, WIRE_TOKEN);
  } else if (type == WIRE_GRANT && io->is_posted && wire_get(body, 8) == io->operation) {
    const uint32_t epoch = (uint32_t)wire_get(body + 16, 4);
    if (epoch < io->epoch) return;
    io->epoch = epoch;
    hf_pace_grant(&io->pace, wire_get(body + 8, 8), wire_get(body + 24, 8),
                  (double)wire_get(body + 20, 4) * 1e-3, now);
  } else if (type == WIRE_ERROR) {
    const uint64_t code = wire_get(body, 4);
    if (code == WIRE_IDLE_OPERATION) {
      io->is_posted = 0; /* posted again when it wants to move */
    } else if (code == WIRE_BAD_VERSION) {
      hf_pace_reset(&io->pace, now);
      io->retry_delay = LONGEST_RETRY;
    }
  }
}

/* Reads what the arbiter said; a frame that cannot be ends the connection. */
static void hear(hf_io* io, double now) {
  while (io->file >= 0) {
    size_t at = 0;
    const ssize_t count =
        recv(io->file, io->in + io->in_size, sizeof io->in - io->in_size, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count <= 0) {
      disconnect(io, now);
      return;
    }
    io->in_size += (size_t)count;
    while (io->file >= 0 && io->in_size - at >= WIRE_HEADER) {
      const unsigned char* frame = io->in + at;
      const int type = frame[5];
      const uint32_t body = wire_body_of(type);
      if (memcmp(frame, "HFIO", 4) != 0 || body == 0 || wire_get(frame + 8, 4) != body ||
          wire_get(frame + 12, 4) != io->heard + 1) {
        disconnect(io, now);
        return;
      }
      if (io->in_size - at < WIRE_HEADER + body) break;
      ++io->heard;
      at += WIRE_HEADER + body;
      on_frame(io, type, frame + WIRE_HEADER, now);
    }
    if (io->file < 0) return;
    memmove(io->in, io->in + at, io->in_size - at);
    io->in_size -= at;
  }
}

/* Is there something to hear before a rate is known? */
static int awaits_welcome(const hf_io* io, double now) {
  return io->stage == GREETING && now < io->since + LONGEST_WELCOME;
}

/* Connects, reads, posts and reports, as far as that is due. */
static void attend(hf_io* io, double now) {
  attach(io, now);
  hear(io, now);
  if (io->file >= 0) flush_out(io, now);
  if (io->stage != WELCOMED || !io->is_open) return;
  if (!io->is_posted) {
    say_post(io, now);
  } else if (io->out_size == 0 && now - io->reported_at >= io->report) {
    say_moved(io, WIRE_REPORT, 0, now);
  }
}

/* The child of a fork: its parent goes on with the connection. */
static void forget(hf_io* io) {
  const double now = now_seconds();
  pthread_mutex_init(&io->lock, NULL);
  io->owner = getpid();
  io->retry_delay = FIRST_RETRY;
  disconnect(io, now);
  io->retry_at = now;
  io->retry_delay = FIRST_RETRY;
  memset(io->resume, 0, sizeof io->resume);
  hf_pace_reset(&io->pace, now);
  io->is_open = 0;
}

static void enter(hf_io* io) {
  if (io->owner != getpid()) forget(io);
  pthread_mutex_lock(&io->lock);
}

static void leave(hf_io* io) {
  pthread_mutex_unlock(&io->lock);
}

/* --- what programs call --- */

static const char* given_or(const char* given, const char* variable) {
  const char* out = given;
  if (out == NULL || out[0] == '\0') out = getenv(variable);
  return out == NULL ? "" : out;
}

static uint64_t number_or(uint64_t given, const char* variable) {
  const char* text = getenv(variable);
  if (given != 0 || text == NULL || text[0] < '0' || text[0] > '9') return given;
  return strtoull(text, NULL, 10);
}

/* At most so many bytes, and no half character. */
static void copy_label(char* to, const char* text) {
  size_t size = strlen(text);
  if (size > WIRE_LABEL) {
    size = WIRE_LABEL;
    while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80) --size;
  }
  memset(to, 0, WIRE_LABEL);
  memcpy(to, text, size);
}

int hf_io_open(hf_io** out, const hf_io_options* options) {
  hf_io_options given;
  const char* path;
  hf_io* io;
  if (out == NULL) return HF_IO_E_VALUE;
  *out = NULL;
  memset(&given, 0, sizeof given);
  if (options != NULL) {
    if (options->size < sizeof(size_t) || options->size > 4096) return HF_IO_E_VALUE;
    memcpy(&given, options, options->size < sizeof given ? options->size : sizeof given);
  }
  path = given_or(given.socket, "HOLDFAST_IO_SOCKET");
  io = calloc(1, sizeof *io);
  if (io == NULL) return HF_IO_E_MEMORY;
  if (strlen(path) >= sizeof io->address.sun_path) {
    free(io);
    return HF_IO_E_VALUE;
  }
  io->address.sun_family = AF_UNIX;
  memcpy(io->address.sun_path, path, strlen(path) + 1);
  copy_label(io->label, given_or(given.label, "HOLDFAST_IO_LABEL"));
  io->bandwidth = number_or(given.bandwidth, "HOLDFAST_IO_BANDWIDTH");
  io->nodes = (uint32_t)number_or(given.nodes, "HOLDFAST_IO_NODES");
  io->ranks = given.ranks;
  io->owner = getpid();
  io->file = -1;
  io->retry_delay = FIRST_RETRY;
  io->lease = 10;
  io->report = 2;
  hf_pace_reset(&io->pace, now_seconds());
  pthread_mutex_init(&io->lock, NULL);
  *out = io;
  return HF_IO_OK;
}

int hf_io_begin(hf_io* io, uint64_t bytes, int direction) {
  int code = HF_IO_OK;
  if (io == NULL || (direction != HF_IO_WRITE && direction != HF_IO_READ)) return HF_IO_E_VALUE;
  enter(io);
  if (io->is_open) {
    code = HF_IO_E_STATE;
  } else {
    io->is_open = 1;
    io->direction = direction;
    io->volume = bytes;
    io->moved = 0;
    io->stalled_before = io->stalled_ns;
    io->pace.paused_since = HF_PACE_NEVER;
    attend(io, now_seconds());
  }
  leave(io);
  return code;
}

/* Until something is said, a signal comes or the seconds have passed. */
static void sleep_for(int file, double seconds) {
  struct timespec time;
  struct pollfd end;
  if (!(seconds > 0)) seconds = 0;
  time.tv_sec = (time_t)seconds;
  time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
  end.fd = file;
  end.events = POLLIN;
  end.revents = 0;
  ppoll(&end, file >= 0 ? 1 : 0, &time, NULL);
}

/* Sleeps outside of the lock, and through signals, as write(2) to a file does. */
static int64_t wait_for(hf_io* io, uint64_t bytes, int timeout_ms) {
  double now = now_seconds();
  const double begin = now;
  const double end = timeout_ms < 0 ? HF_PACE_NEVER : begin + 1e-3 * (double)timeout_ms;
  for (;;) {
    double delay;
    uint64_t rate;
    int file;
    attend(io, now);
    delay = awaits_welcome(io, now) ? LONGEST_SLEEP : hf_pace_delay(&io->pace, bytes, now);
    rate = hf_pace_rate(&io->pace, now);
    if (delay <= 0 || (delay > 0 && io->pace.tokens >= 1 && !awaits_welcome(io, now) &&
                       (now >= end || now - begin >= PATIENCE))) {
      uint64_t piece = rate == HF_PACE_UNLIMITED ? MOST_AT_ONCE : hf_pace_piece(rate);
      if (delay > 0 && (double)piece > io->pace.tokens) piece = (uint64_t)io->pace.tokens;
      return (int64_t)(bytes < piece ? bytes : piece);
    }
    if (now >= end) return 0;
    if (delay > end - now) delay = end - now;
    if (delay > LONGEST_SLEEP) delay = LONGEST_SLEEP;
    file = io->file;
    leave(io);
    sleep_for(file, delay);
    pthread_mutex_lock(&io->lock);
    {
      const double then = now_seconds();
      io->stalled_ns += (uint64_t)((then - now) * 1e9);
      now = then;
    }
    if (!io->is_open) return HF_IO_E_STATE; /* another thread ended it */
  }
}

int64_t hf_io_wait(hf_io* io, uint64_t bytes, int timeout_ms) {
  int64_t out = HF_IO_E_STATE;
  if (io == NULL || bytes == 0 || bytes > INT64_MAX) return HF_IO_E_VALUE;
  enter(io);
  if (io->is_open) out = wait_for(io, bytes, timeout_ms);
  leave(io);
  return out;
}

static void count_moved(hf_io* io, uint64_t bytes) {
  const double now = now_seconds();
  uint64_t rate;
  io->moved += bytes;
  io->moved_in_all += bytes;
  hf_pace_moved(&io->pace, bytes, now);
  if (!io->is_posted) return;
  hear(io, now);
  if (!io->is_posted || io->out_size > 0) return;
  rate = hf_pace_rate(&io->pace, now);
  if (now - io->reported_at >= io->report ||
      (now - io->reported_at >= BETWEEN_REPORTS && rate != HF_PACE_UNLIMITED &&
       io->moved - io->reported >= hf_pace_chunk(rate))) {
    say_moved(io, WIRE_REPORT, 0, now);
  }
}

int hf_io_moved(hf_io* io, uint64_t bytes) {
  int code = HF_IO_OK;
  if (io == NULL || bytes > INT64_MAX) return HF_IO_E_VALUE;
  enter(io);
  if (io->is_open) {
    count_moved(io, bytes);
  } else {
    code = HF_IO_E_STATE;
  }
  leave(io);
  return code;
}

static void end_operation(hf_io* io) {
  const double now = now_seconds();
  hear(io, now);
  if (io->is_posted) say_moved(io, WIRE_DONE, io->stalled_ns - io->stalled_before, now);
  io->is_posted = 0;
  io->is_open = 0;
}

int hf_io_end(hf_io* io) {
  int code = HF_IO_OK;
  if (io == NULL) return HF_IO_E_VALUE;
  enter(io);
  if (io->is_open) {
    end_operation(io);
  } else {
    code = HF_IO_E_STATE;
  }
  leave(io);
  return code;
}

ssize_t hf_io_write(hf_io* io, int fd, const void* data, size_t bytes) {
  const char* from = data;
  size_t done = 0;
  int is_open = 0;
  if (io != NULL) {
    enter(io);
    is_open = io->is_open;
    leave(io);
  }
  if (!is_open || bytes == 0) return write(fd, data, bytes);
  while (done < bytes) {
    int64_t most;
    ssize_t count;
    enter(io);
    most = io->is_open ? wait_for(io, bytes - done, -1) : HF_IO_E_STATE;
    leave(io);
    if (most < 0) most = (int64_t)(bytes - done); /* another thread ended the operation */
    count = write(fd, from + done, (size_t)most);
    if (count < 0) return done > 0 ? (ssize_t)done : -1;
    enter(io);
    if (io->is_open) count_moved(io, (uint64_t)count);
    leave(io);
    done += (size_t)count;
    if (count < most) break;
  }
  return (ssize_t)done;
}

int hf_io_get_state(const hf_io* io, hf_io_state* out) {
  hf_io_state state;
  hf_io* own = (hf_io*)io; /* its lock */
  double now;
  if (io == NULL || out == NULL || out->size < sizeof(size_t)) return HF_IO_E_VALUE;
  memset(&state, 0, sizeof state);
  enter(own);
  now = now_seconds();
  state.size = out->size;
  state.connected = own->stage == WELCOMED;
  state.rate = hf_pace_rate(&own->pace, now);
  state.paused = own->is_open && state.rate == 0;
  state.orphaned = own->pace.is_governed && now >= own->pace.orphan_end;
  state.floor = own->pace.floor;
  state.moved = own->moved_in_all;
  state.stalled_ns = own->stalled_ns;
  state.epoch = own->epoch;
  leave(own);
  memcpy(out, &state, out->size < sizeof state ? out->size : sizeof state);
  return HF_IO_OK;
}

void hf_io_close(hf_io* io) {
  if (io == NULL) return;
  enter(io);
  if (io->is_open) end_operation(io);
  if (io->stage == WELCOMED) {
    const double now = now_seconds();
    unsigned char* at = begin_frame(io, WIRE_BYE, 8, now);
    if (at != NULL) {
      wire_put(at, io->handle, 8);
      flush_out(io, now);
    }
  }
  if (io->file >= 0) close(io->file);
  leave(io);
  pthread_mutex_destroy(&io->lock);
  free(io);
}

const char* hf_io_text(int code) {
  switch (code) {
    case HF_IO_OK:
      return "done";
    case HF_IO_E_VALUE:
      return "an argument that cannot be";
    case HF_IO_E_STATE:
      return "a call out of order";
    case HF_IO_E_MEMORY:
      return "no memory";
    default:
      return "no code of this library";
  }
}
