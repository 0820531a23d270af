#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace holdfast::c {

/// The pipes to and from a guard (HOLDFAST_PIPE, HOLDFAST_REQUESTS). If a program has several processes, only the first one
/// opens them: a guard must receive each event once, and only one process can read a request. Nothing here waits, allocates or
/// throws.
class GuardPipes {
 public:
  GuardPipes() = default;
  GuardPipes(const GuardPipes&) = delete;
  GuardPipes& operator=(const GuardPipes&) = delete;
  ~GuardPipes();

  /// Opens the pipes that the environment names, if this is the first process of its program.
  void open();
  [[nodiscard]] bool is_open() const { return out_ >= 0; }

  /// Writes one line, which is lost if the guard does not read.
  void say(std::string_view line) const noexcept;
  /// Writes the progress, at most once a second.
  /// @param now  seconds
  void say_progress(double now, double done, double total) noexcept;

  /// The requests of a guard.
  struct Requests {
    bool save = false;
    bool stop = false;
  };
  /// Reads the requests that have arrived since the last call. It may be called in a signal handler, but not in two threads at
  /// the same time.
  [[nodiscard]] Requests read() noexcept;

 private:
  int out_ = -1;
  int in_ = -1;
  double told_at_ = 0;
  bool has_told_ = false;
  std::array<char, 64> line_{};
  std::size_t size_ = 0;
};

}  // namespace holdfast::c
