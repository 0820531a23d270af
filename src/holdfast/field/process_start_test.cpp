#include "holdfast/field/process.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

using namespace holdfast::field;

namespace {

// Kills every child of a thread as soon as it is there.
void kill_children_of(const std::string& thread, const std::atomic<bool>& stop) {
  while (!stop) {
    std::ifstream children("/proc/self/task/" + thread + "/children");
    for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
  }
}

}  // namespace

TEST_CASE(
    "start: a program that cannot be started is an error, and one that is killed at once is not") {
  const auto absent = start({.words = {"/no/such/program"}, .environment = {}});
  REQUIRE(!absent);
  CHECK(absent.error().text() == "/no/such/program: cannot be started: No such file or directory");
  int status = 0;
  REQUIRE(::waitpid(-1, &status, 0) > 0);
  std::atomic<bool> stop{false};
  const std::string self = std::to_string(::gettid());
  std::thread killer([&] { kill_children_of(self, stop); });
  for (int i = 0; i < 100; ++i) {
    const auto program = start({.words = {"/bin/sleep", "60"}, .environment = {}});
    if (!program) FAIL_CHECK(program.error().text());
    REQUIRE(::waitpid(-1, &status, 0) > 0);
    CHECK(WIFSIGNALED(status));
  }
  stop = true;
  killer.join();
}
