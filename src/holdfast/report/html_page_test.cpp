#include "holdfast/base/digest.hpp"
#include "holdfast/report/html_table.hpp"
#include "holdfast/report/page.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

namespace {

std::string html_of(const Page& page) {
  std::string out;
  REQUIRE(write_page(page, [&out](std::string_view text) -> Status {
    out += text;
    return {};
  }));
  return out;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("page: what a text says stays text") {
  Page page;
  page.title = "a <b> & \"c\"";
  page.command = "holdfast run 'x<y>.toml'";
  page.answers = {"</section><script>alert(1)</script>"};
  PageChart chart;
  chart.id = "one";
  chart.title = "</script><script>alert(2)</script>";
  chart.draw = [](const ChartPaper&) { return "<svg></svg>"; };
  page.answer_chart = chart;
  const std::string html = html_of(page);
  CHECK(has(html, "<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>"));
  CHECK(has(html, "$ holdfast run 'x&lt;y&gt;.toml'"));
  CHECK_FALSE(has(html, "<script>alert"));
  CHECK(has(html, "\\u003c/script>"));
}

TEST_CASE("page: nothing can be fetched, and no script or style runs but its own") {
  const std::string html = html_of({});
  CHECK(has(html, "default-src 'none'"));
  CHECK_FALSE(has(html, "unsafe"));
  CHECK_FALSE(has(html.substr(0, html.find("<script")), " style=\""));
  const auto between = [&html](std::string_view from, std::string_view to) {
    const auto begin = html.find(from) + from.size();
    return html.substr(begin, html.find(to, begin) - begin);
  };
  CHECK(has(html, "script-src 'sha256-" + sha256_base64(between("<script>", "</script>"))));
  CHECK(has(html, "style-src 'sha256-" + sha256_base64(between("<style>", "</style>"))));
  for (const char* reference : {"src=\"http", "href=\"http", "url(http", "@import", "src=\"//"}) {
    CHECK_FALSE(has(html, reference));
  }
}

TEST_CASE("page: tables, facts and files are there without a script") {
  Page page;
  PageSection section{.id = "run", .title = "What was run"};
  section.tables.push_back({.title = "t", .columns = {{"k"}, {"v"}}, .rows = {{"key", 1.5}}});
  section.facts = {{"seed", "7"}, {"command", "holdfast run x", true}};
  section.file_name = "campaign.toml";
  section.file_text = "[campaign]";
  page.sections.push_back(section);
  const std::string html = html_of(page);
  CHECK(has(html, "<dt>seed</dt><dd>7</dd>"));
  CHECK(has(html, "<dd><code>holdfast run x</code></dd>"));
  CHECK(has(html, "<summary>campaign.toml</summary><pre>[campaign]</pre>"));
  CHECK(has(html, "<th scope=\"row\" class=\"s\">key</th><td class=\"n\">1.5</td>"));
}

TEST_CASE("page: charts are drawn in it, for wide and narrow windows, and their data are there") {
  Page page;
  PageChart chart;
  chart.id = "one";
  chart.title = "a chart";
  chart.columns = {{"a", "a"}};
  chart.rows = {{1.5}};
  chart.draw = [](const ChartPaper& paper) {
    return paper.is_page && paper.width < 400 ? "<svg>narrow</svg>" : "<svg>wide</svg>";
  };
  page.sections.push_back({.id = "charts", .title = "Charts", .charts = {chart}});
  const std::string html = html_of(page);
  CHECK(has(html, "only-wide\" tabindex=\"0\"><svg>wide</svg>"));
  CHECK(has(html, "only-narrow\" tabindex=\"0\"><svg>narrow</svg>"));
  CHECK(html.size() < 30'000);
  CHECK(has(html, R"("columns":["a"],"rows":[[1.5]])"));
}

TEST_CASE("page: a picture is styled by the page, not by itself") {
  Page page;
  PagePicture picture{.id = "p",
                      .title = "a schedule",
                      .command = "holdfast",
                      .svg = "<svg style=\"min-width:9px\"><path style=\"\"/></svg>"};
  page.sections.push_back({.id = "charts", .title = "Charts", .pictures = {picture}});
  CHECK(has(html_of(page), "<svg><path style=\"\"/></svg>"));
}

TEST_CASE("html table: one unit per column, absent values as a dash") {
  Table table{.columns = {{"strategy"}, {"makespan", Unit::seconds}}};
  table.rows = {{"a", 7200.0}, {"b", 36000.0}, {"c", Value()}};
  const std::string html = to_html(table);
  CHECK(has(html, "<th scope=\"col\" class=\"n\">makespan (h)</th>"));
  CHECK(has(html, "<td class=\"n\">10</td>"));
  CHECK(has(html, "<td class=\"n\">-</td>"));
}
