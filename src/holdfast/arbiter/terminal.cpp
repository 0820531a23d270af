#include "holdfast/arbiter/terminal.hpp"

#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kEraseLine = "\x1b[K";
constexpr std::string_view kEraseBelow = "\x1b[J";
// Switches to the alternate screen without a cursor, and back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";

winsize size_of_terminal() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return size;
}

}  // namespace

StopSignals::StopSignals() {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) ::sigaddset(&wanted, signal);
  ::sigprocmask(SIG_BLOCK, &wanted, &before_);
  file_ = Descriptor(::signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC));
}

StopSignals::~StopSignals() {
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool StopSignals::read() const {
  signalfd_siginfo info{};
  bool out = false;
  while (::read(file_.get(), &info, sizeof info) == sizeof info) {
    out = out || static_cast<int>(info.ssi_signo) != SIGWINCH;
  }
  return out;
}

Screen::Screen(std::function<void(std::string_view)> print) : print_(std::move(print)) {
  termios now{};
  if (::tcgetattr(STDIN_FILENO, &now) == 0) {
    before_ = now;
    now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    now.c_cc[VMIN] = 0;
    now.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
  }
  print_(kEnter);
}

Screen::~Screen() {
  print_(kLeave);
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

bool Screen::is_there() {
  return ::isatty(STDOUT_FILENO) == 1;
}

std::size_t Screen::lines() {
  return size_of_terminal().ws_row;
}

std::size_t Screen::width() {
  return size_of_terminal().ws_col;
}

void Screen::draw(std::string_view text) {
  std::string out(kHome);
  // The last line has no line end, which would scroll the screen.
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const char c : text) {
    if (c == '\n') out += kEraseLine;
    out += c;
  }
  out += kEraseLine;
  out += kEraseBelow;
  print_(out);
}

std::optional<std::string> Screen::read_keys() {
  std::array<char, 64> buffer;
  const auto count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count <= 0) {
    if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
    before_.reset();
    return std::nullopt;
  }
  return std::string(buffer.data(), static_cast<std::size_t>(count));
}

}  // namespace holdfast::arbiter
