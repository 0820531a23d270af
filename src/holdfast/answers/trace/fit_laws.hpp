#pragma once

#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/report/chart/lines.hpp"
#include "holdfast/traces/formats.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The common options of every fit.
struct FitQuestion {
  std::string file;                 ///< as the user wrote it
  std::vector<LawFamily> families;  ///< empty: all
  std::uint64_t seed = 1;           ///< the seed of all random streams
  FitOptions options = {};          ///< what a fit computes
};

/// Adds the first members of the document: its kind, and the name of the file.
void begin_fit(const FitQuestion& question, const FormatFacts& format, Answer& answer);

/// Fits laws to lifetimes or other durations. The law to use comes first; each has its distance to the observations.
[[nodiscard]] Result<FitReport> fit_laws(const WatchedLives& watched, const FitQuestion& question);

/// One quantity of a trace and the laws fitted to it.
struct FittedQuantity {
  std::string name;              ///< name of the member of the document: "run_time"
  std::string title;             ///< name for people: "run time"
  std::vector<Lifetime> values;  ///< the observations, seconds
  FitReport report;              ///< without rows if no law could be fitted
  std::string refusal;           ///< the reason, if no law could be fitted
};

/// Returns a quantity with the laws fitted to it.
[[nodiscard]] FittedQuantity fit_quantity(std::string name, std::string title,
                                          std::vector<Lifetime> values,
                                          const FitQuestion& question);

/// Returns counts and laws of a quantity for programs.
[[nodiscard]] Value quantity_document(const FittedQuantity& quantity);

/// Adds a table of the observed quantities, one of their laws, and the limits of the laws. Quantities that could not be fitted
/// become warnings.
void add_law_table(std::span<const FittedQuantity> quantities, Answer& answer);

/// Adds the observations of a quantity and its best law to a chart. @param name  a short name for the legend
void add_lines(const FittedQuantity& quantity, const std::string& name, LineChart& chart);

}  // namespace holdfast
