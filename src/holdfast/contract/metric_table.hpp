#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/contract/field.hpp"

#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace holdfast {

/// The source of a metric's value: a member of the struct of metrics (a double, a whole number, or an optional of either), or a
/// function of that struct.
template <class M>
class MetricSource {
 public:
  /// Takes a member.
  template <auto Step>
  constexpr MetricSource(MemberPath<Step>)  // NOLINT(google-explicit-constructor)
      : get_{[](const M& metrics) { return number(metrics.*Step); }},
        set_{[](M& metrics, std::optional<double> value) { assign(metrics.*Step, value); }} {}
  /// Takes a function of the struct; it cannot be set.
  template <class Function>
  requires std::is_convertible_v < Function, std::optional<double>(*)
  (const M&) > constexpr MetricSource(Function function)  // NOLINT(google-explicit-constructor)
      : get_{function} {}

  /// Returns the value in one run, in the metric's unit; nothing if the run has none.
  [[nodiscard]] std::optional<double> get(const M& metrics) const { return get_(metrics); }
  /// Sets the member, if the source is one.
  void set(M& metrics, std::optional<double> value) const {
    if (set_ != nullptr) set_(metrics, value);
  }

 private:
  template <class T>
  static std::optional<double> number(const T& held) {
    return static_cast<double>(held);
  }
  template <class T>
  static std::optional<double> number(const std::optional<T>& held) {
    return held ? number(*held) : std::nullopt;
  }

  template <class T>
  static void assign(T& held, std::optional<double> value) {
    held = static_cast<T>(value.value_or(0));
  }
  template <class T>
  static void assign(std::optional<T>& held, std::optional<double> value) {
    held = value ? std::optional(static_cast<T>(*value)) : std::nullopt;
  }

  std::optional<double> (*get_)(const M&);
  void (*set_)(M&, std::optional<double>) = nullptr;
};

/// One metric of a domain, and the source of its value in a run.
template <class M>
struct MetricRow {
  Metric metric;           ///< the name, unit and summary
  MetricSource<M> source;  ///< the source of its value
};

/// Returns the metrics of a table in its order, for Domain::metrics.
template <class M>
[[nodiscard]] std::vector<Metric> metrics_of(std::span<const MetricRow<M>> rows) {
  std::vector<Metric> out;
  for (const MetricRow<M>& row : rows) out.push_back(row.metric);
  return out;
}

/// Returns the values of these metrics in one run, for Outcome::metrics.
template <class M>
[[nodiscard]] std::vector<std::optional<double>> values_of(std::span<const MetricRow<M>> rows,
                                                           const M& metrics) {
  std::vector<std::optional<double>> out;
  out.reserve(rows.size());
  for (const MetricRow<M>& row : rows) out.push_back(row.source.get(metrics));
  return out;
}

/// Returns the struct of metrics with the values of an outcome, for checks. Members without a row keep their defaults.
/// @pre values.size() == rows.size()
template <class M>
[[nodiscard]] M metrics_from(std::span<const MetricRow<M>> rows,
                             std::span<const std::optional<double>> values) {
  M out;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].source.set(out, values[i]);
  return out;
}

}  // namespace holdfast
