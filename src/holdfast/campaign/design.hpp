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

/// The digest that identifies a point: the first half of the SHA-256 of its domain and definition.
using PointDigest = std::array<std::uint8_t, 16>;

/// A point with its own definition. Positions of the design with the same definition (5d and 120h) share one point, whose
/// cells run once.
struct DesignPoint {
  PointDigest digest{};      ///< digest of the point's domain and definition
  std::size_t position = 0;  ///< first position of the design with this definition
  /// Number of instances; 1 if the document fixes what happens.
  std::uint64_t instances = 1;
  /// Number of scenarios of each instance; 1 if the document fixes what happens.
  std::uint64_t scenarios = 1;
  /// Number of the point's first cell. Cells are ordered by point, instance, scenario, strategy.
  std::uint64_t first_cell = 0;
};

/// The full product of a campaign's parameters, in a fixed order: the first swept parameter varies slowest.
class Design {
 public:
  /// The largest number of cells. A file that asks for more is refused as a mistake.
  static constexpr double kMostCells = 1e9;

  /// Opens and checks every point. Errors are placed in the campaign's file. The campaign must outlive the design.
  [[nodiscard]] static Result<Design> make(const Campaign& campaign);

  /// Returns the campaign, as it was passed to make().
  [[nodiscard]] const Campaign& campaign() const { return *campaign_; }
  /// Returns the number of positions, that is, of combinations of parameter values.
  [[nodiscard]] std::size_t positions() const { return points_of_.size(); }
  /// Returns the points in order of their first positions.
  [[nodiscard]] const std::vector<DesignPoint>& points() const { return points_; }
  /// Returns the index into points() of a position.
  [[nodiscard]] std::uint32_t point_of(std::size_t position) const { return points_of_[position]; }
  /// Returns the number of different cells.
  [[nodiscard]] std::uint64_t cells() const { return cells_; }
  [[nodiscard]] std::uint64_t cell(std::uint32_t point, std::uint64_t instance,
                                   std::uint64_t scenario, std::uint32_t strategy) const {
    const DesignPoint& at = points_[point];
    return at.first_cell + (instance * at.scenarios + scenario) * campaign_->strategies.size() +
           strategy;
  }

  /// Returns all parameters at a position, fixed and swept.
  [[nodiscard]] Value parameters(std::size_t position) const;
  /// Returns the swept parameters at a position for messages: "processors = 10000, platform_age = \"10d\""; empty if there are
  /// none.
  [[nodiscard]] std::string label(std::size_t position) const;

  /// Returns the point that make() opened, and gives up ownership. The point is opened again if it was handed over before, or
  /// if the design has very many points.
  [[nodiscard]] Result<std::shared_ptr<const Point>> take(std::uint32_t point);
  /// Returns the point that make() opened, and keeps it; null after take().
  [[nodiscard]] const Point* peek(std::uint32_t point) const { return kept_[point].get(); }

  /// Returns the warnings of the points, each text once, in the order of the design.
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

/// Returns a text that identifies the design by its axes, points, draws, strategies and seed. Every process that opens the same
/// campaign gets the same text.
[[nodiscard]] std::string fingerprint(const Design& design);

/// Returns the values of the swept parameters at a position. A position is a number with one digit per axis, the first axis
/// being the most significant.
/// @pre position is less than the product of the axes' lengths
[[nodiscard]] std::vector<Value> axis_values(const std::vector<Axis>& axes, std::size_t position);

}  // namespace holdfast
