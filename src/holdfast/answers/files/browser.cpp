#include "holdfast/answers/files/browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <system_error>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{20};

std::string browser_name(const std::string& browsers) {
  const std::string first = browsers.substr(0, browsers.find(':'));
  return first.empty() ? "xdg-open" : first;
}

tl::unexpected<Error> cannot_open(const std::string& browser, const std::string& why,
                                  const fs::path& page) {
  return fail(ErrorCode::io_failure, "--open",
              fmt::format("{} {}; the page is {}, and the variable BROWSER names another program",
                          browser, why, page.string()));
}

// Starts the browser. Its output is discarded, because it is not part of any answer.
Result<pid_t> start(const std::string& browser, const std::string& page) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = browser;
  std::string argument = page;
  const std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, browser.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return cannot_open(browser, std::string("cannot be started: ") + std::strerror(error), page);
  return child;
}

}  // namespace

Status open_in_browser(const fs::path& page, const std::string& browsers,
                       std::chrono::milliseconds patience) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(page, ignored);
  const std::string browser = browser_name(browsers);
  HOLDFAST_TRY(child, start(browser, absolute.string()));
  for (auto waited = kLook; waited < patience; waited += kLook) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
      return cannot_open(browser, "ended without showing it", absolute);
    }
    ::poll(nullptr, 0, static_cast<int>(kLook.count()));
  }
  return {};
}

}  // namespace holdfast
