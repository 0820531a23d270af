#pragma once

#include "holdfast/domains/volatile/set_values.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// The values of sets of workers of one platform, each computed once. A set has a number. When a set grows by one worker, the
/// larger set is found by hashing only the first time.
class SetTable {
 public:
  explicit SetTable(std::span<const UpChain> chains);

  static constexpr std::uint32_t kEmpty = 0;  ///< number of the set without members

  /// Returns the set with that worker added, or the same set if the worker is already a member.
  [[nodiscard]] std::uint32_t with(std::uint32_t set, std::uint32_t worker) {
    const std::uint32_t row = rows_[set];
    if (row == kUnknown) return add(set, worker);
    const std::uint32_t known = next_[row * workers_ + worker];
    return known != kUnknown ? known : add(set, worker);
  }
  [[nodiscard]] std::uint32_t of(std::span<const std::uint32_t> members);
  [[nodiscard]] const SetValues& values(std::uint32_t set) const { return values_[set]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  std::uint32_t add(std::uint32_t set, std::uint32_t worker);
  std::uint32_t intern(std::span<const std::uint64_t> mask);
  [[nodiscard]] std::size_t slot_of(std::span<const std::uint64_t> mask) const;
  void grow();

  std::span<const UpChain> chains_;
  std::size_t workers_, words_;
  std::vector<SetValues> values_;
  std::vector<std::uint64_t> masks_;  ///< [set][word]
  /// The row of next_ for each set. It is kUnknown until the set grows for the first time, which most sets never do, because a
  /// rule picks only one of thousands of candidates.
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> next_;   ///< [row][worker]
  std::vector<std::uint32_t> slots_;  ///< open addressing over set numbers
};

}  // namespace holdfast::volatile_workers
