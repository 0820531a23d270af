#define _GNU_SOURCE
#include "process.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* A page that the kernel fills with zeros in the child of a fork (since Linux 4.14). getpid() would report the child of a vfork
 * as another process, and it costs a system call. */
static uint64_t* mark;
static uint64_t last;

void hf_process_prepare(void) {
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  uint64_t* none = NULL;
  void* page;
  if (__atomic_load_n(&mark, __ATOMIC_ACQUIRE) != NULL) return;
  page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, size, MADV_WIPEONFORK) != 0 ||
      !__atomic_compare_exchange_n(&mark, &none, page, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    munmap(page, size);
  }
}

uint64_t hf_process_number(void) {
  uint64_t* const page = __atomic_load_n(&mark, __ATOMIC_ACQUIRE);
  uint64_t number;
  uint64_t fresh;
  if (page == NULL) return (uint64_t)getpid();
  number = __atomic_load_n(page, __ATOMIC_ACQUIRE);
  if (number != 0) return number;
  /* `last` comes from the parent, so that the new number is larger than those of all ancestors. */
  fresh = __atomic_add_fetch(&last, 1, __ATOMIC_ACQ_REL);
  if (__atomic_compare_exchange_n(page, &number, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return fresh;
  }
  return number;
}
