#include "holdfast/base/digest.hpp"
#include "holdfast/report/assets.hpp"
#include "holdfast/report/html_table.hpp"
#include "holdfast/report/page.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

// Returns the source of a policy that allows one text and no other.
std::string hash_of(std::string_view text) {
  return fmt::format("'sha256-{}'", sha256_base64(text));
}

// Returns what the page may do: run this one script, and fetch nothing, whatever a text on it contains. Pictures that are saved
// pass through a blob.
std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; "
      "form-action 'none'",
      hash_of(assets::page_js()), hash_of(assets::page_css()));
}

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostLinks = 5;  // links side by side; more are shown by a click

std::string text(std::string_view raw) {
  return xml_text(raw);
}

// A number and its "%" stay on one line.
std::string paragraphs(const std::vector<std::string>& lines, std::string_view style) {
  std::string out;
  for (const std::string& line : lines) {
    std::string said = text(line);
    for (auto at = said.find(" %"); at != std::string::npos; at = said.find(" %", at))
      said.replace(at, 1, "\u00a0");
    out += fmt::format("<p class=\"{}\">{}</p>\n", style, said);
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

// Returns the data of a chart: what its marks and the files that are saved say.
Value to_value(const PageChart& chart) {
  Value columns = Value::array();
  for (const DataColumn& column : chart.columns) columns.push(column.title);
  Value rows = Value::array();
  for (const Value::Array& row : chart.rows) rows.push(Value(row));
  return Value::object({{"id", chart.id},
                        {"title", chart.title},
                        {"columns", std::move(columns)},
                        {"rows", std::move(rows)}});
}

// Returns pictures of two widths, of which the style sheet shows one.
std::string plot(const PageChart& chart) {
  std::string out;
  for (const auto& [name, width] : {std::pair("wide", 1100.0), std::pair("narrow", 380.0)}) {
    out += fmt::format("<div class=\"plot only-{}\" tabindex=\"0\">{}</div>\n", name,
                       chart.draw({.width = width, .is_page = true}));
  }
  return out;
}

std::string figure(const PageChart& chart) {
  return fmt::format(
      "<figure id=\"{0}\" class=\"chart\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n"
      "{2}"
      "<figcaption>{3}</figcaption>\n"
      "<div class=\"tools\"></div>\n"
      "</figure>\n",
      text(chart.id), text(chart.title), plot(chart), text(chart.caption));
}

// Returns the element of a picture, which has its own titles; the scripts only add a way to save it.
std::string figure(const PagePicture& picture) {
  // The page's policy allows no styles but its own, which suits pictures too.
  std::string svg = picture.svg;
  if (const auto from = svg.find(" style=\""); from < svg.find('>'))
    svg.erase(from, svg.find('"', from + 8) + 1 - from);
  return fmt::format(
      "<figure id=\"{0}\" class=\"picture\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n"
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\">{2}</div>\n"
      "<figcaption>Drawn by <code>{3}</code></figcaption>\n"
      "<div class=\"tools\"></div>\n"
      "</figure>\n",
      text(picture.id), text(picture.title), svg, text(picture.command));
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

std::string section(const PageSection& part) {
  std::string out = fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n"
      "<h2 id=\"{0}-heading\">{1}</h2>\n",
      text(part.id), text(part.title));
  out += paragraphs(part.lines, "line") + facts(part.facts);
  for (const PagePicture& picture : part.pictures) out += figure(picture);
  for (const PageChart& chart : part.charts) out += figure(chart);
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

std::string first_section(const Page& page) {
  std::string out = "<section id=\"answer\" aria-label=\"answer\">\n";
  if (!page.live.empty())
    out += "<p class=\"warning\" role=\"status\">" + text(page.live) + "</p>\n";
  out += paragraphs(page.warnings, "warning") + paragraphs(page.answers, "answer");
  if (page.answer_table) out += to_html(*page.answer_table, page.answer_links);
  if (page.answer_chart) out += figure(*page.answer_chart);
  return out + "</section>\n";
}

Value charts_of(const Page& page) {
  Value out = Value::array();
  if (page.answer_chart) out.push(to_value(*page.answer_chart));
  for (const PageSection& part : page.sections) {
    for (const PageChart& chart : part.charts) out.push(to_value(chart));
  }
  return out;
}

}  // namespace

std::chrono::steady_clock::duration rest_after(std::chrono::steady_clock::duration took) {
  constexpr auto kLeast = std::chrono::seconds(2);
  constexpr int kRest = 99;  // times the time that writing took
  return std::max<std::chrono::steady_clock::duration>(kLeast, kRest * took);
}

Status write_page(const Page& page, const TextSink& sink) {
  SinkBuffer out(sink);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta http-equiv=\"Content-Security-Policy\" content=\"" << policy() << "\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << (page.live.empty() ? "" : "<meta http-equiv=\"refresh\" content=\"2\">\n")
      << "<meta name=\"color-scheme\" content=\"light dark\">\n"
      << "<link rel=\"icon\" href=\"data:,\">\n"
      << "<title>" << text(page.title) << "</title>\n<style>" << assets::page_css()
      << "</style>\n</head>\n<body>\n"
      << "<a class=\"skip\" href=\"#answer\">to the answer</a>\n"
      << header(page) << "<main>\n"
      << first_section(page);
  for (const PageSection& part : page.sections) out << section(part);
  out << "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n"
      << "<script type=\"application/json\" id=\"charts\">" << script_json(charts_of(page))
      << "</script>\n<script>" << assets::page_js() << "</script>\n</body>\n</html>\n";
  return out.finish();
}

}  // namespace holdfast
