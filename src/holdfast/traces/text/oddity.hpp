#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

/// Something in a real file that a careful person would ask about, and what was done about it.
struct Oddity {
  std::string what;        ///< "outages of length 0"
  std::int64_t count = 0;  ///< how many rows (or nodes, as `what` says)
  std::string action;      ///< "kept: the failure happened"
};

/// The oddities of one file in the order in which they are to be told. Those that did not occur are
/// left out.
class Oddities {
 public:
  void add(std::string what, std::int64_t count, std::string action) {
    if (count > 0) list_.push_back({std::move(what), count, std::move(action)});
  }
  [[nodiscard]] const std::vector<Oddity>& list() const { return list_; }

 private:
  std::vector<Oddity> list_;
};

}  // namespace holdfast
