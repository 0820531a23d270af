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

/// What slicing records of any kind needs: the window, the machines that are kept, the draw, and the errors about them,
/// which are placed at the field of the question ("from", "to", "machines", "sample").
namespace holdfast::slicing {

/// The window [from, to) in seconds of the trace's clock.
struct Window {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool holds(double time) const { return from <= time && time < to; }
};

/// Returns an error about that field of the question.
[[nodiscard]] tl::unexpected<Error> refuse(std::string_view field, std::string message);

/// Returns the window that is asked for. A date needs a trace with dates or with a known zero, and an empty window is an
/// error.
/// @param is_dated  the trace's times are seconds since 1970, written as dates
/// @param zero      when the trace's clock was 0, in seconds since 1970, where that is known
[[nodiscard]] Result<Window> window_of(const SliceQuestion& question, bool is_dated,
                                       std::optional<double> zero);

/// Refuses a question for what records do not have. @param what  the records and a verb: "lifetimes have"
[[nodiscard]] Status check_lacking(const SliceQuestion& question, bool has_times, bool has_machines,
                                   bool has_sample, std::string_view what);

/// Says of each of `count` things whether it is among `wanted` of them; each set is as likely (Knuth's algorithm S). An
/// error if `wanted` is not from 1 to `count`.
[[nodiscard]] Result<std::vector<bool>> drawn(std::size_t count, std::int64_t wanted,
                                              std::uint64_t seed);

/// Says of each machine of these names whether it is kept: those that are asked for, and of these the ones that are
/// drawn. A name that no machine has is an error.
/// @param unnamed  machines without a name that are drawn like the others
[[nodiscard]] Result<std::vector<bool>> chosen(const std::vector<std::string>& names,
                                               const SliceQuestion& question,
                                               std::int64_t unnamed = 0);

/// Returns the error of a part without records; it names the field that left none. @param what  "failure"
[[nodiscard]] tl::unexpected<Error> nothing_left(const SliceQuestion& question,
                                                 std::string_view what);

/// Keeps those that are to be kept, in their order. @pre is_kept.size() == all.size()
template <class T>
void keep(std::vector<T>& all, const std::vector<bool>& is_kept) {
  std::size_t next = 0;
  std::erase_if(all, [&](const T&) { return !is_kept[next++]; });
}

}  // namespace holdfast::slicing
