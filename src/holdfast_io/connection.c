#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

#define LONGEST_RETRY 60.0
/* An arbiter that does not answer a HELLO for this time is considered away. */
#define LONGEST_WELCOME 1.0
#define LONGEST_REPORT 10.0
#define SHORTEST_REPORT 0.05
/* The socket is read at most this often: reading costs a system call, and a grant takes effect at the next chunk, which takes
 * about 25 times as long. */
#define BETWEEN_READS 0.001
#define MOST_READS 16

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double hf_client_now(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double hf_client_about_now(void) {
  return read_clock(CLOCK_MONOTONIC_COARSE);
}

static void disconnect(hf_io* io, double now) {
  if (io->file >= 0) close(io->file);
  io->file = -1;
  io->stage = HF_CLIENT_AWAY;
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

/* Returns the place for the body of a frame; null if the arbiter does not read and is therefore considered away. */
static unsigned char* begin_frame(hf_io* io, unsigned char type, uint32_t body, double now) {
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
  wire_put(at + 16, (uint64_t)getpid(), 4);
  at[20] = (unsigned char)io->kind;
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

void hf_client_say_moved(hf_io* io, unsigned char type, uint64_t last, double now) {
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
  if (io->stage != HF_CLIENT_AWAY || io->address.sun_path[0] == '\0' || now < io->retry_at) return;
  io->file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (io->file < 0 ||
      connect(io->file, (const struct sockaddr*)&io->address, sizeof io->address) != 0) {
    disconnect(io, now);
    return;
  }
  io->stage = HF_CLIENT_GREETING;
  io->since = now;
  io->said = 0;
  io->heard = 0;
  io->heard_at = 0;
  io->operation = 0;
  say_hello(io, now);
}

static double clamped(uint64_t milliseconds, double most) {
  const double seconds = (double)milliseconds * 1e-3;
  return seconds < most ? seconds : most;
}

static void on_frame(hf_io* io, int type, const unsigned char* body, double now) {
  if (type == WIRE_WELCOME && io->stage == HF_CLIENT_GREETING) {
    io->stage = HF_CLIENT_WELCOMED;
    io->retry_delay = HF_CLIENT_FIRST_RETRY;
    io->handle = wire_get(body, 8);
    io->epoch = (uint32_t)wire_get(body + 8, 4);
    io->lease = clamped(wire_get(body + 12, 4), LONGEST_WELCOME * 60);
    io->report = clamped(wire_get(body + 16, 4), LONGEST_REPORT);
    if (io->report < SHORTEST_REPORT) io->report = SHORTEST_REPORT;
    hf_pace_set_floor(&io->pace, wire_get(body + 24, 8));
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
      io->is_posted = 0; /* posted again when the program wants to move data */
    } else if (code == WIRE_BAD_VERSION) {
      hf_pace_reset(&io->pace, now);
      io->retry_delay = LONGEST_RETRY;
      disconnect(io, now); /* whatever else it has sent */
    }
  }
}

void hf_client_hear(hf_io* io, double now) {
  int reads;
  io->heard_at = now;
  /* An arbiter that sends without end must not keep a program from its work. */
  for (reads = 0; io->file >= 0 && reads < MOST_READS; ++reads) {
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

int hf_client_awaits_welcome(const hf_io* io, double now) {
  return io->stage == HF_CLIENT_GREETING && now < io->since + LONGEST_WELCOME;
}

void hf_client_attend(hf_io* io, double now) {
  attach(io, now);
  if (now - io->heard_at >= BETWEEN_READS) hf_client_hear(io, now);
  if (io->file >= 0) flush_out(io, now);
  if (io->stage != HF_CLIENT_WELCOMED || !io->is_open) return;
  if (!io->is_posted) {
    say_post(io, now);
  } else if (io->out_size == 0 && now - io->reported_at >= io->report) {
    hf_client_say_moved(io, WIRE_REPORT, 0, now);
  }
}

void hf_client_say_bye(hf_io* io, double now) {
  unsigned char* at;
  if (io->stage != HF_CLIENT_WELCOMED) return;
  at = begin_frame(io, WIRE_BYE, 8, now);
  if (at == NULL) return;
  wire_put(at, io->handle, 8);
  flush_out(io, now);
}

void hf_client_forget(hf_io* io) {
  const double now = hf_client_now();
  pthread_mutex_init(&io->lock, NULL);
  io->retry_delay = HF_CLIENT_FIRST_RETRY;
  disconnect(io, now);
  io->retry_at = now;
  io->retry_delay = HF_CLIENT_FIRST_RETRY;
  memset(io->resume, 0, sizeof io->resume);
  hf_pace_reset(&io->pace, now);
  io->is_open = 0;
}
