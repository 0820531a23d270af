#define _GNU_SOURCE
#include "holdfast_io.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "process.h"

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

/* Copies at most WIRE_LABEL bytes, and cuts no character in two. */
static void copy_label(char* to, const char* text) {
  size_t size = strlen(text);
  if (size > WIRE_LABEL) {
    size = WIRE_LABEL;
    while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80) --size;
  }
  memset(to, 0, WIRE_LABEL);
  memcpy(to, text, size);
}

int hf_client_make(hf_io* io, const hf_io_options* options) {
  hf_io_options given;
  const char* path;
  memset(&given, 0, sizeof given);
  if (options != NULL) {
    if (options->size < sizeof(size_t) || options->size > 4096) return HF_IO_E_VALUE;
    memcpy(&given, options, options->size < sizeof given ? options->size : sizeof given);
  }
  memset(io, 0, sizeof *io);
  path = given_or(given.socket, "HOLDFAST_IO_SOCKET");
  if (strlen(path) >= sizeof io->address.sun_path) return HF_IO_E_VALUE;
  io->address.sun_family = AF_UNIX;
  memcpy(io->address.sun_path, path, strlen(path) + 1);
  copy_label(io->label, given_or(given.label, "HOLDFAST_IO_LABEL"));
  io->bandwidth = number_or(given.bandwidth, "HOLDFAST_IO_BANDWIDTH");
  io->nodes = (uint32_t)number_or(given.nodes, "HOLDFAST_IO_NODES");
  io->ranks = given.ranks;
  io->kind = HF_CLIENT_LIBRARY;
  hf_process_prepare();
  io->process = hf_process_number();
  io->file = -1;
  io->retry_delay = HF_CLIENT_FIRST_RETRY;
  io->lease = 10;
  io->report = 2;
  hf_pace_reset(&io->pace, hf_client_now());
  pthread_mutex_init(&io->lock, NULL);
  return HF_IO_OK;
}

int hf_io_open(hf_io** out, const hf_io_options* options) {
  int code;
  hf_io* io;
  if (out == NULL) return HF_IO_E_VALUE;
  *out = NULL;
  io = calloc(1, sizeof *io);
  if (io == NULL) return HF_IO_E_MEMORY;
  code = hf_client_make(io, options);
  if (code != HF_IO_OK) {
    free(io);
    return code;
  }
  hf_client_attend(io, hf_client_now()); /* the age begins now, not at the first operation */
  *out = io;
  return HF_IO_OK;
}

int hf_io_begin(hf_io* io, uint64_t bytes, int direction) {
  int code = HF_IO_OK;
  int before;
  if (io == NULL || (direction != HF_IO_WRITE && direction != HF_IO_READ)) return HF_IO_E_VALUE;
  before = hf_client_enter(io);
  if (io->is_open) {
    code = HF_IO_E_STATE;
  } else {
    hf_client_begin(io, bytes, direction);
  }
  hf_client_leave(io, before);
  return code;
}

int64_t hf_io_wait(hf_io* io, uint64_t bytes, int timeout_ms) {
  int64_t out = HF_IO_E_STATE;
  int before;
  if (io == NULL || bytes == 0 || bytes > INT64_MAX) return HF_IO_E_VALUE;
  before = hf_client_enter(io);
  if (io->is_open) out = hf_client_wait(io, bytes, timeout_ms, before);
  hf_client_leave(io, before);
  return out;
}

int hf_io_moved(hf_io* io, uint64_t bytes) {
  int code = HF_IO_OK;
  int before;
  if (io == NULL || bytes > INT64_MAX) return HF_IO_E_VALUE;
  before = hf_client_enter(io);
  if (io->is_open) {
    hf_client_moved(io, bytes);
  } else {
    code = HF_IO_E_STATE;
  }
  hf_client_leave(io, before);
  return code;
}

int hf_io_end(hf_io* io) {
  int code = HF_IO_OK;
  int before;
  if (io == NULL) return HF_IO_E_VALUE;
  before = hf_client_enter(io);
  if (io->is_open) {
    hf_client_end(io);
  } else {
    code = HF_IO_E_STATE;
  }
  hf_client_leave(io, before);
  return code;
}

ssize_t hf_io_write(hf_io* io, int fd, const void* data, size_t bytes) {
  const char* from = data;
  size_t done = 0;
  int is_open = 0;
  int before;
  if (io != NULL) {
    before = hf_client_enter(io);
    is_open = io->is_open;
    hf_client_leave(io, before);
  }
  if (!is_open || bytes == 0) return write(fd, data, bytes);
  while (done < bytes) {
    int64_t most;
    ssize_t count;
    before = hf_client_enter(io);
    most = io->is_open ? hf_client_wait(io, bytes - done, -1, before) : HF_IO_E_STATE;
    hf_client_leave(io, before);
    if (most < 0) most = (int64_t)(bytes - done); /* another thread ended the operation */
    count = write(fd, from + done, (size_t)most);
    if (count < 0) return done > 0 ? (ssize_t)done : -1;
    before = hf_client_enter(io);
    if (io->is_open) hf_client_moved(io, (uint64_t)count);
    hf_client_leave(io, before);
    done += (size_t)count;
    if (count < most) break;
  }
  return (ssize_t)done;
}

int hf_io_get_state(const hf_io* io, hf_io_state* out) {
  hf_io_state state;
  hf_io* own = (hf_io*)io; /* to take the lock */
  double now;
  int before;
  if (io == NULL || out == NULL || out->size < sizeof(size_t)) return HF_IO_E_VALUE;
  memset(&state, 0, sizeof state);
  before = hf_client_enter(own);
  now = hf_client_now();
  state.size = out->size;
  state.connected = own->stage == HF_CLIENT_WELCOMED;
  state.rate = hf_pace_rate(&own->pace, now);
  state.paused = own->is_open && state.rate == 0;
  state.orphaned = own->pace.is_governed && now >= own->pace.orphan_end;
  state.floor = own->pace.floor;
  state.moved = own->moved_in_all;
  state.stalled_ns = own->stalled_ns;
  state.epoch = own->epoch;
  hf_client_leave(own, before);
  memcpy(out, &state, out->size < sizeof state ? out->size : sizeof state);
  return HF_IO_OK;
}

void hf_io_close(hf_io* io) {
  int before;
  if (io == NULL) return;
  before = hf_client_enter(io);
  if (io->is_open) hf_client_end(io);
  hf_client_say_bye(io, hf_client_now());
  if (io->file >= 0) close(io->file);
  hf_client_leave(io, before);
  pthread_mutex_destroy(&io->lock);
  free(io);
}

const char* hf_io_text(int code) {
  switch (code) {
    case HF_IO_OK:
      return "done";
    case HF_IO_E_VALUE:
      return "an invalid argument";
    case HF_IO_E_STATE:
      return "a call out of order";
    case HF_IO_E_MEMORY:
      return "no memory";
    default:
      return "not a code of this library";
  }
}
