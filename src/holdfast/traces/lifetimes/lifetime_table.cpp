#include "holdfast/traces/lifetimes/lifetime_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace holdfast {
namespace {

struct LifeAt {
  enum : std::size_t { low, high, event, censored, entry, number };
};
constexpr auto kLifetimeFields = std::to_array<TableField>({
    {.name = "low",
     .is = CellKind::duration,
     .synonyms = "lower left time duration lifetime timetoevent tte timetofailure ttf survivaltime "
                 "survtime futime t days weeks hours years week month months x age uptime stop",
     .need = 1},
    {.name = "high", .is = CellKind::duration, .synonyms = "upper right", .need = 2},
    {.name = "event",
     .synonyms = "observed status failed failure dead death died e delta eventobserved",
     .need = 2},
    {.name = "censored", .synonyms = "censor censoring cens suspended c", .need = 2},
    {.name = "entry",
     .is = CellKind::duration,
     .synonyms = "entrytime entryage truncation lefttruncation delayedentry start"},
    {.name = "count", .is = CellKind::whole, .synonyms = "freq frequency weight weights n number"},
});
constexpr TableKind kLifetimeTable = {
    .records = "lifetimes",
    .fields = kLifetimeFields,
    .strangers = "node job jobid host hostname submit processors procs cores nodes",
    .is_column = true,
};

constexpr std::int64_t kMostLifetimes = 10'000'000;  // 240 MB
constexpr double kNoHigh = std::numeric_limits<double>::infinity();

class LifetimeTableReader {
 public:
  explicit LifetimeTableReader(TableRows rows) : rows_{std::move(rows)} {
    const auto& event = rows_.reading().fields[LifeAt::event].column;
    has_ends_ = event || rows_.has(LifeAt::high) || rows_.has(LifeAt::censored);
    // R's tables write 1 for censored and 2 for an event; others 0 and 1.
    if (event && rows_.reading().table.forms[*event].largest == 2) least_event_ = 2;
  }

  Result<LifetimeTable> read() {
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_TRY(life, row());
      HOLDFAST_TRY(count, rows_.value(LifeAt::number));
      const double times = rows_.has(LifeAt::number) ? count.value_or(0) : 1;
      if (!(times >= 1)) return refuse(LifeAt::number, "a whole number of 1 or more");
      if (times > static_cast<double>(kMostLifetimes - std::ssize(table_.lifetimes))) {
        return refuse(LifeAt::number, fmt::format("at most {} lifetimes in all", kMostLifetimes));
      }
      table_.lifetimes.insert(table_.lifetimes.end(), static_cast<std::size_t>(times), life);
    }
    if (table_.lifetimes.empty()) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no lifetime, expected at least one");
    }
    HOLDFAST_CHECK(settle_zeros());
    table_.oddities.add("lifetimes of a table that does not say which units failed",
                        has_ends_ ? 0 : std::ssize(table_.lifetimes), "all of them failed");
    rows_.tell(table_.oddities);
    return std::move(table_);
  }

 private:
  tl::unexpected<Error> refuse(std::size_t field, std::string_view expected) const {
    return fail(ErrorCode::bad_value, rows_.place(field),
                fmt::format("found {}, expected {}", in_quotes(rows_.text(field)), expected));
  }

  Result<double> age(std::size_t field, double when_empty) const {
    const std::string_view text = rows_.text(field);
    if (text.empty() || text == "inf") return text.empty() ? when_empty : kNoHigh;
    const auto value = rows_.value(field);
    if (value && !*value && field == LifeAt::high) return when_empty;
    if (!value || !*value || !(**value >= 0)) return refuse(field, "a duration of 0 or more");
    return **value;
  }

  Result<Lifetime> row() const {
    Lifetime life;
    HOLDFAST_TRY(low, age(LifeAt::low, 0));
    if (!(low < kNoHigh)) return refuse(LifeAt::low, "a finite duration");
    life.low = low;
    HOLDFAST_TRY(high, age(LifeAt::high, kNoHigh));
    life.high = high;
    if (!has_ends_) {
      life.high = life.low;
    } else if (!rows_.has(LifeAt::high)) {
      HOLDFAST_TRY(has_failed, has_failed());
      if (has_failed) life.high = life.low;
      if (has_failed && rows_.text(LifeAt::censored).starts_with('-')) life.low = 0;  // before then
    }
    HOLDFAST_TRY(entry, age(LifeAt::entry, 0));
    life.entry = entry;
    if (!(life.high >= life.low)) return refuse(LifeAt::high, "at least the value under 'low'");
    if (!(life.entry <= life.low)) return refuse(LifeAt::entry, "at most the value under 'low'");
    if (life.is_exact() && life.entry == life.low && life.low > 0) {
      return refuse(LifeAt::entry, "less than the age at failure");
    }
    return life;
  }

  /// Returns true if the row says that its unit failed, and not that it was still alive.
  [[nodiscard]] Result<bool> has_failed() const {
    constexpr auto kYes = std::to_array<std::string_view>(
        {"true", "yes", "y", "t", "failed", "failure", "f", "dead", "death", "event", "observed"});
    constexpr auto kNo = std::to_array<std::string_view>(
        {"false", "no", "n", "censored", "alive", "suspended", "suspension", "s", "c", "running"});
    const bool is_inverse = !rows_.has(LifeAt::event);
    const std::size_t field = is_inverse ? LifeAt::censored : LifeAt::event;
    const std::string word = lower_case(rows_.text(field));
    std::optional<bool> says;
    if (const auto number = number_in(word, false))
      says = *number >= (is_inverse ? 1 : least_event_);
    if (std::ranges::find(kYes, word) != kYes.end()) says = true;
    if (std::ranges::find(kNo, word) != kNo.end()) says = is_inverse && word == "censored";
    if (!says) return refuse(field, "1 or 0, true or false, failed or censored");
    return *says != is_inverse;
  }

  /// An age of 0 was rounded, because nothing fails before it begins.
  Status settle_zeros() {
    std::vector<Lifetime>& lives = table_.lifetimes;
    const auto zero = std::ranges::find(lives, 0.0, &Lifetime::high);
    if (zero == lives.end()) return {};
    const auto first = zero - lives.begin();
    const std::int64_t count = spread_zeros(lives);
    if (count == 0) {
      return fail(ErrorCode::bad_value, rows_.place(),
                  "found failures at age 0 and no other age, expected ages above 0");
    }
    table_.oddities.add(
        "failures at age 0", count,
        fmt::format("treated as failures between 0 and {}",
                    format_quantity(lives[static_cast<std::size_t>(first)].high, Unit::seconds)));
    return {};
  }

  TableRows rows_;
  LifetimeTable table_;
  double least_event_ = 1;
  bool has_ends_ = true;  ///< the table says which units failed
};

/// Returns true for two columns without a header, an age and whether its unit failed. Steps of a series begin at 0 and are in
/// the order of time.
bool is_age_and_flag(const SniffedTable& table) {
  if (table.header_line > 0 || table.names.size() != 2 || table.rows < 2) return false;
  const ColumnForm &age = table.forms[0], &flag = table.forms[1];
  const bool is_flag = flag.words.size() == 2 && flag.of == ColumnForm::Of::number &&
                       flag.is_whole && flag.largest == 1;
  const bool is_age = age.of == ColumnForm::Of::number && age.words.size() > 2;
  return is_flag && is_age && std::ranges::find(age.words, "0") == age.words.end();
}

bool looks_like_lifetimes(std::string_view head) {
  if (header_has(head, "low,high")) return true;
  const auto reading = understood(head.substr(0, head.rfind('\n')), true, kLifetimeTable, {});
  if (!reading) return false;
  const SniffedTable& table = reading->table;
  if (table.names.size() != 1 || table.header_line == 0 || !reading->is_complete())
    return is_age_and_flag(table);
  // Under "time" alone may be dates of failures as well.
  constexpr std::string_view kAges =
      "lifetime lifetimes ttf timetofailure tte timetoevent survivaltime uptime age ages hours "
      "days "
      "weeks months years";
  const auto words = words_of(kAges);
  return unit_in_name(table.names[0]) ||
         std::ranges::find(words, plain_name(table.names[0])) != words.end();
}

}  // namespace

Result<LifetimeTable> read_lifetime_table(TraceText text) {
  HOLDFAST_TRY(head, text.lines.head(kSniffedHead));
  HOLDFAST_TRY(table, sniff(head, head.size() < kSniffedHead, text.table));
  if (text.table.columns.empty() && is_age_and_flag(table)) {
    text.table.columns = "low=1,event=2";
    text.reading = nullptr;
  }
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kLifetimeTable));
  return LifetimeTableReader{std::move(rows)}.read();
}

std::string write_lifetime_table(std::span<const Lifetime> lifetimes) {
  std::string out = "low,high,entry\n";
  for (const Lifetime& life : lifetimes) {
    out += fmt::format("{},{},{}\n", life.low, life.is_censored() ? "" : to_text(life.high),
                       life.entry);
  }
  return out;
}

Result<Oddities> write_lifetime_table(const LifetimeTable& table, const TextSink& sink) {
  HOLDFAST_CHECK(sink(write_lifetime_table(table.lifetimes)));
  return Oddities{};
}

FormatOf<LifetimeTable> lifetimes_csv_format() {
  return {.facts = {.name = "lifetimes-csv",
                    .summary = "lifetimes with columns low, high",
                    .recognise = looks_like_lifetimes,
                    .table = &kLifetimeTable},
          .read = read_lifetime_table,
          .write = write_lifetime_table};
}

}  // namespace holdfast
