#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/models/failures/law.hpp"

#include <span>
#include <string_view>
#include <utility>

namespace holdfast {

/// What a new law implements (one file, one row in laws.cpp); everything else is derived from it by
/// Law. Immutable. Virtual calls are kept out of loops by the batch forms, which a law overrides
/// where a tight loop pays.
class LawModel {
 public:
  /// @param description  the document that reads back as this law, "distribution" first
  explicit LawModel(Value description) : description_{std::move(description)} {}
  LawModel(const LawModel&) = delete;
  LawModel& operator=(const LawModel&) = delete;
  virtual ~LawModel() = default;

  [[nodiscard]] virtual double cumulative_hazard(double x) const = 0;  ///< x >= 0
  [[nodiscard]] virtual HazardValue at(double x) const = 0;            ///< x > 0
  [[nodiscard]] virtual double inverse_cumulative_hazard(double y) const = 0;
  [[nodiscard]] virtual double mean() const = 0;

  [[nodiscard]] virtual bool is_smooth() const { return true; }
  [[nodiscard]] virtual double mean_of_minimum(double processors) const;
  virtual void cumulative_hazards(std::span<const double> x, std::span<double> out) const;
  virtual void hazards(std::span<const double> x, std::span<double> out) const;

  [[nodiscard]] const Value& description() const { return description_; }

 private:
  Value description_;
};

}  // namespace holdfast
