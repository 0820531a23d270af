#include <fcntl.h>
#include <guard_pipes.hpp>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace holdfast::c {
namespace {

constexpr double kBetweenProgress = 1;

// Uses the process numbers of the launchers of MPI and Slurm, of which the innermost comes first, and of PyTorch and Lightning,
// which run inside of these: in a batch step all their processes have SLURM_PROCID=0.
bool is_first_process() {
  const auto rank_of = [](const char* name) {
    const char* const rank = std::getenv(name);
    return std::string_view(rank == nullptr ? "" : rank);
  };
  for (const char* const name : {"RANK", "LOCAL_RANK", "NODE_RANK"}) {
    if (!rank_of(name).empty() && rank_of(name) != "0") return false;
  }
  for (const char* const name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (!rank_of(name).empty()) return rank_of(name) == "0";
  }
  return true;
}

// Opens a pipe for reading and writing, so that it raises no signal when the other end is gone.
int open_pipe(const char* variable) {
  const char* const path = std::getenv(variable);
  if (path == nullptr || *path == '\0') return -1;
  return ::open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

}  // namespace

GuardPipes::~GuardPipes() {
  if (out_ >= 0) ::close(out_);
  if (in_ >= 0) ::close(in_);
}

void GuardPipes::open() {
  if (!is_first_process()) return;
  out_ = open_pipe("HOLDFAST_PIPE");
  in_ = open_pipe("HOLDFAST_REQUESTS");
}

void GuardPipes::say(std::string_view line) const noexcept {
  if (out_ < 0) return;
  [[maybe_unused]] const auto written = ::write(out_, line.data(), line.size());
}

void GuardPipes::say_progress(double now, double done, double total) noexcept {
  if (out_ < 0 || (has_told_ && now - told_at_ < kBetweenProgress)) return;
  if (!std::isfinite(done) || !std::isfinite(total)) return;
  has_told_ = true;
  told_at_ = now;
  std::array<char, 96> text{};
  constexpr std::string_view kWord = "progress ";
  char* const end = text.data() + text.size();
  char* at = text.data() + kWord.copy(text.data(), kWord.size());
  at = std::to_chars(at, end, done).ptr;
  if (total > 0) {
    *at++ = ' ';
    at = std::to_chars(at, end, total).ptr;
  }
  *at++ = '\n';
  say({text.data(), static_cast<std::size_t>(at - text.data())});
}

GuardPipes::Requests GuardPipes::read() noexcept {
  Requests out;
  std::array<char, 256> bytes;
  for (;;) {
    const auto count = in_ < 0 ? -1 : ::read(in_, bytes.data(), bytes.size());
    if (count <= 0) return out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (bytes[i] != '\n') {
        if (size_ < line_.size()) line_[size_] = bytes[i];
        ++size_;
        continue;
      }
      const std::string_view line(line_.data(), size_ <= line_.size() ? size_ : 0);
      if (line == "checkpoint") out.save = true;
      if (line == "stop") out.stop = true;
      size_ = 0;
    }
  }
}

}  // namespace holdfast::c
