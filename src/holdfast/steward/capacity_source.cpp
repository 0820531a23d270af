#include "holdfast/steward/capacity_source.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/capacity/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

namespace holdfast::steward {
namespace {

constexpr std::int64_t kDay = 86400;

std::optional<std::int64_t> time_of_day(std::string_view text) {
  const auto parts = split(trim(text), ':');
  if (parts.size() != 2) return std::nullopt;
  const auto hour = parse_integer(parts[0]);
  const auto minute = parse_integer(parts[1]);
  if (!hour || !minute || *hour < 0 || *hour > 24 || *minute < 0 || *minute > 59) {
    return std::nullopt;
  }
  const std::int64_t seconds = *hour * 3600 + *minute * 60;
  return seconds <= kDay ? std::optional(seconds) : std::nullopt;
}

std::tm local(std::int64_t now) {
  const auto time = static_cast<std::time_t>(now);
  std::tm out{};
  ::localtime_r(&time, &out);
  return out;
}

// Reads a series from now on. Dates without a zone are local time, which series count as if it were UTC; a series without dates
// begins with us.
template <class Read>
auto read_since(Value question, std::int64_t now, std::int64_t begin, Read read) {
  const std::tm date = local(now);
  question.set("from",
               fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date.tm_year + 1900,
                           date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec));
  auto out = read(question);
  if (out || out.error().where != "/from") return out;
  question.set("from", fmt::format("{}s", now - begin));
  auto without_dates = read(question);
  return without_dates ? without_dates : out;
}

Result<std::filesystem::file_time_type> last_change(const std::string& file) {
  std::error_code code;
  const auto changed = std::filesystem::last_write_time(file, code);
  if (!code) return changed;
  return fail(ErrorCode::io_failure, file, fmt::format("cannot read: {}", code.message()));
}

}  // namespace

Result<std::vector<DailyCap>> parse_caps(std::string_view text) {
  std::vector<DailyCap> out;
  for (const std::string_view one : split(text, ',')) {
    const auto equals = one.find('=');
    const auto dash = one.find('-');
    const auto nodes = parse_integer(
        trim(equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1)));
    const auto begin = dash < equals ? time_of_day(one.substr(0, dash)) : std::nullopt;
    const auto end =
        dash < equals ? time_of_day(one.substr(dash + 1, equals - dash - 1)) : std::nullopt;
    if (!nodes || *nodes < 0 || !begin || !end || *begin == *end) {
      return fail(ErrorCode::bad_value, {},
                  fmt::format("found {}, expected hours of the day and nodes, as in 08:00-20:00=6",
                              in_quotes(one)));
    }
    out.push_back({*begin, *end, *nodes});
  }
  return out;
}

Status CapacitySource::read(std::int64_t now) {
  HOLDFAST_TRY(changed, last_change(options_.file));
  const bool is_over = !steps_.empty() && steps_.back().time < now;
  if (changed == changed_ && (!is_over || steps_.size() == 1)) return {};
  HOLDFAST_TRY(text, read_file(options_.file));
  if (const auto number = parse_integer(trim(text))) {
    if (*number < 0) {
      return fail(ErrorCode::bad_value, options_.file,
                  fmt::format("found {}, expected a number of nodes", *number));
    }
    steps_ = {{now, *number}};
    changed_ = changed;
    return {};
  }
  Value question = options_.series;
  question.set("file", options_.file);
  auto recorded = read_since(question, now, begin_, [&](const Value& one) {
    return capacity::read_recorded_capacity(one, "", ".", now, std::nullopt,
                                            {.most = nodes_, .least = {}, .wanted = {}});
  });
  if (!recorded) return fail(std::move(recorded).error());
  steps_ = std::move(recorded->alive);
  changed_ = changed;
  return {};
}

Result<std::int64_t> CapacitySource::at(std::int64_t now) {
  std::int64_t out = nodes_;
  if (!options_.file.empty()) {
    HOLDFAST_CHECK(read(now));
    for (const capacity::Step& step : steps_) {
      if (step.time <= now || &step == &steps_.front()) out = std::min(nodes_, step.machines);
    }
  }
  const std::tm date = local(now);
  const std::int64_t second = date.tm_hour * 3600 + date.tm_min * 60 + date.tm_sec;
  for (const DailyCap& cap : options_.caps) {
    if (cap.holds_at(second)) out = std::min(out, cap.nodes);
  }
  return out;
}

Result<std::optional<std::vector<capacity::Rate>>> RateSource::news(std::int64_t now) {
  using News = std::optional<std::vector<capacity::Rate>>;
  if (file_.empty()) return News();
  HOLDFAST_TRY(changed, last_change(file_));
  if (changed == changed_ && now < end_) return News();
  Value question = Value::object({{"file", file_}});
  if (!column_.empty()) question.set("column", column_);
  auto recorded = read_since(question, now, begin_, [&](const Value& one) {
    return capacity::read_recorded_rates(one, "", ".", now, std::nullopt);
  });
  if (!recorded) return fail(std::move(recorded).error());
  end_ = now + recorded->duration;
  changed_ = changed;
  return News(std::move(recorded->rates));
}

Result<std::map<std::string, std::string>> read_notices(const std::string& file) {
  HOLDFAST_TRY(text, read_file(file));
  std::map<std::string, std::string> out;
  std::size_t number = 0;
  for (const std::string_view whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const auto names = expand_nodes(line.substr(0, end));
    if (!names)
      return fail(ErrorCode::bad_value, fmt::format("{}:{}", file, number), names.error().message);
    const std::string_view why = trim(line.substr(end));
    for (const std::string& name : *names) {
      out.emplace(name, why.empty() ? "it was announced to go" : printable(why));
    }
  }
  return out;
}

}  // namespace holdfast::steward
