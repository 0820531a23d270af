#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace holdfast::c {

/// The pipes to and from a guard (HOLDFAST_PIPE, HOLDFAST_REQUESTS). Of a program of several processes only the first one has
/// them: a guard wants to be told everything once, and a request is read by one. Nothing here waits, allocates or throws.
class GuardPipes {
 public:
  GuardPipes() = default;
  GuardPipes(const GuardPipes&) = delete;
  GuardPipes& operator=(const GuardPipes&) = delete;
  ~GuardPipes();

  /// Opens those that the environment names, if this is the process that speaks for its program.
  void open();
  [[nodiscard]] bool is_open() const { return out_ >= 0; }

  /// Writes one line. Where the guard does not read it is lost.
  void say(std::string_view line) const noexcept;
  /// Says what is done, at most once a second.
  void say_progress(double now, double done, double total) noexcept;

  /// What a guard asked for.
  struct Requests {
    bool save = false;
    bool stop = false;
  };
  /// Reads what has come since the last time. Safe in a handler of signals; not in two threads at once.
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
