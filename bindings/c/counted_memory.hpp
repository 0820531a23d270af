#pragma once

#include <atomic>
#include <cstddef>

// Sanitizers have their own allocator; g++ and clang report a sanitizer in different ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOLDFAST_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOLDFAST_HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HOLDFAST_HAS_SANITIZER)
#define HOLDFAST_COUNTS_MEMORY 1
extern "C" {
void* __libc_malloc(std::size_t size);                 // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t n, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, std::size_t size);     // NOLINT(bugprone-reserved-identifier)
}

/// The number of allocations of this program so far. This header may be included in only one file of a program.
inline std::atomic<long> allocations{0};

extern "C" {
void* malloc(std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
}
#endif
