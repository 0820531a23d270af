#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

class LawModel;

/// The hazard at one point: cumulative H, its first derivative h (per second) and second derivative h'
/// (per second squared).
struct HazardValue {
  double cumulative = 0;  ///< H, without a unit
  double hazard = 0;      ///< h, per second
  double slope = 0;       ///< h', per second squared
};

/// The law of the time X between two failures of one processor: continuous, positive, with a finite mean. A Law is an immutable
/// value that is cheap to copy and can be shared by threads. Times are seconds since the processor's last renewal.
///
/// Accuracy: H, h and their inverses to 1e-10 relative or better; H finite and increasing up to
/// 1000 means. Source: Perotin's thesis, chapter 5; H(x) = -ln P(X >= x).
class Law {
 public:
  /// Makes the law of a model, which is never null. Use the functions below and read_law().
  explicit Law(std::shared_ptr<const LawModel> model) : model_{std::move(model)} {}

  /// Returns H(x), which is 0 at 0.
  /// @pre x >= 0
  [[nodiscard]] double cumulative_hazard(double x) const;
  /// Returns h(x) = H'(x), per second, which is infinite towards 0 for Weibull and gamma of shape below 1.
  /// @pre x > 0
  [[nodiscard]] double hazard(double x) const;
  /// Returns H, h and h' together, which is cheaper than one at a time.
  /// @pre x > 0
  [[nodiscard]] HazardValue at(double x) const;
  /// Writes H of many ages to `out`, with one dispatch and no allocation.
  /// @pre x.size() == out.size(); x and out may be the same
  void cumulative_hazards(std::span<const double> x, std::span<double> out) const;
  /// Writes h of many ages to `out`.
  void hazards(std::span<const double> x, std::span<double> out) const;

  /// Returns P(X >= x) = exp(-H(x)).
  [[nodiscard]] double survival(double x) const;
  /// Returns the density h(x) exp(-H(x)), per second.
  /// @pre x > 0
  [[nodiscard]] double density(double x) const;

  /// Returns E(X), in seconds.
  [[nodiscard]] double mean() const;
  /// Returns the x in seconds with H(x) = y.
  /// @pre y >= 0
  [[nodiscard]] double inverse_cumulative_hazard(double y) const;
  /// Returns the x in seconds with P(X < x) = probability.
  /// @pre probability in [0, 1)
  [[nodiscard]] double quantile(double probability) const;
  /// Returns the residual time from an age on, that is, the x with H(age + x) - H(age) = y. Both are in seconds.
  /// @pre age >= 0, y >= 0
  [[nodiscard]] double residual(double age, double y) const;
  /// Draws one lifetime in seconds by inversion, which takes exactly one uniform of the stream.
  [[nodiscard]] double draw(Stream& stream) const;

  /// Returns the mean of the smallest of `processors` independent lifetimes: the mean time between failures of a job whose
  /// processors are all renewed at each failure (thesis, section 5.3.6), in seconds.
  /// @pre processors >= 1
  [[nodiscard]] double mean_of_minimum(std::int64_t processors) const;

  /// Returns the mean time in seconds from an age on until the failure: E(X - age | X > age).
  /// @pre age >= 0
  [[nodiscard]] double mean_residual_life(double age) const;

  /// Returns true if h is smooth, and false for a piecewise-constant hazard.
  [[nodiscard]] bool is_smooth() const;
  /// Returns its name in laws(): "weibull".
  [[nodiscard]] std::string_view name() const;
  /// Returns the fields of a document from which read_law() makes this law, "distribution" first. An empirical law is described
  /// by its pieces, even if it came from a file.
  [[nodiscard]] const Value& description() const;
  /// Returns one line for people: "weibull, shape 0.7, mean 10 y".
  [[nodiscard]] std::string text() const;

 private:
  std::shared_ptr<const LawModel> model_;
};

/// Make the laws from their own parameters. Scales and means are in seconds.
/// @pre all are positive and finite (lognormal: log_mean is any finite number); readers of documents check that first
[[nodiscard]] Law exponential_law(double mean);
[[nodiscard]] Law weibull_law(double shape, double scale);
[[nodiscard]] Law weibull_law_of_mean(double shape, double mean);
[[nodiscard]] Law gamma_law(double shape, double scale);
[[nodiscard]] Law gamma_law_of_mean(double shape, double mean);
/// Makes the law whose ln X is normal with mean log_mean (X in seconds) and standard deviation log_sd, so that
/// E(X) = exp(log_mean + log_sd^2 / 2).
[[nodiscard]] Law lognormal_law(double log_mean, double log_sd);
[[nodiscard]] Law lognormal_law_of_mean(double mean, double log_sd);
/// Makes the lognormal law in the source's form, with the second as its unit: log_mean = ln(mean) / (1 + 1/(2k)), log_sd^2 =
/// log_mean / k.
/// @pre mean > 1
[[nodiscard]] Law lognormal_law_of_ratio(double mean, double k);
/// Exponential lives of one mean, as a part of a mixture.
struct LawPart {
  double share = 1;  ///< fraction of the lives, above 0
  double mean = 1;   ///< their mean, seconds
};
/// Makes the law of a mixture of exponential lives; the shares are scaled to the sum 1.
/// @pre parts not empty
[[nodiscard]] Law hyperexponential_law(std::span<const LawPart> parts);
/// Makes the law whose hazard is hazards[i] (per second) on [breakpoints[i], breakpoints[i+1]); the last one continues for
/// ever.
/// @pre breakpoints[0] = 0, increasing; hazards >= 0, the last > 0; the two lists have the same length
[[nodiscard]] Law empirical_law(std::span<const double> breakpoints,
                                std::span<const double> hazards);
/// Makes a law from lifetimes, some of which may be censored (the processor was alive when the observation ended): the
/// Nelson-Aalen estimate of H, interpolated linearly between at most `pieces` groups with equally many failures. Beyond the
/// last failure the hazard is the mean hazard up to it.
/// @param observed  [n] whether the lifetime ended in a failure; empty: all did
/// @returns an error (empty place) if there are fewer than 2 observed lifetimes, or one is not positive and finite
[[nodiscard]] Result<Law> empirical_law_of_lifetimes(std::span<const double> lifetimes,
                                                     std::span<const std::uint8_t> observed = {},
                                                     std::size_t pieces = 256);

/// Reads the law of a "failures" object: "distribution" and the fields of that law (interface: instance documents, checkpoint).
/// Other fields (events) are left to the caller, who also calls finish(). Returns nothing if the reader now holds an error.
/// @param directory  the folder to which the relative path of an empirical law's file refers
[[nodiscard]] std::optional<Law> read_law(ObjectReader& read,
                                          const std::filesystem::path& directory = ".");
/// Reads the law of an object that contains nothing else.
[[nodiscard]] Result<Law> read_law(const Value& object, std::string where,
                                   const std::filesystem::path& directory = ".");

/// A row of the table of laws, which lists the names and fields for documents and options.
struct LawEntry {
  std::string_view name;     ///< "weibull"
  std::string_view summary;  ///< one line for people
  std::string_view fields;   ///< "shape, mtbf | scale"
  /// Reads the fields of this law from its object; returns nothing if the reader holds an error.
  std::optional<Law> (*read)(ObjectReader& read, const std::filesystem::path& directory);
};
/// Returns the table of laws.
[[nodiscard]] std::span<const LawEntry> laws();

}  // namespace holdfast
