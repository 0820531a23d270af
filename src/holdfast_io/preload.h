/* The shim for programs that know nothing of the arbiter: libholdfast_io_preload.so, which LD_PRELOAD loads before the C
 * library.
 *
 *   preload.c              settings, the search for the next function of a name, the summary at the end
 *   preload_table.c        which descriptors are governed
 *   preload_phases.c       the times when a program writes, as operations of the arbiter
 *   preload_descriptors.c  open, close, dup and the like
 *   preload_moves.c        write, read and the like
 *   preload_streams.c      fwrite, fprintf and the like
 */
#ifndef HOLDFAST_IO_PRELOAD_H
#define HOLDFAST_IO_PRELOAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Marks a function that replaces one of the C library. */
#define HF_SHIM __attribute__((visibility("default")))
#define HF_SHIM_RARE(condition) __builtin_expect(!!(condition), 0)

enum { HF_SHIM_PATHS = 16384, HF_SHIM_DESCRIPTORS = 65536 };

/* The settings. They are read from the environment before main(), and do not change later. */
typedef struct {
  int is_on; /* HOLDFAST_IO_PATHS names a folder; otherwise every function only calls the next one */
  int reads;
  int verbose;
  double gap;                /* seconds without a governed byte after which an operation ends */
  uint64_t small;            /* bytes within a second with which an operation begins */
  char paths[HF_SHIM_PATHS]; /* real paths, separated by colons */
  char socket[108];
  char label[256];
} hf_shim_settings;
extern hf_shim_settings hf_shim;

/* The counts for the summary at the end. */
typedef struct {
  uint64_t moved;      /* governed bytes */
  uint64_t operations; /* operations that were posted */
  uint64_t small;      /* bytes that were too few to be posted */
  uint64_t
      unpaced; /* calls that could not wait: in a signal handler, or while a stopped thread has the lock */
  uint64_t mapped; /* writable shared mappings of governed files, whose writes are not seen */
} hf_shim_counts;
extern hf_shim_counts hf_shim_seen;
void hf_shim_count(uint64_t* counter, uint64_t more);

/* Writes the next function of that name to *slot. Returns 0 if there is none, or if the call comes from such a search (a
 * library that replaces malloc may print while it is initialised). */
int hf_shim_find(const char* name, void* slot);

/* Keeps a copy of standard error for the summary. */
void hf_shim_keep_words(void);

/* In a function `name`: declares real_name, the next function of that name. If there is none yet, returns `instead`. */
#define HF_SHIM_NEXT(name, instead)     \
  static __typeof__(&name) real_##name; \
  if (HF_SHIM_RARE(real_##name == NULL) && !hf_shim_find(#name, &real_##name)) return (instead)

/* Returns 1 if a descriptor belongs to a regular file under one of the paths. It is looked up at its first use. */
int hf_shim_governs(int file);
/* Records that the descriptor may belong to another file from now on. */
void hf_shim_forget(int file);
void hf_shim_forget_range(unsigned first, unsigned last);

/* Sleeps until some bytes may move, and returns their number: at least 1, at most `bytes`, which is at least 1. */
size_t hf_shim_wait(size_t bytes, int direction);
/* Counts bytes that moved after hf_shim_wait. */
void hf_shim_moved(size_t bytes);
/* Sleeps until all of the bytes may move, and counts them. */
void hf_shim_pay(uint64_t bytes, int direction);
/* Counts bytes that moved without a wait, for which the next call waits. A number below 0 stands for bytes that were waited for
 * but did not move. */
void hf_shim_owe(int64_t bytes);
/* Collects the bytes of small calls, and waits for them once there are many. */
void hf_shim_pay_later(int64_t bytes, int direction);
/* Waits for the bytes that were collected. */
void hf_shim_settle(int direction);
/* Records that a call that is part of an operation has ended, so that the gap begins now. */
void hf_shim_touch(void);

typedef struct {
  int asks_itself;  /* the program is linked with the library, and was not paced by the shim */
  int was_answered; /* an arbiter answered */
  double waited;    /* seconds, of all threads */
} hf_shim_end_state;
/* Ends the operation at the end of the program. */
void hf_shim_end(hf_shim_end_state* out);

#endif
