#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace holdfast {
namespace {

enum TitanColumn : std::size_t { kSerial, kSlot, kInsert, kRemove, kDuration, kOut, kEvent };
constexpr auto kTitanFields =
    std::to_array<TableField>({{.name = "SN"},
                               {.name = "location"},
                               {.name = "insert", .is = CellKind::date},
                               {.name = "remove", .is = CellKind::date},
                               {.name = "duration", .is = CellKind::duration},
                               {.name = "out"},
                               {.name = "event"}});
constexpr TableKind kTitanTable = {.records = "lives of GPUs", .fields = kTitanFields};
constexpr std::string_view kTitanColumns = "SN,location,insert,remove,duration,out,event";
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
  explicit GpuReader(TableRows rows) : rows_{std::move(rows)} {}

  Result<LifetimeTable> read() {
    HOLDFAST_CHECK(rows_.each([&] { return read_row(); }));
    if (installations_.empty()) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no life, expected at least one");
    }
    count_overlaps();
    return lives();
  }

 private:
  Status read_row() {
    const std::string_view event = rows_.text(kEvent);
    if (rows_.text(kInsert).empty()) {
      ++events_alone_;
      return {};
    }
    Installation installation;
    HOLDFAST_TRY(insert, rows_.known_time(kInsert));
    HOLDFAST_TRY(remove, rows_.known_time(kRemove));
    HOLDFAST_TRY(duration, rows_.value(kDuration));
    if (!duration || !(*duration >= 0 && *duration <= kMostSeconds)) {
      return fail(
          ErrorCode::bad_value, rows_.place(kDuration),
          fmt::format("found {}, expected a number of seconds", in_quotes(rows_.text(kDuration))));
    }
    const bool is_out = rows_.text(kOut) == "TRUE";
    installation.gpu = number_of(gpus_, rows_.text(kSerial));
    installation.slot = number_of(slots_, rows_.text(kSlot));
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
    std::ranges::stable_sort(installations_, {}, [](const Installation& s) {
      return std::tuple(s.slot, s.insert, s.remove);
    });
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
    std::ranges::stable_sort(installations_, {}, [](const Installation& s) {
      return std::tuple(s.gpu, s.insert, s.remove);
    });
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

  TableRows rows_;
  std::vector<Installation> installations_;
  std::map<std::string, std::uint32_t, std::less<>> gpus_, slots_;
  std::int64_t events_alone_ = 0, clock_changes_ = 0, other_lengths_ = 0, replaced_ = 0,
               survived_ = 0, overlaps_ = 0;
};

/// Reads the lives of Titan's GPUs. A GPU failed if it was taken out and its row has an event; all other lives are censored (moved,
/// replaced before a failure, alive at the end). The age of a GPU is the time that it has spent in any slot, so a life in a later
/// slot begins at the age that the GPU had by then. Ages come from the durations in the file, not from its local times.
Result<LifetimeTable> read_titan_gpus(TraceText text) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kTitanTable, kTitanColumns));
  return GpuReader(std::move(rows)).read();
}

}  // namespace

FormatOf<LifetimeTable> titan_gpus_format() {
  return {.facts = {.name = "titan-gpus",
                    .summary = "lives of Titan's GPUs (CSV)",
                    .columns = kTitanColumns},
          .read = read_titan_gpus};
}

}  // namespace holdfast
