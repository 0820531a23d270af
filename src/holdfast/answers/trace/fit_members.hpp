#pragma once

#include "holdfast/contract/document_members.hpp"

#include <array>

/// Members of the document of `trace fit`.
namespace holdfast {

/// An estimate with its interval.
inline constexpr auto kEstimate = std::to_array<ResultField>(
    {{"value", "the estimate"},
     {"standard_error?", "its standard error"},
     {"low?", "lower end of the 95 % interval"},
     {"high?", "upper end"},
     {"low_log10?", "its logarithm to base 10, if it is too small for a number"},
     {"high_log10?", "its logarithm, if it is too large"},
     {"bootstrap?.standard_error", "standard error by the bootstrap"},
     {"bootstrap?.low?", "lower end by the bootstrap"},
     {"bootstrap?.high?", "upper end by the bootstrap"}});

/// A fitted law.
inline constexpr auto kLawFit = std::to_array<ResultField>(
    {{"distribution", "name of the law", Holds::text},
     {"parameters.*", "an estimated parameter", kEstimate},
     {"log_likelihood", "log-likelihood"},
     {"aic", "information criterion of Akaike"},
     {"difference", "its distance to the least one"},
     {"weight", "weight of Akaike"},
     {"kolmogorov_smirnov.distance", "distance to the observed distribution"},
     {"kolmogorov_smirnov.p_value", "probability of a larger one"},
     {"bootstrap?.replicates", "samples of the bootstrap that could be fitted", Holds::integer},
     {"bootstrap?.refused", "samples that could not", Holds::integer},
     {"quantiles?[].probability", "a probability"},
     {"quantiles?[].*", "its quantile: value, low, high, or their logarithms"},
     {"survival_at?[].age", "an age of --at", Unit::seconds},
     {"survival_at?[].value", "probability to outlive it"},
     {"survival_at?[].low?", "lower end of the 95 % interval"},
     {"survival_at?[].high?", "upper end"},
     {"survival_at?[].mean_residual_life?", "time that is left then, on average", Unit::seconds}});

/// What was observed.
inline constexpr auto kObservedMembers =
    std::to_array<ResultField>({{"failures", "number of ends that were seen", Holds::integer},
                                {"exposure", "time that was observed", Unit::seconds},
                                {"mtbf?", "exposure per failure", kEstimate},
                                {"mean?", "exposure per end", kEstimate}});

/// A system of a log of several.
inline constexpr auto kSystemMembers = std::to_array<ResultField>(
    {{"system", "its name", Holds::text},
     {"units", "its nodes", Holds::integer},
     {"failures", "its failures", Holds::integer},
     {"mean?", "observed time in which a node fails once", Unit::seconds},
     {"law?", "its best law", kLaw}});

/// A quantity to which laws were fitted.
inline constexpr auto kFittedQuantity = std::to_array<ResultField>(
    {{"count", "number of values", Holds::integer},
     {"censored", "values that are only known to be larger", Holds::integer},
     {"observed?", "what was observed", kObservedMembers},
     {"resolution?", "step of the values", Unit::seconds},
     {"fits[]", "the fitted laws, the best one first", kLawFit},
     {"reason?", "what speaks against the best law", Holds::text},
     {"refused?[].distribution", "a law that could not be fitted", Holds::text},
     {"refused?[].why", "why", Holds::text},
     {"refused?", "why no law was fitted", Holds::text},
     {"begun_before?", "stays that had begun before the record", Holds::integer},
     {"time_begun_before?", "time of these", Unit::seconds},
     {"time?", "time in the state", Unit::seconds},
     {"next?.*.count?", "changes to that state", Holds::integer},
     {"next?.*", "probability of that state to be the next", kEstimate}});

}  // namespace holdfast
