#include "holdfast/arbiter/background_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "support/scratch.hpp"
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

using namespace holdfast::arbiter;

namespace {

/// A pipe: a process that reads it waits as for a disk that does not answer, until open() is called.
class Gate {
 public:
  Gate() { REQUIRE(::pipe(ends_.data()) == 0); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    for (const int end : ends_) ::close(end);
  }
  void pass() const {
    char byte = 0;
    [[maybe_unused]] const auto count = ::read(ends_[0], &byte, 1);
  }
  void open() const { REQUIRE(::write(ends_[1], "x", 1) == 1); }

 private:
  std::array<int, 2> ends_{};
};

void wait_for(const BackgroundFile& file) {
  while (file.is_busy()) ::usleep(1000);
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a file is replaced in the background, as a whole") {
  Scratch scratch;
  BackgroundFile file(scratch / "state");
  for (const std::string text : {"first", "second"}) {
    file.begin([text] { return text; });
    wait_for(file);
    CHECK(read_text(scratch / "state") == text);
  }
  CHECK(!file.trouble());
  CHECK(files_in(scratch.path()) == 1);
}

TEST_CASE("nobody waits for a write, and none begins before it ends") {
  Scratch scratch;
  const Gate gate;
  BackgroundFile file(scratch / "state");
  file.begin([&] {
    gate.pass();
    return std::string("went on");
  });
  CHECK(file.is_busy());
  file.begin([] { return std::string("another"); });
  CHECK(!std::filesystem::exists(scratch / "state"));
  gate.open();
  wait_for(file);
  CHECK(read_text(scratch / "state") == "went on");
}

TEST_CASE("a write here and now comes after the one in progress") {
  Scratch scratch;
  const Gate gate;
  BackgroundFile file(scratch / "state");
  file.begin([&] {
    gate.pass();
    return std::string("earlier");
  });
  gate.open();
  CHECK(file.write_now("last").has_value());
  CHECK(!file.is_busy());
  CHECK(read_text(scratch / "state") == "last");
}

TEST_CASE("a write that has begun is finished before its object goes") {
  Scratch scratch;
  {
    BackgroundFile file(scratch / "state");
    file.begin([] { return std::string("text"); });
  }
  CHECK(read_text(scratch / "state") == "text");
}

TEST_CASE("the thread receives no signals") {
  Scratch scratch;
  sigset_t before;
  REQUIRE(::pthread_sigmask(SIG_SETMASK, nullptr, &before) == 0);
  bool is_blocked = false;
  {
    BackgroundFile file(scratch / "state");
    file.begin([&] {
      sigset_t now;
      ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
      is_blocked = ::sigismember(&now, SIGTERM) == 1 && ::sigismember(&now, SIGHUP) == 1;
      return std::string();
    });
  }
  CHECK(is_blocked);
  sigset_t after;
  REQUIRE(::pthread_sigmask(SIG_SETMASK, nullptr, &after) == 0);
  CHECK(::sigismember(&after, SIGTERM) == ::sigismember(&before, SIGTERM));
}

TEST_CASE("an error in the background is returned once") {
  Scratch scratch;
  BackgroundFile file(scratch / "nowhere/state");
  file.begin([] { return std::string("text"); });
  wait_for(file);
  const auto trouble = file.trouble();
  REQUIRE(trouble);
  CHECK(trouble->find("nowhere/state: cannot be written: No such file or directory") !=
        std::string::npos);
  CHECK(!file.trouble());
  CHECK(!file.write_now("text"));
}

TEST_CASE("a file with secrets has its own mode, also where it replaces one that all could read") {
  namespace fs = std::filesystem;
  Scratch scratch;
  std::ofstream(scratch / "state") << "old";
  fs::permissions(scratch / "state", fs::perms(0644));
  BackgroundFile file(scratch / "state", 0640);
  REQUIRE(file.write_now("new"));
  CHECK(fs::status(scratch / "state").permissions() == fs::perms(0640));
  file.begin([] { return std::string("newer"); });
  wait_for(file);
  CHECK(read_text(scratch / "state") == "newer");
  CHECK(fs::status(scratch / "state").permissions() == fs::perms(0640));
}
