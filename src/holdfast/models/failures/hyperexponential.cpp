#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/math/sum.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

/// A mixture of exponential lives: a share of them has each mean, so the hazard falls from the mean rate to the smallest one.
/// H(x) = -ln sum w exp(-x / m).
class Hyperexponential final : public LawModelOf<Hyperexponential> {
 public:
  /// @param parts  shares, which add up to 1, and means in seconds, the longest first
  Hyperexponential(std::vector<LawPart> parts, Value description)
      : LawModelOf{std::move(description)}, parts_{std::move(parts)} {
    for (const LawPart& part : parts_) {
      mean_ += part.share * part.mean;
      first_ += part.share / part.mean;
    }
  }

  [[nodiscard]] double cumulative_hazard(double x) const override { return at(x).cumulative; }
  [[nodiscard]] HazardValue at(double x) const override {
    // Relative to the part with the longest mean, whose term does not vanish: S(x) = exp(-x / m) sum.
    const double slowest = 1 / parts_.front().mean;
    double others = 0, rate = 0, square = 0, total = 0;
    for (const LawPart& part : parts_) {
      const double speed = 1 / part.mean;
      const double gone = elementary::expm1(-x * (speed - slowest));
      const double weight = part.share * (1 + gone);
      others += part.share * gone;
      total += weight;
      rate += weight * speed;
      square += weight * speed * speed;
    }
    const double hazard = rate / total;
    return {x * slowest - elementary::log1p(others), hazard, hazard * hazard - square / total};
  }
  // H is concave, so Newton's method from a point below comes from below, and never passes the root.
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override {
    double x = y / first_;
    for (const LawPart& part : parts_)
      x = std::max(x, part.mean * (y + elementary::log(part.share)));
    for (int i = 0; i < 100; ++i) {
      const HazardValue here = at(x);
      const double step = (y - here.cumulative) / here.hazard;
      if (!(step > 1e-15 * x)) break;
      x += step;
    }
    return x;
  }
  [[nodiscard]] double mean() const override { return mean_; }

 private:
  std::vector<LawPart> parts_;
  double mean_ = 0;
  double first_ = 0;  ///< the hazard at age 0
};

// Reads "0.4:1h,0.6:8d", as it is typed.
Result<std::vector<LawPart>> parse_parts(std::string_view text, const std::string& where) {
  std::vector<LawPart> out;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) {
      return fail(
          ErrorCode::bad_value, where,
          fmt::format("found {}, expected SHARE:MEAN, such as 0.4:1h,0.6:8d", in_quotes(part)));
    }
    HOLDFAST_TRY(share,
                 read_quantity(Value(trim(part.substr(0, colon))), where, Unit::none, positive()));
    HOLDFAST_TRY(
        mean, read_quantity(Value(trim(part.substr(colon + 1))), where, Unit::seconds, positive()));
    out.push_back({.share = share, .mean = mean});
  }
  return out;
}

Result<std::vector<LawPart>> read_parts(const Value& value, const std::string& where) {
  if (value.string() != nullptr) return parse_parts(*value.string(), where);
  const Value::Array* rows = value.array_items();
  if (rows == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected [[share, mean], ...]", value.described()));
  }
  std::vector<LawPart> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::string place = fmt::format("{}/{}", where, i);
    const Value::Array* items = (*rows)[i].array_items();
    if (items == nullptr || items->size() != 2) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected [share, mean]", (*rows)[i].described()));
    }
    HOLDFAST_TRY(share, read_quantity((*items)[0], place + "/0", Unit::none, positive()));
    HOLDFAST_TRY(mean, read_quantity((*items)[1], place + "/1", Unit::seconds, positive()));
    out.push_back({.share = share, .mean = mean});
  }
  return out;
}

}  // namespace

Law hyperexponential_law(std::span<const LawPart> parts) {
  assert(!parts.empty());
  Value rows = Value::array();
  CompensatedSum sum;
  for (const LawPart& part : parts) {
    rows.push(Value(Value::Array{part.share, part.mean}));
    sum += part.share;
  }
  std::vector<LawPart> sorted(parts.begin(), parts.end());
  for (LawPart& part : sorted) part.share /= sum.value();
  std::ranges::stable_sort(sorted, std::greater(), &LawPart::mean);
  return Law{std::make_shared<Hyperexponential>(
      std::move(sorted),
      Value::object({{"distribution", "hyperexponential"}, {"parts", std::move(rows)}}))};
}

std::optional<Law> read_hyperexponential(ObjectReader& read,
                                         const std::filesystem::path& /*directory*/) {
  std::vector<LawPart> parts;
  read.required("parts", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(found, read_parts(value, where));
    double sum = 0;
    for (const LawPart& part : found) sum += part.share;
    if (!(std::fabs(sum - 1) <= 1e-6)) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found shares whose sum is {}, expected 1", sum));
    }
    parts = std::move(found);
    return {};
  });
  if (!read.ok()) return std::nullopt;
  return checked(read, hyperexponential_law(parts));
}

}  // namespace holdfast
