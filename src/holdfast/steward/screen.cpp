#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/steward/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace holdfast::steward {
namespace {

std::string names_of(const std::set<std::string>& names) {
  std::vector<std::string> all(names.begin(), names.end());
  return all.empty() ? "none" : join(all, ", ");
}

std::set<std::string> partitions_of(const SeenNode& node) {
  std::set<std::string> out;
  for (const std::string_view name : split(node.partitions, ',')) {
    if (!name.empty()) out.emplace(name);
  }
  return out;
}

// The nodes that the user named, or those of the partition, in the order of Slurm.
Result<std::vector<const SeenNode*>> nodes_of(const Options& options, const Look& look) {
  std::vector<const SeenNode*> out;
  if (options.nodes.empty()) {
    for (const SeenNode& node : look.nodes) {
      if (partitions_of(node).contains(options.partition)) out.push_back(&node);
    }
    return out;
  }
  HOLDFAST_TRY(names, expand_nodes(options.nodes));
  std::set<std::string> once;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(look.nodes, name, &SeenNode::name);
    if (found == look.nodes.end()) {
      return fail(ErrorCode::bad_value, "/nodes",
                  fmt::format("found {}, which is no node of this Slurm", in_quotes(name)));
    }
    if (!once.insert(name).second) {
      return fail(ErrorCode::bad_value, "/nodes", fmt::format("found {} twice", in_quotes(name)));
    }
    out.push_back(&*found);
  }
  return out;
}

Result<std::string> partition_of(const Options& options,
                                 const std::vector<const SeenNode*>& nodes) {
  std::set<std::string> all;
  for (const SeenNode* node : nodes) all.merge(partitions_of(*node));
  if (options.partition.empty()) {
    if (all.size() == 1) return *all.begin();
    return fail(ErrorCode::usage, "/partition",
                fmt::format("is missing, expected one of those of the nodes: {}", names_of(all)));
  }
  if (all.contains(options.partition)) return options.partition;
  return fail(ErrorCode::bad_value, "/partition",
              fmt::format("found {}, expected one of those of the nodes: {}",
                          in_quotes(options.partition), names_of(all)));
}

}  // namespace

Result<Charge> charge_of(const Options& given, const Look& look) {
  std::set<std::string> all;
  for (const SeenNode& node : look.nodes) all.merge(partitions_of(node));
  Options options = given;
  if (options.nodes.empty() && options.partition.empty() && all.size() == 1) {
    options.partition = *all.begin();
  }
  if (options.nodes.empty() && !all.contains(options.partition)) {
    return fail(options.partition.empty() ? ErrorCode::usage : ErrorCode::bad_value, "/partition",
                fmt::format("{}, expected one of: {}",
                            options.partition.empty() ? "is missing"
                                                      : "found " + in_quotes(options.partition),
                            names_of(all)));
  }
  HOLDFAST_TRY(nodes, nodes_of(options, look));
  HOLDFAST_TRY(partition, partition_of(options, nodes));
  Charge out{.nodes = {},
             .partition = partition,
             .policy = options.spec,
             .how = options.how,
             .hold = static_cast<std::int64_t>(options.hold)};
  for (const SeenNode* node : nodes) {
    if (node->cores != nodes.front()->cores) {
      return fail(ErrorCode::bad_value, "/nodes",
                  fmt::format("{} has {} CPUs and {} has {}, expected nodes of one size: name "
                              "them, as in n[01-16]",
                              nodes.front()->name, nodes.front()->cores, node->name, node->cores));
    }
    out.nodes.push_back(node->name);
  }
  return out;
}

std::vector<std::string> first_screen(const std::string& cluster, const Charge& charge,
                                      const Look& look, const Said& said, const Options& options) {
  std::vector<std::string> out;
  const auto first = std::ranges::find(look.nodes, charge.nodes.front(), &SeenNode::name);
  out.push_back(fmt::format("Slurm {}: partition {}, {} of {}, {} in service", cluster,
                            charge.partition, counted(charge.nodes.size(), "node"),
                            counted(first->cores, "CPU"), said.usable));
  if (said.kept > 0) {
    out.push_back(fmt::format("{} out of service by somebody else, and stay so",
                              counted(said.kept, "node is", "nodes are")));
  }
  out.push_back(fmt::format("{} on them, {} for the policy {}",
                            counted(said.running, "job runs", "jobs run"),
                            counted(said.waiting, "job waits", "jobs wait"), options.policy));
  for (const auto& [why, count] : said.left_alone) {
    out.push_back(fmt::format("left alone: {} {}", counted(count, "waiting job"), why));
  }
  if (look.capacity) {
    out.push_back(fmt::format("capacity: {} of {} nodes may be on; the others leave by {}",
                              *look.capacity, charge.nodes.size(),
                              kSwitches[static_cast<std::size_t>(charge.how)]));
  }
  out.emplace_back(options.act ? "acting: what is said is done"
                               : "dry run: this is what would be done, and --act would do it");
  if (said.actions.empty()) out.emplace_back("nothing to do now");
  return out;
}

std::string in_words(const Action& action, Switch how, bool acts) {
  const std::string_view would = acts ? "" : "would ";
  const std::string why = action.because.empty() ? "" : ": " + action.because;
  if (action.what == Action::Do::place) {
    return fmt::format("{}place job {} on {}{}", would, action.job, action.node, why);
  }
  if (action.what == Action::Do::hold || action.what == Action::Do::release) {
    return fmt::format("{}{} job {}{}", would,
                       action.what == Action::Do::hold ? "hold back" : "let go", action.job, why);
  }
  const bool is_off = action.takes_out();
  if (action.what == Action::Do::drain) how = Switch::drain;
  const bool is_powered = how == Switch::power && action.what == Action::Do::on;
  return fmt::format(
      "{}{} {} ({}){}", would, is_off ? "take out" : "bring back", action.node,
      is_off ? kSwitches[static_cast<std::size_t>(how)] : (is_powered ? "power up" : "resume"),
      why);
}

}  // namespace holdfast::steward
