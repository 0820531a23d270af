#include "holdfast/base/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <system_error>
#include <utility>

extern char** environ;

namespace holdfast {
namespace {

/// The two ends of a pipe, closed with the object.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }

 private:
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }
  std::array<int, 2> ends_ = {-1, -1};
};

using Clock = std::chrono::steady_clock;

/// Reads both streams until they end; returns false if that takes longer than `seconds`.
bool read_all(int out, int err, CommandResult& result, double seconds) {
  const auto begin = Clock::now();
  std::array<pollfd, 2> ends = {{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  std::array<char, 4096> buffer;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    int wait = -1;
    if (std::isfinite(seconds)) {
      const double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
      if (left <= 0) return false;
      wait = static_cast<int>(std::min(1000 * left + 1, 1e9));
    }
    if (::poll(ends.data(), ends.size(), wait) < 0 && errno != EINTR) return true;
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      const auto count = ::read(end.fd, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        end.fd = -1;
      } else {
        (end.fd == out ? result.out : result.err)
            .append(buffer.data(), static_cast<std::size_t>(count));
      }
    }
  }
  return true;
}

}  // namespace

Result<CommandResult> run_command(const std::vector<std::string>& words, double seconds) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
  pid_t child = 0;
  const int code =
      ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    return fail(ErrorCode::io_failure, words.front(),
                fmt::format("cannot be started: {}", std::generic_category().message(code)));
  }
  out.close_write_end();
  err.close_write_end();
  CommandResult result;
  const bool has_answered = read_all(out.read_end(), err.read_end(), result, seconds);
  if (!has_answered) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!has_answered) {
    return fail(ErrorCode::io_failure, words.front(),
                fmt::format("did not end within {} s", seconds));
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace holdfast
