#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/value.hpp"

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace holdfast::field {

/// Work in a copy of this process, which the caller does not wait for. It dies with this process.
class Background {
 public:
  /// @param is_gentle  true: it leaves processors and disks to everybody else
  /// @returns nothing if no process can be made
  [[nodiscard]] static std::optional<Background> start(const std::function<Value()>& work,
                                                       bool is_gentle);
  Background(Background&& other) noexcept;
  Background& operator=(Background&&) = delete;
  ~Background();

  /// Returns the process, which leads a session of its own.
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Tells that the process was waited for.
  void reaped() { pid_ = -1; }
  /// Returns a descriptor that can be read when there is a result.
  [[nodiscard]] int descriptor() const { return out_.get(); }
  /// Reads what is there, and returns true when the work has ended.
  [[nodiscard]] bool has_ended();
  /// Returns the result; null if the process ended without one.
  [[nodiscard]] Value result() const;

 private:
  Background(pid_t pid, Descriptor out) : pid_(pid), out_(std::move(out)) {}

  pid_t pid_;
  Descriptor out_;
  std::string text_;
};

}  // namespace holdfast::field
