#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Functions for slicing records of any kind. They find the window, the machines that are kept and the random sample. Each
/// error names the field of the question that caused it ("from", "to", "machines", "sample").
namespace holdfast::slicing {

/// The window [from, to) in seconds of the trace's clock.
struct Window {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool holds(double time) const { return from <= time && time < to; }
};

/// Returns an error about that field of the question.
[[nodiscard]] tl::unexpected<Error> refuse(std::string_view field, std::string message);

/// Returns the requested window. A date requires a trace with dates or with a known zero. An empty window is an error.
/// @param is_dated  the trace's times are seconds since 1970, written as dates
/// @param zero      the time at which the trace's clock was 0, in seconds since 1970, if it is known
[[nodiscard]] Result<Window> window_of(const SliceQuestion& question, bool is_dated,
                                       std::optional<double> zero);

/// Refuses a question about something that the records do not have.
/// @param what  the records and a verb, to which the message adds what is missing: "lifetimes have"
[[nodiscard]] Status check_lacking(const SliceQuestion& question, bool has_times, bool has_machines,
                                   bool has_sample, std::string_view what);

/// Returns for each of `count` items whether it is among the `wanted` ones drawn; each set is equally likely (Knuth's algorithm
/// S). It is an error if `wanted` is not from 1 to `count`.
[[nodiscard]] Result<std::vector<bool>> drawn(std::size_t count, std::int64_t wanted,
                                              std::uint64_t seed);

/// Returns for each machine with these names whether it is kept. If machines are requested by name, only these are kept; if a
/// sample is requested, only those of them that are drawn. A requested name that no machine has is an error.
/// @param unnamed  number of machines without a name, which are drawn like the others
[[nodiscard]] Result<std::vector<bool>> chosen(const std::vector<std::string>& names,
                                               const SliceQuestion& question,
                                               std::int64_t unnamed = 0);

/// Returns the error for a slice without records, at the field that excluded them all.
/// @param what  one record, in a word: "failure"
[[nodiscard]] tl::unexpected<Error> nothing_left(const SliceQuestion& question,
                                                 std::string_view what);

/// Keeps the items that are marked, in their order. @pre is_kept.size() == all.size()
template <class T>
void keep(std::vector<T>& all, const std::vector<bool>& is_kept) {
  std::size_t next = 0;
  std::erase_if(all, [&](const T&) { return !is_kept[next++]; });
}

}  // namespace holdfast::slicing
