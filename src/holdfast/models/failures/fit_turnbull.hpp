#pragma once

#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// A part of the survival curve: failures that happened between two ages, at which of them is not known.
struct SurvivalDrop {
  double from = 0;  ///< the drop begins after this age, seconds
  double to =
      0;  ///< it is complete at this age, seconds; infinite: units that are not known to fail
  double mass = 0;  ///< the probability to fail there
};

/// The most likely survival curve of lives whose failures are known only between two ages. It falls only in intervals that
/// begin at a left end and end at the next right end; between them it is known, and inside it is not.
///
/// The masses are found by the expectation-maximisation algorithm, with extrapolation of its steps. Limits are likelihood-ratio
/// intervals: the curve with a given survival at an age is found in the same way.
/// Source: Turnbull 1976, Journal of the Royal Statistical Society B 38, 290-295; Varadhan and Roland 2008, Scandinavian Journal
/// of Statistics 35, 335-353.
class TurnbullEstimate {
 public:
  /// Finds the masses.
  /// @pre LifetimeSample::make() accepts the lives
  explicit TurnbullEstimate(std::span<const Lifetime> lives);

  /// Returns the drops with a mass above 0, in order of age.
  [[nodiscard]] std::span<const SurvivalDrop> drops() const { return drops_; }
  /// Returns the likelihood-ratio interval of the survival after the first `count` drops.
  [[nodiscard]] ConfidenceInterval limits(std::size_t count, double confidence) const;

 private:
  /// An age with what lies beside it: "[t" comes before "t]", and that before "(t".
  struct End {
    double age = 0;
    int side =
        0;  ///< 0: a failure at the age begins; 1: an interval ends; 2: an interval begins after the age
    friend auto operator<=>(const End&, const End&) = default;
  };
  /// Where the curve may fall.
  struct Cell {
    End from;
    End to;
  };
  /// Equal lives: they failed in cells [first, last], and would not be known if they had failed in a cell before `entry`.
  struct Group {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t entry = 0;
    double weight = 1;
    friend auto operator<=>(const Group&, const Group&) = default;
  };
  /// The cells of lives, and where the survival is held.
  struct Problem {
    std::vector<Cell> cells;
    std::vector<Group> groups;
    std::size_t cell = 0;  ///< the first cell after the age at which it is held; 0: it is not held
    double survival = 1;

    /// Finds the cells; those of a curve that is held at an age include the one that begins there.
    Problem(std::span<const Lifetime> lives, std::optional<double> held_at);
    /// Climbs to the most likely masses and returns their log-likelihood.
    double climb(std::vector<double>& masses, double accuracy) const;
    /// Makes one step of the algorithm and returns the log-likelihood before it.
    double step(std::vector<double>& masses) const;
    /// Makes masses add up to 1, and to `survival` from `cell` on.
    void scale(std::vector<double>& masses) const;

   private:
    static End left_of(const Lifetime& life) { return {life.low, life.is_exact() ? 0 : 2}; }
    static End right_of(const Lifetime& life) { return {life.high, 1}; }
  };

  std::vector<Lifetime> lives_;
  std::vector<SurvivalDrop> drops_;
  double log_likelihood_ = 0;
};

}  // namespace holdfast
