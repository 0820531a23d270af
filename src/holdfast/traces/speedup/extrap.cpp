#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostExtrapPoints = 1'000'000;

/// One POINTS entry: the value of each parameter.
struct Point {
  std::int64_t processors = 0;
  std::string others;  ///< "n=5000": all parameters but the first
};

class ExtrapReader {
 public:
  explicit ExtrapReader(LineReader lines) : lines_{std::move(lines)} {}

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
    std::erase_if(out_, [](const SpeedupRuns& runs) { return runs.processors.empty(); });
    if (out_.empty()) return refuse("found no DATA, expected at least one");
    return std::move(out_);
  }

 private:
  tl::unexpected<Error> refuse(std::string message) const {
    return fail(ErrorCode::bad_format, lines_.place(), std::move(message));
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
    for (std::size_t begin = 0; begin < values.size(); begin += parameters_.size()) {
      Point point;
      const auto processors = parse_integer(values[begin]);
      if (!processors || *processors < 1) {
        return refuse(fmt::format("found {} under {}, expected a whole number of at least 1",
                                  in_quotes(values[begin]), parameters_.front()));
      }
      point.processors = *processors;
      for (std::size_t i = 1; i < parameters_.size(); ++i) {
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
    std::string name = region_;
    if (!metric_.empty() && metric_ != "time") name += " " + metric_;
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
  std::vector<SpeedupRuns> out_;
  std::map<std::string, std::size_t> positions_;
};

}  // namespace

Result<SpeedupTable> read_extrap(LineReader lines) {
  return ExtrapReader(std::move(lines)).read();
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
                    .recognise = looks_like_extrap},
          .read = read_extrap};
}

}  // namespace holdfast
