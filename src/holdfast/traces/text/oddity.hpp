#pragma once

#include <cstdint>
#include <string>
#include <utility>
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

  /// Keeps how a table was read, in one line.
  void set_reading(std::string how) { reading_ = std::move(how); }
  /// Returns how a table was read: "outages (node = hostname, down = failed_at)"; empty if nothing had to be guessed or told.
  [[nodiscard]] const std::string& reading() const { return reading_; }

 private:
  std::vector<Oddity> list_;
  std::string reading_;
};

}  // namespace holdfast
