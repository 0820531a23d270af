/* Frames of the arbiter's protocol, version 1, as far as a program needs them; see src/holdfast/arbiter/frames.hpp. */
#ifndef HOLDFAST_IO_WIRE_H
#define HOLDFAST_IO_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WIRE_HEADER = 16, WIRE_LONGEST = 16 + 128, WIRE_LABEL = 64, WIRE_TOKEN = 16 };
enum {
  WIRE_HELLO = 1,
  WIRE_WELCOME = 2,
  WIRE_POST = 3,
  WIRE_GRANT = 4,
  WIRE_REPORT = 5,
  WIRE_DONE = 6,
  WIRE_BYE = 7,
  WIRE_PING = 8,
  WIRE_PONG = 9,
  WIRE_ERROR = 10
};
enum { WIRE_BAD_VERSION = 2, WIRE_IDLE_OPERATION = 8 };

static inline void wire_put(unsigned char* at, uint64_t value, int bytes) {
  int i;
  for (i = 0; i < bytes; ++i) at[i] = value >> (8 * i) & 0xff;
}

static inline uint64_t wire_get(const unsigned char* at, int bytes) {
  uint64_t value = 0;
  int i;
  for (i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}

/* Writes a header, and returns the place where the body begins. */
static inline unsigned char* wire_begin(unsigned char* at, unsigned char type, uint32_t body,
                                        uint32_t sequence) {
  memcpy(at, "HFIO", 4);
  at[4] = 1;
  at[5] = type;
  wire_put(at + 6, 0, 2);
  wire_put(at + 8, body, 4);
  wire_put(at + 12, sequence, 4);
  return at + WIRE_HEADER;
}

/* Returns the length of the body of a type of frame that a server may send; 0 for all other types. */
static inline uint32_t wire_body_of(int type) {
  switch (type) {
    case WIRE_WELCOME:
      return 48;
    case WIRE_GRANT:
      return 32;
    case WIRE_PING:
    case WIRE_PONG:
      return 8;
    case WIRE_ERROR:
      return 128;
    default:
      return 0;
  }
}

#endif
