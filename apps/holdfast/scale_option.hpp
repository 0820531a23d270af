#pragma once

#include "holdfast/base/error.hpp"

#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// The option `--scale S`, which multiplies the numbers of instances and scenarios.
class ScaleOption {
 public:
  void add(CLI::App& command);
  [[nodiscard]] Result<double> read() const;

 private:
  std::string text_ = "1";
};

}  // namespace holdfast::cli
