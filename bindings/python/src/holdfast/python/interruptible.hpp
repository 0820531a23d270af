#pragma once

#include "holdfast/campaign/control.hpp"
#include "holdfast/python/python.hpp"

#include <atomic>
#include <functional>
#include <mutex>

namespace holdfast::python {

/// What a long call looks at while it runs, in the thread that made it.
struct Watch {
  py::object progress =
      py::none();  ///< called with (total, found, done, rate, seconds); None: nobody wants to know
  py::object stop = py::none();  ///< a threading.Event, or None
};

/// The newest progress of a worker, for the thread that waits.
class Latest {
 public:
  void set(const Progress& now);
  /// False where nothing was set since the last time.
  [[nodiscard]] bool take(Progress& out);

 private:
  std::mutex mutex_;
  Progress now_;
  bool is_new_ = false;
};

/// Runs `work` beside the calling thread, which waits without the interpreter's lock and wakes every 20 ms to look for
/// signals, progress and the stop that the caller brought. What these raise stops the work and is raised when it has ended.
/// No thread outlives the call.
/// @param work  gets the flag that says stop, and where progress goes; holds no Python object
void run_beside(const Watch& watch,
                const std::function<void(const std::atomic<bool>& stop, Latest& progress)>& work);

}  // namespace holdfast::python
