#include "holdfast/traces/text/slicing.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/kernel/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace holdfast::slicing {

tl::unexpected<Error> refuse(std::string_view field, std::string message) {
  return fail(ErrorCode::usage, std::string(field), std::move(message));
}

Result<Window> window_of(const SliceQuestion& question, bool is_dated, std::optional<double> zero) {
  Window out;
  const auto seconds = [&](const Instant& instant, std::string_view field) -> Result<double> {
    if (is_dated && !instant.is_date) {
      return refuse(field, "found a number, expected a date as in the trace");
    }
    if (is_dated || !instant.is_date) return instant.seconds;
    if (zero) return instant.seconds - *zero;
    return refuse(field, "found a date, expected seconds as in the trace");
  };
  if (question.from) {
    HOLDFAST_TRY(from, seconds(*question.from, "from"));
    out.from = from;
  }
  if (question.to) {
    HOLDFAST_TRY(to, seconds(*question.to, "to"));
    out.to = to;
  }
  if (!(out.from < out.to)) return refuse("to", "found no later time than the start of the window");
  return out;
}

Status check_lacking(const SliceQuestion& question, bool has_times, bool has_machines,
                     bool has_sample, std::string_view what) {
  if (!has_times && (question.from || question.to)) {
    return refuse(question.from ? "from" : "to",
                  fmt::format("found a window, but {} no times", what));
  }
  if (!has_machines && !question.machines.empty()) {
    return refuse("machines", fmt::format("found names, but {} no machines", what));
  }
  if (!has_sample && question.sample) {
    return refuse("sample", fmt::format("found a number, but {} nothing to draw from", what));
  }
  return {};
}

Result<std::vector<bool>> drawn(std::size_t count, std::int64_t wanted, std::uint64_t seed) {
  if (wanted < 1 || static_cast<std::uint64_t>(wanted) > count) {
    return refuse("sample", fmt::format("found {}, expected a number from 1 to {}", wanted, count));
  }
  Stream stream({.seed = seed, .purpose = Purpose::tool});
  std::vector<bool> out(count);
  auto left = wanted;
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    const auto rest = static_cast<std::int64_t>(count - i);
    if (stream.integer(1, rest) > left) continue;
    out[i] = true;
    --left;
  }
  return out;
}

Result<std::vector<bool>> chosen(const std::vector<std::string>& names,
                                 const SliceQuestion& question, std::int64_t unnamed) {
  std::vector<bool> out(names.size(), question.machines.empty());
  if (!question.machines.empty()) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < names.size(); ++i) places[names[i]].push_back(i);
    for (const std::string& wanted : question.machines) {
      const auto found = places.find(wanted);
      if (found == places.end()) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string_view near = closest(wanted, known);
        return refuse(
            "machines",
            fmt::format("found no machine {}{}", in_quotes(wanted),
                        near.empty()
                            ? fmt::format(", expected one of the {} in the trace", names.size())
                            : fmt::format(", did you mean {}?", in_quotes(near))));
      }
      for (const std::size_t place : found->second) out[place] = true;
    }
  }
  if (!question.sample) return out;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i]) kept.push_back(i);
  }
  const std::size_t all = kept.size() + static_cast<std::size_t>(unnamed);
  HOLDFAST_TRY(is_drawn, drawn(all, *question.sample, question.seed));
  for (std::size_t i = 0; i < kept.size(); ++i) out[kept[i]] = is_drawn[i];
  return out;
}

tl::unexpected<Error> nothing_left(const SliceQuestion& question, std::string_view what) {
  const std::string_view field = question.from     ? "from"
                                 : question.to     ? "to"
                                 : question.sample ? "sample"
                                                   : "machines";
  return refuse(field, fmt::format("found no {} in that part, expected at least one", what));
}

}  // namespace holdfast::slicing
