/* The rate at which a program may move data now, according to the arbiter's last grant: a token bucket, and the rules for when
 * the arbiter is away. It uses no clock and no socket. Dates are seconds on a clock that never goes back. */
#ifndef HOLDFAST_IO_PACE_H
#define HOLDFAST_IO_PACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HF_PACE_UNLIMITED UINT64_MAX
#define HF_PACE_NEVER 1e300

typedef struct {
  int is_governed; /* an arbiter has granted a rate, or will soon */
  uint64_t rate;   /* bytes/s granted until lease_end */
  uint64_t floor;  /* bytes/s */
  double lease_end;
  double orphan_end;   /* no limit from then on */
  double paused_since; /* HF_PACE_NEVER: it is not paused */
  double tokens;       /* bytes that may move; less than 0: a debt */
  double at;           /* when the tokens were counted */
} hf_pace;

/* Removes all limits. */
void hf_pace_reset(hf_pace* pace, double now);
/* Takes over a grant of the arbiter. rate and floor are in bytes/s, lease is in seconds. */
void hf_pace_grant(hf_pace* pace, uint64_t rate, uint64_t floor, double lease, double now);
/* Sets the rate that is used while the arbiter is away. It is at least 4096 bytes/s. */
void hf_pace_set_floor(hf_pace* pace, uint64_t floor);
/* Returns the current rate in bytes/s. */
uint64_t hf_pace_rate(const hf_pace* pace, double now);
/* Returns the date at which the rate changes without a new grant; HF_PACE_NEVER if it does not. */
double hf_pace_change(const hf_pace* pace, double now);
/* Returns the largest number of bytes that move at once. */
uint64_t hf_pace_chunk(uint64_t rate);
/* Returns the largest number of tokens that accumulate while nothing moves. */
double hf_pace_capacity(uint64_t rate);
/* Returns the number of bytes that a program waits for at once: a chunk, but at most half of the capacity, so that no tokens
 * are lost if a sleep lasts too long. */
uint64_t hf_pace_piece(uint64_t rate);
/* Adds the tokens of the time until now. */
void hf_pace_fill(hf_pace* pace, double now);
/* Fills, and returns the seconds until that many bytes (at most a piece) may move; 0: they may move now. */
double hf_pace_delay(hf_pace* pace, uint64_t bytes, double now);
/* Takes the tokens of bytes that moved. */
void hf_pace_moved(hf_pace* pace, uint64_t bytes, double now);

#ifdef __cplusplus
}
#endif

#endif
