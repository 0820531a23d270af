/* Is this still the process that it was? */
#ifndef HOLDFAST_IO_PROCESS_H
#define HOLDFAST_IO_PROCESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prepares hf_process_number(); called before the first of its calls, more than once does no harm. */
void hf_process_prepare(void);
/* A number that differs between a process and the children that it forked, at the cost of a load. The child of a vfork, which
 * shares its parent's memory until it executes, has its parent's. Never 0. */
uint64_t hf_process_number(void);

#ifdef __cplusplus
}
#endif

#endif
