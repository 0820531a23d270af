#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// The option `--seed N`: an unsigned number of 64 bits.
class SeedOption {
 public:
  void add(CLI::App& command);
  [[nodiscard]] Result<std::uint64_t> read() const;

 private:
  std::string text_ = "1";
};

}  // namespace holdfast::cli
