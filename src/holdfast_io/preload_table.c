#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

enum { UNKNOWN, PASSED, GOVERNED };

/* One byte for each descriptor. A descriptor is looked up again after every call that may give its number to another file. */
static unsigned char table[HF_SHIM_DESCRIPTORS];

/* Writes "/proc/self/fd/N" without formatting functions of the C library, because this may be a signal handler. */
static void name_of(int file, char* out) {
  static const char kFolder[] = "/proc/self/fd/";
  char digits[12];
  int count = 0;
  size_t at = sizeof kFolder - 1;
  memcpy(out, kFolder, at);
  do {
    digits[count++] = (char)('0' + file % 10);
    file /= 10;
  } while (file > 0);
  while (count > 0) out[at++] = digits[--count];
  out[at] = '\0';
}

static int is_under(const char* path, size_t size) {
  const char* folder = hf_shim.paths;
  while (*folder != '\0') {
    const char* colon = strchr(folder, ':');
    const size_t length = colon != NULL ? (size_t)(colon - folder) : strlen(folder);
    /* The root contains every path, and is the only folder that ends with a slash. */
    const int is_root = length == 1 && folder[0] == '/';
    if (length > 0 && size >= length && memcmp(path, folder, length) == 0 &&
        (is_root || size == length || path[length] == '/')) {
      return 1;
    }
    if (colon == NULL) break;
    folder = colon + 1;
  }
  return 0;
}

static int look_up(int file) {
  char name[32];
  char path[4096];
  struct stat about;
  const int before = errno;
  ssize_t size;
  int out = PASSED;
  name_of(file, name);
  size = readlink(name, path, sizeof path);
  if (size > 0 && path[0] == '/' && is_under(path, (size_t)size) && fstat(file, &about) == 0 &&
      S_ISREG(about.st_mode)) {
    out = GOVERNED;
  }
  errno = before;
  return out;
}

int hf_shim_governs(int file) {
  unsigned char known;
  if (file < 0 || file >= HF_SHIM_DESCRIPTORS) return 0;
  known = __atomic_load_n(&table[file], __ATOMIC_RELAXED);
  if (HF_SHIM_RARE(known == UNKNOWN)) {
    known = (unsigned char)look_up(file);
    __atomic_store_n(&table[file], known, __ATOMIC_RELAXED);
  }
  return known == GOVERNED;
}

void hf_shim_forget(int file) {
  if (file >= 0 && file < HF_SHIM_DESCRIPTORS) {
    __atomic_store_n(&table[file], UNKNOWN, __ATOMIC_RELAXED);
  }
}

void hf_shim_forget_range(unsigned first, unsigned last) {
  unsigned file;
  for (file = first; file <= last && file < HF_SHIM_DESCRIPTORS; ++file) hf_shim_forget((int)file);
}
