#pragma once

#include "holdfast/base/descriptor.hpp"

#include <signal.h>
#include <termios.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// Signals that end what runs, heard through a descriptor for as long as the object lives; and that of a window that changes.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  [[nodiscard]] int get() const { return file_.get(); }
  /// Returns true if one came that ends what runs.
  [[nodiscard]] bool read() const;

 private:
  sigset_t before_{};
  Descriptor file_;
};

/// A text that is drawn in the same place again and again, and the keys that are pressed meanwhile. The terminal is as it was
/// once the object is gone.
class Screen {
 public:
  /// @param print  writes on standard output, which is a terminal
  explicit Screen(std::function<void(std::string_view)> print);
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  /// Returns true where standard output is a terminal.
  [[nodiscard]] static bool is_there();
  /// Returns the lines of the terminal; 0 if unknown.
  [[nodiscard]] static std::size_t lines();
  /// Returns the characters of a line of the terminal; 0 if unknown.
  [[nodiscard]] static std::size_t width();
  void draw(std::string_view text);
  /// Returns the descriptor that keys come from; -1: none do.
  [[nodiscard]] int keys() const { return before_ ? 0 : -1; }
  /// Returns what was pressed; nothing where standard input has ended.
  [[nodiscard]] std::optional<std::string> read_keys();

 private:
  std::function<void(std::string_view)> print_;
  std::optional<termios> before_;  // of standard input, where it is a terminal
};

}  // namespace holdfast::arbiter
