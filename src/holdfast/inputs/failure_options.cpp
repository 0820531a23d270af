#include "holdfast/inputs/failures.hpp"
#include "holdfast/inputs/table_options.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

#include <array>
#include <deque>
#include <string>
#include <string_view>

namespace holdfast {
namespace {

constexpr auto kDistributions = std::to_array<std::string_view>(
    {"exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"});

// In these texts, {} stands for the name of the unit that fails.
constexpr auto kRows = std::to_array<Parameter>({
    {.name = "distribution",
     .summary = "law of the time between failures of one {}; with --log the best of those fitted "
                "to it, if "
                "none is named",
     .kind = Kind::choice,
     .fallback = "exponential",
     .choices = kDistributions,
     .pointer = "/failures/distribution"},
    {.name = "mtbf",
     .summary = "mean time between failures of one {}",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/mtbf"},
    {.name = "platform_mtbf",
     .summary = "mean time between failures of the whole machine, instead of the mtbf: for one {} "
                "it is '{}s' times as long",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/platform_mtbf"},
    {.name = "failure_rate",
     .summary = "failures per time of one {}, instead of the mtbf: '6.5 per 1000 node-days'",
     .kind = Kind::text,
     .pointer = "/failures/failure_rate",
     .value_name = "RATE"},
    {.name = "afr",
     .summary = "annual failure rate of one {}, instead of the mtbf: 5%",
     .kind = Kind::text,
     .pointer = "/failures/afr",
     .value_name = "PERCENT"},
    {.name = "shape",
     .summary = "weibull, gamma: shape",
     .range = positive(),
     .pointer = "/failures/shape"},
    {.name = "scale",
     .summary = "weibull, gamma: scale, instead of the mtbf",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/scale"},
    {.name = "log_mean",
     .summary = "lognormal: mean of the logarithm, instead of the mtbf",
     .pointer = "/failures/log_mean"},
    {.name = "log_sd",
     .summary = "lognormal: standard deviation of the logarithm",
     .range = positive(),
     .pointer = "/failures/log_sd"},
    {.name = "k",
     .summary = "lognormal: ratio log_mean / log_sd^2, instead of log_sd",
     .range = positive(),
     .pointer = "/failures/k"},
    {.name = "parts",
     .summary = "hyperexponential: share and mean of each kind of lives, 0.4:1h,0.6:8d",
     .kind = Kind::text,
     .pointer = "/failures/parts",
     .value_name = "SHARE:MEAN,..."},
    {.name = "file",
     .summary = "empirical: file of lifetimes",
     .kind = Kind::file,
     .pointer = "/failures/file",
     .reads = "lifetimes"},
    {.name = "log",
     .summary = "failure log that gives the law and the ages of the {}s",
     .kind = Kind::file,
     .pointer = "/failures/log",
     .reads = "failures"},
    {.name = "system",
     .summary = "system of the log, if it has several",
     .kind = Kind::text,
     .pointer = "/failures/system"},
    {.name = "merge",
     .summary = "failures of the log that follow another within this time count as one event",
     .unit = Unit::seconds,
     .range = non_negative(),
     .pointer = "/failures/merge"},
    {.name = "cause",
     .summary = "only failures of the log whose cause contains this text (in any case; | separates "
                "several)",
     .kind = Kind::text,
     .pointer = "/failures/cause",
     .value_name = "TEXT"},
    {.name = "relapse_within",
     .summary = "a failure of a node of the log within this time of its repair belongs to the "
                "outage before: the repair did not help",
     .unit = Unit::seconds,
     .range = non_negative(),
     .pointer = "/failures/relapse_within"},
    {.name = "unit",
     .summary = "what fails in the log: single nodes, or the system as a whole, as one {}",
     .kind = Kind::choice,
     .fallback = "node",
     .choices = kUnitNames,
     .pointer = "/failures/unit"},
    {.name = "since",
     .summary = "whether lifetimes of the log begin at the last failure or at its repair",
     .kind = Kind::choice,
     .fallback = "failure",
     .choices = kSinceNames,
     .pointer = "/failures/since"},
    {.name = "from",
     .summary = "ignore the log before this date",
     .kind = Kind::text,
     .pointer = "/failures/from"},
    {.name = "to",
     .summary = "ignore the log after this date",
     .kind = Kind::text,
     .pointer = "/failures/to"},
    {.name = "log_nodes",
     .summary =
         "file that lists all nodes of the log's machine, so that those without a row count as "
         "never failed (names, n[001-100], sinfo, scontrol show node, CSV, JSON), or their number",
     .kind = Kind::file,
     .pointer = "/failures/nodes"},
    {.name = "observed",
     .summary = "period in which the failures of the log were recorded, FROM,TO, if it does not "
                "say so (default: from its first to its last event)",
     .kind = Kind::text,
     .pointer = "/failures/observed"},
    {.name = "log_format",
     .summary = "another name of --read-as",
     .kind = Kind::text,
     .pointer = "/failures/format"},
});

constexpr Parameter kReplay = {.name = "replay",
                               .summary =
                                   "let the failures of the log strike the nodes of the same "
                                   "numbers; with --distribution also use its law",
                               .kind = Kind::flag,
                               .pointer = "/failures/replay"};

constexpr Parameter kReplayOfJob = {
    .name = "replay",
    .summary =
        "let nodes fail and come back as in the log; the job draws its nodes from them, and "
        "without its work lasts as long as the log",
    .kind = Kind::flag,
    .pointer = "/failures/replay"};

constexpr Parameter kLocalCause = {
    .name = "local_cause",
    .summary =
        "causes in the log that local checkpoints survive, as for --cause: their share of the "
        "failures is the local_share",
    .kind = Kind::text,
    .pointer = "/failures/local_cause",
    .value_name = "TEXT"};

std::string with_unit(std::string_view summary, std::string_view unit) {
  std::string out(summary);
  for (std::size_t at = out.find("{}"); at != std::string::npos; at = out.find("{}", at)) {
    out.replace(at, 2, unit);
  }
  return out;
}

/// The rows with the unit of one domain in their texts. A deque keeps the texts at their addresses.
struct Options {
  std::deque<std::string> texts;
  std::vector<Parameter> rows;

  explicit Options(std::string_view unit) {
    for (const Parameter& row : kRows) {
      rows.push_back(row);
      rows.back().summary = texts.emplace_back(with_unit(row.summary, unit));
    }
    const auto of_table = table_options("", "/failures");
    rows.insert(rows.end() - 1, of_table.begin(), of_table.end());
  }
};

}  // namespace

std::span<const Parameter> failure_options(FailingUnit unit) {
  static const Options kProcessor = [] {
    Options out("processor");
    out.rows.push_back(kReplayOfJob);
    out.rows.push_back(kLocalCause);
    return out;
  }();
  static const Options kNode = [] {
    Options out("node");
    out.rows.push_back(kReplay);
    return out;
  }();
  return unit == FailingUnit::node ? kNode.rows : kProcessor.rows;
}

}  // namespace holdfast
