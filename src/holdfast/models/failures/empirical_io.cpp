#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::int64_t kMostLives = 10'000'000;

struct Sample {
  std::vector<double> lifetimes;
  std::vector<std::uint8_t> observed;
};

std::optional<Law> from_sample(ObjectReader& read, std::string_view field, const Sample& sample) {
  auto law = empirical_law_of_lifetimes(sample.lifetimes, sample.observed);
  if (law) return *law;
  read.refuse(field, law.error().message);
  return std::nullopt;
}

std::optional<Law> read_lifetimes(ObjectReader& read) {
  Sample sample;
  sample.lifetimes = read.numbers("lifetimes", Unit::seconds, positive());
  sample.observed.assign(sample.lifetimes.size(), 1);
  if (read.has("censored")) {
    const auto censored = read.numbers("censored", Unit::seconds, positive());
    sample.lifetimes.insert(sample.lifetimes.end(), censored.begin(), censored.end());
    sample.observed.resize(sample.lifetimes.size(), 0);
  }
  if (!read.ok()) return std::nullopt;
  return from_sample(read, "lifetimes", sample);
}

std::optional<Law> read_pieces(ObjectReader& read) {
  const auto breakpoints = read.numbers("breakpoints", Unit::seconds, non_negative());
  const auto hazards = read.numbers("hazards", Unit::per_second, non_negative());
  if (!read.ok()) return std::nullopt;
  if (breakpoints.empty() || breakpoints.front() != 0) {
    read.refuse("breakpoints", "found no breakpoint at 0 first, expected [0, ...]");
  }
  for (std::size_t i = 1; i < breakpoints.size(); ++i) {
    if (breakpoints[i] > breakpoints[i - 1]) continue;
    read.refuse("breakpoints", fmt::format("found {} after {}, expected increasing numbers",
                                           breakpoints[i], breakpoints[i - 1]));
  }
  if (hazards.size() != breakpoints.size()) {
    read.refuse("hazards", fmt::format("found {} hazards for {} breakpoints, expected as many",
                                       hazards.size(), breakpoints.size()));
  } else if (!hazards.empty() && !(hazards.back() > 0)) {
    read.refuse("hazards", "found 0 for the last hazard, expected a number greater than 0");
  }
  if (!read.ok()) return std::nullopt;
  return checked(read, empirical_law(breakpoints, hazards));
}

std::optional<Law> read_fields(ObjectReader& read) {
  if (read.has("breakpoints")) return read_pieces(read);
  return read_lifetimes(read);
}

Result<Law> read_json(const std::filesystem::path& path) {
  HOLDFAST_TRY(document, read_document(path));
  ObjectReader read(document, "");
  read.ignore("distribution");
  const std::optional<Law> law = read_fields(read);
  if (const Status status = read.finish(); !status) {
    return fail(in_file(path.string(), status.error()));
  }
  return *law;
}

// Reads one line of "lifetime" or "lifetime, observed"; returns false if it holds neither.
bool read_line(std::string_view line, Sample& sample) {
  const auto fields = split(line, ',');
  const auto length = parse_quantity(trim(fields[0]), Unit::seconds);
  if (!length || !(*length > 0) || fields.size() > 2) return false;
  const std::string_view flag = fields.size() == 2 ? trim(fields[1]) : "1";
  if (flag != "0" && flag != "1") return false;
  sample.lifetimes.push_back(*length);
  sample.observed.push_back(flag == "1" ? 1 : 0);
  return true;
}

/// The columns of a table of lifetimes in the format that `trace convert --to lifetimes-csv` writes.
struct LifetimeColumns {
  std::size_t low = 0;
  std::size_t high = 0;
  std::optional<std::size_t> entry;
  std::optional<std::size_t> count;
};

std::optional<LifetimeColumns> lifetime_columns(std::string_view header) {
  std::optional<std::size_t> low;
  std::optional<std::size_t> high;
  LifetimeColumns out;
  const auto names = split(header, ',');
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = trim(names[i]);
    if (name == "low") low = i;
    if (name == "high") high = i;
    if (name == "entry") out.entry = i;
    if (name == "count") out.count = i;
  }
  if (!low || !high) return std::nullopt;
  out.low = *low;
  out.high = *high;
  return out;
}

/// Reads one row of such a table. A failure between two inspections counts in the middle; lives of length 0 are left out.
Status read_row(std::string_view line, const LifetimeColumns& columns, const std::string& place,
                Sample& sample) {
  const auto fields = split(line, ',');
  const auto field = [&fields](std::size_t column) {
    return column < fields.size() ? trim(fields[column]) : std::string_view{};
  };
  const auto low = parse_quantity(field(columns.low), Unit::seconds);
  const bool is_censored = field(columns.high).empty() || field(columns.high) == "inf";
  const auto high = is_censored ? low : parse_quantity(field(columns.high), Unit::seconds);
  if (!low || !high || !(*low >= 0) || !(*high >= *low) || std::isinf(*high)) {
    return fail(ErrorCode::bad_value, place,
                fmt::format("found {}, expected the ages between which a life ended: low, and "
                            "high or nothing",
                            in_quotes(line)));
  }
  const std::string_view entry = columns.entry ? field(*columns.entry) : std::string_view{};
  if (const auto since = parse_quantity(entry, Unit::seconds); !entry.empty() && since != 0.0) {
    return fail(ErrorCode::bad_value, place,
                fmt::format("found a life observed from the age of {}, expected lives observed "
                            "from the start for the empirical law",
                            in_quotes(entry)));
  }
  std::int64_t count = 1;
  if (columns.count) {
    const auto times = parse_integer(field(*columns.count));
    if (!times || *times < 1 || *times > kMostLives) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected how often the life occurs, from 1 to {}",
                              in_quotes(field(*columns.count)), kMostLives));
    }
    count = *times;
  }
  const double length = 0.5 * (*low + *high);
  if (!(length > 0)) return {};
  const auto times = static_cast<std::size_t>(count);
  sample.lifetimes.insert(sample.lifetimes.end(), times, length);
  sample.observed.insert(sample.observed.end(), times, is_censored ? 0 : 1);
  return {};
}

Result<Law> read_csv(const std::filesystem::path& path) {
  HOLDFAST_TRY(source, open_input(path));
  LineReader lines(std::move(source), path.string());
  Sample sample;
  bool is_first = true;
  std::optional<LifetimeColumns> columns;
  for (std::string_view line;;) {
    HOLDFAST_TRY(is_there, lines.next(line));
    if (!is_there) break;
    line = trim(line);
    if (line.empty() || line.front() == '#') continue;
    const bool is_header = is_first && line.find_first_of("0123456789") == std::string_view::npos;
    is_first = false;
    if (is_header) columns = lifetime_columns(line);
    if (columns && !is_header) HOLDFAST_CHECK(read_row(line, *columns, lines.place(), sample));
    if (is_header || columns || read_line(line, sample)) continue;
    return fail(ErrorCode::bad_value, lines.place(),
                fmt::format("found {}, expected a lifetime greater than 0, perhaps followed by "
                            "a comma and 1 (it ended in a failure) or 0 (it did not)",
                            in_quotes(line)));
  }
  auto law = empirical_law_of_lifetimes(sample.lifetimes, sample.observed);
  if (!law) return fail(in_file(path.string(), law.error()));
  return law;
}

}  // namespace

std::optional<Law> read_empirical(ObjectReader& read, const std::filesystem::path& directory) {
  if (!read.has("file")) {
    if (!read.has("lifetimes") && !read.has("breakpoints")) {
      read.refuse("", "found none of 'file', 'lifetimes' and 'breakpoints', expected one of them");
    }
    return read_fields(read);
  }
  const std::filesystem::path path = directory / read.text("file");
  if (!read.ok()) return std::nullopt;
  const bool is_json = path.filename().string().find(".json") != std::string::npos;
  auto law = is_json ? read_json(path) : read_csv(path);
  if (law) return *law;
  read.refuse(of_field(read.pointer("file"), std::move(law).error()));
  return std::nullopt;
}

}  // namespace holdfast
