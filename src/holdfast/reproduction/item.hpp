#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Published results, and how they are compared with what is measured now. reproduce/README.md describes the files.
namespace holdfast::reproduction {

/// How much a number may differ: "4%" of the expected one, or "0.01".
struct Tolerance {
  double size = 0;
  bool relative = false;
  /// So many combined standard errors are allowed beside: those of our mean and of the published one, which is taken to be as
  /// uncertain as ours, because it is a mean of as many runs.
  double errors = 0;

  /// Returns the allowed difference from this number, without standard errors.
  [[nodiscard]] double around(double expected) const;
};

/// Reads "0.01", "4%", or either with standard errors: "0.01+4se".
[[nodiscard]] Result<Tolerance> parse_tolerance(std::string_view text);

/// A choice of the points of a campaign at which a parameter, or a part of it, has a given value.
struct Filter {
  std::string axis;     ///< "failures"
  std::string pointer;  ///< pointer into its value: "/shape", or empty
  std::string text;     ///< "0.7"
};

/// A choice of the cells in which another metric of the same run is below a bound, or not below it.
struct Condition {
  std::string metric;  ///< "pressure"
  bool below = false;  ///< true: less than the bound; false: at least the bound
  double bound = 0;
};

/// Reads conditions: "pressure >= 0.4; pressure < 0.6".
[[nodiscard]] Result<std::vector<Condition>> parse_conditions(std::string_view text);

/// One published number.
struct Row {
  std::string place;  ///< "published.csv:12"
  std::string id;
  std::string label;
  std::vector<Filter> filters;
  std::vector<Condition> conditions;
  std::string strategy;
  std::string over;
  std::string metric;
  std::string statistic = "mean";
  /// Used instead of a campaign: the row is the value at `pointer` in its document.
  std::string command;
  std::string generate;  ///< a command whose document is the instance of `command`
  std::string pointer;
  std::optional<double> published;
  std::optional<double> reference;
  std::optional<Tolerance> published_tolerance;
  std::optional<Tolerance> reference_tolerance;
  std::string known;  ///< reason for a known deviation
};

/// An order between two numbers: less <= than + margin. Each of them is a row or a number.
struct Statement {
  struct Side {
    std::optional<std::size_t> row;
    double number = 0;
  };
  std::string text;
  Side less;
  Side than;
  double margin = 0;
  std::string known;
};

/// The chart of the campaign's results; the table [chart] of item.toml.
struct Chart {
  std::string x;  ///< a swept parameter
  /// Swept parameters; there is one picture for each combination of their values.
  std::vector<std::string> panels;
  std::vector<Filter> where;  ///< parameters with a fixed value
  std::string metric;
  std::vector<std::string> strategies;
  /// Further metrics of the first strategy, with a line each, for values that do not depend on the strategy, such as a bound.
  std::vector<std::string> beside;
  bool is_x_logarithmic = false;
  bool is_y_logarithmic = false;
};

/// A picture of schedules: a table [[schedule]] of item.toml.
struct Drawing {
  std::string title;
  std::string generate;  ///< a command whose document is the instance, if `command` names none
  /// "io simulate --strategy a,b": its schedules are drawn one above the other.
  std::string command;
};

struct Item {
  std::string id;
  std::string title;
  std::string source;
  std::string note;
  std::string readings;  ///< where it stands how the source was read: "the README of volatile"
  std::filesystem::path folder;
  std::filesystem::path campaign;  ///< empty if all rows are commands
  std::vector<Row> rows;
  std::vector<Statement> statements;
  std::optional<Chart> chart;
  std::vector<Drawing> drawings;
};

/// Returns the places of items below a directory, in order of name: a folder, or FOLDER-NAME for a further variant of one.
[[nodiscard]] std::vector<std::filesystem::path> find_items(const std::filesystem::path& root);

/// Reads item.toml and published.csv of a place from find_items(). Errors are placed at FILE:LINE.
[[nodiscard]] Result<Item> read_item(const std::filesystem::path& place);

}  // namespace holdfast::reproduction
