#pragma once

#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/report/line_chart.hpp"
#include "holdfast/traces/formats.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// What every fit is asked.
struct FitQuestion {
  std::string file;                 ///< as the user wrote it
  std::vector<LawFamily> families;  ///< empty: all
  std::uint64_t seed = 1;
};

/// What `trace fit` found in a file: what to say, and what --plot draws.
struct FitOutcome {
  Answer answer;
  LineChart chart;                             ///< without lines where nothing could be fitted
  std::string picture_warning;                 ///< what the picture leaves out; empty: nothing
  std::optional<SurvivalCurve> survival = {};  ///< what was seen, where that is lifetimes
};

/// The document's first members: what it is, of which file.
void begin_fit(const FitQuestion& question, const FormatFacts& format, Answer& answer);

/// Laws for lifetimes or other durations, the one to use first, each with its distance to what was seen.
[[nodiscard]] Result<FitReport> fit_laws(const WatchedLives& watched, const FitQuestion& question);

/// One quantity of a trace that laws were fitted to.
struct FittedQuantity {
  std::string name;   ///< name of the member of the document: "run_time"
  std::string title;  ///< for people: "run time"
  std::vector<Lifetime> values;
  FitReport report;     ///< without rows where no law could be fitted
  std::string refusal;  ///< then why
};

[[nodiscard]] FittedQuantity fit_quantity(std::string name, std::string title,
                                          std::vector<Lifetime> values,
                                          const FitQuestion& question);

/// Counts and laws of a quantity for programs.
[[nodiscard]] Value quantity_document(const FittedQuantity& quantity);

/// What was seen of the quantities, one table of their laws, and what the laws cannot know; what could not be fitted as
/// warnings.
void add_law_table(std::span<const FittedQuantity> quantities, Answer& answer);

/// What was seen of a quantity, and its best law. @param name  short, for the legend
void add_lines(const FittedQuantity& quantity, const std::string& name, LineChart& chart);

}  // namespace holdfast
