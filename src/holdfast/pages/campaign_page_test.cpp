#include "holdfast/pages/campaign_page.hpp"

#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

Results run(const std::string& tables, const std::filesystem::path& directory,
            const std::string& others = "'bold'") {
  const auto campaign = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 40\n"
      "strategies = ['steady', " +
          others + "]\nbaseline = 'steady'\n" + tables,
      "x.toml", ".", fake::known());
  REQUIRE(campaign);
  RunOptions options;
  options.command = "holdfast run x.toml";
  REQUIRE(run_campaign(*campaign, directory, options));
  return Results::open(directory).value();
}

const PageChart& chart_of(const Page& page, const std::string& id) {
  if (page.answer_chart && page.answer_chart->id == id) return *page.answer_chart;
  for (const PageSection& section : page.sections) {
    for (const PageChart& chart : section.charts) {
      if (chart.id == id) return chart;
    }
  }
  FAIL("no chart " << id);
  return *page.answer_chart;
}

double number_at(const PageChart& chart, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    if (chart.columns[i].name == column) return chart.rows[row][i].number();
  }
  FAIL("no column " << column);
  return 0;
}

}  // namespace

TEST_CASE("campaign page: it says what was run, with which command, and what came out") {
  const Scratch scratch;
  const Page page = campaign_page(run("[parameters]\nsteps = [5, 10, 20]\n", scratch / "r"),
                                  &fake::domain(), "holdfast report r")
                        .value();
  CHECK(page.title == "walks");
  CHECK(page.command == "holdfast run x.toml");
  CHECK(page.problem == "3 points that differ in steps; the first: a walk of 5 strides (seed 1)");
  CHECK(page.warnings.empty());
  REQUIRE(page.answers.size() == 1);
  // The program's own words.
  CHECK(page.answers[0].starts_with("steady is "));
  CHECK(page.answers[0].find(" % better than bold in length at all 3 points; on average ") !=
        std::string::npos);
  REQUIRE(page.answer_table);
  CHECK(page.answer_table->rows.size() == 2);
  CHECK(page.answer_table->title ==
        "length, lower is better: average of 3 points and their range, and how much better than "
        "steady");
  REQUIRE(page.answer_chart);
  CHECK(page.answer_chart->id == "ratios");
  CHECK(page.sections.back().id == "run");
  // What no strategy changes is said once: the steps, after the pace.
  const std::vector<Table>& numbers = page.sections[page.sections.size() - 2].tables;
  REQUIRE(numbers.size() == 3);
  CHECK(numbers[0].title.starts_with("pace"));
  CHECK(numbers[1].title == "the same with every strategy");
  REQUIRE(numbers[1].rows.size() == 1);
  CHECK(numbers[1].rows[0] == std::vector<Value>{"steps", "11.67", "5", "20"});
}

TEST_CASE("campaign page: a warning says which pairs its average leaves out") {
  const Scratch scratch;
  // Strides to the power of 400: those below 0.15 come to 0, and have no ratio.
  const Results results = run("[parameters]\nsteps = 1\n", scratch / "r", "'bold:by=400'");
  int zeros = 0;
  REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
    for (std::size_t draw = 0; draw < 40; ++draw) zeros += cells.value(draw, 1, 0) == 0.0 ? 1 : 0;
    return {};
  }));
  REQUIRE(zeros > 0);
  const Page page = campaign_page(results, &fake::domain(), "").value();
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0] == "Averages of gains in length leave out " + std::to_string(zeros) +
                                " pairs, which have no ratio because of a 0.");

  const Page whole =
      campaign_page(run("[parameters]\nsteps = 1\n", scratch / "w"), &fake::domain(), "").value();
  CHECK(whole.warnings.empty());
}

TEST_CASE("campaign page: the boxes hold the quantiles of the cells") {
  const Scratch scratch;
  const Results results = run(
      "[parameters]\nsteps = [5, 10]\n[report]\nx = 'steps'\ncharts = ['boxes']\n", scratch / "r");
  const Page page = campaign_page(results, &fake::domain(), "").value();
  const PageChart& boxes = chart_of(page, "boxes");
  REQUIRE(boxes.rows.size() == 4);  // 2 steps x 2 strategies
  std::size_t row = 0;
  REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
    const PointSummary summary = summarize(cells, results.description().metrics, 0);
    for (const StrategySummary& strategy : summary.strategies) {
      const Summary& length = *strategy.metrics[0];
      CHECK(number_at(boxes, row, "p10") == length.p10);
      CHECK(number_at(boxes, row, "p25") == length.p25);
      CHECK(number_at(boxes, row, "median") == length.median);
      CHECK(number_at(boxes, row, "p75") == length.p75);
      CHECK(number_at(boxes, row, "p90") == length.p90);
      CHECK(number_at(boxes, row, "center") == doctest::Approx(length.mean).epsilon(1e-12));
      CHECK(number_at(boxes, row, "count") == 40);
      ++row;
    }
    return {};
  }));
}

TEST_CASE("campaign page: gains are those of pairs, and average by the logarithms of ratios") {
  const Scratch scratch;
  const Results results =
      run("[parameters]\nsteps = [5, 10]\n[report]\nx = 'steps'\n", scratch / "r");
  const Page page = campaign_page(results, &fake::domain(), "").value();
  const PageChart& gains = chart_of(page, "ratios");
  REQUIRE(gains.rows.size() == 2);  // the baseline has none
  const auto percent = [](double ratio) {
    return doctest::Approx(100 * (1 - 1 / ratio)).epsilon(1e-9);
  };
  std::size_t row = 0;
  REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
    const PointSummary summary = summarize(cells, results.description().metrics, 0);
    CHECK(number_at(gains, row, "center") == percent(*summary.comparisons[0].geometric_mean));
    CHECK(number_at(gains, row, "low") == percent((*summary.comparisons[0].interval)[0]));
    CHECK(number_at(gains, row, "high") == percent((*summary.comparisons[0].interval)[1]));
    ++row;
    return {};
  }));
}

TEST_CASE("campaign page: distributions rise from 0 to 1") {
  const Scratch scratch;
  const Page page =
      campaign_page(run("[parameters]\nsteps = 5\n", scratch / "r"), &fake::domain(), "").value();
  const PageChart& curves = chart_of(page, "ecdf");
  REQUIRE(curves.rows.size() == 2 * 41);
  CHECK(number_at(curves, 0, "fraction") == 0);
  for (std::size_t i = 1; i <= 40; ++i) {
    CHECK(number_at(curves, i, "fraction") == static_cast<double>(i) / 40);
    CHECK(number_at(curves, i, "value") >= number_at(curves, i - 1, "value"));
  }
}

TEST_CASE("campaign page: strategies along x have distributions of their own") {
  const Scratch scratch;
  const Page page =
      campaign_page(run("[parameters]\nsteps = [5, 10]\nstride = [1, 2]\n[report]\n"
                        "x = 'strategy'\nseries = 'steps'\nfacet = 'stride'\ncharts = ['ecdf']\n",
                        scratch / "r", "'bold:by=2', 'bold:by=3'"),
                    &fake::domain(), "")
          .value();
  const PageChart& curves = chart_of(page, "ecdf");
  CHECK(curves.columns[0].title == "strategy");
  CHECK(curves.caption.find("All values of stride taken together.") != std::string::npos);
  REQUIRE(curves.rows.size() == 2 * 2 * (2 * 40 + 1));  // bold by 2 and by 3, 5 and 10 steps
  CHECK(*curves.rows[0][0].string() == "bold:by=2");
  CHECK(number_at(curves, 1, "fraction") == 1.0 / 80);
  CHECK(*curves.rows.back()[0].string() == "bold:by=3");
}

TEST_CASE(
    "campaign page: what does not separate points is taken together, and the caption says so") {
  const Scratch scratch;
  const Page page =
      campaign_page(
          run("[parameters]\nsteps = [5, 10]\nstride = [1, 2, 4]\n[report]\nx = 'steps'\n",
              scratch / "r"),
          &fake::domain(), "")
          .value();
  const PageChart& boxes = chart_of(page, "boxes");
  CHECK(boxes.rows.size() == 4);
  CHECK(number_at(boxes, 0, "count") == 3 * 40);
  CHECK(boxes.caption.find("All values of stride taken together.") != std::string::npos);
  const PageChart& heat = chart_of(page, "heat");
  CHECK(heat.rows.size() == 2 * 3);
}

TEST_CASE("campaign page: runs that did not complete are reported before anything else") {
  const Scratch scratch;
  const Page page =
      campaign_page(run("[parameters]\nsteps = 5\nlimit = 5\n", scratch / "r"), &fake::domain(), "")
          .value();
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0].find(" of 80 runs were given up (") == 2);
}

TEST_CASE("campaign page: where a run was given up, the strategy enters no mean and no picture") {
  const Scratch scratch;
  // Of 4 strides of mean 1 some walk is longer than 9; of strides of a thousandth none is.
  const Results results =
      run("[parameters]\nsteps = 4\nlimit = 9\nstride = [0.001, 1]\n[report]\nx = 'stride'\n",
          scratch / "r");
  int runs = 0, given_up = 0, pairs = 0;
  std::size_t groups = 0;
  std::vector<double> steady;
  REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
    for (std::size_t strategy = 0; strategy < 2; ++strategy) {
      if (!gave_up(cells, strategy)) ++groups;
    }
    if (!gave_up(cells, 0) && !gave_up(cells, 1)) ++pairs;
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      runs += 2;
      for (std::size_t strategy = 0; strategy < 2; ++strategy)
        given_up += cells.cell(draw, strategy)->completed ? 0 : 1;
      if (!gave_up(cells, 0)) steady.push_back(*cells.value(draw, 0, 0));
    }
    return {};
  }));
  REQUIRE(given_up > 0);
  const Page page = campaign_page(results, &fake::domain(), "").value();
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0].starts_with(std::to_string(given_up) + " of " + std::to_string(runs) +
                                     " runs were given up ("));
  CHECK(page.warnings[0].ends_with("enters no mean, gain or picture at those points."));
  REQUIRE(page.answer_table);
  CHECK(page.answer_table->columns.back().title == "runs given up");
  CHECK(page.answer_table->rows[0][3].number() ==
        doctest::Approx(summarize(steady)->mean).epsilon(1e-12));
  const PageChart& boxes = chart_of(page, "boxes");
  REQUIRE(groups < 4);
  CHECK(boxes.rows.size() == groups);
  CHECK(boxes.caption.find("left out at points at which they gave up runs") != std::string::npos);
  CHECK(chart_of(page, "ratios").rows.size() == static_cast<std::size_t>(pairs));
}
