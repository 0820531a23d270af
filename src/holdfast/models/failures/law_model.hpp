#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace holdfast {

/// The functions that a failure law implements; Law derives everything else from them. A model is immutable. A new law is one
/// file, with a class derived from LawModelOf and a reader, and a row in laws.cpp.
class LawModel {
 public:
  /// Makes a model.
  /// @param description  the document that reads back as this law, "distribution" first
  explicit LawModel(Value description) : description_{std::move(description)} {}
  LawModel(const LawModel&) = delete;
  LawModel& operator=(const LawModel&) = delete;
  virtual ~LawModel() = default;

  // Ages x are in seconds.
  /// Returns H(x).
  /// @pre x >= 0
  [[nodiscard]] virtual double cumulative_hazard(double x) const = 0;
  /// Returns H, h (per second) and h' (per second squared) at x.
  /// @pre x > 0
  [[nodiscard]] virtual HazardValue at(double x) const = 0;
  /// Returns the x with H(x) = y.
  /// @pre y >= 0
  [[nodiscard]] virtual double inverse_cumulative_hazard(double y) const = 0;
  /// Returns E(X), in seconds.
  [[nodiscard]] virtual double mean() const = 0;

  /// Returns true if h is smooth, and false for a piecewise-constant hazard.
  [[nodiscard]] virtual bool is_smooth() const { return true; }
  /// Returns the mean of the smallest of several lifetimes in seconds, by quadrature unless the law has a closed form.
  [[nodiscard]] virtual double mean_of_minimum(double processors) const;

  /// Write H, or h per second, at many ages to `out`.
  virtual void cumulative_hazards(std::span<const double> x, std::span<double> out) const = 0;
  virtual void hazards(std::span<const double> x, std::span<double> out) const = 0;

  /// Returns the document that reads back as this law.
  [[nodiscard]] const Value& description() const { return description_; }

 private:
  Value description_;
};

/// The batch functions of a model: one virtual call per batch, none per element.
template <class Model>
class LawModelOf : public LawModel {
 public:
  using LawModel::LawModel;

  /// Write H, or h per second, at many ages to `out`.
  void cumulative_hazards(std::span<const double> x, std::span<double> out) const final {
    const auto& self = static_cast<const Model&>(*this);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = self.Model::cumulative_hazard(x[i]);
  }
  void hazards(std::span<const double> x, std::span<double> out) const final {
    const auto& self = static_cast<const Model&>(*this);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = self.Model::at(x[i]).hazard;
  }
};

/// A function that reads the fields of one law from its object (all but "distribution"). It returns nothing if the reader
/// holds an error.
using LawReader = std::optional<Law>(ObjectReader& read, const std::filesystem::path& directory);
/// The readers of the laws, one for each row of laws.cpp.
LawReader read_exponential, read_weibull, read_gamma, read_lognormal, read_empirical,
    read_hyperexponential;

/// The value of one of two fields, "mtbf" or another; both are durations > 0 in seconds.
struct MeanOrOther {
  double value = 1;     ///< the value of that field, seconds
  bool is_mean = true;  ///< true if it is the mtbf
};
/// Reads exactly one of the two fields; neither or both are errors of the reader.
[[nodiscard]] MeanOrOther read_mean_or(ObjectReader& read, std::string_view other);

/// Returns the law, or nothing and an error in `read` if its parameters give no finite, positive mean.
[[nodiscard]] std::optional<Law> checked(ObjectReader& read, Law law);

}  // namespace holdfast
