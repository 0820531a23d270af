#pragma once

#include "holdfast/arbiter/watch_client.hpp"
#include "holdfast/base/value.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {

/// The column by which applications are sorted. The one that needs attention most comes first.
enum class TopOrder : std::uint8_t { yield, rate, moved, delay, job };
inline constexpr auto kTopOrders =
    std::to_array<std::string_view>({"yield", "rate", "moved", "delay", "job"});

struct TopView {
  TopOrder order = TopOrder::yield;
  std::size_t lines = 0;  ///< largest number of lines of the text; 0: no limit
  std::size_t width = 0;  ///< width of the terminal, in characters; 0: unknown
  bool is_paused = false;
  std::optional<double> decisions_per_second = {};
};

using UserName = std::function<std::string(std::uint32_t)>;

/// Returns bytes in at most 6 characters: "62.0MB", "1.07GB", "512B".
[[nodiscard]] std::string short_bytes(double bytes);
/// Returns a duration in at most 7 characters: "12.3s", "4m10s", "2h05m", "3d04h".
[[nodiscard]] std::string short_duration(double seconds);

/// Returns the applications, the one that needs attention most first.
[[nodiscard]] std::vector<const Standing*> ordered(const Round& round, TopOrder order);

/// Returns what `io top` shows of a round: a header, and a table whose lines have at most 80 characters. On a narrower
/// terminal columns are left out; job, rate and yield (28 characters) stay.
[[nodiscard]] std::string top_text(const Round& round, const TopView& view, const UserName& user);

/// Returns the round as a document.
[[nodiscard]] Value top_document(const Round& round, const TopView& view, const UserName& user);

}  // namespace holdfast::arbiter
