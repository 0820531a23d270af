#include "holdfast/report/assets.hpp"
#include "holdfast/report/html_table.hpp"
#include "holdfast/report/page.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

// Nothing may be fetched, whatever a text on the page contains. Vega needs 'unsafe-eval', because it compiles its expressions.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'";

constexpr std::string_view kNeedsScript =
    "<noscript><p class=\"warning\">Charts are drawn by a script inside this file; scripts are "
    "switched off. The tables below say the same.</p></noscript>\n";

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostLinks = 5;  // links side by side; more are shown by a click

std::string text(std::string_view raw) {
  return xml_text(raw);
}

std::string paragraphs(const std::vector<std::string>& lines, std::string_view style) {
  std::string out;
  for (const std::string& line : lines) {
    out += fmt::format("<p class=\"{}\">{}</p>\n", style, text(line));
  }
  return out;
}

// Returns JSON for a script element, which "</script>" in a text must not end.
std::string script_json(const Value& value) {
  std::string out;
  for (const char c : to_compact_json(value)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// Returns the data of a chart that the script needs; for a still chart, only its columns and rows.
Value to_value(const PageChart& chart, Drawing drawing) {
  Value columns = Value::array();
  for (const DataColumn& column : chart.columns) {
    columns.push(Value::object({{"name", column.name}, {"title", column.title}}));
  }
  Value rows = Value::array();
  for (const Value::Array& row : chart.rows) rows.push(Value(row));
  Value out = Value::object({{"id", chart.id},
                             {"title", chart.title},
                             {"columns", std::move(columns)},
                             {"rows", std::move(rows)}});
  if (drawing == Drawing::still) return out;
  out.set("caption", chart.caption);
  out.set("facets", std::uint64_t{chart.facets});
  out.set("leastWidth", chart.least_width);
  out.set("height", chart.height);
  out.set("rowHeight", chart.row_height);
  out.set("spec", chart.spec);
  if (chart.reference) out.set("reference", std::uint64_t{*chart.reference});
  return out;
}

/// The place of a chart: pictures of two widths, of which the style sheet shows one.
struct Place {
  double wide = 0;
  double narrow = 0;
};
constexpr Place kWholeWidth{.wide = 980, .narrow = 380};
constexpr Place kBesideTable{.wide = 560, .narrow = 380};

// Returns the element of a chart, which the script fills or which contains the pictures.
std::string plot(const PageChart& chart, Drawing drawing, const Place& place) {
  if (drawing == Drawing::interactive || !chart.draw) {
    return fmt::format("<div class=\"plot\" style=\"min-height:{}px\"></div>\n",
                       static_cast<int>(chart.height));
  }
  std::string out;
  for (const auto& [name, width] :
       {std::pair("wide", place.wide), std::pair("narrow", place.narrow)}) {
    out += fmt::format("<div class=\"plot only-{}\" tabindex=\"0\">{}</div>\n", name,
                       chart.draw({.width = width, .is_page = true}));
  }
  return out;
}

std::string figure(const PageChart& chart, Drawing drawing, const Place& place) {
  return fmt::format(
      "<figure id=\"{0}\" class=\"chart\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n"
      "{2}"
      "<figcaption>{3}</figcaption>\n"
      "<div class=\"tools\"></div>\n"
      "</figure>\n",
      text(chart.id), text(chart.title), plot(chart, drawing, place), text(chart.caption));
}

// Returns the element of a picture, which has its own titles; the scripts only add a way to save it.
std::string figure(const PagePicture& picture) {
  return fmt::format(
      "<figure id=\"{0}\" class=\"picture\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n"
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\">{2}</div>\n"
      "<figcaption>Drawn by <code>{3}</code></figcaption>\n"
      "<div class=\"tools\"></div>\n"
      "</figure>\n",
      text(picture.id), text(picture.title), picture.svg, text(picture.command));
}

std::string facts(const std::vector<PageFact>& rows) {
  if (rows.empty()) return {};
  std::string out = "<dl>\n";
  for (const PageFact& fact : rows) {
    const std::string said = text(fact.text);
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", text(fact.name),
                       fact.is_code ? "<code>" + said + "</code>" : said);
  }
  return out + "</dl>\n";
}

// Returns a table; a long one is shown by a click.
std::string foldable(const Table& table, const RowLinks& links) {
  if (table.rows.size() <= kMostRows) return to_html(table, links);
  return fmt::format("<details><summary>{} ({} rows)</summary>{}</details>\n",
                     text(table.title.empty() ? "table" : table.title), table.rows.size(),
                     to_html(table, links));
}

std::string section(const PageSection& part, Drawing drawing) {
  std::string out = fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n"
      "<h2 id=\"{0}-heading\">{1}</h2>\n",
      text(part.id), text(part.title));
  out += paragraphs(part.lines, "line") + facts(part.facts);
  for (const PagePicture& picture : part.pictures) out += figure(picture);
  for (const PageChart& chart : part.charts) out += figure(chart, drawing, kWholeWidth);
  if (!part.tables.empty()) out += "<div class=\"tables\">";
  for (std::size_t i = 0; i < part.tables.size(); ++i) {
    out += foldable(part.tables[i], i < part.links.size() ? part.links[i] : RowLinks{});
  }
  if (!part.tables.empty()) out += "</div>\n";
  if (!part.file_text.empty()) {
    out += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n",
                       text(part.file_name), text(part.file_text));
  }
  return out + "</section>\n";
}

std::string header(const Page& page) {
  std::string out =
      "<header>\n<div class=\"top\"><p class=\"kicker\">" + text(page.kicker) + "</p><nav>";
  const bool has_many = page.sections.size() > kMostLinks;
  if (has_many) out += "<details><summary>Contents</summary><div class=\"contents\">";
  for (const PageSection& part : page.sections) {
    out += fmt::format("<a href=\"#{}\">{}</a>", text(part.id), text(part.title));
  }
  if (has_many) out += "</div></details>";
  out += "<button type=\"button\" id=\"theme\" hidden>Theme</button></nav></div>\n";
  out += "<h1>" + text(page.title) + "</h1>\n";
  if (!page.command.empty()) {
    out += "<p class=\"command\"><code>$ " + text(page.command) + "</code></p>\n";
  }
  if (!page.problem.empty()) out += "<p class=\"problem\">" + text(page.problem) + "</p>\n";
  return out + "</header>\n";
}

bool has_any_chart(const Page& page) {
  return page.answer_chart || std::any_of(page.sections.begin(), page.sections.end(),
                                          [](const auto& part) { return !part.charts.empty(); });
}

// Returns a note on how to get the other kind of charts.
std::string still_note() {
  const std::string_view remedy =
      has_charts() ? "write the page without <code>--static</code> for interactive ones"
                   : "this program was built without the chart library; for interactive ones run "
                     "<code>./setup charts</code> and <code>./run</code> in its source folder";
  return fmt::format("<p class=\"line\">Charts are still pictures: {}.</p>\n", remedy);
}

std::string first_section(const Page& page, Drawing drawing) {
  std::string out = "<section id=\"answer\" aria-label=\"answer\">\n";
  out += paragraphs(page.warnings, "warning") + paragraphs(page.answers, "answer");
  const bool is_pair = page.answer_chart && page.answer_table;
  out += is_pair ? "<div class=\"pair\">\n" : "<div>\n";
  if (page.answer_table) out += to_html(*page.answer_table, page.answer_links);
  if (page.answer_chart)
    out += figure(*page.answer_chart, drawing, is_pair ? kBesideTable : kWholeWidth);
  out += "</div>\n";
  if (drawing == Drawing::still && has_any_chart(page)) out += still_note();
  return out + "</section>\n";
}

Value charts_of(const Page& page, Drawing drawing) {
  Value out = Value::array();
  if (page.answer_chart) out.push(to_value(*page.answer_chart, drawing));
  for (const PageSection& part : page.sections) {
    for (const PageChart& chart : part.charts) out.push(to_value(chart, drawing));
  }
  return out;
}

}  // namespace

bool has_charts() {
  return !assets::charts_js().empty();
}

Status write_page(const Page& page, const TextSink& sink, Drawing wanted) {
  const Drawing drawing = has_charts() ? wanted : Drawing::still;
  SinkBuffer out(sink);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta http-equiv=\"Content-Security-Policy\" content=\"" << kPolicy << "\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << "<meta name=\"color-scheme\" content=\"light dark\">\n"
      << "<link rel=\"icon\" href=\"data:,\">\n"
      << "<title>" << text(page.title) << "</title>\n<style>\n"
      << assets::page_css() << "</style>\n</head>\n<body>\n"
      << "<a class=\"skip\" href=\"#answer\">to the answer</a>\n"
      << header(page) << "<main>\n"
      << (drawing == Drawing::interactive ? kNeedsScript : std::string_view())
      << first_section(page, drawing);
  for (const PageSection& part : page.sections) out << section(part, drawing);
  out << "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n"
      << "<script type=\"application/json\" id=\"charts\">" << script_json(charts_of(page, drawing))
      << "</script>\n";
  if (drawing == Drawing::interactive) out << "<script>" << assets::charts_js() << "</script>\n";
  out << "<script>\n" << assets::page_js() << "</script>\n</body>\n</html>\n";
  return out.finish();
}

}  // namespace holdfast
