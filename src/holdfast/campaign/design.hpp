#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/domain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace holdfast {

/// What names a point: the first half of the SHA-256 of its domain and definition.
using PointDigest = std::array<std::uint8_t, 16>;

/// A point with a definition of its own. Positions of the design that come to the same definition
/// (5d and 120h) share one: its cells run once.
struct DesignPoint {
  PointDigest digest{};
  std::size_t position = 0;     ///< the first in the design that has it
  std::uint64_t instances = 1;  ///< 1, as scenarios, where the document fixes what happens
  std::uint64_t scenarios = 1;
  std::uint64_t first_cell = 0;  ///< cells are numbered by point, instance, scenario, strategy
};

/// The full product of a campaign's parameters, in a fixed order: the first swept parameter varies
/// slowest.
class Design {
 public:
  /// More cells than this are refused: a mistake in the file rather than a plan.
  static constexpr double kMostCells = 1e9;

  /// Opens every point and checks it. Errors are placed in the campaign's file. The campaign has to
  /// outlive the design.
  [[nodiscard]] static Result<Design> make(const Campaign& campaign);

  [[nodiscard]] const Campaign& campaign() const { return *campaign_; }
  [[nodiscard]] std::size_t positions() const { return points_of_.size(); }
  [[nodiscard]] const std::vector<DesignPoint>& points() const { return points_; }
  /// Index into points() of a position.
  [[nodiscard]] std::uint32_t point_of(std::size_t position) const { return points_of_[position]; }
  /// Number of different cells.
  [[nodiscard]] std::uint64_t cells() const { return cells_; }
  [[nodiscard]] std::uint64_t cell(std::uint32_t point, std::uint64_t instance,
                                   std::uint64_t scenario, std::uint32_t strategy) const {
    const DesignPoint& at = points_[point];
    return at.first_cell + (instance * at.scenarios + scenario) * campaign_->strategies.size() +
           strategy;
  }

  /// All parameters at a position, fixed and swept.
  [[nodiscard]] Value parameters(std::size_t position) const;
  /// "processors = 10000, platform_age = \"10d\"": the swept ones, for messages; empty where
  /// nothing is swept.
  [[nodiscard]] std::string label(std::size_t position) const;

  /// Gives the point away: the one opened by make(), or, after that or where there are very many,
  /// opened again.
  [[nodiscard]] Result<std::shared_ptr<const Point>> take(std::uint32_t point);
  /// The point as make() opened it; null once it was taken.
  [[nodiscard]] const Point* peek(std::uint32_t point) const { return kept_[point].get(); }

  /// What the points want to be known, each text once, in the order of the design.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  explicit Design(const Campaign& campaign) : campaign_(&campaign) {}
  [[nodiscard]] Result<std::unique_ptr<Point>> open(std::size_t position) const;
  void add_warnings(const Point& point);

  const Campaign* campaign_;
  std::vector<DesignPoint> points_;
  std::vector<std::uint32_t> points_of_;
  std::vector<std::shared_ptr<const Point>> kept_;
  std::vector<std::string> warnings_;
  std::uint64_t cells_ = 0;
};

/// What tells designs apart, as text: axes, points, their draws, strategies and seed. The same campaign
/// opened by another process has the same.
[[nodiscard]] std::string fingerprint(const Design& design);

/// Values of the swept parameters at a position: position as a number with one digit per axis, the
/// first axis the most significant. @pre position is less than the product of the axes' lengths
[[nodiscard]] std::vector<Value> axis_values(const std::vector<Axis>& axes, std::size_t position);

}  // namespace holdfast
