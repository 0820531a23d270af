#pragma once

#include "holdfast/traces/failures/log_notes.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Whether a node does its work, does not, or was taken out of service.
enum class Duty : std::uint8_t { up, down, planned };

/// States of nodes, each of which holds until the next one of its node, as a failure log.
class NodeStates {
 public:
  /// @param is_sampled  states were looked at from time to time, all nodes from the first look to the last: a node that is down
  ///                    at first was so before, which is no failure that anybody saw
  explicit NodeStates(bool is_sampled) : is_sampled_{is_sampled} {}

  /// Adds a state. Samples of a node come in order of time; errors have no place.
  Status take(const std::string& node, double since, Duty duty);
  /// Returns the outages: from a state `down` to the next state that is none.
  [[nodiscard]] Result<FailureLog> finish(std::string_view format,
                                          std::optional<std::string> system, const LogNotes& notes,
                                          double resolution, bool is_dated);
  [[nodiscard]] std::size_t nodes() const { return of_node_.size(); }

 private:
  struct Change {
    double since = 0;
    Duty duty = Duty::up;
  };

  bool is_sampled_;
  std::map<std::string, std::vector<Change>> of_node_;
  double first_ = std::numeric_limits<double>::infinity();
  double last_ = -std::numeric_limits<double>::infinity();
};

}  // namespace holdfast
