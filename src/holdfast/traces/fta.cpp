#include "holdfast/traces/interval_history.hpp"
#include "holdfast/traces/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr auto kColumns = std::to_array<std::string_view>(
    {"component_id", "node_id", "event_type", "event_start_time", "event_stop_time"});
enum Column : std::size_t { kComponent, kNode, kType, kStart, kStop };

std::vector<std::string_view> header_words(std::string_view line) {
  std::vector<std::string_view> words = words_of(line);
  if (!words.empty() && words.front() == "#") words.erase(words.begin());
  return words;
}

Result<double> time_of(std::string_view word, const LineReader& lines, std::string_view column) {
  if (const auto value = finite_number(word)) return *value;
  return fail(ErrorCode::bad_format, fmt::format("{}: {}", lines.place(), column),
              fmt::format("found '{}', expected a number of seconds", word));
}

struct Node {
  std::string name;
  std::vector<IntervalHistories::Interval> up;
};

/// The nodes of a table, by node_id and component_id: names repeat.
class Nodes {
 public:
  /// Position of a node, made when it is new. Rows of one node mostly follow each other.
  std::size_t find(std::string_view node, std::string_view component) {
    key_.assign(node);
    key_ += '.';
    key_ += component;
    if (!all.empty() && all[latest_].name == key_) return latest_;
    const auto [place, is_new] = positions_.try_emplace(key_, all.size());
    if (is_new) all.push_back({key_, {}});
    return latest_ = place->second;
  }

  std::vector<Node> all;

 private:
  std::unordered_map<std::string, std::size_t> positions_;
  std::string key_;
  std::size_t latest_ = 0;
};

}  // namespace

bool looks_like_fta(std::string_view head) {
  const auto words = header_words(head.substr(0, head.find('\n')));
  return std::all_of(kColumns.begin(), kColumns.end(), [&](std::string_view column) {
    return std::find(words.begin(), words.end(), column) != words.end();
  });
}

Result<AvailabilityRecord> read_fta(LineReader lines, AvailabilityReading reading) {
  std::string_view line;
  HOLDFAST_TRY(has_header, lines.next(line));
  const auto header = has_header ? header_words(line) : std::vector<std::string_view>{};
  std::array<std::size_t, kColumns.size()> at{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    at[i] = static_cast<std::size_t>(std::find(header.begin(), header.end(), kColumns[i]) -
                                     header.begin());
    if (at[i] == header.size()) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("the column '{}' is missing", kColumns[i]));
    }
  }
  const std::size_t columns = header.size();
  Nodes nodes;
  std::vector<std::pair<std::size_t, double>> open;  // still up at the end
  std::int64_t unended = 0, empty = 0;
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();
  std::vector<std::string_view> words;
  while (true) {
    HOLDFAST_TRY(is_line, lines.next(line));
    if (!is_line) break;
    split_words(line, words);
    if (words.empty()) continue;
    if (words.size() < columns) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} columns, expected {}", words.size(), columns));
    }
    const std::size_t node = nodes.find(words[at[kNode]], words[at[kComponent]]);
    HOLDFAST_TRY(start, time_of(words[at[kStart]], lines, kColumns[kStart]));
    from = std::min(from, start);
    to = std::max(to, start);
    const bool is_up = words[at[kType]] == "1";
    if (words[at[kStop]] == "NULL") {
      ++unended;
      if (is_up) open.emplace_back(node, start);
      continue;
    }
    HOLDFAST_TRY(stop, time_of(words[at[kStop]], lines, kColumns[kStop]));
    to = std::max(to, stop);
    if (stop == start) ++empty;
    if (is_up && stop != start) nodes.all[node].up.emplace_back(start, stop);
  }
  if (!(from < to)) return fail(ErrorCode::bad_format, "", "found no event that takes time");
  for (const auto& [node, start] : open) nodes.all[node].up.emplace_back(start, to);
  IntervalHistories histories;
  for (Node& node : nodes.all) histories.add(std::move(node.name), std::move(node.up));
  AvailabilityRecord record = histories.finish("fta", from, to, reading.unavailable);
  record.oddities.add("intervals of length 0", empty, "left out");
  record.oddities.add("events without an end", unended, "they last to the end of the trace");
  return record;
}

}  // namespace holdfast
