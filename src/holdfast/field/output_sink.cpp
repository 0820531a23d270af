#include "holdfast/field/output_sink.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>

namespace holdfast::field {
namespace {

// The flag is a property of the open file, which other processes share: so the file is opened once more.
Descriptor without_waiting(int file) {
  struct stat state {};
  if (::fstat(file, &state) != 0 || (!S_ISFIFO(state.st_mode) && !S_ISCHR(state.st_mode))) {
    return Descriptor();
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  return Descriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

bool has_room(int file) {
  pollfd end{file, POLLOUT, 0};
  return ::poll(&end, 1, 0) != 0;
}

OutputSink::OutputSink(int file) : file_(file), own_(without_waiting(file)) {}

void OutputSink::take(std::string_view bytes, double now) {
  if (is_gone_) return;
  if (waiting_.empty()) moved_at_ = now;
  flush(now);
  if (waiting_.size() >= kLimit) {
    dropped_ += bytes.size();
    return;
  }
  waiting_ += bytes;
  flush(now);
}

void OutputSink::flush(double now) {
  std::size_t done = 0;
  while (done < waiting_.size()) {
    // As much as a pipe with room takes without waiting.
    const std::size_t most = own_.get() >= 0 ? waiting_.size() : std::size_t{PIPE_BUF};
    if (own_.get() < 0 && !has_room(file_)) break;
    const auto count =
        ::write(descriptor(), waiting_.data() + done, std::min(most, waiting_.size() - done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {  // no reader is left, which is no reason to end the program
      is_gone_ = true;
      waiting_.clear();
      return;
    }
    done += static_cast<std::size_t>(count);
    moved_at_ = now;
  }
  waiting_.erase(0, done);
}

void OutputSink::give_up() {
  dropped_ += waiting_.size();
  waiting_.clear();
}

}  // namespace holdfast::field
