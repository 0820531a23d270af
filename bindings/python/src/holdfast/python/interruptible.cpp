#include "holdfast/python/interruptible.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

namespace holdfast::python {
namespace {

constexpr auto kWake = std::chrono::milliseconds(20);

/// The calls that work without the interpreter, and whether it ends.
struct Outside {
  std::mutex mutex;
  std::condition_variable changed;
  int threads = 0;
  std::atomic<bool> is_ending{false};
};

Outside& outside() {
  static auto* const known =
      new Outside;  // never destroyed: threads that stay outside use it to the end
  return *known;
}

void wait_for_calls() {
  Outside& all = outside();
  all.is_ending = true;
  const py::gil_scoped_release released;
  std::unique_lock lock(all.mutex);
  all.changed.wait(lock, [&all] { return all.threads == 0; });
}

/// One call: the worker, and the state that it shares with the waiting thread.
class Call {
 public:
  explicit Call(const Watch& watch) : watch_{watch} {}

  void run(const std::function<void(const std::atomic<bool>&, Latest&)>& work) {
    std::thread worker([this, &work] {
      try {
        work(stop_, latest_);
      } catch (...) {
        thrown_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      is_done_ = true;
      changed_.notify_one();
    });
    {
      const Released released;
      wait();
      worker.join();
    }
    if (!raised_)
      look(false);  // the last progress; the interpreter handles a signal that came meanwhile
    if (raised_) std::rethrow_exception(raised_);
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kWake, [this] { return is_done_; })) {
      lock.unlock();
      if (outside().is_ending) {
        stop_ = true;
      } else if (!raised_) {
        const py::gil_scoped_acquire held;
        look(true);
      }
      lock.lock();
    }
  }

  void look(bool at_signals) {
    try {
      if (at_signals && PyErr_CheckSignals() != 0) throw py::error_already_set();
      Progress now;
      if (!watch_.progress.is_none() && latest_.take(now)) {
        watch_.progress(now.total, now.found, now.done, now.rate, now.seconds);
      }
      if (!watch_.stop.is_none() && py::cast<bool>(watch_.stop.attr("is_set")())) stop_ = true;
    } catch (py::error_already_set&) {
      raised_ = std::current_exception();
      stop_ = true;
    }
  }

  const Watch& watch_;
  std::atomic<bool> stop_{false};
  Latest latest_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::exception_ptr thrown_;
  std::exception_ptr raised_;
};

}  // namespace

Released::Released() : state_{PyEval_SaveThread()} {
  const std::lock_guard lock(outside().mutex);
  ++outside().threads;
}

Released::~Released() {
  Outside& all = outside();
  {
    std::unique_lock lock(all.mutex);
    if (all.is_ending) {
      --all.threads;
      all.changed.notify_all();
      all.changed.wait(lock, [] { return false; });  // until the process ends
    }
  }
  PyEval_RestoreThread(state_);  // wait_for_calls() waits with the interpreter free
  const std::lock_guard lock(all.mutex);
  --all.threads;
  all.changed.notify_all();
}

void end_with_interpreter() {
  py::module_::import("atexit").attr("register")(py::cpp_function(wait_for_calls));
}

void Latest::set(const Progress& now) {
  const std::lock_guard lock(mutex_);
  now_ = now;
  is_new_ = true;
}

bool Latest::take(Progress& out) {
  const std::lock_guard lock(mutex_);
  if (!is_new_) return false;
  out = now_;
  is_new_ = false;
  return true;
}

void run_beside(const Watch& watch,
                const std::function<void(const std::atomic<bool>&, Latest&)>& work) {
  Call(watch).run(work);
}

}  // namespace holdfast::python
