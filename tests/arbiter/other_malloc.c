/* Another library that is put before the C library: it replaces malloc by one that never frees, and as such libraries do, it opens,
 * writes and closes a file (OTHER_MALLOC_LOG) when it is first called, before anything else has begun. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 16, ARENA = 64 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* next;
static char* end;

static void say_so(void) {
  const char* path = secure_getenv("OTHER_MALLOC_LOG");
  const int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (file < 0) return;
  if (write(file, "malloc\n", 7) < 0) abort();
  close(file);
}

/* The size stands before the memory. */
static void* take(size_t alignment, size_t size) {
  char* out = NULL;
  int is_first = 0;
  if (size > ARENA) {
    char* own = mmap(NULL, size + alignment + ALIGNMENT, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) {
      errno = ENOMEM;
      return NULL;
    }
    out = (char*)(((uintptr_t)own + ALIGNMENT + alignment - 1) / alignment * alignment);
  } else {
    pthread_mutex_lock(&lock);
    is_first = end == NULL;
    if (end == NULL || (size_t)(end - next) < size + alignment + ALIGNMENT) {
      next =
          mmap(NULL, 2 * (size_t)ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (next == MAP_FAILED) abort();
      end = next + 2 * (size_t)ARENA;
    }
    out = (char*)(((uintptr_t)next + ALIGNMENT + alignment - 1) / alignment * alignment);
    next = out + size;
    pthread_mutex_unlock(&lock);
  }
  memcpy(out - sizeof size, &size, sizeof size);
  if (is_first) say_so();
  return out;
}

void* malloc(size_t size) {
  return take(ALIGNMENT, size);
}

void free(void* memory) {
  (void)memory;
}

void* calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  return take(ALIGNMENT, count * size); /* fresh pages are zero, and nothing is given out twice */
}

void* realloc(void* memory, size_t size) {
  size_t before = 0;
  void* out = take(ALIGNMENT, size);
  if (memory == NULL || out == NULL) return out;
  memcpy(&before, (char*)memory - sizeof before, sizeof before);
  memcpy(out, memory, before < size ? before : size);
  return out;
}

void* aligned_alloc(size_t alignment, size_t size) {
  return take(alignment < ALIGNMENT ? ALIGNMENT : alignment, size);
}

void* memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = aligned_alloc(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}
