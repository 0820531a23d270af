/* At which rate a program may move now, from what the arbiter last said: a token bucket and the rules for when the arbiter is
 * away. No clock, no socket. Dates are seconds on a clock that never goes back. */
#ifndef HOLDFAST_IO_PACE_H
#define HOLDFAST_IO_PACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HF_PACE_UNLIMITED UINT64_MAX
#define HF_PACE_NEVER 1e300

typedef struct {
  int is_governed; /* an arbiter has spoken, or is about to */
  uint64_t rate;   /* granted, until lease_end */
  uint64_t floor;
  double lease_end;
  double orphan_end;   /* no limit from then on */
  double paused_since; /* HF_PACE_NEVER: it is not paused */
  double tokens;       /* bytes that may move; less than 0: a debt */
  double at;           /* when they were counted */
} hf_pace;

/* Nothing is paced. */
void hf_pace_reset(hf_pace* pace, double now);
/* The arbiter granted this. lease in seconds. */
void hf_pace_grant(hf_pace* pace, uint64_t rate, uint64_t floor, double lease, double now);
/* Sets the rate that is used while the arbiter is away. It is at least 4096 bytes/s. */
void hf_pace_set_floor(hf_pace* pace, uint64_t floor);
/* The rate now. */
uint64_t hf_pace_rate(const hf_pace* pace, double now);
/* When the rate changes by itself at the latest. */
double hf_pace_change(const hf_pace* pace, double now);
/* Largest piece that moves at once, and most that a pause in writing saves up. */
uint64_t hf_pace_chunk(uint64_t rate);
double hf_pace_capacity(uint64_t rate);
/* What is waited for at once: a chunk, and half of the capacity at most, so that a sleep that lasted too long loses nothing. */
uint64_t hf_pace_piece(uint64_t rate);
/* Counts tokens until now. */
void hf_pace_fill(hf_pace* pace, double now);
/* Seconds until so many bytes (at most a piece) may move; 0: they may. Fills first. */
double hf_pace_delay(hf_pace* pace, uint64_t bytes, double now);
void hf_pace_moved(hf_pace* pace, uint64_t bytes, double now);

#ifdef __cplusplus
}
#endif

#endif
