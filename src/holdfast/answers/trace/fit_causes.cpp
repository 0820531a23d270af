#include "holdfast/answers/trace/fit_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr double kSignificance = 0.01;

std::string percent(double share) {
  return fmt::format("{:.2g} %", 100 * share);
}

bool is_found(const std::optional<CauseTest>& test) {
  return test && test->p_value < kSignificance;
}

}  // namespace

CauseTests causes_of(const FailureLog& log, const LoggedLifetimes& lives) {
  const bool is_named = std::ranges::none_of(
      lives.outages, [](const Outage& one) { return one.node == Outage::kNoNode; });
  if (log.systems.size() != 1 || !is_named) return {};
  std::vector<UnitOutage> outages;
  for (const Outage& one : lives.outages)
    outages.push_back({.unit = one.node, .down = one.down, .up = one.up});
  std::vector<UnitOutage> begun;
  for (std::size_t i = 0; i < log.nodes.size(); ++i) {
    const auto start = log.nodes[i].service.start;
    if (start && *start > lives.from && *start < lives.to)
      begun.push_back({.unit = static_cast<std::uint32_t>(i), .down = *start});
  }
  return cause_tests(outages, lives.units, lives.from, lives.to, begun);
}

void add_causes(const CauseTests& tests, Answer& answer) {
  Value out = Value::object();
  const auto set = [&out](const char* name, const std::optional<CauseTest>& test) {
    if (!test) return;
    out.set(name,
            Value::object(
                {{"seen", test->seen}, {"expected", test->expected}, {"p_value", test->p_value}}));
  };
  set("failed_repair", tests.failed_repair);
  set("lemon", tests.lemon);
  set("cascade", tests.cascade);
  set("infant_mortality", tests.infant);
  answer.document.set("causes", std::move(out));
  auto& said = answer.verdict;
  if (is_found(tests.failed_repair)) {
    said.push_back(fmt::format(
        "failed repairs: {} of the repairs are followed by another failure of the node within a "
        "day, by chance {}: test nodes after a repair, and let the spare step in that has been up "
        "longest",
        percent(tests.failed_repair->seen), percent(tests.failed_repair->expected)));
  }
  if (is_found(tests.lemon)) {
    said.push_back(fmt::format(
        "lemons: nodes that failed often in the first half of the log did so in the second "
        "(correlation {:.2f}): replace them, or keep large jobs off them",
        tests.lemon->seen));
  } else if (tests.lemon && is_found(tests.failed_repair)) {
    said.push_back(fmt::format(
        "no lemons: what a node did in the first half of the log says nothing of the second "
        "(correlation {:.2f}): nothing is gained by retiring nodes",
        tests.lemon->seen));
  }
  if (is_found(tests.cascade)) {
    said.push_back(fmt::format(
        "cascades: {} of the failures follow one of another node within a minute, by chance {}: "
        "keep spares that share no rack or switch with the job; --merge 1min counts them once",
        percent(tests.cascade->seen), percent(tests.cascade->expected)));
  }
  if (is_found(tests.infant)) {
    said.push_back(fmt::format(
        "infant mortality: {:.0f} failures of new nodes in their first 30 days, {:.3g} at the mean "
        "rate: burn nodes in before jobs use them",
        tests.infant->seen, tests.infant->expected));
  }
}

}  // namespace holdfast
