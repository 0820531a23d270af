#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

/// A text of metrics in Prometheus' format, 0.0.4: one family after the other.
class MetricsText {
 public:
  /// @param prefix  what all names begin with: "holdfast_io_"
  explicit MetricsText(std::string_view prefix) : prefix_{prefix} {}

  /// Starts a family. @param type  "gauge", "counter" or "histogram"
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// Adds a sample to it. @param labels  as written between braces
  void sample(double value, std::string_view labels = {}, std::string_view suffix = {});
  void sample(std::uint64_t value, std::string_view labels = {}, std::string_view suffix = {}) {
    sample(static_cast<double>(value), labels, suffix);
  }
  /// Adds a family of one sample.
  template <class Number>
  void one(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample(value);
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

  /// Returns the value of a label. Control characters are written as escapes before quotes are escaped.
  [[nodiscard]] static std::string label_value(std::string_view text);

 private:
  std::string prefix_;
  std::string name_;
  std::string out_;
};

}  // namespace holdfast
