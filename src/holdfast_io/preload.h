/* The shim for programs that know nothing of the arbiter: libholdfast_io_preload.so, put before the C library by LD_PRELOAD.
 *
 *   preload.c              what it was asked for, where the next function of a name is, what it says at the end
 *   preload_table.c        which descriptors are governed
 *   preload_phases.c       when a program writes, as operations of the arbiter
 *   preload_descriptors.c  open, close, dup and the like
 *   preload_moves.c        write, read and the like
 *   preload_streams.c      fwrite, fprintf and the like
 */
#ifndef HOLDFAST_IO_PRELOAD_H
#define HOLDFAST_IO_PRELOAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function that takes the place of the C library's. */
#define HF_SHIM __attribute__((visibility("default")))
#define HF_SHIM_RARE(condition) __builtin_expect(!!(condition), 0)

enum { HF_SHIM_PATHS = 16384, HF_SHIM_DESCRIPTORS = 65536 };

/* From the environment, read before main(); nothing changes them later. */
typedef struct {
  int is_on; /* HOLDFAST_IO_PATHS names a folder; else every function is the next one and a branch */
  int reads;
  int verbose;
  double gap;                /* seconds without a governed byte that end an operation */
  uint64_t small;            /* bytes within a second that begin one */
  char paths[HF_SHIM_PATHS]; /* real ones, with a colon between them */
  char socket[108];
  char label[256];
} hf_shim_settings;
extern hf_shim_settings hf_shim;

/* What was seen; for the words at the end. */
typedef struct {
  uint64_t moved;      /* governed bytes */
  uint64_t operations; /* posted */
  uint64_t small;      /* bytes that were too few to be posted */
  uint64_t
      unpaced; /* calls that could not wait: in a signal handler, or while a stopped thread has the lock */
  uint64_t mapped; /* writable shared mappings of governed files, whose stores nobody sees */
} hf_shim_counts;
extern hf_shim_counts hf_shim_seen;
void hf_shim_count(uint64_t* counter, uint64_t more);

/* Writes the next function of that name to *slot. 0: there is none, or the search for one is what calls (a library that
 * replaces malloc may print while it begins). */
int hf_shim_find(const char* name, void* slot);

/* Keeps a way to say them. */
void hf_shim_keep_words(void);

/* In a function `name`: real_name is the next one; where there is none yet, the function is `instead`. */
#define HF_SHIM_NEXT(name, instead)     \
  static __typeof__(&name) real_##name; \
  if (HF_SHIM_RARE(real_##name == NULL) && !hf_shim_find(#name, &real_##name)) return (instead)

/* Does a descriptor belong to a regular file under one of the paths? Looked up at its first use. */
int hf_shim_governs(int file);
/* It may be another file from now on. */
void hf_shim_forget(int file);
void hf_shim_forget_range(unsigned first, unsigned last);

/* How many bytes may move now: at least 1, at most `bytes`, of which there is at least 1. Sleeps. */
size_t hf_shim_wait(size_t bytes, int direction);
/* They moved. */
void hf_shim_moved(size_t bytes);
/* Sleeps until all of them may move, and counts them. */
void hf_shim_pay(uint64_t bytes, int direction);
/* Counts bytes that were not waited for (less than 0: that were, and did not move); the next call waits for them. */
void hf_shim_owe(int64_t bytes);
/* The same for few bytes at a time: pays once there are many. */
void hf_shim_pay_later(int64_t bytes, int direction);
/* Waits for what is owed. */
void hf_shim_settle(int direction);
/* A call that is part of an operation has ended: its gap begins now. */
void hf_shim_touch(void);
/* The program ends, and its operation with it. */
typedef struct {
  int asks_itself;  /* it is linked with the library, and was left alone */
  int was_answered; /* by an arbiter */
  double waited;    /* seconds, of all threads */
} hf_shim_end_state;
void hf_shim_end(hf_shim_end_state* out);

#endif
