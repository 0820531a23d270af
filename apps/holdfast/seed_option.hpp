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

/// Reads a count from the command line, at least 1: `--scenarios 50`, `--threads 4`.
[[nodiscard]] Result<std::int64_t> read_count(const std::string& text, const std::string& option);

/// Reads the value of `--threads N`; 0 (all cores) if none was given.
[[nodiscard]] Result<unsigned> read_threads(const std::string& text);

}  // namespace holdfast::cli
