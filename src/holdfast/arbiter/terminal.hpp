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

/// The signals that end a command, and the one that reports a new size of the window. They arrive through a descriptor while
/// the object exists.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  /// Returns that descriptor.
  [[nodiscard]] int get() const { return file_.get(); }
  /// Returns true if a signal that ends the command has arrived.
  [[nodiscard]] bool read() const;

 private:
  sigset_t before_{};
  Descriptor file_;
};

/// A text that is redrawn in place, and the keys that are pressed meanwhile. The destructor restores the terminal.
class Screen {
 public:
  /// @param print  writes on standard output, which is a terminal
  explicit Screen(std::function<void(std::string_view)> print);
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  /// Returns true if standard output is a terminal.
  [[nodiscard]] static bool is_there();
  /// Returns the number of lines of the terminal; 0 if unknown.
  [[nodiscard]] static std::size_t lines();
  /// Returns the width of the terminal in characters; 0 if unknown.
  [[nodiscard]] static std::size_t width();
  /// Draws the text in place of the one before.
  void draw(std::string_view text);
  /// Returns the descriptor from which keys are read; -1: there is none.
  [[nodiscard]] int keys() const { return before_ ? 0 : -1; }
  /// Returns the keys that were pressed; nothing if standard input has ended.
  [[nodiscard]] std::optional<std::string> read_keys();

 private:
  std::function<void(std::string_view)> print_;
  std::optional<termios> before_;  // earlier settings of standard input, if it is a terminal
};

}  // namespace holdfast::arbiter
