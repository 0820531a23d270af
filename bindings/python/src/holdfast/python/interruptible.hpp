#pragma once

#include "holdfast/campaign/control.hpp"
#include "holdfast/python/python.hpp"

#include <atomic>
#include <functional>
#include <mutex>

namespace holdfast::python {

/// The objects of the caller that a long call uses while it runs, in the thread that made the call.
struct Watch {
  /// Called with (total, found, done, rate, seconds); None: no progress is reported.
  py::object progress = py::none();
  py::object stop = py::none();  ///< a threading.Event that stops the call, or None
};

/// Lets other threads use the interpreter while this one works without it. When the interpreter ends meanwhile, as it does beside
/// a daemon thread, the thread stays here, because Python would end it in the middle of a C++ function.
class Released {
 public:
  Released();
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* state_;
};

/// Arranges that the calls which run when the interpreter ends are stopped, and that it waits for them.
void end_with_interpreter();

/// The newest progress of a worker, for the thread that waits.
class Latest {
 public:
  void set(const Progress& now);
  /// Takes the progress. @returns false if none was set since the last call
  [[nodiscard]] bool take(Progress& out);

 private:
  std::mutex mutex_;
  Progress now_;
  bool is_new_ = false;
};

/// Runs `work` in a separate thread. The calling thread waits without the interpreter's lock and wakes every 20 ms to check for
/// signals, report progress and look at the caller's stop event. An exception from these stops the work, and is thrown when the
/// work has ended. No thread outlives the call.
/// @param work  receives the stop flag and the place for its progress; it must not hold a Python object
void run_beside(const Watch& watch,
                const std::function<void(const std::atomic<bool>& stop, Latest& progress)>& work);

}  // namespace holdfast::python
