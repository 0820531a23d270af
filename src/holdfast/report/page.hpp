#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/chart/paper.hpp"
#include "holdfast/report/html_table.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// A column of a chart's data.
struct DataColumn {
  std::string name;   ///< short name, by which tests find it
  std::string title;  ///< title for people, with its unit: "mean (h)"
};

/// A chart with the rows that it draws, which the reader can see and save.
struct PageChart {
  std::string id;  ///< a name of letters, digits and -, unique on the page
  std::string title;
  std::string caption;                   ///< what the chart shows and how it was aggregated
  std::vector<DataColumn> columns = {};  ///< columns of rows
  std::vector<Value::Array> rows = {};   ///< texts, numbers or null
  /// Draws the chart as SVG, whose marks name their rows.
  std::function<std::string(const ChartPaper& paper)> draw = {};
};

/// A finished picture, e.g. of schedules.
struct PagePicture {
  std::string id;  ///< a name of letters, digits and -, unique on the page
  std::string title;
  std::string command;  ///< the command that draws it
  std::string svg;      ///< a whole SVG document, which is trusted
};

/// A name and its value: a row of "what was run".
struct PageFact {
  std::string name;
  std::string text;
  bool is_code = false;  ///< true: shown as code
};

struct PageSection {
  std::string id;
  std::string title;
  std::vector<std::string> lines = {};
  std::vector<Table> tables = {};
  std::vector<RowLinks> links = {};  ///< links of the tables; further tables have none
  std::vector<PageFact> facts = {};
  std::vector<PagePicture> pictures = {};
  std::vector<PageChart> charts = {};
  std::string file_name = {};  ///< name of the file in file_text, which opens with a click
  std::string file_text = {};
};

/// One self-contained page.
struct Page {
  std::string title;
  std::string kicker;   ///< kind of the page, shown above the title
  std::string command;  ///< the command that made the page
  /// The problem that the page is about, in one line below the title.
  std::string problem = {};
  /// How far the work is that the page is about. If it is not empty, the page reloads itself, because it is written again and
  /// again until the work is done.
  std::string live = {};
  std::vector<std::string> answers;   ///< sentences below the problem
  std::vector<std::string> warnings;  ///< what the reader should know before trusting the answers
  std::optional<Table> answer_table;  ///< table beside the first chart
  RowLinks answer_links = {};         ///< links of that table
  std::optional<PageChart> answer_chart;
  std::vector<PageSection> sections;
};

/// Returns how long a live page rests that took so long to write: at least two seconds, and so long that it takes 1 % of a core.
[[nodiscard]] std::chrono::steady_clock::duration rest_after(
    std::chrono::steady_clock::duration took);

/// Writes the page as one HTML file that needs no other file and sends no requests. Everything is visible without scripts; its
/// own script tells the values of a point, switches series off, sorts tables, and saves charts and their data.
[[nodiscard]] Status write_page(const Page& page, const TextSink& sink);

}  // namespace holdfast
