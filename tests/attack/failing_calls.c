/* Preloaded into a program: one of its calls to the system fails, as it would on a full disk, a broken disk, or a file
 * system without locks. Plain C, so that nothing of it needs what it harms.
 *
 *   HOLDFAST_FAIL=N:ERRNO     the N-th call of this process that could fail so fails, from 1; 0: none
 *   HOLDFAST_FAIL_ALL=NAME    every call of that kind fails, with HOLDFAST_FAIL's ERRNO
 *   HOLDFAST_FAIL_LOG=FILE    how many there were, and which failed, is written there as the process ends
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long victim;
static int error_number;
static const char* always;
static const char* failed = "none";

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("HOLDFAST_FAIL");
  if (text != NULL) sscanf(text, "%ld:%d", &victim, &error_number);
  always = getenv("HOLDFAST_FAIL_ALL");
}

__attribute__((destructor)) static void end(void) {
  const char* log = getenv("HOLDFAST_FAIL_LOG");
  if (log == NULL) return;
  char text[64];
  const int size = snprintf(text, sizeof text, "%ld %s\n", (long)calls, failed);
  ssize_t (*real_write)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  int (*real_open)(const char*, int, ...) = dlsym(RTLD_NEXT, "open");
  const int file = real_open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 && size > 0) (void)!real_write(file, text, (size_t)size);
}

static int fails(const char* name) {
  const long number = atomic_fetch_add(&calls, 1) + 1;
  const int all = always != NULL && strcmp(always, name) == 0;
  if (!all && (victim == 0 || number != victim)) return 0;
  failed = name;
  errno = error_number;
  return 1;
}

/* Calls on what is no file of a run (the terminal, pipes) are left alone. */
static int is_file(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  return is_file(fd) && fails("write") ? -1 : real(fd, bytes, size);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
  return fails("write") ? -1 : real(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
  return fails("write") ? -1 : real(fd, bytes, size, at);
}
ssize_t read(int fd, void* bytes, size_t size) {
  REAL(ssize_t, "read", int, void*, size_t);
  return is_file(fd) && fails("read") ? -1 : real(fd, bytes, size);
}
ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  REAL(ssize_t, "pread", int, void*, size_t, off_t);
  return fails("read") ? -1 : real(fd, bytes, size, at);
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) {
  REAL(ssize_t, "pread64", int, void*, size_t, off64_t);
  return fails("read") ? -1 : real(fd, bytes, size, at);
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  return fails("sync") ? -1 : real(fd);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return fails("sync") ? -1 : real(fd);
}
int ftruncate(int fd, off_t size) {
  REAL(int, "ftruncate", int, off_t);
  return fails("truncate") ? -1 : real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  REAL(int, "ftruncate64", int, off64_t);
  return fails("truncate") ? -1 : real(fd, size);
}
int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return fails("rename") ? -1 : real(from, to);
}
int unlink(const char* path) {
  REAL(int, "unlink", const char*);
  return fails("unlink") ? -1 : real(path);
}
int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", const char*, mode_t);
  return fails("mkdir") ? -1 : real(path, mode);
}
int fallocate(int fd, int mode, off_t at, off_t size) {
  REAL(int, "fallocate", int, int, off_t, off_t);
  return fails("write") ? -1 : real(fd, mode, at, size);
}
int flock(int fd, int operation) {
  REAL(int, "flock", int, int);
  return fails("lock") ? -1 : real(fd, operation);
}

static int open_mode(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? (int)va_arg(rest, mode_t) : 0;
}
int open(const char* path, int flags, ...) {
  REAL(int, "open", const char*, int, ...);
  va_list rest;
  va_start(rest, flags);
  const int mode = open_mode(flags, rest);
  va_end(rest);
  return fails("open") ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  REAL(int, "open64", const char*, int, ...);
  va_list rest;
  va_start(rest, flags);
  const int mode = open_mode(flags, rest);
  va_end(rest);
  return fails("open") ? -1 : real(path, flags, mode);
}

/* Letting go of a lock does not fail on any system. */
static int is_lock(int command, const struct flock* lock) {
  const int sets = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  return sets && lock->l_type != F_UNLCK;
}
int fcntl(int fd, int command, ...) {
  REAL(int, "fcntl", int, int, ...);
  va_list rest;
  va_start(rest, command);
  void* value = va_arg(rest, void*);
  va_end(rest);
  return is_lock(command, value) && fails("lock") ? -1 : real(fd, command, value);
}
int fcntl64(int fd, int command, ...) {
  REAL(int, "fcntl64", int, int, ...);
  va_list rest;
  va_start(rest, command);
  void* value = va_arg(rest, void*);
  va_end(rest);
  return is_lock(command, value) && fails("lock") ? -1 : real(fd, command, value);
}
