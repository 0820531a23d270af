#include "holdfast/models/failures/failure_rate.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace holdfast {
namespace {

constexpr auto kNodes = std::to_array<std::string_view>(
    {"node", "nodes", "processor", "processors", "server", "servers", "host", "hosts"});
constexpr auto kDevices = std::to_array<std::string_view>(
    {"gpu", "gpus", "accelerator", "accelerators", "device", "devices", "tpu", "tpus"});

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

auto refuse(std::string_view text, const std::string& where, std::string_view expected) {
  return fail(ErrorCode::bad_value, where,
              fmt::format("found {}, expected {}", in_quotes(text), expected));
}

constexpr std::string_view kForm =
    "failures per time of a node, such as '6.5 per 1000 node-days' or '0.02 per node-year'";

// The first number of a text, 1 if it begins with none, which is taken off.
std::optional<double> take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,eE+-"), text.size());
  std::string digits(text.substr(0, end));
  while (!digits.empty() && std::string_view("eE+-").find(digits.back()) != std::string::npos)
    digits.pop_back();  // of a word that follows
  if (digits.empty()) return std::nullopt;
  text = trim(text.substr(digits.size()));
  std::erase(digits, ',');
  const auto value = parse_quantity(digits, Unit::none);
  return value ? std::optional(*value) : std::nullopt;
}

// Takes "per" or "/" off; false if the text begins with neither.
bool take_per(std::string_view& text) {
  for (const std::string_view word : {"failures", "failure"}) {
    if (text.starts_with(word)) text = trim(text.substr(word.size()));
  }
  const bool is_word = text.starts_with("per ");
  if (!is_word && !text.starts_with('/')) return false;
  text = trim(text.substr(is_word ? 4 : 1));
  return true;
}

// Seconds of the time in "node-days" or "node days".
Result<double> time_of_node(std::string_view text, std::string_view whole,
                            const std::string& where) {
  const std::size_t end = text.find_first_of("- ");
  const std::string_view unit = text.substr(0, end);
  if (is_among(kDevices, unit)) {
    return refuse(
        whole, where,
        "failures per time of a node: GPUs of a node fail with it. With 8 of them in each, "
        "1 per 1000 GPU-days is 8 per 1000 node-days");
  }
  if (end == std::string_view::npos || !is_among(kNodes, unit)) return refuse(whole, where, kForm);
  const auto seconds =
      parse_quantity(fmt::format("1{}", trim(text.substr(end + 1))), Unit::seconds);
  if (!seconds) return refuse(whole, where, kForm);
  return *seconds;
}

Result<double> mean_of(double failures, double seconds, std::string_view text,
                       const std::string& where) {
  const double mean = seconds / failures;
  if (!(failures > 0) || !(mean > 0) || std::isinf(mean)) {
    return refuse(text, where, "a rate greater than 0");
  }
  return mean;
}

}  // namespace

Result<double> read_failure_rate(const Value& value, const std::string& where) {
  if (value.is_number()) return mean_of(value.number(), 1, value.described(), where);
  const std::string* text = value.string();
  if (text == nullptr) return refuse(value.described(), where, kForm);
  const std::string lower = lower_case(*text);
  std::string_view rest = trim(lower);
  const auto failures = take_number(rest);
  if (!failures || !take_per(rest)) return refuse(*text, where, kForm);
  const double units = take_number(rest).value_or(1);
  HOLDFAST_TRY(seconds, time_of_node(rest, *text, where));
  return mean_of(*failures, units * seconds, *text, where);
}

Result<double> read_annual_rate(const Value& value, const std::string& where) {
  constexpr std::string_view kAnnual =
      "a percentage such as 5%, or a fraction such as 0.05: failures of a node in a year";
  if (value.is_number() && value.number() <= 1)
    return mean_of(value.number(), kYear, value.described(), where);
  const std::string* text = value.string();
  if (text == nullptr) return refuse(value.described(), where, kAnnual);
  std::string_view rest = trim(*text);
  const bool is_percent = rest.ends_with('%');
  if (is_percent) rest.remove_suffix(1);
  const auto number = parse_quantity(rest, Unit::none);
  if (!number || (!is_percent && *number > 1)) return refuse(*text, where, kAnnual);
  return mean_of(is_percent ? *number / 100 : *number, kYear, *text, where);
}

}  // namespace holdfast
