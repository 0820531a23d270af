#include "holdfast/traces/lifetimes/titan_gpus.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kTitanColumns = std::to_array<std::string_view>(
    {"SN", "location", "insert", "remove", "duration", "out", "event"});
enum Column : std::size_t { kSerial, kSlot, kInsert, kRemove, kDuration, kOut, kEvent };
constexpr double kMostSeconds = 1e12;

/// A GPU in one slot, from its insertion to its removal.
struct Installation {
  std::uint32_t gpu = 0;
  std::uint32_t slot = 0;
  double insert = 0;
  double remove = 0;
  double duration = 0;
  bool has_failed = false;
};

class GpuReader {
 public:
  GpuReader(CsvReader rows, std::vector<std::size_t> at)
      : rows_{std::move(rows)}, at_{std::move(at)} {}

  Result<LifetimeTable> read() {
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_CHECK(read_row());
    }
    if (installations_.empty()) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no life, expected at least one");
    }
    count_overlaps();
    return lives();
  }

 private:
  Result<double> time(std::size_t column) const {
    const auto instant = parse_instant(trim(rows_[at_[column]]));
    if (instant && instant->is_date) return instant->seconds;
    return fail(ErrorCode::bad_value, rows_.place(at_[column]),
                fmt::format("found {}, expected a date", in_quotes(rows_[at_[column]])));
  }

  Status read_row() {
    const std::string_view event = trim(rows_[at_[kEvent]]);
    if (trim(rows_[at_[kInsert]]).empty()) {
      ++events_alone_;
      return {};
    }
    Installation installation;
    HOLDFAST_TRY(insert, time(kInsert));
    HOLDFAST_TRY(remove, time(kRemove));
    const auto duration = parse_quantity(trim(rows_[at_[kDuration]]), Unit::seconds);
    if (!duration || !(*duration >= 0 && *duration <= kMostSeconds)) {
      return fail(
          ErrorCode::bad_value, rows_.place(at_[kDuration]),
          fmt::format("found {}, expected a number of seconds", in_quotes(rows_[at_[kDuration]])));
    }
    const bool is_out = trim(rows_[at_[kOut]]) == "TRUE";
    installation.gpu = number_of(gpus_, rows_[at_[kSerial]]);
    installation.slot = number_of(slots_, rows_[at_[kSlot]]);
    installation.insert = insert;
    installation.remove = remove;
    installation.duration = *duration;
    installation.has_failed = is_out && !event.empty();
    const double difference = std::abs(remove - insert - *duration);
    if (difference == kClockHour) ++clock_changes_;
    if (difference != 0 && difference != kClockHour) ++other_lengths_;
    if (is_out && event.empty()) ++replaced_;
    if (!is_out && !event.empty()) ++survived_;
    installations_.push_back(installation);
    return {};
  }

  static std::uint32_t number_of(std::map<std::string, std::uint32_t, std::less<>>& names,
                                 std::string_view name) {
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(names.size());
    names.emplace(std::string(name), number);
    return number;
  }

  void count_overlaps() {
    std::ranges::sort(installations_, {},
                      [](const Installation& s) { return std::tuple(s.slot, s.insert, s.remove); });
    for (std::size_t i = 1; i < installations_.size(); ++i) {
      const Installation& before = installations_[i - 1];
      if (before.slot == installations_[i].slot && installations_[i].insert < before.remove)
        ++overlaps_;
    }
  }

  LifetimeTable lives() {
    double last = 0;
    for (const Installation& installation : installations_)
      last = std::max(last, installation.remove);
    std::ranges::sort(installations_, {},
                      [](const Installation& s) { return std::tuple(s.gpu, s.insert, s.remove); });
    LifetimeTable out;
    std::int64_t at_end = 0, empty = 0, moved = 0;
    double age = 0;
    for (std::size_t i = 0; i < installations_.size(); ++i) {
      const Installation& installation = installations_[i];
      const bool is_new = i == 0 || installations_[i - 1].gpu != installation.gpu ||
                          installations_[i - 1].has_failed;
      if (is_new) age = 0;
      if (!is_new) ++moved;
      if (installation.remove == last && !installation.has_failed) ++at_end;
      if (installation.duration == 0) {
        ++empty;
        continue;
      }
      const double until = age + installation.duration;
      out.lifetimes.push_back(installation.has_failed ? Lifetime::exact(until, age)
                                                      : Lifetime::censored(until, age));
      age = until;
    }
    Oddities& odd = out.oddities;
    odd.add("rows of events without a life (no insert, duration or out)", events_alone_,
            "left out");
    odd.add("durations that differ from remove minus insert by exactly an hour", clock_changes_,
            "the durations are used: the times are local");
    odd.add("durations that differ from remove minus insert otherwise", other_lengths_,
            "the durations are used");
    odd.add("lives that overlap another in their slot", overlaps_, "kept");
    odd.add("lives that last to the end of the record", at_end, "censored");
    odd.add("lives that end with a replacement and no event", replaced_,
            "censored: replaced before a failure");
    odd.add("lives with an event after which the GPU stayed in use", survived_, "censored");
    odd.add("lives of a GPU that was in a slot before", moved, "begin at the age that it had");
    odd.add("lives of length 0", empty, "left out");
    return out;
  }

  CsvReader rows_;
  std::vector<std::size_t> at_;
  std::vector<Installation> installations_;
  std::map<std::string, std::uint32_t, std::less<>> gpus_, slots_;
  std::int64_t events_alone_ = 0, clock_changes_ = 0, other_lengths_ = 0, replaced_ = 0,
               survived_ = 0, overlaps_ = 0;
};

}  // namespace

Result<LifetimeTable> read_titan_gpus(LineReader lines) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kTitanColumns));
  return GpuReader(std::move(rows), std::move(at)).read();
}

bool looks_like_titan_gpus(std::string_view head) {
  return csv_header_has(head, kTitanColumns);
}

FormatOf<LifetimeTable> titan_gpus_format() {
  return {.facts = {.name = "titan-gpus",
                    .summary = "lives of Titan's GPUs (CSV)",
                    .recognise = looks_like_titan_gpus},
          .read = read_titan_gpus};
}

}  // namespace holdfast
