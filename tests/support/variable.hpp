#pragma once

#include <stdlib.h>

#include <string>
#include <utility>

/// An environment variable that is set, or unset, for the length of a test.
class Variable {
 public:
  /// @param value  null: the variable is unset
  Variable(std::string name, const char* value) : name_{std::move(name)} {
    if (const char* before = ::getenv(name_.c_str())) {
      has_before_ = true;
      before_ = before;
    }
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(has_before_ ? before_.c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_.c_str());
    } else {
      ::setenv(name_.c_str(), value, 1);
    }
  }

  std::string name_;
  std::string before_;
  bool has_before_ = false;
};
