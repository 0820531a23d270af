#pragma once

#include "holdfast/answers/check_vector.hpp"
#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace holdfast {

/// Counts check vectors that were run, and remembers those that did not hold.
class Verification {
 public:
  struct Place {
    std::string file;
    std::size_t index = 0;
  };

  /// @param mismatches  what did not hold of it; empty: it passed
  /// @returns a line that says so
  std::string add(const Place& place, const CheckVector& vector,
                  std::span<const Mismatch> mismatches);

  /// Returns how many passed and failed; "no" where one failed.
  [[nodiscard]] Answer answer() const;

 private:
  std::int64_t passed_ = 0;
  std::int64_t failed_ = 0;
  Value failures_ = Value::array();
};

}  // namespace holdfast
