#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/inputs/logged_sizes.hpp"
#include "holdfast/models/resilience/attempt_errors.hpp"

#include <array>

namespace holdfast {

/// The fields of errors that strike attempts of jobs or tasks.
/// @param written  when the rate of errors is written
template <class S>
constexpr auto error_rows(Written written) {
  return std::to_array<Field<S>>({
      {.name = "error_model",
       .summary = "work: silent errors that depend on the work only; area: silent, on every "
                  "processor while it is busy; fail-stop: the same, and the first ends the attempt",
       .member = choice<&S::error_model, kErrorModels>,
       .written = Written::unless_default},
      {.name = "error_rate",
       .summary = "errors per second of work on one processor, or of a busy processor",
       .member = member<&S::error_rate>,
       .unit = Unit::per_second,
       .range = non_negative(),
       .written = written},
      {.name = "checkpoint",
       .summary = "time that a save of a running job takes, with fail-stop errors: they then cost "
                  "only what was done since the last one; 0: jobs are not saved",
       .member = member<&S::checkpoint>,
       .unit = Unit::seconds,
       .range = non_negative(),
       .written = Written::unless_default},
      {.name = "recovery",
       .summary = "time from an error to the work after the last save",
       .member = member<&S::recovery>,
       .unit = Unit::seconds,
       .range = non_negative(),
       .written = Written::unless_default},
  });
}

/// The field that says when jobs of a log are released.
template <class S>
constexpr Field<S> releases_row() {
  return {.name = "releases",
          .summary = "when the jobs of a log are released: all at once, or as they were submitted",
          .member = choice<&S::releases, kLoggedReleases>,
          .written = Written::unless_default};
}

}  // namespace holdfast
