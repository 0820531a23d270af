#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/steward/pack/core.hpp"
#include "holdfast/steward/pack/guards.hpp"

#include <string>
#include <vector>

namespace holdfast::steward::pack {

/// The options of `cosched run`.
struct Options {
  bool act = false;
  bool dry_run = false;
  std::string nodes;
  std::string give_back;
  std::string directory = "holdfast-pack";
  double every = 1;  ///< seconds
};

/// What is to be run.
struct Order {
  Options options;
  Charge charge;
  std::vector<Node> nodes;
  std::vector<Work> works;       ///< [applications]
  std::filesystem::path folder;  ///< that of the pack; absolute
};

/// How a pack stands.
struct Standing {
  State state;
  Said next = {};  ///< what would be done now, in a dry run
};

/// Returns how a pack stands that begins, or that the folder keeps.
[[nodiscard]] Result<Standing> look_once(const Order& order);

/// Runs a pack until all of its applications are over. An error if the folder keeps other applications, or if they were made to save and end
/// before.
[[nodiscard]] Result<Standing> follow(const Order& order, const Request& request);

}  // namespace holdfast::steward::pack
