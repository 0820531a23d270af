#include "holdfast/field/process.hpp"

#include "holdfast/base/system.hpp"
#include "holdfast/field/file_watch.hpp"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.hpp"
#include <array>
#include <csignal>
#include <ctime>
#include <string>

using namespace holdfast::field;

namespace {

volatile std::sig_atomic_t heard = 0;

void hear(int /*signal*/) {
  heard = 1;
}

/// A child that runs `body` until it is killed.
template <class Body>
class Child {
 public:
  explicit Child(Body body) {
    pid_ = ::fork();
    if (pid_ == 0) {
      body();
      ::_exit(0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (lives()) ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  [[nodiscard]] ProcessId id() const { return state_of(pid_).value_or(ProcessState{}).id; }
  /// It is not waited for, so its number stays its own.
  [[nodiscard]] bool lives() const {
    const auto state = state_of(pid_);
    return state && !state->is_dead;
  }

 private:
  pid_t pid_ = 0;
};

void wait_a_little() {
  const timespec wait{.tv_sec = 0, .tv_nsec = 1'000'000};
  ::nanosleep(&wait, nullptr);
}

}  // namespace

TEST_CASE("process: a signal is sent only to a process that handles it, also while that changes") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  // Like a program at its end, it removes its handler, again and again: often between a look and a signal.
  const Child child([&] {
    for (;;) {
      ::signal(SIGUSR1, hear);
      ::signal(SIGUSR1, SIG_DFL);
      if (heard == 0) continue;
      heard = 0;
      [[maybe_unused]] const auto told = ::write(ends[1], "x", 1);
    }
  });
  int sent = 0;
  constexpr int kWanted = 100;
  for (int look = 0; look < 100'000 && sent < kWanted && child.lives(); ++look) {
    if (!send_handled(child.id(), SIGUSR1)) continue;
    ++sent;
    char answer = 0;
    CHECK(::read(ends[0], &answer, 1) == 1);  // it was heard
  }
  CHECK(child.lives());
  CHECK(sent == kWanted);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE(
    "process: a stopped process is not made to go on, and one without a handler gets no signal") {
  const Child child([] {
    for (;;) ::pause();
  });
  CHECK_FALSE(send_handled(child.id(), SIGUSR1));
  CHECK(reception_of(child.id(), SIGUSR1) == Reception::ends_it);
  const Child listener([] {
    ::signal(SIGUSR1, hear);
    for (;;) ::pause();
  });
  while (reception_of(listener.id(), SIGUSR1) != Reception::handles) wait_a_little();
  CHECK(send_handled(listener.id(), SIGUSR1));
  CHECK(send(listener.id(), SIGSTOP));
  const auto is_stopped = [&] {
    int status = 0;
    return ::waitpid(listener.id().pid, &status, WNOHANG | WUNTRACED) > 0 && WIFSTOPPED(status);
  };
  while (!is_stopped()) wait_a_little();
  CHECK(send_handled(listener.id(), SIGUSR1));
  int status = 0;
  CHECK(::waitpid(listener.id().pid, &status, WNOHANG | WCONTINUED) == 0);
  CHECK(listener.lives());
}

TEST_CASE("process: a file is open for writing until its writer is seen to end") {
  constexpr int kKills = 50;
  const std::string path = "/proc/self/fd/" + std::to_string(::memfd_create("written", 0));
  for (int kill = 0; kill < kKills; ++kill) {
    const Child child([] {  // it has this file open too
      for (;;) ::pause();
    });
    const std::array<ProcessId, 1> writer = {child.id()};
    while (!is_open_for_writing(path, writer)) wait_a_little();
    ::kill(writer.front().pid, SIGKILL);
    while (is_open_for_writing(path, writer)) {
    }
    CHECK_FALSE(is_running(writer.front()));
  }
}

TEST_CASE("process: a blocked signal is waited for, read from a file, or only blocked") {
  const auto block = [] {
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
    return one;
  };
  const auto comes_to = [](const auto& child, Reception wanted) {
    constexpr int kMostLooks = 10'000;
    for (int look = 0; look < kMostLooks; ++look) {
      if (reception_of(child.id(), SIGUSR1) == wanted) return true;
      wait_a_little();
    }
    return false;
  };
  const Child blocks([&] {
    block();
    for (;;) ::pause();
  });
  CHECK(comes_to(blocks, Reception::blocks));
  CHECK_FALSE(send_handled(blocks.id(), SIGUSR1));
  const Child waits([&] {
    const sigset_t one = block();
    int signal = 0;
    for (;;) ::sigwait(&one, &signal);
  });
  CHECK(comes_to(waits, Reception::waits));
  // It waits for another signal, and would be ended by this one.
  const Child waits_for_another([&] {
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, SIGUSR2);
    ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
    int signal = 0;
    for (;;) ::sigwait(&one, &signal);
  });
  CHECK(reception_of(waits_for_another.id(), SIGUSR1) == Reception::ends_it);
  const Child reads([&] {
    const sigset_t one = block();
    [[maybe_unused]] const int file = ::signalfd(-1, &one, 0);
    for (;;) ::pause();
  });
  CHECK(comes_to(reads, Reception::waits));
}

TEST_CASE("process: of two starts with one claim one runs, in its folder") {
  const Scratch scratch;
  const Start how{.words = {"sh", "-c", "echo ran >> runs"},
                  .environment = holdfast::environment_without({}),
                  .directory = scratch.path().string(),
                  .claim = (scratch / "claim").string(),
                  .outlives = true};
  const auto one = start(how);
  REQUIRE(one.has_value());
  const auto other = start(how);
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().message.find("File exists") != std::string::npos);
  int status = 0;
  ::waitpid(one->pid, &status, 0);
  CHECK(read_text(scratch / "runs") == "ran\n");
}
