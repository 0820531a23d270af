/* The streams of the C library. Their own calls of write() cannot be replaced, so bytes are counted where programs pass them to
 * a stream, and waited for before the next call. */
#define _GNU_SOURCE
/* Without this, the header would define some of these functions inline. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "holdfast_io.h"
#include "preload.h"

/* From this number of bytes in one call on, the call waits before it passes them on. */
#define MANY 32768

static int file_of(FILE* stream) {
  const int before = errno;
  const int out = fileno(stream);
  errno = before; /* a stream in memory has none */
  return out;
}

static int paces_writes_to(FILE* stream) {
  return HF_SHIM_RARE(hf_shim.is_on) && hf_shim_governs(file_of(stream));
}

static int paces_reads_from(FILE* stream) {
  return HF_SHIM_RARE(hf_shim.is_on) && hf_shim.reads && hf_shim_governs(file_of(stream));
}

static uint64_t product(size_t size, size_t count) {
  return count != 0 && size > INT64_MAX / count ? 0 : (uint64_t)size * count;
}

static size_t no_items(void) {
  errno = ENOSYS;
  return 0;
}

static int no_word(void) {
  errno = ENOSYS;
  return EOF;
}

/* Called before a call that moves at most this number of bytes; moved() is called after it. */
static uint64_t pay_for(uint64_t bytes, int direction) {
  if (bytes < MANY) return 0;
  hf_shim_settle(direction);
  hf_shim_pay(bytes, direction);
  return bytes;
}

static void moved(uint64_t bytes, uint64_t is_paid, int direction) {
  if (is_paid > 0) {
    hf_shim_owe((int64_t)bytes - (int64_t)is_paid);
  } else {
    hf_shim_pay_later((int64_t)bytes, direction);
  }
}

#define ITEMS_OUT(name)                                                            \
  HF_SHIM size_t name(const void* data, size_t size, size_t count, FILE* stream) { \
    uint64_t is_paid;                                                              \
    size_t out;                                                                    \
    HF_SHIM_NEXT(name, no_items());                                                \
    if (!paces_writes_to(stream)) return real_##name(data, size, count, stream);   \
    is_paid = pay_for(product(size, count), HF_IO_WRITE);                          \
    out = real_##name(data, size, count, stream);                                  \
    moved(product(size, out), is_paid, HF_IO_WRITE);                               \
    return out;                                                                    \
  }
#define ITEMS_IN(name)                                                            \
  HF_SHIM size_t name(void* data, size_t size, size_t count, FILE* stream) {      \
    uint64_t is_paid;                                                             \
    size_t out;                                                                   \
    HF_SHIM_NEXT(name, no_items());                                               \
    if (!paces_reads_from(stream)) return real_##name(data, size, count, stream); \
    is_paid = pay_for(product(size, count), HF_IO_READ);                          \
    out = real_##name(data, size, count, stream);                                 \
    moved(product(size, out), is_paid, HF_IO_READ);                               \
    return out;                                                                   \
  }
ITEMS_OUT(fwrite)
ITEMS_OUT(fwrite_unlocked)
ITEMS_IN(fread)
ITEMS_IN(fread_unlocked)

#define TEXT_OUT(name)                                              \
  HF_SHIM int name(const char* text, FILE* stream) {                \
    uint64_t is_paid;                                               \
    size_t size;                                                    \
    int out;                                                        \
    HF_SHIM_NEXT(name, no_word());                                  \
    if (!paces_writes_to(stream)) return real_##name(text, stream); \
    size = strlen(text);                                            \
    is_paid = pay_for(size, HF_IO_WRITE);                           \
    out = real_##name(text, stream);                                \
    moved(out < 0 ? 0 : size, is_paid, HF_IO_WRITE);                \
    return out;                                                     \
  }
TEXT_OUT(fputs)
TEXT_OUT(fputs_unlocked)

HF_SHIM int puts(const char* text) {
  int out;
  HF_SHIM_NEXT(puts, no_word());
  out = real_puts(text);
  if (out >= 0 && paces_writes_to(stdout))
    hf_shim_pay_later((int64_t)strlen(text) + 1, HF_IO_WRITE);
  return out;
}

#undef putc
#undef putc_unlocked
#undef getc
#undef getc_unlocked
int _IO_putc(int byte, FILE* stream);
int _IO_getc(FILE* stream);

#define BYTE_OUT(name)                                              \
  HF_SHIM int name(int byte, FILE* stream) {                        \
    HF_SHIM_NEXT(name, no_word());                                  \
    if (paces_writes_to(stream)) hf_shim_pay_later(1, HF_IO_WRITE); \
    return real_##name(byte, stream);                               \
  }
#define BYTE_IN(name)                                               \
  HF_SHIM int name(FILE* stream) {                                  \
    HF_SHIM_NEXT(name, no_word());                                  \
    if (paces_reads_from(stream)) hf_shim_pay_later(1, HF_IO_READ); \
    return real_##name(stream);                                     \
  }
BYTE_OUT(fputc)
BYTE_OUT(fputc_unlocked)
BYTE_OUT(putc)
BYTE_OUT(putc_unlocked)
BYTE_OUT(_IO_putc)
BYTE_IN(fgetc)
BYTE_IN(fgetc_unlocked)
BYTE_IN(getc)
BYTE_IN(getc_unlocked)
BYTE_IN(_IO_getc)

#define LINE_IN(name)                                             \
  HF_SHIM char* name(char* text, int size, FILE* stream) {        \
    char* out;                                                    \
    static __typeof__(&name) next;                                \
    if (next == NULL && !hf_shim_find(#name, &next)) return NULL; \
    out = next(text, size, stream);                               \
    if (out != NULL && paces_reads_from(stream)) {                \
      hf_shim_pay_later((int64_t)strlen(text), HF_IO_READ);       \
    }                                                             \
    return out;                                                   \
  }
LINE_IN(fgets)
LINE_IN(fgets_unlocked)

HF_SHIM ssize_t getdelim(char** line, size_t* room, int end, FILE* stream) {
  ssize_t out;
  HF_SHIM_NEXT(getdelim, no_word());
  out = real_getdelim(line, room, end, stream);
  if (paces_reads_from(stream)) hf_shim_pay_later(out, HF_IO_READ);
  return out;
}

HF_SHIM ssize_t getline(char** line, size_t* room, FILE* stream) {
  ssize_t out;
  HF_SHIM_NEXT(getline, no_word());
  out = real_getline(line, room, stream);
  if (paces_reads_from(stream)) hf_shim_pay_later(out, HF_IO_READ);
  return out;
}

/* The functions that replace them in programs that are compiled with _FORTIFY_SOURCE. */
size_t __fread_chk(void* data, size_t room, size_t size, size_t count, FILE* stream);
char* __fgets_chk(char* text, size_t room, int size, FILE* stream);

HF_SHIM size_t __fread_chk(void* data, size_t room, size_t size, size_t count, FILE* stream) {
  size_t out;
  HF_SHIM_NEXT(__fread_chk, no_items());
  out = real___fread_chk(data, room, size, count, stream);
  if (paces_reads_from(stream)) hf_shim_pay_later((int64_t)product(size, out), HF_IO_READ);
  return out;
}

HF_SHIM char* __fgets_chk(char* text, size_t room, int size, FILE* stream) {
  char* out;
  HF_SHIM_NEXT(__fgets_chk, NULL);
  out = real___fgets_chk(text, room, size, stream);
  if (out != NULL && paces_reads_from(stream)) hf_shim_pay_later((int64_t)strlen(text), HF_IO_READ);
  return out;
}

/* printf and its variants all call a function that takes a va_list. */
static int printed(FILE* stream, int out) {
  if (out > 0 && paces_writes_to(stream)) hf_shim_pay_later(out, HF_IO_WRITE);
  return out;
}

static int printed_to(int file, int out) {
  if (out > 0 && HF_SHIM_RARE(hf_shim.is_on) && hf_shim_governs(file)) {
    hf_shim_pay_later(out, HF_IO_WRITE);
  }
  return out;
}

int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list);
int __fprintf_chk(FILE* stream, int flag, const char* format, ...);
int __vprintf_chk(int flag, const char* format, va_list list);
int __printf_chk(int flag, const char* format, ...);
int __vdprintf_chk(int file, int flag, const char* format, va_list list);
int __dprintf_chk(int file, int flag, const char* format, ...);

HF_SHIM int vfprintf(FILE* stream, const char* format, va_list list) {
  HF_SHIM_NEXT(vfprintf, no_word());
  return printed(stream, real_vfprintf(stream, format, list));
}

HF_SHIM int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list) {
  HF_SHIM_NEXT(__vfprintf_chk, no_word());
  return printed(stream, real___vfprintf_chk(stream, flag, format, list));
}

HF_SHIM int vdprintf(int file, const char* format, va_list list) {
  HF_SHIM_NEXT(vdprintf, no_word());
  return printed_to(file, real_vdprintf(file, format, list));
}

HF_SHIM int __vdprintf_chk(int file, int flag, const char* format, va_list list) {
  HF_SHIM_NEXT(__vdprintf_chk, no_word());
  return printed_to(file, real___vdprintf_chk(file, flag, format, list));
}

#define WITH_LIST(call)     \
  do {                      \
    int out;                \
    va_list list;           \
    va_start(list, format); \
    out = (call);           \
    va_end(list);           \
    return out;             \
  } while (0)

HF_SHIM int fprintf(FILE* stream, const char* format, ...) {
  WITH_LIST(vfprintf(stream, format, list));
}

HF_SHIM int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  WITH_LIST(__vfprintf_chk(stream, flag, format, list));
}

HF_SHIM int printf(const char* format, ...) {
  WITH_LIST(vfprintf(stdout, format, list));
}

HF_SHIM int __printf_chk(int flag, const char* format, ...) {
  WITH_LIST(__vfprintf_chk(stdout, flag, format, list));
}

HF_SHIM int vprintf(const char* format, va_list list) {
  return vfprintf(stdout, format, list);
}

HF_SHIM int __vprintf_chk(int flag, const char* format, va_list list) {
  return __vfprintf_chk(stdout, flag, format, list);
}

HF_SHIM int dprintf(int file, const char* format, ...) {
  WITH_LIST(vdprintf(file, format, list));
}

HF_SHIM int __dprintf_chk(int file, int flag, const char* format, ...) {
  WITH_LIST(__vdprintf_chk(file, flag, format, list));
}

HF_SHIM int fflush(FILE* stream) {
  HF_SHIM_NEXT(fflush, no_word());
  if (HF_SHIM_RARE(hf_shim.is_on)) hf_shim_settle(HF_IO_WRITE);
  return real_fflush(stream);
}

/* --- functions that give a descriptor to a stream --- */

static FILE* fresh_stream(FILE* stream) {
  if (HF_SHIM_RARE(hf_shim.is_on) && stream != NULL) hf_shim_forget(file_of(stream));
  return stream;
}

static FILE* no_stream(void) {
  errno = ENOSYS;
  return NULL;
}

#define STREAM_OPEN(name)                                  \
  HF_SHIM FILE* name(const char* path, const char* mode) { \
    HF_SHIM_NEXT(name, no_stream());                       \
    return fresh_stream(real_##name(path, mode));          \
  }
STREAM_OPEN(fopen)
STREAM_OPEN(fopen64)

#define STREAM_REOPEN(name)                                              \
  HF_SHIM FILE* name(const char* path, const char* mode, FILE* stream) { \
    HF_SHIM_NEXT(name, no_stream());                                     \
    return fresh_stream(real_##name(path, mode, stream));                \
  }
STREAM_REOPEN(freopen)
STREAM_REOPEN(freopen64)

static int close_stream(FILE* stream, int (*next)(FILE*)) {
  int file;
  int out;
  if (!hf_shim.is_on) return next(stream);
  file = file_of(stream);
  hf_shim_settle(HF_IO_WRITE);
  out = next(stream);
  hf_shim_forget(file);
  return out;
}

HF_SHIM int fclose(FILE* stream) {
  HF_SHIM_NEXT(fclose, no_word());
  return close_stream(stream, real_fclose);
}

HF_SHIM int pclose(FILE* stream) {
  HF_SHIM_NEXT(pclose, no_word());
  return close_stream(stream, real_pclose);
}
