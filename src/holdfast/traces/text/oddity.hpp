#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

/// Something unusual in a real file that a careful person would ask about, and how it was treated.
struct Oddity {
  std::string what;        ///< a description: "outages of length 0"
  std::int64_t count = 0;  ///< number of rows (or of nodes, as `what` says)
  std::string action;      ///< the treatment: "kept: the failure happened"
};

/// The oddities of one file, in the order in which they are reported.
class Oddities {
 public:
  /// Adds an oddity, unless it did not occur (count 0).
  void add(std::string what, std::int64_t count, std::string action);
  /// Returns all oddities.
  [[nodiscard]] const std::vector<Oddity>& list() const { return list_; }

 private:
  std::vector<Oddity> list_;
};

}  // namespace holdfast
