#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "preload.h"
#include "process.h"

/* The bytes of small calls to streams are waited for once there are this many. */
#define MANY 32768
/* The largest number of bytes that are waited for at once. */
#define MOST_AT_ONCE ((uint64_t)1 << 24)
#define WINDOW 1.0

hf_shim_counts hf_shim_seen;

/* The only client of this process. It is static, because a wrapped call may come from a library that replaces malloc. */
static struct hf_io client;
static int
    is_made; /* 1: it can be used; 2: it is being made; -1: it cannot be made, or the program paces itself */
static double last;    /* when a governed byte last moved */
static int waiting;    /* number of threads that wait */
static double window;  /* start of the second whose bytes are counted */
static uint64_t seen;  /* bytes in this second */
static int64_t owed;   /* bytes that moved before they were waited for */
static int64_t loose;  /* bytes of small calls that have not been waited for yet */
static uint64_t known; /* hf_process_number() when the counts began */

/* True while this thread is inside the shim: a call that comes now is made by a signal handler or by the shim itself. The TLS
 * model is the one that needs no memory when a thread first uses the variable. */
static __thread int is_inside __attribute__((tls_model("initial-exec")));

void hf_shim_count(uint64_t* counter, uint64_t more) {
  __atomic_add_fetch(counter, more, __ATOMIC_RELAXED);
}

static void make_client(void) {
  int state = 0;
  hf_io_options options;
  if (!__atomic_compare_exchange_n(&is_made, &state, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return;
  }
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.socket = hf_shim.socket;
  options.label = hf_shim.label;
  /* A program that is linked with the library asks the arbiter itself. */
  if (dlsym(RTLD_DEFAULT, "hf_io_begin") != NULL) {
    __atomic_store_n(&is_made, -1, __ATOMIC_RELEASE);
    return;
  }
  dlerror(); /* clears the error of dlsym, which the program must not see */
  if (hf_client_make(&client, &options) != HF_IO_OK) {
    __atomic_store_n(&is_made, -1, __ATOMIC_RELEASE);
    return;
  }
  client.kind = HF_CLIENT_SHIM;
  hf_shim_keep_words();
  known = client.process;
  __atomic_store_n(&is_made, 1, __ATOMIC_RELEASE);
}

/* Starts the counts from 0 in the child of a fork. */
static void begin_anew(void) {
  memset(&hf_shim_seen, 0, sizeof hf_shim_seen);
  client.stalled_ns = 0;
  client.handle = 0;
  waiting = 0;
  owed = 0;
  loose = 0;
  seen = 0;
  window = 0;
  known = client.process;
}

/* Takes the client's lock. Returns less than 0 if this thread holds it, or another one that does not release it. */
static int enter(void) {
  const struct timespec pause = {0, 200000};
  int before;
  int tries;
  if (is_inside) return -1;
  is_inside = 1;
  if (HF_SHIM_RARE(__atomic_load_n(&is_made, __ATOMIC_ACQUIRE) == 0)) make_client();
  /* Another thread is making the client. */
  for (tries = 0; tries < 1000 && __atomic_load_n(&is_made, __ATOMIC_ACQUIRE) == 2; ++tries) {
    nanosleep(&pause, NULL);
  }
  before = __atomic_load_n(&is_made, __ATOMIC_ACQUIRE) == 1 ? hf_client_try_enter(&client) : -1;
  if (before < 0) {
    is_inside = 0;
    return before;
  }
  if (HF_SHIM_RARE(known != client.process)) begin_anew();
  return before;
}

static void leave(int before) {
  hf_client_leave(&client, before);
  is_inside = 0;
}

/* Ends an operation whose gap has passed, begins one if enough bytes have come, and returns 1 if one is open. */
static int is_in_operation(uint64_t bytes, int direction) {
  const double now = hf_client_about_now();
  if (client.is_open && waiting == 0 && now - last > hf_shim.gap) hf_client_end(&client);
  last = now;
  if (client.is_open) return 1;
  if (now - window > WINDOW) {
    window = now;
    seen = 0;
  }
  seen += bytes;
  if (seen < hf_shim.small) return 0;
  window = 0;
  hf_shim_count(&hf_shim_seen.operations, 1);
  hf_client_begin(&client, HF_IO_UNKNOWN, direction);
  return 1;
}

static void take_owed(void) {
  const int64_t bytes = __atomic_exchange_n(&owed, 0, __ATOMIC_RELAXED);
  if (bytes > 0) {
    hf_client_moved(&client, (uint64_t)bytes);
  } else if (bytes < 0) {
    __atomic_add_fetch(&owed, bytes, __ATOMIC_RELAXED);
  }
}

/* Uses bytes that were waited for but did not move, and returns how many of the `bytes` they cover. */
static uint64_t take_credit(uint64_t bytes) {
  int64_t have = __atomic_load_n(&owed, __ATOMIC_RELAXED);
  while (have < 0) {
    const uint64_t most = (uint64_t)-have < bytes ? (uint64_t)-have : bytes;
    if (__atomic_compare_exchange_n(&owed, &have, have + (int64_t)most, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return most;
    }
  }
  return 0;
}

size_t hf_shim_wait(size_t bytes, int direction) {
  const int error = errno;
  const int before = enter();
  int64_t most = (int64_t)bytes;
  if (before < 0) {
    if (__atomic_load_n(&is_made, __ATOMIC_RELAXED) != -1) hf_shim_count(&hf_shim_seen.unpaced, 1);
    errno = error;
    return bytes;
  }
  if (is_in_operation(bytes, direction)) {
    take_owed();
    ++waiting;
    most = hf_client_wait(&client, bytes, -1, before);
    --waiting;
    last = client.pace.at;
  }
  leave(before);
  errno = error;
  return most > 0 && (uint64_t)most < bytes ? (size_t)most : bytes;
}

void hf_shim_moved(size_t bytes) {
  const int error = errno;
  const int before = enter();
  hf_shim_count(&hf_shim_seen.moved, bytes);
  if (before < 0) {
    __atomic_add_fetch(&owed, (int64_t)bytes, __ATOMIC_RELAXED);
    errno = error;
    return;
  }
  if (client.is_open) {
    hf_client_moved(&client, bytes);
    last = client.pace.at;
  } else {
    hf_shim_count(&hf_shim_seen.small, bytes);
  }
  leave(before);
  errno = error;
}

void hf_shim_pay(uint64_t bytes, int direction) {
  uint64_t left = bytes - take_credit(bytes);
  hf_shim_count(&hf_shim_seen.moved, bytes - left);
  while (left > 0) {
    const size_t most = hf_shim_wait(left < MOST_AT_ONCE ? left : MOST_AT_ONCE, direction);
    hf_shim_moved(most);
    left -= most;
  }
}

void hf_shim_owe(int64_t bytes) {
  if (bytes == 0) return;
  hf_shim_count(&hf_shim_seen.moved, (uint64_t)bytes);
  __atomic_add_fetch(&owed, bytes, __ATOMIC_RELAXED);
}

void hf_shim_pay_later(int64_t bytes, int direction) {
  if (bytes <= 0) return;
  if (__atomic_add_fetch(&loose, bytes, __ATOMIC_RELAXED) < MANY) return;
  hf_shim_settle(direction);
}

void hf_shim_settle(int direction) {
  const int64_t bytes = __atomic_exchange_n(&loose, 0, __ATOMIC_RELAXED);
  if (bytes > 0) hf_shim_pay((uint64_t)bytes, direction);
}

void hf_shim_touch(void) {
  const int before = enter();
  if (before < 0) return;
  if (client.is_open) last = hf_client_now();
  leave(before);
}

void hf_shim_end(hf_shim_end_state* out) {
  const int before = enter();
  memset(out, 0, sizeof *out);
  out->asks_itself = __atomic_load_n(&is_made, __ATOMIC_RELAXED) == -1;
  if (before < 0) return;
  if (client.is_open) hf_client_end(&client);
  out->was_answered = client.handle != 0;
  out->waited = 1e-9 * (double)client.stalled_ns;
  hf_client_say_bye(&client, hf_client_now());
  leave(before);
}
