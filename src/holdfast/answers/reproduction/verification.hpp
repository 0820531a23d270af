#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/answers/reproduction/check_vector.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace holdfast {

/// The results of check vectors that were run: how many passed, and which failed.
class Verification {
 public:
  /// The place of a vector.
  struct Place {
    std::string file;       ///< name of its file
    std::size_t index = 0;  ///< its position in the file, from 0
  };

  /// Adds the result of one vector.
  /// @param mismatches  differences from the expectation; empty: the vector passed
  /// @returns a line with the result
  std::string add(const Place& place, const CheckVector& vector,
                  std::span<const Mismatch> mismatches);

  /// Runs the vectors of a file and adds their results.
  /// @param heard  called for each vector with the line, and whether it passed; may be empty
  [[nodiscard]] Status add_file(
      const std::filesystem::path& file, const CommandRunner& run,
      const std::function<void(const std::string& line, bool passed)>& heard, Stop stop = {});

  /// Returns how many passed and failed; the answer is "no" if one failed.
  [[nodiscard]] Answer answer() const;

 private:
  std::int64_t passed_ = 0;
  std::int64_t failed_ = 0;
  Value failures_ = Value::array();
};

}  // namespace holdfast
