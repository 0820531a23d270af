#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostExtrapPoints = 1'000'000;
constexpr auto kProcessorNames = std::to_array<std::string_view>(
    {"p", "np", "nproc", "nprocs", "procs", "proc", "processes", "processors", "ranks", "mpiranks",
     "nodes", "cores", "threads", "pes", "tasks", "cpus", "gpus"});
constexpr auto kTimeNames = std::to_array<std::string_view>(
    {"", "time", "runtime", "times", "walltime", "wallclock", "wallclocktime", "executiontime",
     "exectime", "elapsed", "elapsedtime", "totaltime", "seconds", "duration"});

/// One POINTS entry: the value of each parameter.
struct Point {
  std::int64_t processors = 0;
  std::string others;  ///< "n=5000": all parameters but the processors
};

class ExtrapReader {
 public:
  explicit ExtrapReader(TraceText text) : lines_{std::move(text.lines)} {
    for (const std::string_view part : split(text.table.columns, ',')) {
      const std::size_t mark = part.find('=');
      if (mark == part.npos) continue;
      const std::string value(trim(part.substr(mark + 1)));
      if (trim(part.substr(0, mark)) == "processors") asked_processors_ = value;
      if (trim(part.substr(0, mark)) == "seconds") asked_metric_ = value;
    }
  }

  Result<SpeedupTable> read() {
    std::string_view line;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      const auto words = words_of(line);
      if (words.empty() || words.front().starts_with('#')) continue;
      const std::string_view rest = trim(trim(line).substr(words.front().size()));
      if (words.front() == "PARAMETER") {
        for (std::size_t i = 1; i < words.size(); ++i) parameters_.emplace_back(words[i]);
      } else if (words.front() == "POINTS") {
        HOLDFAST_CHECK(read_points(words));
      } else if (words.front() == "REGION") {
        region_ = rest;
        next_ = 0;
      } else if (words.front() == "METRIC") {
        metric_ = rest;
        next_ = 0;
      } else if (words.front() == "DATA") {
        HOLDFAST_CHECK(read_data(words));
      } else if (words.front() != "EXPERIMENT") {
        return refuse(fmt::format("found {}, expected PARAMETER, POINTS, REGION, METRIC or DATA",
                                  in_quotes(words.front())));
      }
    }
    if (out_.empty() && !other_metrics_.empty()) {
      Error error{.code = ErrorCode::bad_format, .where = lines_.name(), .message = {}};
      error.message = fmt::format("found no metric that is a time, but {}, expected METRIC time",
                                  join(other_metrics_, ", "));
      error.remedy = {"columns", "seconds=METRIC"};
      return fail(std::move(error));
    }
    std::erase_if(out_, [](const SpeedupRuns& runs) { return runs.processors.empty(); });
    if (out_.empty()) return refuse("found no DATA, expected at least one");
    return std::move(out_);
  }

 private:
  tl::unexpected<Error> refuse(std::string message) const {
    return fail(ErrorCode::bad_format, lines_.place(), std::move(message));
  }

  /// Finds the parameter that is the number of processors.
  Status find_processors() {
    const auto is_wanted = [&](const std::string& name) {
      if (!asked_processors_.empty()) return name == asked_processors_;
      return std::ranges::find(kProcessorNames, plain_name(name)) != kProcessorNames.end();
    };
    const auto found = std::ranges::find_if(parameters_, is_wanted);
    if (found != parameters_.end()) {
      processors_ = static_cast<std::size_t>(found - parameters_.begin());
      return {};
    }
    Error error{.code = ErrorCode::bad_format, .where = lines_.place(), .message = {}};
    error.message = fmt::format(
        "found parameters {}, of which none is called as a number of "
        "processors (p, processes, ranks, nodes, cores ...)",
        join(parameters_, ", "));
    error.remedy = {"columns",
                    "processors=" + (parameters_.empty() ? "NAME" : parameters_.front())};
    return fail(std::move(error));
  }

  /// Returns true if the data that follow are times.
  bool is_time() {
    const bool is_wanted =
        asked_metric_.empty()
            ? std::ranges::find(kTimeNames, plain_name(metric_)) != kTimeNames.end()
            : metric_ == asked_metric_;
    if (!is_wanted && std::ranges::find(other_metrics_, metric_) == other_metrics_.end()) {
      other_metrics_.push_back(metric_);
    }
    return is_wanted;
  }

  /// Reads points: "( 32 5000 )", several per line, or one per line without parentheses.
  Status read_points(std::span<const std::string_view> words) {
    std::vector<std::string_view> values;
    for (std::string_view word : words.subspan(1)) {
      while (word.starts_with('(')) word.remove_prefix(1);
      while (word.ends_with(')')) word.remove_suffix(1);
      if (!word.empty()) values.push_back(word);
    }
    if (parameters_.empty() || values.size() % parameters_.size() != 0 || values.empty()) {
      return refuse(fmt::format("found {} values, expected one for each of {} parameters",
                                values.size(), parameters_.size()));
    }
    if (points_.empty()) HOLDFAST_CHECK(find_processors());
    for (std::size_t begin = 0; begin < values.size(); begin += parameters_.size()) {
      Point point;
      const std::string_view number = values[begin + processors_];
      const auto processors = parse_integer(number);
      if (!processors || *processors < 1) {
        return refuse(fmt::format("found {} under {}, expected a whole number of at least 1",
                                  in_quotes(number), parameters_[processors_]));
      }
      point.processors = *processors;
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (i == processors_) continue;
        point.others += fmt::format(" {}={}", parameters_[i], values[begin + i]);
      }
      points_.push_back(std::move(point));
    }
    if (points_.size() > kMostExtrapPoints) return refuse("found more than 1000000 points");
    return {};
  }

  /// Reads the repetitions at the next point, each of which is a run.
  Status read_data(std::span<const std::string_view> words) {
    if (next_ >= points_.size()) {
      return refuse(fmt::format("found more rows of DATA than the {} POINTS", points_.size()));
    }
    const Point& point = points_[next_++];
    if (!is_time()) return {};
    std::string name = region_;
    name += point.others;
    const auto [found, is_new] = positions_.try_emplace(name, out_.size());
    if (is_new) out_.push_back({.name = std::string(trim(name)), .processors = {}, .seconds = {}});
    for (const std::string_view word : words.subspan(1)) {
      const auto seconds = parse_quantity(word, Unit::none);
      if (!seconds || !(*seconds >= 0)) {
        return refuse(fmt::format("found {}, expected a number of 0 or more", in_quotes(word)));
      }
      if (*seconds == 0) {  // a region that a process did not enter
        ++out_[found->second].without_time;
        continue;
      }
      out_[found->second].processors.push_back(point.processors);
      out_[found->second].seconds.push_back(*seconds);
    }
    return {};
  }

  LineReader lines_;
  std::vector<std::string> parameters_;
  std::vector<Point> points_;
  std::string region_;
  std::string metric_;
  std::size_t next_ = 0;
  std::size_t processors_ = 0;  ///< place of the parameter that is their number
  std::string asked_processors_, asked_metric_;
  std::vector<std::string> other_metrics_;  ///< whose data are left out
  std::vector<SpeedupRuns> out_;
  std::map<std::string, std::size_t> positions_;
};

}  // namespace

Result<SpeedupTable> read_extrap(TraceText text) {
  return ExtrapReader(std::move(text)).read();
}

bool looks_like_extrap(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    const auto words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) continue;
    return words.front() == "PARAMETER" && words.size() >= 2;
  }
  return false;
}

FormatOf<SpeedupTable> extrap_format() {
  return {.facts = {.name = "extrap",
                    .summary = "measurements in the text format of Extra-P",
                    .recognise = looks_like_extrap,
                    .takes_columns = true},
          .read = read_extrap};
}

}  // namespace holdfast
