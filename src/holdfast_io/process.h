/* A number by which a process notices that it is the child of a fork. */
#ifndef HOLDFAST_IO_PROCESS_H
#define HOLDFAST_IO_PROCESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prepares hf_process_number(), and must be called before it. Further calls have no effect. */
void hf_process_prepare(void);
/* Returns a number that differs between a process and the children that it forked, at the cost of a load. The child of a vfork,
 * which shares its parent's memory until it executes a program, has the number of its parent. The number is never 0. */
uint64_t hf_process_number(void);

#ifdef __cplusplus
}
#endif

#endif
