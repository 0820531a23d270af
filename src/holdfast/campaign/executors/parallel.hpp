#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace holdfast {

/// Returns the number of threads that were asked for; for 0, as many as this machine has cores.
[[nodiscard]] inline unsigned thread_count(unsigned asked) {
  return asked == 0 ? std::max(1U, std::thread::hardware_concurrency()) : asked;
}

/// Calls work(i) for each i below `count`, each once, from at most `threads` threads, of which one is the caller's. Returns when
/// all are done. An exception ends the work, and is thrown here.
template <class Work>
void parallel_for(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t wanted = std::min<std::size_t>(threads, count);
    try {
      while (others.size() + 1 < wanted) others.emplace_back(run);
    } catch (const std::system_error&) {  // no more threads: those that there are do it
    }
    run();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace holdfast
