/* Functions that give a descriptor to a file, or take it away. Each passes the call on, and the table looks the descriptor up
 * again at its next use. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

/* Passes a new descriptor on to the program. */
static int fresh(int file) {
  if (HF_SHIM_RARE(hf_shim.is_on)) hf_shim_forget(file);
  return file;
}

/* The mode of an open, an argument that exists only if the call may create a file. */
#define MODE_AFTER(flags, mode)                     \
  do {                                              \
    if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) { \
      va_list rest;                                 \
      va_start(rest, flags);                        \
      (mode) = va_arg(rest, mode_t);                \
      va_end(rest);                                 \
    }                                               \
  } while (0)

#define SYSTEM_OPEN(folder, path, flags, mode) \
  (int)syscall(SYS_openat, folder, path, flags, (unsigned)(mode))

HF_SHIM int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  MODE_AFTER(flags, mode);
  HF_SHIM_NEXT(open, fresh(SYSTEM_OPEN(AT_FDCWD, path, flags, mode)));
  return fresh(real_open(path, flags, mode));
}

HF_SHIM int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  MODE_AFTER(flags, mode);
  HF_SHIM_NEXT(open64, fresh(SYSTEM_OPEN(AT_FDCWD, path, flags | O_LARGEFILE, mode)));
  return fresh(real_open64(path, flags, mode));
}

HF_SHIM int openat(int folder, const char* path, int flags, ...) {
  mode_t mode = 0;
  MODE_AFTER(flags, mode);
  HF_SHIM_NEXT(openat, fresh(SYSTEM_OPEN(folder, path, flags, mode)));
  return fresh(real_openat(folder, path, flags, mode));
}

HF_SHIM int openat64(int folder, const char* path, int flags, ...) {
  mode_t mode = 0;
  MODE_AFTER(flags, mode);
  HF_SHIM_NEXT(openat64, fresh(SYSTEM_OPEN(folder, path, flags | O_LARGEFILE, mode)));
  return fresh(real_openat64(folder, path, flags, mode));
}

/* The functions that replace open in programs that are compiled with _FORTIFY_SOURCE. */
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);

HF_SHIM int __open_2(const char* path, int flags) {
  HF_SHIM_NEXT(__open_2, fresh(SYSTEM_OPEN(AT_FDCWD, path, flags, 0)));
  return fresh(real___open_2(path, flags));
}

HF_SHIM int __open64_2(const char* path, int flags) {
  HF_SHIM_NEXT(__open64_2, fresh(SYSTEM_OPEN(AT_FDCWD, path, flags | O_LARGEFILE, 0)));
  return fresh(real___open64_2(path, flags));
}

HF_SHIM int __openat_2(int folder, const char* path, int flags) {
  HF_SHIM_NEXT(__openat_2, fresh(SYSTEM_OPEN(folder, path, flags, 0)));
  return fresh(real___openat_2(folder, path, flags));
}

HF_SHIM int __openat64_2(int folder, const char* path, int flags) {
  HF_SHIM_NEXT(__openat64_2, fresh(SYSTEM_OPEN(folder, path, flags | O_LARGEFILE, 0)));
  return fresh(real___openat64_2(folder, path, flags));
}

HF_SHIM int creat(const char* path, mode_t mode) {
  HF_SHIM_NEXT(creat, fresh(SYSTEM_OPEN(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode)));
  return fresh(real_creat(path, mode));
}

HF_SHIM int creat64(const char* path, mode_t mode) {
  HF_SHIM_NEXT(creat64, fresh(SYSTEM_OPEN(AT_FDCWD, path,
                                          O_CREAT | O_WRONLY | O_TRUNC | O_LARGEFILE, mode)));
  return fresh(real_creat64(path, mode));
}

static int no_file(void) {
  errno = ENOSYS;
  return -1;
}

HF_SHIM int mkstemp(char* name) {
  HF_SHIM_NEXT(mkstemp, no_file());
  return fresh(real_mkstemp(name));
}

HF_SHIM int mkstemp64(char* name) {
  HF_SHIM_NEXT(mkstemp64, no_file());
  return fresh(real_mkstemp64(name));
}

HF_SHIM int mkostemp(char* name, int flags) {
  HF_SHIM_NEXT(mkostemp, no_file());
  return fresh(real_mkostemp(name, flags));
}

HF_SHIM int mkostemp64(char* name, int flags) {
  HF_SHIM_NEXT(mkostemp64, no_file());
  return fresh(real_mkostemp64(name, flags));
}

HF_SHIM int dup(int file) {
  HF_SHIM_NEXT(dup, fresh((int)syscall(SYS_dup, file)));
  return fresh(real_dup(file));
}

/* `other` may have been governed, and this call may close its file. */
HF_SHIM int dup2(int file, int other) {
  HF_SHIM_NEXT(dup2, fresh(file == other ? fcntl(file, F_GETFD) < 0 ? -1 : other
                                         : (int)syscall(SYS_dup3, file, other, 0)));
  return fresh(real_dup2(file, other));
}

HF_SHIM int dup3(int file, int other, int flags) {
  HF_SHIM_NEXT(dup3, fresh((int)syscall(SYS_dup3, file, other, flags)));
  return fresh(real_dup3(file, other, flags));
}

/* The third argument, whatever its type, is passed on as a pointer, which is as wide as any of the types. */
#define THIRD_AFTER(what, third)   \
  do {                             \
    va_list rest;                  \
    va_start(rest, what);          \
    (third) = va_arg(rest, void*); \
    va_end(rest);                  \
  } while (0)

static int of_fcntl(int what, int out) {
  return what == F_DUPFD || what == F_DUPFD_CLOEXEC ? fresh(out) : out;
}

HF_SHIM int fcntl(int file, int what, ...) {
  void* third;
  THIRD_AFTER(what, third);
  HF_SHIM_NEXT(fcntl, of_fcntl(what, (int)syscall(SYS_fcntl, file, what, third)));
  return of_fcntl(what, real_fcntl(file, what, third));
}

HF_SHIM int fcntl64(int file, int what, ...) {
  void* third;
  THIRD_AFTER(what, third);
  HF_SHIM_NEXT(fcntl64, of_fcntl(what, (int)syscall(SYS_fcntl, file, what, third)));
  return of_fcntl(what, real_fcntl64(file, what, third));
}

HF_SHIM int close(int file) {
  int out;
  HF_SHIM_NEXT(close, (int)syscall(SYS_close, file));
  out = real_close(file);
  /* After the call, because another thread may meanwhile have opened a file with this number and looked it up. */
  if (HF_SHIM_RARE(hf_shim.is_on)) hf_shim_forget(file);
  return out;
}

int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);

HF_SHIM int close_range(unsigned first, unsigned last, int flags) {
  int out;
  HF_SHIM_NEXT(close_range, no_file());
  out = real_close_range(first, last, flags);
  if (HF_SHIM_RARE(hf_shim.is_on)) hf_shim_forget_range(first, last);
  return out;
}

HF_SHIM void closefrom(int first) {
  static __typeof__(&closefrom) next;
  if (next == NULL && !hf_shim_find("closefrom", &next)) return;
  next(first);
  if (HF_SHIM_RARE(hf_shim.is_on) && first >= 0) hf_shim_forget_range((unsigned)first, ~0U);
}

static void see_mapping(int protection, int flags, int file) {
  const int is_seen = (protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 && file >= 0;
  if (is_seen && hf_shim_governs(file)) hf_shim_count(&hf_shim_seen.mapped, 1);
}

HF_SHIM void* mmap(void* at, size_t size, int protection, int flags, int file, off_t from) {
  HF_SHIM_NEXT(mmap, (void*)syscall(SYS_mmap, at, size, protection, flags, file, from));
  if (HF_SHIM_RARE(hf_shim.is_on)) see_mapping(protection, flags, file);
  return real_mmap(at, size, protection, flags, file, from);
}

HF_SHIM void* mmap64(void* at, size_t size, int protection, int flags, int file, off64_t from) {
  HF_SHIM_NEXT(mmap64, (void*)syscall(SYS_mmap, at, size, protection, flags, file, from));
  if (HF_SHIM_RARE(hf_shim.is_on)) see_mapping(protection, flags, file);
  return real_mmap64(at, size, protection, flags, file, from);
}
