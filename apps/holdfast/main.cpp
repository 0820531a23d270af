#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/program.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C asks for an orderly stop; the second one ends the process at once.
void on_interrupt(int signal) {
  interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

// A signal that the parent ignores (nohup, a background job) stays ignored: a Ctrl-C that was meant for the foreground must not
// end a campaign in the background.
void stop_on(int signal) {
  if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
}

// Returns the width of a terminal; if it is unknown (some serial lines, script, containers), the value of COLUMNS, else 80.
int terminal_width(int descriptor) {
  constexpr int kUsual = 80;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return static_cast<int>(size.ws_col);
  const char* told = std::getenv("COLUMNS");
  const int columns = told == nullptr ? 0 : std::atoi(told);
  return columns > 0 ? columns : kUsual;
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
  terminal.err_width = terminal.err ? terminal_width(STDERR_FILENO) : 0;
  terminal.color = terminal.out && wants_color;
  return terminal;
}

int run(int count, char** values) {
  std::ios::sync_with_stdio(false);
  stop_on(SIGINT);
  stop_on(SIGTERM);
  std::signal(SIGPIPE, SIG_DFL);
  holdfast::cli::Console console(std::cout, std::cerr, std::cin, find_terminal(), &interrupted);
  const std::vector<std::string> arguments(values + 1, values + count);
  return holdfast::cli::run_program(arguments, console, holdfast::domains());
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(count, values);
  } catch (const std::bad_alloc&) {  // there is too little memory to report it in the usual way
    constexpr std::string_view kText = "holdfast: not enough memory\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
    return 4;
  }
}
