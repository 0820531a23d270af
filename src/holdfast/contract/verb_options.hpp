#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/contract/field.hpp"

#include <type_traits>

namespace holdfast {

namespace detail {
template <class Function>
struct OptionsOf;
template <class Options>
struct OptionsOf<Result<Answer> (*)(const Options&, const Request&)> {
  using Type = Options;
};
}  // namespace detail

/// A function that takes a verb's own options as a struct, as the verb calls it:
///
///   {.name = "plan", .options = plan_options().parameters(), .run = with_options<run_plan, plan_options>}
///
/// @tparam Run     Result<Answer> (const Options&, const Request&)
/// @tparam Tables  functions that return a Fields<Options>: of the options, of the positionals
template <auto Run, auto... Tables>
Result<Answer> with_options(const Request& request) {
  typename detail::OptionsOf<decltype(Run)>::Type options;
  ObjectReader read(request.options, "");
  (Tables().read(read, options), ...);
  HOLDFAST_CHECK(read.finish());
  return Run(options, request);
}

}  // namespace holdfast
