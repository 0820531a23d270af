/* The operations of a client: its lock, its waits, and the bytes that it has moved. */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "client.h"
#include "process.h"

/* The longest sleep. After it, frames that another thread has read from the socket take effect. */
#define LONGEST_SLEEP 0.25
#define BETWEEN_REPORTS 0.05
/* A wait for a whole chunk ends after this time, with the tokens that there are. */
#define PATIENCE 1.0
/* No thread sleeps while it holds the lock, but a thread that holds it may have been stopped by the thread that wants it. */
#define LOCK_TRIES 1000
#define LOCK_PAUSE_NS 200000
/* The number of bytes that may move at once if there is no limit. */
#define MOST_AT_ONCE ((uint64_t)1 << 30)

/* In a child of a fork, one thread forgets the parent's connection; the others wait until that is done. */
static void be_this_process(hf_io* io) {
  const uint64_t number = hf_process_number();
  uint64_t known = __atomic_load_n(&io->process, __ATOMIC_ACQUIRE);
  while (known != number) {
    if (known != 0 && __atomic_compare_exchange_n(&io->process, &known, 0, 0, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE)) {
      hf_client_forget(io);
      __atomic_store_n(&io->process, number, __ATOMIC_RELEASE);
      return;
    }
    sched_yield();
    known = __atomic_load_n(&io->process, __ATOMIC_ACQUIRE);
  }
}

int hf_client_enter(hf_io* io) {
  int before = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  be_this_process(io);
  pthread_mutex_lock(&io->lock);
  return before;
}

int hf_client_try_enter(hf_io* io) {
  int before = 0;
  int tries;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  be_this_process(io);
  for (tries = 0; tries < LOCK_TRIES; ++tries) {
    const struct timespec pause = {0, LOCK_PAUSE_NS};
    if (pthread_mutex_trylock(&io->lock) == 0) return before;
    if (tries < LOCK_TRIES / 10) {
      sched_yield();
    } else {
      nanosleep(&pause, NULL);
    }
  }
  pthread_setcancelstate(before, NULL);
  return -1;
}

void hf_client_leave(hf_io* io, int before) {
  pthread_mutex_unlock(&io->lock);
  pthread_setcancelstate(before, NULL);
}

void hf_client_begin(hf_io* io, uint64_t bytes, int direction) {
  io->is_open = 1;
  io->direction = direction;
  io->volume = bytes;
  io->moved = 0;
  io->stalled_before = io->stalled_ns;
  io->pace.paused_since = HF_PACE_NEVER;
  hf_client_attend(io, hf_client_now());
}

/* Sleeps until something arrives, a signal comes or the seconds have passed. */
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

/* Sleeps through signals, as write(2) to a file does. */
int64_t hf_client_wait(hf_io* io, uint64_t bytes, int timeout_ms, int before) {
  double now = hf_client_about_now();
  int is_exact = 0; /* the exact time is read only if the call has to wait */
  double begin = now;
  double end = HF_PACE_NEVER;
  for (;;) {
    double delay;
    uint64_t rate;
    int file;
    int waits;
    hf_client_attend(io, now);
    waits = hf_client_awaits_welcome(io, now);
    delay = waits ? LONGEST_SLEEP : hf_pace_delay(&io->pace, bytes, now);
    rate = hf_pace_rate(&io->pace, now);
    if (delay > 0 && !is_exact) {
      is_exact = 1;
      now = hf_client_now();
      begin = now;
      if (timeout_ms >= 0) end = begin + 1e-3 * (double)timeout_ms;
      continue;
    }
    if (delay <= 0 || (io->pace.tokens >= 1 && !waits && (now >= end || now - begin >= PATIENCE))) {
      uint64_t piece = rate == HF_PACE_UNLIMITED ? MOST_AT_ONCE : hf_pace_piece(rate);
      if (delay > 0 && (double)piece > io->pace.tokens) piece = (uint64_t)io->pace.tokens;
      return (int64_t)(bytes < piece ? bytes : piece);
    }
    if (now >= end) return 0;
    if (delay > end - now) delay = end - now;
    if (delay > LONGEST_SLEEP) delay = LONGEST_SLEEP;
    file = io->file;
    io->heard_at = 0; /* frames that arrive meanwhile are read at once */
    hf_client_leave(io, before);
    sleep_for(file, delay);
    hf_client_enter(io);
    {
      const double then = hf_client_now();
      io->stalled_ns += (uint64_t)((then - now) * 1e9);
      now = then;
    }
    if (!io->is_open) return HF_IO_E_STATE; /* another thread ended the operation */
  }
}

void hf_client_moved(hf_io* io, uint64_t bytes) {
  const double now = hf_client_about_now();
  uint64_t rate;
  io->moved += bytes;
  io->moved_in_all += bytes;
  hf_pace_moved(&io->pace, bytes, now);
  if (!io->is_posted || now - io->reported_at < BETWEEN_REPORTS) return;
  hf_client_hear(io, now);
  if (!io->is_posted || io->out_size > 0) return;
  rate = hf_pace_rate(&io->pace, now);
  if (now - io->reported_at >= io->report ||
      (rate != HF_PACE_UNLIMITED && io->moved - io->reported >= hf_pace_chunk(rate))) {
    hf_client_say_moved(io, WIRE_REPORT, 0, now);
  }
}

void hf_client_end(hf_io* io) {
  const double now = hf_client_now();
  hf_client_hear(io, now);
  if (io->is_posted) {
    hf_client_say_moved(io, WIRE_DONE, io->stalled_ns - io->stalled_before, now);
  }
  io->is_posted = 0;
  io->is_open = 0;
}
