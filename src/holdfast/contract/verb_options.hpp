#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/contract/field.hpp"

#include <string_view>
#include <type_traits>
#include <utility>

namespace holdfast {

namespace detail {
template <class Function>
struct OptionsOf;
template <class S, class O, class R>
struct OptionsOf<S (*)(const O&, const R&)> {
  using Said = S;
  using Options = O;
  using Request = R;
};
}  // namespace detail

/// Adapts a function that takes a verb's own options as a struct to the signature of Verb::run:
///
///   {.name = "plan",
///    .options = fields_of<kPlanOptions>().parameters(),
///    .run = with_options<run_plan, fields_of<kPlanOptions>>}
///
/// @tparam Run     Result<Answer> (const Options&, const Request&), or a function of compatible types
/// @tparam Tables  functions that return a Fields<Options>, for instance fields_of<kRows>: first the table of options, then
///      that of positional arguments
template <auto Run, auto... Tables>
typename detail::OptionsOf<decltype(Run)>::Said with_options(
    const typename detail::OptionsOf<decltype(Run)>::Request& request) {
  typename detail::OptionsOf<decltype(Run)>::Options options;
  ObjectReader read(request.options, "");
  (Tables().read(read, options), ...);
  if (auto read_all = read.finish(); !read_all) {
    Error error = std::move(read_all).error();
    return fail(ErrorCode::usage, std::move(error.where), std::move(error.message));
  }
  return Run(options, request);
}

}  // namespace holdfast
