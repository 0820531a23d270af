#include "holdfast/arbiter/metrics.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <doctest/doctest.h>

#include "support/dashboard.hpp"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

using Labels = std::map<std::string, std::string>;

struct Sample {
  std::string name;
  Labels labels;
  double value = 0;
};

struct Family {
  std::string type;
  std::string help;
  std::vector<Sample> samples;
};

/// Reads Prometheus' text format, and throws where promtool would complain.
class Exposition {
 public:
  explicit Exposition(const std::string& text) {
    if (!text.ends_with('\n')) throw std::runtime_error("the last line has no end");
    for (const std::string_view line :
         split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
      if (line.starts_with("# ")) {
        comment(line.substr(2));
      } else {
        sample(line);
      }
    }
    for (const auto& [name, family] : families) check(name, family);
  }

  std::map<std::string, Family> families;

  [[nodiscard]] std::optional<double> value(const std::string& family, const Labels& labels = {},
                                            const std::string& suffix = "") const {
    for (const Sample& one : families.at(family).samples) {
      if (one.name == family + suffix && one.labels == labels) return one.value;
    }
    return std::nullopt;
  }

 private:
  static void demand(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
  }
  static bool is_name(const std::string& name) {
    return !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  }

  void comment(std::string_view line) {
    const auto words = split(line, ' ');
    demand(words.size() >= 3, "a comment of fewer than three words");
    const std::string name(words[1]);
    demand(is_name(name), "no name of a metric: " + name);
    if (words[0] == "HELP") {
      demand(families.count(name) == 0, "a family is told twice: " + name);
      families[name].help = line.substr(line.find(name) + name.size() + 1);
    } else {
      demand(words[0] == "TYPE", "neither HELP nor TYPE");
      demand(families.count(name) == 1, "TYPE without HELP: " + name);
      demand(families[name].samples.empty(), "TYPE behind samples: " + name);
      families[name].type = words[2];
    }
    last_ = name;
  }

  void sample(std::string_view line) {
    Sample out;
    std::size_t at = line.find_first_of("{ ");
    demand(at != std::string_view::npos, "no value");
    out.name = line.substr(0, at);
    if (line[at] == '{') {
      ++at;
      while (line.at(at) != '}') at = label(line, at, out.labels);
      ++at;
    }
    demand(line.at(at) == ' ', "no blank before the value");
    const std::string number(line.substr(at + 1));
    char* end = nullptr;
    out.value = std::strtod(number.c_str(), &end);
    demand(!number.empty() && *end == '\0', "no number: " + number);
    std::string family = out.name;
    const bool is_histogram = families[last_].type == "histogram";
    for (const std::string suffix : {"_bucket", "_sum", "_count"}) {
      if (is_histogram && family.ends_with(suffix)) family.resize(family.size() - suffix.size());
    }
    demand(family == last_, "a sample outside its family: " + out.name);
    for (const Sample& other : families[family].samples) {
      demand(other.name != out.name || other.labels != out.labels, "a sample twice: " + out.name);
    }
    families[family].samples.push_back(std::move(out));
  }

  static std::size_t label(std::string_view line, std::size_t at, Labels& out) {
    const std::size_t equals = line.find('=', at);
    const std::string name(line.substr(at, equals - at));
    demand(is_name(name), "no name of a label: " + name);
    demand(line.at(equals + 1) == '"', "a value without quotes");
    std::string value;
    for (at = equals + 2; line.at(at) != '"'; ++at) {
      if (line[at] != '\\') {
        value += line[at];
        continue;
      }
      const char escaped = line.at(++at);
      demand(escaped == '\\' || escaped == '"' || escaped == 'n', "an escape that is none");
      value += escaped == 'n' ? '\n' : escaped;
    }
    demand(find_not_utf8(value) == std::string::npos, "a value that is not UTF-8");
    demand(out.emplace(name, value).second, "a label twice: " + name);
    ++at;
    return line.at(at) == ',' ? at + 1 : at;
  }

  static void check(const std::string& name, const Family& family) {
    demand(family.help.size() > 5, "no help: " + name);
    const std::set<std::string> types = {"counter", "gauge", "histogram"};
    demand(types.count(family.type) == 1, "no type: " + name);
    demand((family.type == "counter") == name.ends_with("_total"),
           "counters, and they alone, end in _total: " + name);
    if (family.type == "histogram") return check_histogram(name, family.samples);
    for (const std::string suffix : {"_bucket", "_sum", "_count"}) {
      demand(!name.ends_with(suffix), "a name of histograms: " + name);
    }
    for (const Sample& one : family.samples) {
      demand(one.labels.count("le") == 0, "le outside a histogram: " + name);
      demand(family.type != "counter" || one.value >= 0, "a counter below zero: " + name);
    }
  }

  static void check_histogram(const std::string& name, const std::vector<Sample>& samples) {
    double bound = -std::numeric_limits<double>::infinity();
    double count = 0;
    std::optional<double> all;
    std::optional<double> total;
    for (const Sample& one : samples) {
      if (one.name == name + "_count") total = one.value;
      if (one.name != name + "_bucket") continue;
      const std::string le = one.labels.at("le");
      const double next = le == "+Inf" ? std::numeric_limits<double>::infinity()
                                       : parse_quantity(le, Unit::none).value();
      demand(next > bound, "bounds do not rise: " + name);
      demand(one.value >= count, "buckets do not add up: " + name);
      bound = next;
      count = one.value;
      if (le == "+Inf") all = one.value;
    }
    demand(all && total && *all == *total, "+Inf is not the count: " + name);
  }

  std::string last_;
};

Standing application(std::uint64_t handle, const std::string& name, double delay) {
  return {.handle = handle,
          .uid = 1000,
          .name = name,
          .rate = 10,
          .moved = 100,
          .age = 1000,
          .delay = delay,
          .yield = 1 - delay / 1000,
          .waiting = delay / 10};
}

}  // namespace

TEST_CASE("metrics are in the format that Prometheus reads, with what the arbiter does") {
  Tally tally;
  tally.hear(Taken{type_of(Post{})});
  tally.hear(Taken{type_of(Post{})});
  tally.hear(Sent{type_of(Refusal{})});
  tally.hear(Refused{FaultCode::too_fast});
  for (int i = 0; i < 4; ++i) tally.hear(Expired{});
  tally.hear(Decided{2});
  tally.decisions.add(5e-6);
  tally.decisions.add(2e-4);
  tally.decisions.add(3);
  const std::vector<Standing> applications = {application(1, "4711", 50), application(2, "b", 0)};
  const Exposition read(metrics_text(
      applications, {.bandwidth = 62e6, .connections = 7, .pending = 2, .decisions = 3, .epoch = 5},
      tally));
  const auto of = [&](const std::string& name, const Labels& labels = {},
                      const std::string& suffix = "") {
    return read.value("holdfast_io_" + name, labels, suffix);
  };
  const Labels job = {{"job", "4711"}, {"uid", "1000"}};
  CHECK(of("bandwidth_bytes_per_second") == 62e6);
  CHECK(of("granted_bytes_per_second", job) == 10);
  CHECK(of("moved_bytes_total", job) == 100);
  CHECK(of("delay_seconds_total", job) == 50);
  CHECK(of("yield", job) == 0.95);
  CHECK(of("minimum_yield") == 0.95);
  CHECK(of("pending_operations") == 2);
  CHECK(of("waiting_seconds_max") == 5);
  CHECK(of("decisions_total") == 3);
  CHECK(of("frames_total", {{"type", "post"}}) == 2);
  CHECK(of("frames_total", {{"type", "error"}}) == 1);
  CHECK(of("errors_total", {{"code", "too_fast"}}) == 1);
  CHECK(of("errors_total", {{"code", "bad_frame"}}) == 0);
  CHECK(of("connections") == 7);
  CHECK(of("epoch") == 5);
  CHECK(of("lease_expiries_total") == 4);
  CHECK(of("decision_seconds", {{"le", "1e-05"}}, "_bucket") == 1);
  CHECK(of("decision_seconds", {{"le", "0.00025"}}, "_bucket") == 2);
  CHECK(of("decision_seconds", {{"le", "1"}}, "_bucket") == 2);
  CHECK(of("decision_seconds", {{"le", "+Inf"}}, "_bucket") == 3);
  CHECK(of("decision_seconds", {}, "_sum") == doctest::Approx(3.000205));
  CHECK(read.families.size() == 15);
}

TEST_CASE("the dashboard asks for metrics that exist") {
  test::check_dashboard(HOLDFAST_SOURCE_DIR "/packaging/grafana/holdfast.json", "holdfast_io_",
                        metrics_text({}, {.bandwidth = 1}, {}));
}

TEST_CASE("without applications there is nothing to be least") {
  const Exposition read(metrics_text({}, {.bandwidth = 1}, {}));
  CHECK(!read.value("holdfast_io_minimum_yield"));
  CHECK(read.families.at("holdfast_io_yield").samples.empty());
}

TEST_CASE("names of jobs break no line and move no cursor") {
  const std::vector<Standing> applications = {application(1, "a\"b\\c\nd\x1b[2J\xFF", 1)};
  const std::string text = metrics_text(applications, {.bandwidth = 1}, {});
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  const Exposition read(text);
  CHECK(read.value("holdfast_io_delay_seconds_total",
                   {{"job", "a\"b\\c\nd\\x1b[2J\\xff"}, {"uid", "1000"}}) == 1);
}

TEST_CASE("the 200 applications that lost most are named, and the others are summed") {
  std::vector<Standing> applications;
  for (std::uint64_t i = 1; i <= 250; ++i) {
    applications.push_back(application(i, "job" + std::to_string(i), static_cast<double>(i)));
  }
  const Exposition read(metrics_text(applications, {.bandwidth = 1}, {}));
  CHECK(read.families.at("holdfast_io_yield").samples.size() == 201);
  const Labels other = {{"job", "other"}, {"uid", ""}};
  CHECK(read.value("holdfast_io_delay_seconds_total", other) == 50 * 51 / 2);
  CHECK(read.value("holdfast_io_moved_bytes_total", other) == 5000);
  CHECK(read.value("holdfast_io_granted_bytes_per_second", other) == 500);
  CHECK(read.value("holdfast_io_yield", other) == 0.95);
  CHECK(!read.value("holdfast_io_yield", {{"job", "job50"}, {"uid", "1000"}}));
  CHECK(read.value("holdfast_io_yield", {{"job", "job51"}, {"uid", "1000"}}));
  CHECK(read.value("holdfast_io_minimum_yield") == 0.75);
}
