#pragma once

#include "holdfast/contract/result_field.hpp"

#include <array>

/// Members of documents that several domains have.
namespace holdfast {

/// The header of a document.
inline constexpr auto kHeaderMembers = std::to_array<ResultField>(
    {{"holdfast.kind", "what the document is", Holds::text},
     {"holdfast.version", "version of that kind; a new one changes the meaning of a member",
      Holds::integer}});

/// A failure law.
inline constexpr auto kLaw =
    std::to_array<ResultField>({{"distribution?", "name of the law", Holds::text},
                                {"*", "a parameter of the law", Holds::anything}});

/// A failure law, failures that are known, or both.
inline constexpr auto kFailures = std::to_array<ResultField>(
    {{"distribution?", "name of the law", Holds::text},
     {"observed_mtbf?", "mean time between failures in the log from which the law comes",
      Unit::seconds},
     {"ages?[][]", "age and number of the units of that age", Unit::seconds},
     {"events?[][]", "time and unit of each failure", Unit::seconds},
     {"*", "a parameter of the law", Holds::anything}});

/// A model of speedup.
inline constexpr auto kSpeedup =
    std::to_array<ResultField>({{"model", "name of the model", Holds::text},
                                {"*", "a parameter of the model", Holds::anything}});

/// A fitted model of speedup.
inline constexpr auto kSpeedupFit =
    std::to_array<ResultField>({{"speedup", "the model", kSpeedup},
                                {"parameters.*.value", "estimate of that parameter"},
                                {"parameters.*.standard_error?", "its standard error"},
                                {"rms", "root of the mean squared relative error"},
                                {"largest", "largest relative error"},
                                {"residuals[]", "relative error of each measurement"}});

}  // namespace holdfast
