#include "holdfast/campaign/design.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace holdfast {
namespace {

/// The number of points that are kept open from the check to their run. A point may be large (a job log); further points are
/// opened again.
constexpr std::size_t kKeptOpen = 4096;
/// The largest number of warnings of a campaign; more would hide the first ones.
constexpr std::size_t kMostWarnings = 50;
/// The largest number of axes in a message that identifies a point, and of characters of a value.
constexpr std::size_t kMostShown = 12;
constexpr std::size_t kWidestShown = 60;

PointDigest digest_of(const Domain& domain, const Value& definition) {
  const auto full = sha256(fmt::format("{}\n{}", domain.name, to_compact_json(definition)));
  PointDigest half{};
  std::copy_n(full.begin(), half.size(), half.begin());
  return half;
}

/// Returns the line to write where a member of a table holds a list, which is swept only beside it: mtbf = ["1d", "2d"]. Empty for
/// other errors.
std::string line_to_write(const Domain& domain, const Value& document, const Error& error) {
  const Value* list =
      error.message.starts_with("found an array") ? document.at(error.where) : nullptr;
  const auto field = std::ranges::find(domain.fields, error.where, &Parameter::pointer);
  if (list == nullptr || field == domain.fields.end()) return {};
  return fmt::format("{} = {} below [parameters]", field->name, to_compact_json(*list));
}

/// Returns the error about a parameter that no field or option has, but that is spelt much like one, in place of that about a
/// missing one.
Error misspelt(const Domain& domain, const Value& document, Error missing) {
  std::vector<std::string_view> names;
  for (const Parameter& field : domain.fields) names.push_back(field.name);
  for (const auto& [name, value] : *document.members()) {
    const bool is_known = std::ranges::any_of(domain.fields, [&name = name](const Parameter& one) {
      return one.name == name || one.pointer.starts_with(pointer_to("", name));
    });
    const std::string_view meant = is_known ? std::string_view() : closest(name, names);
    if (meant.empty()) continue;
    return {missing.code, pointer_to("", name),
            fmt::format("unknown field {}; did you mean {}?", in_quotes(name), in_quotes(meant))};
  }
  return missing;
}

/// Returns the error of a point's document with a place in the campaign file.
Error placed(const Campaign& campaign, const Value& parameters, const std::string& label,
             Error error) {
  if (error.message == "is missing")
    error = misspelt(*campaign.domain, parameters, std::move(error));
  if (const std::string line = line_to_write(*campaign.domain, parameters, error); !line.empty())
    error.message += fmt::format("; to sweep it, write {}", line);
  if (!label.empty()) error.message += fmt::format(" (at {})", label);
  if (campaign.file.empty()) return error;
  if (!error.field.empty()) {
    error.message = fmt::format("{}: {}", error.where, error.message);
    error.where = std::exchange(error.field, {});
  }
  const bool is_pointer = error.where.empty() || error.where.front() == '/';
  if (is_pointer) {
    const Value document = Value::object({{"parameters", parameters}});
    error.where = place_in(document, "/parameters" + error.where);
  }
  return in_file(campaign.file, std::move(error));
}

Result<std::size_t> count_positions(const Campaign& campaign) {
  double product = 1;
  for (const Axis& axis : campaign.axes) product *= static_cast<double>(axis.values.size());
  const double cells = product * static_cast<double>(campaign.instances) *
                       static_cast<double>(campaign.scenarios) *
                       static_cast<double>(campaign.strategies.size());
  if (cells > Design::kMostCells) {
    return fail(ErrorCode::bad_value, campaign.file,
                fmt::format("the full product asks for {:.3g} cells ({:.3g} points), expected at "
                            "most {:.0g}",
                            cells, product, Design::kMostCells));
  }
  return static_cast<std::size_t>(product);
}

}  // namespace

std::vector<Value> axis_values(const std::vector<Axis>& axes, std::size_t position) {
  std::vector<Value> out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    out[i] = axes[i].values[position % axes[i].values.size()];
    position /= axes[i].values.size();
  }
  assert(position == 0);
  return out;
}

std::string fingerprint(const Design& design) {
  const Campaign& campaign = design.campaign();
  Sha256 hash;
  Value axes = Value::array();
  for (const Axis& axis : campaign.axes) {
    axes.push(Value(axis.name));
    axes.push(Value(Value::Array(axis.values)));
  }
  hash.update(to_compact_json(axes));
  for (std::size_t position = 0; position < design.positions(); ++position) {
    const DesignPoint& point = design.points()[design.point_of(position)];
    for (const std::uint8_t byte : point.digest) hash.update(fmt::format("{:02x}", byte));
    hash.update(fmt::format(" {} {}\n", point.instances, point.scenarios));
  }
  for (const StrategySpec& strategy : campaign.strategies) hash.update(strategy.text + "\n");
  hash.update(fmt::format("{}", campaign.seed));
  std::string out;
  for (const std::uint8_t byte : hash.finish()) out += fmt::format("{:02x}", byte);
  return out;
}

Value Design::parameters(std::size_t position) const {
  Value out = campaign_->fixed;
  const std::vector<Value> values = axis_values(campaign_->axes, position);
  for (std::size_t i = 0; i < values.size(); ++i) set_values(campaign_->axes[i], values[i], out);
  return with_options_in_place(*campaign_->domain, std::move(out));
}

std::string Design::label(std::size_t position) const {
  const std::vector<Value> values = axis_values(campaign_->axes, position);
  std::string out;
  for (std::size_t i = 0; i < std::min(values.size(), kMostShown); ++i) {
    const std::string text = to_compact_json(values[i]);
    out += fmt::format("{}{} = {}", i == 0 ? "" : ", ", campaign_->axes[i].name,
                       text.size() <= kWidestShown ? text : in_quotes(text));
  }
  if (values.size() > kMostShown) {
    out += fmt::format(" and {}", counted(values.size() - kMostShown, "other"));
  }
  return out;
}

Result<std::unique_ptr<Point>> Design::open(std::size_t position) const {
  const Value document = parameters(position);
  auto point =
      open_point(*campaign_->domain, document, campaign_->strategies, campaign_->directory);
  if (point) return point;
  return fail(placed(*campaign_, document, label(position), std::move(point).error()));
}

Result<std::shared_ptr<const Point>> Design::take(std::uint32_t point) {
  if (kept_[point]) return std::exchange(kept_[point], nullptr);
  HOLDFAST_TRY(opened, open(points_[point].position));
  return std::shared_ptr<const Point>(std::move(opened));
}

void Design::add_warnings(const Point& point) {
  for (const std::string& text : point.warnings()) {
    if (warnings_.size() >= kMostWarnings) return;
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) {
      warnings_.push_back(text);
    }
  }
}

Result<Design> Design::make(const Campaign& campaign) {
  HOLDFAST_TRY(positions, count_positions(campaign));
  Design design(campaign);
  design.points_of_.reserve(positions);
  std::map<PointDigest, std::uint32_t> known;
  for (std::size_t position = 0; position < positions; ++position) {
    HOLDFAST_TRY(point, design.open(position));
    const PointDigest digest = digest_of(*campaign.domain, point->definition());
    const auto next = static_cast<std::uint32_t>(design.points_.size());
    const auto [entry, is_new] = known.emplace(digest, next);
    design.points_of_.push_back(entry->second);
    if (!is_new) continue;
    const bool is_fixed = point->is_fixed();
    const DesignPoint made = {.digest = digest,
                              .position = position,
                              .instances = is_fixed ? 1 : campaign.instances,
                              .scenarios = is_fixed ? 1 : campaign.scenarios,
                              .first_cell = design.cells_};
    design.cells_ += made.instances * made.scenarios * campaign.strategies.size();
    design.points_.push_back(made);
    design.add_warnings(*point);
    design.kept_.push_back(next < kKeptOpen ? std::move(point) : nullptr);
  }
  return design;
}

}  // namespace holdfast
