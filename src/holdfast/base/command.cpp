#include "holdfast/base/command.hpp"

#include "holdfast/base/pipe.hpp"
#include "holdfast/base/system.hpp"

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

extern char** environ;

namespace holdfast {
namespace {

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
  const std::vector<char*> arguments = pointers_to(words);
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.to_write.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.to_write.get(), STDERR_FILENO);
  pid_t child = 0;
  const int code =
      ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    return fail(ErrorCode::io_failure, words.front(),
                fmt::format("cannot be started: {}", std::generic_category().message(code)));
  }
  out.to_write = Descriptor();
  err.to_write = Descriptor();
  CommandResult result;
  const bool has_answered = read_all(out.to_read.get(), err.to_read.get(), result, seconds);
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
