#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Published results and how they are compared with what is measured now; reproduce/README.md is the
/// description of the files.
namespace holdfast::reproduction {

/// How far a number may be away: "4%" of the expected one, or "0.01".
struct Tolerance {
  double size = 0;
  bool relative = false;

  /// Returns the distance allowed from this number.
  [[nodiscard]] double around(double expected) const;
};

[[nodiscard]] Result<Tolerance> parse_tolerance(std::string_view text);

/// Chooses the points of a campaign whose parameter, or a part of it, has a value.
struct Filter {
  std::string axis;     ///< "failures"
  std::string pointer;  ///< into its value: "/shape", or empty
  std::string text;     ///< "0.7"
};

/// Chooses the cells in which another metric of the same run lies on one side of a bound.
struct Condition {
  std::string metric;  ///< "pressure"
  bool below = false;  ///< less than the bound; else at least the bound
  double bound = 0;
};

/// Reads "pressure >= 0.4; pressure < 0.6".
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
  std::string command;   ///< instead of a campaign: the value of a command at `pointer`
  std::string generate;  ///< whose document is the command's instance
  std::string pointer;
  std::optional<double> published;
  std::optional<double> reference;
  std::optional<Tolerance> published_tolerance;
  std::optional<Tolerance> reference_tolerance;
  std::string known;  ///< why it is known not to be reproduced
};

/// An order between two numbers: less <= than + margin. Each is a row or a number.
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

/// What a figure draws of the campaign's results; the table [chart] of item.toml.
struct Chart {
  std::string x;  ///< a swept parameter
  /// Swept parameters: one picture for each combination of values.
  std::vector<std::string> panels;
  std::vector<Filter> where;  ///< parameters that have one value
  std::string metric;
  std::vector<std::string> strategies;
  /// Other metrics of the first strategy, a line each, for what does not depend on the strategy: a bound.
  std::vector<std::string> beside;
  bool is_x_logarithmic = false;
  bool is_y_logarithmic = false;
};

/// A picture of schedules: a table [[schedule]] of item.toml.
struct Drawing {
  std::string title;
  std::string generate;  ///< a command whose document is the instance, where the other names none
  std::string command;   ///< "io simulate --strategy a,b": its schedules are drawn above each other
};

struct Item {
  std::string id;
  std::string title;
  std::string source;
  std::string note;
  std::string decision;  ///< the record of how the source was read: "0026"
  std::filesystem::path folder;
  std::filesystem::path campaign;  ///< empty if all rows are commands
  std::vector<Row> rows;
  std::vector<Statement> statements;
  std::optional<Chart> chart;
  std::vector<Drawing> drawings;
};

/// Folders of items below a directory, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> find_items(const std::filesystem::path& root);

/// Reads item.toml and published.csv of a folder; errors are placed at FILE:LINE.
[[nodiscard]] Result<Item> read_item(const std::filesystem::path& folder);

}  // namespace holdfast::reproduction
