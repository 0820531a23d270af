#include "holdfast/models/failures/fit_bootstrap.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace holdfast {
namespace {

/// Draws units with replacement until there are as many as before.
void resample(std::span<const Lifetime> lives, std::span<const std::size_t> first_of_unit,
              Stream& stream, std::vector<Lifetime>& out) {
  out.clear();
  const std::size_t units = first_of_unit.empty() ? lives.size() : first_of_unit.size() - 1;
  for (std::size_t i = 0; i < units; ++i) {
    const auto unit =
        static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(units) - 1));
    const std::size_t begin = first_of_unit.empty() ? unit : first_of_unit[unit];
    const std::size_t end = first_of_unit.empty() ? unit + 1 : first_of_unit[unit + 1];
    out.insert(out.end(), lives.begin() + static_cast<std::ptrdiff_t>(begin),
               lives.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

}  // namespace

Result<BootstrapResult> bootstrap(LawFamily family, std::span<const Lifetime> lives,
                                  std::span<const std::size_t> first_of_unit,
                                  const BootstrapOptions& options) {
  assert(options.replicates >= 2);
  BootstrapResult out;
  std::vector<std::vector<double>> values;
  std::vector<Lifetime> sample;
  for (int replicate = 0; replicate < options.replicates; ++replicate) {
    if (options.stop.wanted()) {
      return fail(ErrorCode::interrupted, {},
                  fmt::format("stopped after {} of {} resampled sets of lifetimes", replicate,
                              options.replicates));
    }
    Stream stream{{.seed = options.seed,
                   .purpose = Purpose::bootstrap,
                   .scenario = static_cast<std::uint64_t>(replicate)}};
    resample(lives, first_of_unit, stream, sample);
    const auto fit = fit_law(family, sample, {.intervals = false});
    if (!fit) {
      ++out.refused;
      continue;
    }
    ++out.replicates;
    values.resize(fit->parameters.size());
    out.parameters.resize(fit->parameters.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      out.parameters[i].name = fit->parameters[i].name;
      values[i].push_back(fit->parameters[i].value);
    }
  }
  if (out.replicates < out.refused || out.replicates < 2) {
    return fail(
        ErrorCode::bad_value, {},
        fmt::format(
            "found {} of {} resampled sets of lifetimes that the {} law cannot be fitted to, "
            "expected more failures",
            out.refused, options.replicates, name_of(family)));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    Moments moments;
    for (const double value : values[i]) moments.add(value);
    std::sort(values[i].begin(), values[i].end());
    out.parameters[i].standard_error = moments.standard_deviation().value_or(0);
    out.parameters[i].interval = {quantile(values[i], 0.5 - 0.5 * options.confidence),
                                  quantile(values[i], 0.5 + 0.5 * options.confidence)};
  }
  return out;
}

}  // namespace holdfast
