#include "holdfast/field/background.hpp"

#include "holdfast/base/pipe.hpp"
#include "holdfast/base/system.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace holdfast::field {
namespace {

[[noreturn]] void become(const std::function<Value()>& work, bool is_gentle, pid_t parent,
                         int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_Exit(1);
  ::setsid();
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // The locks of the guard must not outlive it in a process that a disk holds up.
  constexpr int kOut = 3;
  if (out != kOut) ::dup2(out, kOut);
  ::syscall(SYS_close_range, kOut + 1, ~0U, 0);
  if (is_gentle) {
    constexpr int kNice = 10;
    constexpr int kWhoProcess =
        1;  // IOPRIO_WHO_PROCESS of linux/ioprio.h, which old kernels' headers lack
    constexpr int kIdleClass = 3 << 13;
    ::setpriority(PRIO_PROCESS, 0, kNice);
    ::syscall(SYS_ioprio_set, kWhoProcess, 0, kIdleClass);
  }
  const std::string text = to_compact_json(work());
  ::_Exit(write_whole(kOut, text) ? 0 : 1);
}

}  // namespace

std::optional<Background> Background::start(const std::function<Value()>& work, bool is_gentle) {
  Pipe pipe;
  if (pipe.to_read.get() < 0) return std::nullopt;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(work, is_gentle, parent, pipe.to_write.get());
  if (child < 0) return std::nullopt;
  ::fcntl(pipe.to_read.get(), F_SETFL, O_NONBLOCK);
  return Background(child, std::move(pipe.to_read));
}

Background::Background(Background&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::move(other.out_)),
      text_(std::move(other.text_)) {}

Background::~Background() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);              // it may not lead its session yet
  ::kill(-pid_, SIGKILL);             // what it started
  ::waitpid(pid_, nullptr, WNOHANG);  // a disk may hold it up
}

bool Background::has_ended() {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(out_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) return true;
    text_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Value Background::result() const {
  auto out = parse_json(text_);
  return out ? std::move(*out) : Value();
}

}  // namespace holdfast::field
