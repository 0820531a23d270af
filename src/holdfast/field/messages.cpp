#include "holdfast/field/messages.hpp"

#include "holdfast/base/text.hpp"

#include <charconv>
#include <cmath>

namespace holdfast::field {
namespace {

/// Returns a finite number at the start of a text, and removes it from the text.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  double out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code != std::errc() || !std::isfinite(out)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

}  // namespace

std::optional<Event> read_message(std::string_view line) {
  constexpr std::string_view kProgress = "progress ";
  line = trim(line);
  if (line == "ready") return event::Ready{};
  if (line == "begin") return event::Begun{};
  if (line == "begin asynchronous") return event::Begun{.is_asynchronous = true};
  if (line == "done") return event::Written{};
  if (line == "failed") return event::SaveFailed{};
  if (line == "durable") return event::Durable{};
  if (!line.starts_with(kProgress)) return std::nullopt;
  line.remove_prefix(kProgress.size());
  const auto done = take_number(line);
  if (!done) return std::nullopt;
  line = trim(line);
  const auto total = line.empty() ? std::optional(0.0) : take_number(line);
  if (!total || !trim(line).empty()) return std::nullopt;
  return event::Progress{.done = *done, .total = *total};
}

std::optional<double> number_behind(std::string_view line, std::string_view text) {
  const auto at = line.find(text);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + text.size());
  return take_number(line);
}

}  // namespace holdfast::field
