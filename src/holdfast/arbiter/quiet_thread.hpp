#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace holdfast::arbiter {

/// Starts a thread that receives no signals: they are for the thread that calls this.
template <class Work>
[[nodiscard]] std::thread start_quiet_thread(Work work) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread out(std::move(work));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return out;
}

}  // namespace holdfast::arbiter
