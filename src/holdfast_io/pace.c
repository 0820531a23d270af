#include "pace.h"

/* Seconds at the floor after a lease that was not renewed. */
#define ORPHAN 300.0
/* The longest pause that an arbiter can cause, in seconds. */
#define LONGEST_PAUSE 120.0
/* The longest lease that an arbiter can give, in seconds. */
#define LONGEST_LEASE 60.0
/* The lowest rate, in bytes/s. A lower one would be a pause without end in all but name. */
#define SLOWEST 4096
#define SAVED 0.05
#define PAGE 4096
#define LONGEST_DEBT 10.0
#define LEAST_CHUNK ((uint64_t)1 << 16)
#define MOST_CHUNK ((uint64_t)1 << 24)

void hf_pace_reset(hf_pace* pace, double now) {
  pace->is_governed = 0;
  pace->rate = HF_PACE_UNLIMITED;
  pace->floor = SLOWEST;
  pace->lease_end = now;
  pace->orphan_end = now;
  pace->paused_since = HF_PACE_NEVER;
  pace->tokens = 0;
  pace->at = now;
}

void hf_pace_set_floor(hf_pace* pace, uint64_t floor) {
  pace->floor = floor < SLOWEST ? SLOWEST : floor;
}

void hf_pace_grant(hf_pace* pace, uint64_t rate, uint64_t floor, double lease, double now) {
  hf_pace_fill(pace, now);
  if (lease > LONGEST_LEASE) lease = LONGEST_LEASE;
  if (!(lease > 0)) lease = 0;
  if (rate > 0 && rate < SLOWEST) rate = SLOWEST;
  pace->is_governed = 1;
  pace->rate = rate;
  hf_pace_set_floor(pace, floor);
  pace->lease_end = now + lease;
  pace->orphan_end = now + lease + ORPHAN;
  /* A pause ends only when bytes move, not when a rate is granted. */
  if (rate == 0 && pace->paused_since == HF_PACE_NEVER) pace->paused_since = now;
  if (hf_pace_rate(pace, now) == 0 && pace->tokens > 0) pace->tokens = 0;
}

uint64_t hf_pace_rate(const hf_pace* pace, double now) {
  if (!pace->is_governed || now >= pace->orphan_end) return HF_PACE_UNLIMITED;
  if (now >= pace->lease_end) return pace->floor;
  if (pace->rate == 0 && now >= pace->paused_since + LONGEST_PAUSE) return pace->floor;
  return pace->rate;
}

double hf_pace_change(const hf_pace* pace, double now) {
  if (!pace->is_governed || now >= pace->orphan_end) return HF_PACE_NEVER;
  if (now >= pace->lease_end) return pace->orphan_end;
  if (pace->rate == 0 && now < pace->paused_since + LONGEST_PAUSE &&
      pace->paused_since + LONGEST_PAUSE < pace->lease_end) {
    return pace->paused_since + LONGEST_PAUSE;
  }
  return pace->lease_end;
}

uint64_t hf_pace_chunk(uint64_t rate) {
  const double most = SAVED * (double)rate;
  uint64_t chunk = LEAST_CHUNK;
  while (chunk < MOST_CHUNK && (double)chunk * 2 <= most) chunk *= 2;
  return chunk;
}

double hf_pace_capacity(uint64_t rate) {
  const double chunk = (double)hf_pace_chunk(rate);
  const double saved = SAVED * (double)rate;
  return saved > chunk ? saved : chunk;
}

uint64_t hf_pace_piece(uint64_t rate) {
  const uint64_t chunk = hf_pace_chunk(rate);
  const double half = hf_pace_capacity(rate) / 2;
  return (double)chunk < half ? chunk : (uint64_t)half / PAGE * PAGE;
}

/* Goes from one change of the rate to the next, because the rate may have changed without a grant in between. */
void hf_pace_fill(hf_pace* pace, double now) {
  while (pace->at < now) {
    const uint64_t rate = hf_pace_rate(pace, pace->at);
    double until = hf_pace_change(pace, pace->at);
    if (!(until < now)) until = now;
    if (rate == HF_PACE_UNLIMITED || rate == 0) {
      if (rate == HF_PACE_UNLIMITED || pace->tokens > 0) pace->tokens = 0;
    } else {
      const double capacity = hf_pace_capacity(rate);
      const double most =
          LONGEST_DEBT * (double)rate + capacity; /* largest debt, at whatever rate it was made */
      if (pace->tokens < -most) pace->tokens = -most;
      pace->tokens += (double)rate * (until - pace->at);
      if (pace->tokens > capacity) pace->tokens = capacity;
    }
    pace->at = until;
  }
}

double hf_pace_delay(hf_pace* pace, uint64_t bytes, double now) {
  uint64_t rate;
  uint64_t piece;
  double lacking;
  hf_pace_fill(pace, now);
  rate = hf_pace_rate(pace, now);
  if (rate == HF_PACE_UNLIMITED) return 0;
  if (rate == 0) return hf_pace_change(pace, now) - now;
  piece = hf_pace_piece(rate);
  if (bytes > piece) bytes = piece;
  lacking = (double)bytes - pace->tokens;
  return lacking > 0 ? lacking / (double)rate : 0;
}

void hf_pace_moved(hf_pace* pace, uint64_t bytes, double now) {
  uint64_t rate;
  double most;
  hf_pace_fill(pace, now);
  if (bytes > 0 && pace->rate > 0) pace->paused_since = HF_PACE_NEVER;
  rate = hf_pace_rate(pace, now);
  if (rate == HF_PACE_UNLIMITED) return;
  if (rate == 0) rate = pace->floor;
  most = LONGEST_DEBT * (double)rate + hf_pace_capacity(rate);
  pace->tokens -= (double)bytes;
  if (pace->tokens < -most) pace->tokens = -most;
}
