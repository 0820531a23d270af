// What C++ leaves out where there are no threads: locks, which nobody else can hold, and threads, which do not start.
#pragma once

#include <system_error>

namespace std {

struct mutex {
  void lock() {}
  void unlock() {}
};

struct thread {
  static unsigned hardware_concurrency() { return 1; }
};

struct jthread {
  template <class Work>
  explicit jthread(Work&& /*work*/) {
    throw system_error(make_error_code(errc::resource_unavailable_try_again));
  }
};

}  // namespace std
