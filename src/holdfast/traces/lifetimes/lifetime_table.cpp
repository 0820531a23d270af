#include "holdfast/traces/lifetimes/lifetime_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace holdfast {
namespace {

constexpr auto kAgeColumns = std::to_array<std::string_view>({"low", "high"});
constexpr std::int64_t kMostLifetimes = 10'000'000;  // 240 MB
constexpr double kNoHigh = std::numeric_limits<double>::infinity();

class LifetimeTableReader {
 public:
  explicit LifetimeTableReader(CsvReader rows) : rows_{std::move(rows)} {}

  Result<LifetimeTable> read() {
    HOLDFAST_TRY(columns, rows_.columns(kAgeColumns));
    const auto entry = rows_.column("entry");
    const auto count = rows_.column("count");
    LifetimeTable table;
    std::vector<Lifetime>& out = table.lifetimes;
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      Lifetime life;
      HOLDFAST_TRY(low, age(columns[0], 0));
      if (!(low < kNoHigh)) return refuse(columns[0], "a finite duration");
      life.low = low;
      HOLDFAST_TRY(high, age(columns[1], kNoHigh));
      life.high = high;
      if (entry) {
        HOLDFAST_TRY(since, age(*entry, 0));
        life.entry = since;
      }
      if (!(life.high >= life.low)) return refuse(columns[1], "at least the value under 'low'");
      if (!(life.entry <= life.low)) return refuse(*entry, "at most the value under 'low'");
      if (life.is_exact() && life.entry == life.low && life.low > 0)
        return refuse(*entry, "less than the age at failure");
      HOLDFAST_TRY(times, multiplicity(count));
      if (times > kMostLifetimes - static_cast<std::int64_t>(out.size())) {
        return refuse(*count, fmt::format("at most {} lifetimes in all", kMostLifetimes));
      }
      out.insert(out.end(), static_cast<std::size_t>(times), life);
    }
    if (out.empty()) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no lifetime, expected at least one");
    }
    HOLDFAST_CHECK(settle_zeros(table));
    return table;
  }

 private:
  /// An age of 0 was rounded, because nothing fails before it begins.
  Status settle_zeros(LifetimeTable& table) const {
    std::vector<Lifetime>& lives = table.lifetimes;
    const auto zero = std::ranges::find(lives, 0.0, &Lifetime::high);
    if (zero == lives.end()) return {};
    const auto first = zero - lives.begin();
    const std::int64_t count = spread_zeros(lives);
    if (count == 0) {
      return fail(ErrorCode::bad_value, rows_.place(),
                  "found failures at age 0 and no other age, expected ages above 0");
    }
    table.oddities.add(
        "failures at age 0", count,
        fmt::format("treated as failures between 0 and {}",
                    format_quantity(lives[static_cast<std::size_t>(first)].high, Unit::seconds)));
    return {};
  }

  tl::unexpected<Error> refuse(std::size_t column, std::string_view expected) const {
    return fail(ErrorCode::bad_value, rows_.place(column),
                fmt::format("found {}, expected {}", in_quotes(trim(rows_[column])), expected));
  }

  Result<double> age(std::size_t column, double when_empty) const {
    const std::string_view text = trim(rows_[column]);
    if (text.empty() || text == "inf") return text.empty() ? when_empty : kNoHigh;
    const auto value = parse_quantity(text, Unit::seconds);
    if (!value || !(*value >= 0)) return refuse(column, "a duration of 0 or more");
    return *value;
  }

  Result<std::int64_t> multiplicity(std::optional<std::size_t> column) const {
    if (!column) return std::int64_t{1};
    const auto value = parse_integer(rows_[*column]);
    if (!value || *value < 1) return refuse(*column, "a whole number of 1 or more");
    return *value;
  }

  CsvReader rows_;
};

}  // namespace

Result<LifetimeTable> read_lifetime_table(LineReader lines) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines), {.comments = true}));
  return LifetimeTableReader{std::move(rows)}.read();
}

bool looks_like_lifetime_table(std::string_view head) {
  return csv_header_has(head, kAgeColumns);
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
                    .recognise = looks_like_lifetime_table},
          .read = read_lifetime_table,
          .write = write_lifetime_table};
}

}  // namespace holdfast
