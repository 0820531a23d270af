#pragma once

#include "holdfast/answers/trace/fit_laws.hpp"
#include "holdfast/traces/formats.hpp"

#include <string>

namespace CLI {
class App;
}

/// `holdfast trace fit` of what is no failure log: one class or function per kind of trace, each with its options.
namespace holdfast::cli {

/// States of workers: a Markov chain on slots of time, and a semi-Markov process with laws of the stays.
class AvailabilityFit {
 public:
  explicit AvailabilityFit(CLI::App& command);
  /// The option that was given, with its dashes; empty: none.
  [[nodiscard]] std::string given() const;
  [[nodiscard]] Result<FitOutcome> run(OpenTrace trace, const FitQuestion& question) const;

 private:
  std::string slot_;
  std::string unavailable_;
};

/// Measured run times: models of speedup.
class SpeedupProfileFit {
 public:
  explicit SpeedupProfileFit(CLI::App& command);
  [[nodiscard]] std::string given() const;
  [[nodiscard]] Result<FitOutcome> run(OpenTrace trace, const FitQuestion& question) const;

 private:
  std::string series_;
};

}  // namespace holdfast::cli
