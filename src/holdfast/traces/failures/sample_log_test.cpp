#include "holdfast/base/file.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/traces/failures/plain_failures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

using namespace holdfast;

// The sample log that examples use is made here, so that what it holds is known: HOLDFAST_UPDATE=1 writes it again.

namespace {

constexpr const char* kFile = "examples/data/sample-failures.csv";
constexpr double kShape = 0.6;
constexpr double kMean = 150 * 86400.0;
constexpr std::uint32_t kNodes = 128;
constexpr std::uint32_t kLateNodes = 16;  ///< came into service in the third month

double to_the_minute(double seconds) {
  return 60 * std::floor(seconds / 60);
}

/// One node from the start of its service to the end of the log: Weibull lives from failure to failure, repairs of
/// about two hours.
void add_node(std::uint32_t node, FailureLog& log) {
  Stream stream{{.seed = 1, .purpose = Purpose::tool, .entity = node}};
  const double scale = kMean / std::tgamma(1 + 1 / kShape);
  double failure = *log.nodes[node].service.start;
  double up = failure;
  for (;;) {
    failure += sample_weibull(stream, kShape, scale);
    const double repair = sample_lognormal(stream, std::log(7200.0), 1);
    if (failure >= log.to) return;
    const double down = to_the_minute(failure);
    if (down <= up) continue;  // it had not come back yet
    up = down + std::max(60.0, to_the_minute(repair));
    log.outages.push_back({.down = down, .up = std::min(up, log.to), .node = node});
  }
}

/// A power cut takes down a rack of eight nodes in one minute.
void add_power_cut(double date, std::uint32_t first_node, FailureLog& log) {
  for (std::uint32_t node = first_node; node < first_node + 8; ++node) {
    log.outages.push_back({.down = date, .up = date + 5400 + 60.0 * node, .node = node});
  }
}

FailureLog sample_log() {
  FailureLog log;
  log.is_dated = true;
  log.observed_from = parse_instant("2025-01-01T00:00")->seconds;
  log.from = *log.observed_from;
  log.to = parse_instant("2026-01-01T00:00")->seconds;
  log.systems.push_back(
      {.name = "", .nodes = kNodes, .nodes_with_rows = kNodes, .service = {.start = log.from}});
  const double late = parse_instant("2025-03-01T00:00")->seconds;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const bool is_late = node >= kNodes - kLateNodes;
    log.nodes.push_back({.name = "n" + std::to_string(100 + node),
                         .service = {.start = is_late ? late : log.from}});
    add_node(node, log);
  }
  add_power_cut(parse_instant("2025-06-17T14:05")->seconds, 16, log);
  add_power_cut(parse_instant("2025-11-03T02:41")->seconds, 40, log);
  std::vector<Outage> outages;
  log.outages.drain([&](const Outage& outage) { outages.push_back(outage); });
  std::ranges::stable_sort(outages, {}, &Outage::down);
  for (const Outage& outage : outages) log.outages.push_back(outage);
  return log;
}

}  // namespace

TEST_CASE("sample log: the file that examples use is what this test generates") {
  const std::string text = write_plain_failures(
      sample_log(),
      std::array<std::string, 3>{
          "Generated, not measured: made by src/holdfast/traces/failures/sample_log_test.cpp of "
          "Holdfast.",
          "128 nodes for a year, time between failures Weibull of shape 0.6 and mean 150 d, "
          "repairs "
          "of about 2 h;",
          "two power cuts take down 8 nodes each, and 16 nodes came in March."});
  if (std::getenv("HOLDFAST_UPDATE") != nullptr) REQUIRE(write_file(kFile, text));
  const auto shipped = read_file(kFile);
  REQUIRE(shipped);
  CHECK((*shipped == text));  // in parentheses: no two logs in the message
  CHECK(read_plain_failures(LineReader{open_text(text), kFile}));
}
