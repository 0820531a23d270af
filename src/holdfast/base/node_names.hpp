#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/name_index.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names of the nodes of a cluster, as people and Slurm write them.
namespace holdfast {

/// Returns the names in a node list of Slurm: "n[001-003,7],gpu[1-2]x". At most 100 000 names. Errors have no place.
[[nodiscard]] Result<std::vector<std::string>> expand_nodes(std::string_view list);

/// Returns true if a text can be the name of a node: 1 to 255 characters without blanks and without , ; | = quotes and brackets,
/// which are signs of a list, a table or a document.
[[nodiscard]] bool is_node_name(std::string_view text);

/// Returns the number of a node among those of a job, from 0. It is found by its whole name, otherwise by the part before the
/// first dot.
[[nodiscard]] std::optional<std::size_t> node_number(std::span<const std::string> names,
                                                     std::string_view name);

/// An index that finds the number of a node as node_number() does, for callers that ask often: names are in a hash table. Of
/// equal names the first one counts.
class NodeIndex {
 public:
  /// Indexes names, which are copied.
  explicit NodeIndex(std::span<const std::string_view> names);

  /// Returns the number of that node, or nothing if it is not among them.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

 private:
  NameIndex whole_;
  NameIndex short_;  ///< the parts of the names before the first dot
};

/// A node as `scontrol show node -o` describes it.
struct ListedNode {
  std::string name;        ///< the name of the node
  std::string state;       ///< "IDLE", "DOWN*+DRAIN"
  std::string boot;        ///< "2026-11-01T12:00:00", local time; "None" or empty: unknown
  std::string partitions;  ///< "all,big"
  std::string reason;      ///< why it is out of service, without who said so
  std::int64_t cores = 0;  ///< its CPUs; 0: unknown
};

/// Reads the lines of `scontrol show node -o`. Lines without NodeName= are skipped.
[[nodiscard]] std::vector<ListedNode> parse_listed_nodes(std::string_view text);

}  // namespace holdfast
