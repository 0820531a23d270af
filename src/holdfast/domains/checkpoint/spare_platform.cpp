#include "holdfast/domains/checkpoint/spare_platform.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/elastic.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace holdfast::checkpoint {
namespace {

std::string_view word(Replacement rule) {
  return kReplacements[static_cast<std::size_t>(rule)];
}

Status check_count(const Instance& instance) {
  const SparePlatform& platform = instance.platform;
  const std::int64_t spares = platform.spares.value_or(0);
  if (spares > kMostPoolNodes - instance.processors) {
    return refuse_field("spares",
                        fmt::format("found {} beside {} processors, expected at most {} nodes "
                                    "together",
                                    spares, instance.processors, kMostPoolNodes));
  }
  if (!platform.repair && !instance.events && !instance.recorded) {
    return refuse_field(
        "repair",
        "is missing: how long the repair of a node takes, which decides how many spares "
        "are needed");
  }
  return {};
}

Status check_replacement(const SparePlatform& platform) {
  if (!platform.replacement) return {};
  const Replacement rule = *platform.replacement;
  if (platform.spares && rule == Replacement::fresh) {
    return refuse_field(
        "replacement",
        "found new with a number of spares, expected oldest, last-repaired, random or "
        "same: new nodes come from outside, without end");
  }
  if (platform.spares || rule == Replacement::fresh || rule == Replacement::same) return {};
  return refuse_field("replacement",
                      fmt::format("found {} without a number of spares, expected new or "
                                  "same: there are no nodes to choose from",
                                  word(rule)));
}

Status check_failed_repairs(const SparePlatform& platform) {
  const bool returns = platform.failed_repair == FailedRepair::returns;
  if (!returns && platform.repair_failure == 1) {
    return refuse_field("repair_failure", "found 1, expected less: no node would ever come back");
  }
  if (returns && !platform.relapse) {
    return refuse_field(
        "relapse",
        "is missing: with 'returns' it is the law of the life after a repair that did not "
        "help");
  }
  if (!returns && platform.relapse) {
    return refuse_field(
        "relapse",
        "found without failed_repair 'returns', expected with it: other nodes have the "
        "law of 'failures'");
  }
  return {};
}

// Failures that a document gives come with their repairs.
Status check_given(const SparePlatform& platform) {
  const std::string_view field = platform.repair               ? "repair"
                                 : platform.repair_failure > 0 ? "repair_failure"
                                 : platform.idle_ageing < 1    ? "idle_ageing"
                                                               : "";
  if (field.empty()) return {};
  return refuse_field(field,
                      "found with 'events' or a log that is replayed, expected without: they say "
                      "when a node fails and how long its repair takes");
}

Status check_recorded(const Instance& instance) {
  const SparePlatform& platform = instance.platform;
  const std::int64_t nodes = instance.recorded->nodes;
  if (instance.processors > nodes) {
    return refuse_field("processors",
                        fmt::format("found {}, expected at most the {} nodes of the log "
                                    "that is replayed",
                                    instance.processors, nodes));
  }
  if (platform.spares && instance.processors + *platform.spares > nodes) {
    return refuse_field(
        "spares", fmt::format("found {} beside {} processors, expected at most {}: the "
                              "log that is replayed has {}",
                              *platform.spares, instance.processors, nodes - instance.processors,
                              counted(nodes, "node")));
  }
  if (!platform.repairers) return {};
  return refuse_field("repairers",
                      "found with a log that is replayed, expected without: its outages end "
                      "when they ended");
}

}  // namespace

Status refuse_field(std::string_view field, std::string message) {
  return fail(ErrorCode::bad_value, pointer_to("", field), std::move(message));
}

void read_spare_platform(ObjectReader& read, const std::filesystem::path& directory,
                         SparePlatform& out) {
  read.with("repair", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(law, read_repair_law(value, where, directory));
    out.repair = std::move(law);
    return {};
  });
  read.with("relapse", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(law, read_law_of_mean(value, where, directory));
    out.relapse = std::move(law);
    return {};
  });
  if (read.has("failed_repair")) {
    out.failed_repair = static_cast<FailedRepair>(read.choice("failed_repair", kFailedRepairs));
  }
  if (read.has("replacement")) {
    out.replacement = static_cast<Replacement>(read.choice("replacement", kReplacements));
  }
  read.with("speed", [&](const Value& value, const std::string& where) {
    return read_speed(value, where, out);
  });
  if (read.has("join")) out.join = static_cast<Join>(read.choice("join", kJoins));
  read.ignore("join");
  read.ignore("failed_repair");
  read.ignore("replacement");
}

Status check_spare_platform(const Instance& instance) {
  const SparePlatform& platform = instance.platform;
  if (platform.spares) HOLDFAST_CHECK(check_count(instance));
  HOLDFAST_CHECK(check_replacement(platform));
  HOLDFAST_CHECK(check_failed_repairs(platform));
  HOLDFAST_CHECK(check_elastic(instance));
  if (instance.recorded) HOLDFAST_CHECK(check_recorded(instance));
  if ((instance.events || instance.recorded) && platform.spares) {
    HOLDFAST_CHECK(check_given(platform));
  }
  if (platform.has_pool() && instance.rejuvenation == Rejuvenation::all) {
    return refuse_field(
        "rejuvenation",
        "found all with a number of spares, expected failed: a spare steps in for one "
        "node");
  }
  return {};
}

void write_spare_platform(const SparePlatform& platform, Value& document) {
  if (platform.repair) document.set("repair", platform.repair->description());
  if (platform.relapse) {
    document.set("failed_repair", kFailedRepairs[1]);
    document.set("relapse", RepairLaw::of(*platform.relapse).description());
  }
  if (platform.replacement) document.set("replacement", word(*platform.replacement));
  if (!platform.speed.empty()) {
    Value rows = Value::array();
    for (const auto& [nodes, speed] : platform.speed) rows.push(Value(Value::Array{nodes, speed}));
    document.set("speed", std::move(rows));
  }
  if (platform.join != Join::checkpoint) document.set("join", kJoins[1]);
}

SpareNodes spare_nodes(const Instance& instance, const SparePlatform& platform,
                       std::int64_t spares) {
  const double failing = platform.repair_failure;
  SpareNodes out{.nodes = instance.processors,
                 .spares = platform.chosen() == Replacement::same ? 0 : spares,
                 .life = processor_mtbf(instance),
                 .repair = platform.repair->mean(),
                 .repairers = platform.repairers.value_or(SpareNodes::kUnlimited),
                 .idle_ageing = platform.idle_ageing};
  if (platform.relapse) {
    out.life += failing * (platform.relapse->mean() - out.life);
  } else {
    out.repair /= 1 - failing;
  }
  return out;
}

std::string repairs_in_words(const SparePlatform& platform) {
  const RepairLaw& repair = *platform.repair;
  std::string out = fmt::format("repairs take {}{}", format_duration(repair.mean()),
                                repair.name() == "constant" ? "" : " on average");
  out += platform.repairers ? fmt::format(", {} at once", *platform.repairers)
                            : std::string(", any number at once");
  if (platform.repair_failure > 0) {
    out += fmt::format("; {:.3g} % of them do not help", 100 * platform.repair_failure);
  }
  return out;
}

}  // namespace holdfast::checkpoint
