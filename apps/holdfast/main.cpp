#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/program.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C asks for an orderly stop, the second one is obeyed at once.
void on_interrupt(int signal) {
  interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

int terminal_width(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? static_cast<int>(size.ws_col) : 0;
}

holdfast::cli::Console::Terminal find_terminal() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool is_dumb = kind != nullptr && std::string_view(kind) == "dumb";
  const bool wants_color = !is_dumb && (no_color == nullptr || *no_color == '\0');
  holdfast::cli::Console::Terminal terminal;
  terminal.out = isatty(STDOUT_FILENO) == 1;
  terminal.err = isatty(STDERR_FILENO) == 1;
  terminal.width = terminal.out ? terminal_width(STDOUT_FILENO) : 0;
  terminal.color = terminal.out && wants_color;
  return terminal;
}

}  // namespace

int main(int count, char** values) {
  std::ios::sync_with_stdio(false);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_DFL);
  holdfast::cli::Console console(std::cout, std::cerr, std::cin, find_terminal(), &interrupted);
  const std::vector<std::string> arguments(values + 1, values + count);
  return holdfast::cli::run_program(arguments, console, holdfast::domains());
}
