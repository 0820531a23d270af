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

bool holds(const std::string& text, std::string_view part) {
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
  CHECK(holds(html, "<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>"));
  CHECK(holds(html, "$ holdfast run 'x&lt;y&gt;.toml'"));
  CHECK_FALSE(holds(html, "<script>alert"));
  CHECK(holds(html, "\\u003c/script>"));
}

TEST_CASE("page: nothing can be fetched, and no script or style runs but its own") {
  const std::string html = html_of({});
  CHECK(holds(html, "default-src 'none'"));
  CHECK_FALSE(holds(html, "unsafe"));
  CHECK_FALSE(holds(html.substr(0, html.find("<script")), " style=\""));
  const auto between = [&html](std::string_view from, std::string_view to) {
    const auto begin = html.find(from) + from.size();
    return html.substr(begin, html.find(to, begin) - begin);
  };
  CHECK(holds(html, "script-src 'sha256-" + sha256_base64(between("<script>", "</script>"))));
  CHECK(holds(html, "style-src 'sha256-" + sha256_base64(between("<style>", "</style>"))));
  for (const char* reference : {"src=\"http", "href=\"http", "url(http", "@import", "src=\"//"}) {
    CHECK_FALSE(holds(html, reference));
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
  CHECK(holds(html, "<dt>seed</dt><dd>7</dd>"));
  CHECK(holds(html, "<dd><code>holdfast run x</code></dd>"));
  CHECK(holds(html, "<summary>campaign.toml</summary><pre>[campaign]</pre>"));
  CHECK(holds(html, "<th scope=\"row\" class=\"s\">key</th><td class=\"n\">1.5</td>"));
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
  CHECK(holds(html, "only-wide\" tabindex=\"0\"><svg>wide</svg>"));
  CHECK(holds(html, "only-narrow\" tabindex=\"0\"><svg>narrow</svg>"));
  CHECK(html.size() < 30'000);
  CHECK(holds(html, R"("columns":["a"],"rows":[[1.5]])"));
}

TEST_CASE("page: it reloads itself while the work goes on, and only then") {
  Page page;
  page.title = "a";
  CHECK_FALSE(holds(html_of(page), "refresh"));
  page.live = "running: 3 of 10 cells";
  CHECK(holds(html_of(page), "<meta http-equiv=\"refresh\" content=\"2\">"));
  CHECK(holds(html_of(page), ">running: 3 of 10 cells</p>"));
}

TEST_CASE("page: a picture is styled by the page, not by itself") {
  Page page;
  PagePicture picture{.id = "p",
                      .title = "a schedule",
                      .command = "holdfast",
                      .svg = "<svg style=\"min-width:9px\"><path style=\"\"/></svg>"};
  page.sections.push_back({.id = "charts", .title = "Charts", .pictures = {picture}});
  CHECK(holds(html_of(page), "<svg><path style=\"\"/></svg>"));
}

TEST_CASE("html table: one unit per column, absent values as a dash") {
  Table table{.columns = {{"strategy"}, {"makespan", Unit::seconds}}};
  table.rows = {{"a", 7200.0}, {"b", 36000.0}, {"c", Value()}};
  const std::string html = to_html(table);
  CHECK(holds(html, "<th scope=\"col\" class=\"n\">makespan (h)</th>"));
  CHECK(holds(html, "<td class=\"n\">10</td>"));
  CHECK(holds(html, "<td class=\"n\">-</td>"));
}
