#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

hf_shim_settings hf_shim;

/* Programs use small descriptors; the one for the summary at the end must not be among them. */
#define WORDS_FROM 500
static int words = -1;

/* True while this thread looks for a function. */
static __thread int is_finding __attribute__((tls_model("initial-exec")));

int hf_shim_find(const char* name, void* slot) {
  void* found;
  if (is_finding) return 0;
  is_finding = 1;
  found = dlsym(RTLD_NEXT, name);
  if (found == NULL) dlerror();
  is_finding = 0;
  if (found != NULL) memcpy(slot, &found, sizeof found);
  return found != NULL;
}

/* Copies the value of a variable; returns 0 if there is none or if it does not fit. */
static int copy_of(char* to, size_t size, const char* variable) {
  const char* text = secure_getenv(variable);
  if (text == NULL || text[0] == '\0' || strlen(text) >= size) return 0;
  memcpy(to, text, strlen(text) + 1);
  return 1;
}

static double number_of(const char* variable, double usual) {
  const char* text = secure_getenv(variable);
  char* end = NULL;
  double value;
  if (text == NULL || text[0] == '\0') return usual;
  value = strtod(text, &end);
  return *end == '\0' && value >= 0 && value < 1e18 ? value : usual;
}

static int is_set(const char* variable) {
  const char* text = secure_getenv(variable);
  return text != NULL && text[0] != '\0' && strcmp(text, "0") != 0;
}

/* Reads the environment, which programs may change later. It does nothing else, because the libraries that it would call may
 * not be initialised yet. */
__attribute__((constructor)) static void read_environment(void) {
  const int before = errno;
  if (!copy_of(hf_shim.paths, sizeof hf_shim.paths, "HOLDFAST_IO_PATHS")) return;
  copy_of(hf_shim.socket, sizeof hf_shim.socket, "HOLDFAST_IO_SOCKET");
  copy_of(hf_shim.label, sizeof hf_shim.label, "HOLDFAST_IO_LABEL");
  hf_shim.reads = is_set("HOLDFAST_IO_READS");
  hf_shim.verbose = is_set("HOLDFAST_IO_VERBOSE");
  hf_shim.gap = number_of("HOLDFAST_IO_GAP", 0.25);
  hf_shim.small = (uint64_t)number_of("HOLDFAST_IO_SMALL", 1048576);
  hf_shim.is_on = 1;
  errno = before;
}

void hf_shim_keep_words(void) {
  const int before = errno;
  /* Some programs (cp, dd) close their standard error before they end. */
  if (hf_shim.verbose && words < 0) words = fcntl(2, F_DUPFD_CLOEXEC, WORDS_FROM);
  errno = before;
}

static void say(const char* text) {
  const int file = words >= 0 ? words : 2;
  if (syscall(SYS_write, file, text, strlen(text)) < 0) return; /* nobody reads it */
}

static unsigned long long count_of(const uint64_t* counter) {
  return (unsigned long long)__atomic_load_n(counter, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void end(void) {
  char text[1024];
  hf_shim_end_state state;
  size_t size;
  const hf_shim_counts* seen = &hf_shim_seen;
  if (!hf_shim.is_on) return;
  hf_shim_end(&state);
  hf_shim.is_on = 0;
  /* Most processes of a shell script never touch a governed file. */
  if (!hf_shim.verbose || !(state.asks_itself || seen->moved > 0 || seen->mapped > 0)) return;
  size = (size_t)snprintf(text, sizeof text, "holdfast io: %.64s (process %ld)",
                          program_invocation_short_name, (long)getpid());
  if (state.asks_itself) {
    snprintf(text + size, sizeof text - size, " asks the arbiter itself\n");
    say(text);
    return;
  }
  size += (size_t)snprintf(text + size, sizeof text - size,
                           " moved %llu bytes in %llu operation%s and waited %.3f s",
                           count_of(&seen->moved), count_of(&seen->operations),
                           seen->operations == 1 ? "" : "s", state.waited);
  if (seen->operations > 0 && !state.was_answered) {
    size += (size_t)snprintf(text + size, sizeof text - size,
                             "; no arbiter answered at %s, and nothing was paced",
                             hf_shim.socket[0] != '\0' ? hf_shim.socket : "(no socket)");
  }
  if (seen->small > 0) {
    size +=
        (size_t)snprintf(text + size, sizeof text - size,
                         "; %llu bytes were too few at a time to be paced", count_of(&seen->small));
  }
  if (seen->unpaced > 0) {
    size += (size_t)snprintf(text + size, sizeof text - size,
                             "; %llu calls could not wait, and others waited for them",
                             count_of(&seen->unpaced));
  }
  if (seen->mapped > 0) {
    size += (size_t)snprintf(text + size, sizeof text - size,
                             "; %llu mappings of governed files are not paced",
                             count_of(&seen->mapped));
  }
  snprintf(text + size, sizeof text - size, "\n");
  say(text);
}
