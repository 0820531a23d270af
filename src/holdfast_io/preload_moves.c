/* Functions that write to descriptors or read from them. They are paced if the descriptor is governed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "holdfast_io.h"
#include "preload.h"

static int paces_writes(int file) {
  return HF_SHIM_RARE(hf_shim.is_on) && hf_shim_governs(file);
}

static int paces_reads(int file) {
  return HF_SHIM_RARE(hf_shim.is_on) && hf_shim.reads && hf_shim_governs(file);
}

/* Two processes may append to one file; the calls of each must then not be split. */
static int appends(int file) {
  const int before = errno;
  const int flags = fcntl(file, F_GETFL);
  errno = before;
  return flags >= 0 && (flags & O_APPEND) != 0;
}

/* Makes several calls from one call of the program, each of as many bytes as may move; the program sees one result. `piece` is
 * a call that moves `most` bytes after `done` bytes have moved. */
#define IN_PIECES(size, direction, is_whole, piece)                        \
  do {                                                                     \
    size_t done = 0;                                                       \
    for (;;) {                                                             \
      size_t most = (size) > 0 ? hf_shim_wait((size)-done, direction) : 0; \
      int is_paid = 0;                                                     \
      ssize_t count;                                                       \
      if (most < (size)-done && (is_whole)) {                              \
        most = (size)-done;                                                \
        hf_shim_pay(most, direction);                                      \
        is_paid = 1;                                                       \
      }                                                                    \
      count = (piece);                                                     \
      if (is_paid) {                                                       \
        hf_shim_owe((count > 0 ? count : 0) - (int64_t)most);              \
      } else if (count > 0) {                                              \
        hf_shim_moved((size_t)count);                                      \
      }                                                                    \
      if (count < 0) return done > 0 ? (ssize_t)done : -1;                 \
      done += (size_t)count;                                               \
      if ((size_t)count < most || done >= (size)) return (ssize_t)done;    \
    }                                                                      \
  } while (0)

/* Limits a size to what the system moves in one call at most. */
static size_t counted(size_t size) {
  return size < SSIZE_MAX ? size : SSIZE_MAX;
}

HF_SHIM ssize_t write(int file, const void* data, size_t size) {
  HF_SHIM_NEXT(write, syscall(SYS_write, file, data, size));
  if (!paces_writes(file)) return real_write(file, data, size);
  IN_PIECES(counted(size), HF_IO_WRITE, appends(file),
            real_write(file, (const char*)data + done, most));
}

HF_SHIM ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  HF_SHIM_NEXT(pwrite, syscall(SYS_pwrite64, file, data, size, at));
  if (!paces_writes(file)) return real_pwrite(file, data, size, at);
  IN_PIECES(counted(size), HF_IO_WRITE, appends(file),
            real_pwrite(file, (const char*)data + done, most, at + (off_t)done));
}

HF_SHIM ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  HF_SHIM_NEXT(pwrite64, syscall(SYS_pwrite64, file, data, size, at));
  if (!paces_writes(file)) return real_pwrite64(file, data, size, at);
  IN_PIECES(counted(size), HF_IO_WRITE, appends(file),
            real_pwrite64(file, (const char*)data + done, most, at + (off64_t)done));
}

HF_SHIM ssize_t read(int file, void* data, size_t size) {
  HF_SHIM_NEXT(read, syscall(SYS_read, file, data, size));
  if (!paces_reads(file)) return real_read(file, data, size);
  IN_PIECES(counted(size), HF_IO_READ, 0, real_read(file, (char*)data + done, most));
}

HF_SHIM ssize_t pread(int file, void* data, size_t size, off_t at) {
  HF_SHIM_NEXT(pread, syscall(SYS_pread64, file, data, size, at));
  if (!paces_reads(file)) return real_pread(file, data, size, at);
  IN_PIECES(counted(size), HF_IO_READ, 0,
            real_pread(file, (char*)data + done, most, at + (off_t)done));
}

HF_SHIM ssize_t pread64(int file, void* data, size_t size, off64_t at) {
  HF_SHIM_NEXT(pread64, syscall(SYS_pread64, file, data, size, at));
  if (!paces_reads(file)) return real_pread64(file, data, size, at);
  IN_PIECES(counted(size), HF_IO_READ, 0,
            real_pread64(file, (char*)data + done, most, at + (off64_t)done));
}

/* The functions that replace them in programs that are compiled with _FORTIFY_SOURCE, which stop a program that reads past its
 * buffer. */
ssize_t __read_chk(int file, void* data, size_t size, size_t room);
ssize_t __pread_chk(int file, void* data, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int file, void* data, size_t size, off64_t at, size_t room);

HF_SHIM ssize_t __read_chk(int file, void* data, size_t size, size_t room) {
  HF_SHIM_NEXT(__read_chk, read(file, data, size));
  if (size > room || !paces_reads(file)) return real___read_chk(file, data, size, room);
  return read(file, data, size);
}

HF_SHIM ssize_t __pread_chk(int file, void* data, size_t size, off_t at, size_t room) {
  HF_SHIM_NEXT(__pread_chk, pread(file, data, size, at));
  if (size > room || !paces_reads(file)) return real___pread_chk(file, data, size, at, room);
  return pread(file, data, size, at);
}

HF_SHIM ssize_t __pread64_chk(int file, void* data, size_t size, off64_t at, size_t room) {
  HF_SHIM_NEXT(__pread64_chk, pread64(file, data, size, at));
  if (size > room || !paces_reads(file)) return real___pread64_chk(file, data, size, at, room);
  return pread64(file, data, size, at);
}

/* Vectors are waited for and passed on as a whole, because some programs use them so that nothing comes in between. */
static uint64_t size_of(const struct iovec* parts, int count) {
  uint64_t size = 0;
  int i;
  if (count < 0 || count > IOV_MAX) return 0; /* the system refuses it */
  for (i = 0; i < count; ++i) {
    if (parts[i].iov_len > SSIZE_MAX - size) return 0;
    size += parts[i].iov_len;
  }
  return size;
}

static ssize_t paid(uint64_t size, ssize_t count) {
  hf_shim_owe((count > 0 ? count : 0) - (int64_t)size);
  return count;
}

#define WHOLE(parts, count, direction, call)         \
  do {                                               \
    const uint64_t size = size_of((parts), (count)); \
    if (size > 0) hf_shim_pay(size, direction);      \
    return paid(size, (call));                       \
  } while (0)

static ssize_t no_call(void) {
  errno = ENOSYS;
  return -1;
}

HF_SHIM ssize_t writev(int file, const struct iovec* parts, int count) {
  HF_SHIM_NEXT(writev, syscall(SYS_writev, file, parts, count));
  if (!paces_writes(file)) return real_writev(file, parts, count);
  WHOLE(parts, count, HF_IO_WRITE, real_writev(file, parts, count));
}

HF_SHIM ssize_t readv(int file, const struct iovec* parts, int count) {
  HF_SHIM_NEXT(readv, syscall(SYS_readv, file, parts, count));
  if (!paces_reads(file)) return real_readv(file, parts, count);
  WHOLE(parts, count, HF_IO_READ, real_readv(file, parts, count));
}

#define AT_PLACE(name, type, paces, direction)                                    \
  HF_SHIM ssize_t name(int file, const struct iovec* parts, int count, type at) { \
    HF_SHIM_NEXT(name, no_call());                                                \
    if (!paces(file)) return real_##name(file, parts, count, at);                 \
    WHOLE(parts, count, direction, real_##name(file, parts, count, at));          \
  }
#define AT_PLACE_WITH_FLAGS(name, type, paces, direction)                                    \
  HF_SHIM ssize_t name(int file, const struct iovec* parts, int count, type at, int flags) { \
    HF_SHIM_NEXT(name, no_call());                                                           \
    if (!paces(file)) return real_##name(file, parts, count, at, flags);                     \
    WHOLE(parts, count, direction, real_##name(file, parts, count, at, flags));              \
  }

AT_PLACE(pwritev, off_t, paces_writes, HF_IO_WRITE)
AT_PLACE(pwritev64, off64_t, paces_writes, HF_IO_WRITE)
AT_PLACE(preadv, off_t, paces_reads, HF_IO_READ)
AT_PLACE(preadv64, off64_t, paces_reads, HF_IO_READ)
AT_PLACE_WITH_FLAGS(pwritev2, off_t, paces_writes, HF_IO_WRITE)
AT_PLACE_WITH_FLAGS(pwritev64v2, off64_t, paces_writes, HF_IO_WRITE)
AT_PLACE_WITH_FLAGS(preadv2, off_t, paces_reads, HF_IO_READ)
AT_PLACE_WITH_FLAGS(preadv64v2, off64_t, paces_reads, HF_IO_READ)

/* Copies from file to file. The system advances the offsets in both by the number of bytes that moved. */
static int is_copy_paced(int from, int to, int* direction) {
  *direction = paces_writes(to) ? HF_IO_WRITE : HF_IO_READ;
  return *direction == HF_IO_WRITE || paces_reads(from);
}

HF_SHIM ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  int direction;
  HF_SHIM_NEXT(sendfile, syscall(SYS_sendfile, to, from, at, size));
  if (!is_copy_paced(from, to, &direction)) return real_sendfile(to, from, at, size);
  IN_PIECES(counted(size), direction, 0, real_sendfile(to, from, at, most));
}

HF_SHIM ssize_t sendfile64(int to, int from, off64_t* at, size_t size) {
  int direction;
  HF_SHIM_NEXT(sendfile64, syscall(SYS_sendfile, to, from, at, size));
  if (!is_copy_paced(from, to, &direction)) return real_sendfile64(to, from, at, size);
  IN_PIECES(counted(size), direction, 0, real_sendfile64(to, from, at, most));
}

HF_SHIM ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size,
                                unsigned flags) {
  int direction;
  HF_SHIM_NEXT(copy_file_range, no_call());
  if (!is_copy_paced(from, to, &direction)) {
    return real_copy_file_range(from, from_at, to, to_at, size, flags);
  }
  IN_PIECES(counted(size), direction, 0,
            real_copy_file_range(from, from_at, to, to_at, most, flags));
}

/* Moves bytes from or to a pipe, which may hold fewer; callers continue with the rest. */
HF_SHIM ssize_t splice(int from, off64_t* from_at, int to, off64_t* to_at, size_t size,
                       unsigned flags) {
  int direction;
  ssize_t count;
  HF_SHIM_NEXT(splice, no_call());
  if (size == 0 || !is_copy_paced(from, to, &direction)) {
    return real_splice(from, from_at, to, to_at, size, flags);
  }
  count = real_splice(from, from_at, to, to_at, hf_shim_wait(size, direction), flags);
  if (count > 0) hf_shim_moved((size_t)count);
  return count;
}

/* A call that waits for the disk is part of an operation, and not a gap. */
HF_SHIM int fsync(int file) {
  int out;
  HF_SHIM_NEXT(fsync, (int)syscall(SYS_fsync, file));
  out = real_fsync(file);
  if (paces_writes(file)) hf_shim_touch();
  return out;
}

HF_SHIM int fdatasync(int file) {
  int out;
  HF_SHIM_NEXT(fdatasync, (int)syscall(SYS_fdatasync, file));
  out = real_fdatasync(file);
  if (paces_writes(file)) hf_shim_touch();
  return out;
}
