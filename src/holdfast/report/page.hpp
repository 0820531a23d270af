#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/chart_paper.hpp"
#include "holdfast/report/html_table.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// A column of a chart's data.
struct DataColumn {
  std::string name;   ///< in the chart's specification
  std::string title;  ///< for people, with its unit: "mean (h)"; empty: not shown
};

/// A chart with the rows that it draws, which the reader may see and save.
struct PageChart {
  std::string id;  ///< name made of letters, digits and -, its own on the page
  std::string title;
  std::string caption;                   ///< what it shows and how it was aggregated
  Value spec = Value::object();          ///< Vega-Lite, without data, sizes and colours
  std::vector<DataColumn> columns = {};  ///< columns of rows
  std::vector<Value::Array> rows = {};   ///< texts, numbers or null
  std::size_t facets = 0;                ///< small charts side by side; 0: it is a single one
  double least_width = 0;                ///< pixels below which it scrolls rather than shrinks
  double height = 280;                   ///< pixels, of each small chart
  /// Height in pixels of the rows that its labels name, which may need several lines; 0 if it has no rows.
  double row_height = 0;
  std::optional<std::size_t> reference;  ///< series that is drawn in grey
  /// The same chart as SVG that needs no script.
  std::function<std::string(const ChartPaper& paper)> draw = {};
};

/// A picture that is there already, e.g. of schedules.
struct PagePicture {
  std::string id;  ///< name made of letters, digits and -, its own on the page
  std::string title;
  std::string command;  ///< that draws it
  std::string svg;      ///< a whole document, which is trusted
};

/// A name and what it says: a row of "what was run".
struct PageFact {
  std::string name;
  std::string text;
  bool is_code = false;  ///< shown as it would be typed
};

struct PageSection {
  std::string id;
  std::string title;
  std::vector<std::string> lines = {};
  std::vector<Table> tables = {};
  std::vector<RowLinks> links = {};  ///< links of the tables; those from its end on have none
  std::vector<PageFact> facts = {};
  std::vector<PagePicture> pictures = {};
  std::vector<PageChart> charts = {};
  std::string file_name = {};  ///< with file_text, a file behind a click
  std::string file_text = {};
};

/// One self-contained page.
struct Page {
  std::string title;
  std::string kicker;                 ///< above the title: what kind of page it is
  std::string command;                ///< that made it
  std::string problem = {};           ///< below the title: which problem it is about, in one line
  std::vector<std::string> answers;   ///< sentences below it
  std::vector<std::string> warnings;  ///< what the reader has to know before believing them
  std::optional<Table> answer_table;  ///< beside the first chart
  RowLinks answer_links = {};         ///< answer links of that table
  std::optional<PageChart> answer_chart;
  std::vector<PageSection> sections;
};

/// Returns true if the program carries the library of interactive charts.
[[nodiscard]] bool has_charts();

/// How the charts of a page are drawn.
enum class Drawing {
  interactive,  ///< by the chart library, which the page carries; a program without it draws still ones
  still,        ///< by the program: nothing needs a script
};

/// Writes the page as HTML: no other file, no request, whatever the browser does. Tables and still charts can be seen
/// without scripts.
[[nodiscard]] Status write_page(const Page& page, const TextSink& sink,
                                Drawing drawing = Drawing::interactive);

}  // namespace holdfast
