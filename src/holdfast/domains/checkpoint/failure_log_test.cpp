#include "holdfast/base/file.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/checkpoint/domain.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/inputs/logged_platform.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support/shared_data.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;
using namespace holdfast::checkpoint;

namespace {

constexpr const char* kSample = "src/holdfast/traces/samples/failures-csv.csv";

Result<Instance> read(const std::string& failures, const std::string& more = "") {
  const auto document =
      parse_json(R"({"work": 86400, "checkpoint": 600, "failures": )" + failures + more + "}");
  REQUIRE(document);
  return read_instance(*document, ".");
}

}  // namespace

TEST_CASE(
    "read_instance: a log gives the law, the ages and the number of processors, and says what was "
    "odd") {
  const auto instance =
      read(std::string(R"({"log": ")") + kSample + R"(", "distribution": "exponential"})");
  REQUIRE(instance);
  CHECK(instance->law->name() == "exponential");
  // Four nodes watched for a day each, four failures.
  CHECK(instance->law->mean() == doctest::Approx(86400));
  CHECK(instance->processors == 4);
  CHECK(instance->ages == std::vector<AgeGroup>{{6400, 1}, {46400, 1}, {79200, 1}, {86400, 1}});
  CHECK(instance->platform_age == 86400);
  REQUIRE(instance->notes.size() == 1);
  CHECK(instance->notes.front() ==
        std::string(kSample) +
            ": 3 kinds of unusual rows were corrected or left out; 'holdfast trace fit' "
            "with this log lists them");
  // What is stored is the law and the ages, not the file.
  const Value document = to_value(*instance);
  CHECK(document.at("/failures/log") == nullptr);
  CHECK(document.at("/failures/mtbf")->number() == doctest::Approx(86400));
}

TEST_CASE("read_instance: the document's own processors and ages go before the log's") {
  const std::string log = std::string(R"({"log": ")") + kSample + R"("})";
  const auto fewer = read(log, R"(, "processors": 2)");
  REQUIRE(fewer);
  CHECK(fewer->ages == std::vector<AgeGroup>{{46400, 1}, {86400, 1}});
  CHECK(fewer->notes.back() == "the ages of the 4 nodes of the log are spread over 2 processors");
  const auto own = read(log, R"(, "ages": [[100, 7]])");
  REQUIRE(own);
  CHECK(own->processors == 7);
  CHECK(own->ages == std::vector<AgeGroup>{{100, 7}});
}

TEST_CASE("read_instance: the ages of nodes that are named, and what they rest on") {
  const std::string log =
      std::string(R"({"log": ")") + kSample + R"(", "distribution": "exponential"})";
  const auto named = read(log, R"(, "nodes": ["n1.cluster", "n9", "n2"], "now": 100000)");
  REQUIRE(named);
  CHECK(named->processors == 3);
  CHECK(named->nodes == std::vector<std::string>{"n1.cluster", "n9", "n2"});
  const auto at_end = read(log, R"(, "nodes": "n[1-2],n9")");
  REQUIRE(at_end);
  REQUIRE(at_end->ages.size() == 3);
  // After the end of the log, 86 400 s, they have lived on.
  CHECK(named->ages == std::vector<AgeGroup>{{at_end->ages[0].age + 13600, 1},
                                             {at_end->ages[2].age + 13600, 1},
                                             {at_end->ages[1].age + 13600, 1}});
  CHECK(
      named->notes.back().starts_with(std::string(kSample) + ": 3 nodes of the job at 100000 s, "));
  CHECK(at_end->notes.back().find("where the log ends") != std::string::npos);
  const auto late = read(log, R"(, "nodes": ["n1"], "now": 90000000)");
  REQUIRE(late);
  CHECK(late->notes.back().find("before; the nodes are assumed not to have failed since") !=
        std::string::npos);
  const auto dated = read(log, R"(, "nodes": ["n1"], "now": "2026-11-23")");
  REQUIRE(dated);
  CHECK(dated->notes.back().find("it has no dates") != std::string::npos);
  const auto message = [&](const std::string& more) {
    const auto instance = read(log, more);
    return instance ? std::string() : instance.error().where + ": " + instance.error().message;
  };
  CHECK(message(R"(, "now": 5)").starts_with("/now: found without 'nodes'"));
  CHECK(message(R"(, "nodes": "n[1-")").starts_with("/nodes: found 'n[1-', expected at most"));
  CHECK(message(R"(, "nodes": [7])").starts_with("/nodes/0: found 7"));
  CHECK(message(R"(, "nodes": ["n1"], "now": "soon")").starts_with("/now: found 'soon'"));
}

TEST_CASE(
    "plan: named nodes have their ages at the present date, unless the document has another") {
  const auto last_note = [](const std::string& more, const std::string& today) {
    Request request;
    request.parameters =
        parse_json(std::string(R"({"checkpoint": 600, "nodes": ["n1"], "failures": {"log": ")") +
                   kSample + R"(", "distribution": "exponential"})" + more + "}")
            .value();
    request.strategy = parse_strategy("young-daly", strategies()).value();
    request.today = today;
    const auto answer = ask(domain(), *domain().verb("plan"), request);
    REQUIRE(answer);
    return answer->warnings.back();
  };
  CHECK(last_note("", "2026-11-23T18:20:05").find("it has no dates") != std::string::npos);
  CHECK(last_note(R"(, "now": 100000)", "2026-11-23T18:20:05").find("at 100000 s") !=
        std::string::npos);
  CHECK(last_note("", "").find("where the log ends") != std::string::npos);
}

TEST_CASE("read_instance: lifetimes give a law too, and no ages") {
  constexpr const char* kLives = "src/holdfast/traces/samples/lifetimes-csv.csv";
  const auto instance =
      read(std::string(R"({"log": ")") + kLives + R"(", "distribution": "exponential"})");
  REQUIRE(instance);
  CHECK(instance->law->name() == "exponential");
  CHECK(instance->ages.empty());
  CHECK(instance->processors == 1);
  const auto asked = read(std::string(R"({"log": ")") + kLives + R"(", "system": "A"})");
  REQUIRE_FALSE(asked);
  CHECK(asked.error().text().find("lifetimes have no nodes") != std::string::npos);
}

TEST_CASE("read_instance: every law can be fitted, the best by name too") {
  for (const std::string law :
       {"best", "exponential", "weibull", "gamma", "lognormal", "empirical"}) {
    CAPTURE(law);
    const auto instance = read(std::string(R"({"log": ")") + kSample +
                               R"(", "since": "repair", "distribution": ")" + law + "\"}");
    REQUIRE(instance);
    if (law != "best") CHECK(instance->law->name() == law);
  }
}

TEST_CASE("read_instance: what is wrong about a log is refused with its place") {
  const auto message = [](const std::string& failures) {
    const auto instance = read(failures);
    return instance ? "no error" : instance.error().text();
  };
  const std::string sample = R"({"log": "src/holdfast/traces/samples/failures-csv.csv")";
  const std::string dated = R"({"log": "src/holdfast/traces/samples/failures-csv-dates.csv")";
  CHECK(message(R"({"log": "no-such-file"})") ==
        "no-such-file: cannot be opened: No such file or directory");
  CHECK(message(R"({"log": 5})") == "/failures/log: found 5, expected a string");
  CHECK(message(sample + R"(, "system": "20"})") ==
        "/failures/system: found no system '20', expected none: the log names no systems");
  CHECK(message(dated + "}") ==
        "/failures/system: found nothing, expected one of the 2 systems of the log: A, B");
  CHECK(message(dated + R"(, "system": "C"})") ==
        "/failures/system: found no system 'C', known: A, B");
  CHECK(message(dated + R"(, "system": true})") ==
        "/failures/system: found true, expected the name of a system");
  CHECK(message(dated + R"(, "system": "A", "distribution": "weibul"})") ==
        "/failures/distribution: found the string \"weibul\", expected one of best, exponential, "
        "weibull, gamma, "
        "lognormal, empirical, hyperexponential");
  CHECK(message(sample + R"(, "merge": -1})") ==
        "/failures/merge: found -1, expected a duration of at least 0");
  CHECK(message(sample + R"(, "from": "yesterday"})") ==
        "/failures/from: found 'yesterday', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message(sample + R"(, "from": 1e9})") ==
        "/failures/from: found 1000000000, expected less "
        "than 86400, where the "
        "observation ends");
  CHECK(message(sample + R"(, "shape": 2})") ==
        "/failures/shape: unknown field 'shape'; known: events, recorded, log, format, columns, "
        "column_unit, "
        "where, dates, header, cause, local_cause, system, nodes, observed, distribution, since, "
        "unit, "
        "relapse_within, merge, from, to, replay, observed_mtbf");
}

TEST_CASE("read_instance: failures of one cause, and the share that local checkpoints survive") {
  const auto path = test::shared_data("training/infinitehbd-400-nodes.csv");
  if (!path) return;
  const std::string log = R"({"log": ")" + path->string() + R"(", "distribution": "exponential")";
  const auto all = read(log + "}");
  const auto gpu = read(log + R"(, "cause": "gpu"})");
  const auto exact = read(log + R"(, "where": "cause=Hardware Failure: GPU"})");
  REQUIRE(gpu);
  CHECK(*gpu->observed_mtbf == *exact->observed_mtbf);
  CHECK(*gpu->observed_mtbf > 3 * *all->observed_mtbf);
  // 24 rows say Software, 40 say Cable.
  const auto two =
      read(log + R"(, "local_cause": "software | CABLE"})", R"(, "local_checkpoint": 10)");
  REQUIRE(two);
  CHECK(two->local.share == 64.0 / 570);
  CHECK(*two->observed_mtbf == *all->observed_mtbf);
  const auto message = [&](const std::string& failures, const std::string& more) {
    const auto found = read(log + failures + "}", more);
    REQUIRE_FALSE(found);
    return found.error().text();
  };
  CHECK(message(R"(, "local_cause": "x")", R"(, "local_checkpoint": 10, "local_share": 0.5)") ==
        "/local_share: found with 'local_cause', expected one of them");
  CHECK(message(R"(, "local_cause": "meteor")", R"(, "local_checkpoint": 10)")
            .starts_with("/failures/local_cause: "));
  CHECK(message(R"(, "cause": "meteor")", "").find("meteor") != std::string::npos);
}

TEST_CASE("read_instance: a log gives the observed mean, which rules of a mean go by") {
  const std::string log = std::string(R"({"log": ")") + kSample + R"(", "distribution": )";
  const auto instance = read(log + R"("weibull"})");
  REQUIRE(instance);
  // Four nodes watched for a day each, four failures; the law's mean is its own.
  CHECK(*instance->observed_mtbf == doctest::Approx(86400));
  CHECK(job_mtbf(*instance) == doctest::Approx(86400 / 4.0));
  CHECK(law_mtbf(*instance) == doctest::Approx(instance->law->mean() / 4));
  CHECK(law_mtbf(*instance) != doctest::Approx(job_mtbf(*instance)));
  CHECK(headline(*instance).starts_with(
      "a job of 1 d on 4 processors, observed MTBF 1 d of each (6 h together), weibull (shape "));
  // It stands in the stored document, which gives the same instance again.
  const auto again = read_instance(to_value(*instance), ".");
  REQUIRE(again);
  CHECK(*again->observed_mtbf == *instance->observed_mtbf);
  CHECK(job_mtbf(*again) == job_mtbf(*instance));
}

TEST_CASE("read_instance: the machine of a log is one unit") {
  const std::string log = std::string(R"({"log": ")") + kSample + R"(", "unit": "system"})";
  const auto machine = read(log);
  REQUIRE(machine);
  CHECK(machine->processors == 1);
  CHECK(read(log, R"(, "processors": 4)").error().text() ==
        "/processors: found 4, expected 1: with unit system the machine of the log is one unit, "
        "which the job has as a whole");
}

TEST_CASE("read_instance: nodes of unknown age fail at the observed rate") {
  // Two hundred nodes that were there before the log; two of them fail twice, one six times in 17 minutes.
  const auto file = std::filesystem::temp_directory_path() / "holdfast-old-nodes.csv";
  REQUIRE(write_file(file,
                     "# nodes: 200\nnode,down,up\na,0,60\nb,86400,86460\na,90000,90600\n"
                     "c,432000,432001\nc,432001,432002\nc,432300,432301\nc,432900,432901\n"
                     "c,433000,433001\nb,864000,864600\n"));
  const auto instance = read(R"({"log": ")" + file.string() + R"(", "merge": "20min"})");
  std::filesystem::remove(file);
  REQUIRE(instance);
  CHECK(instance->processors == 200);
  CHECK(instance->law->name() == "exponential");
  CHECK(instance->law->mean() == doctest::Approx(*instance->observed_mtbf));
  CHECK(instance->notes.back().find("so a rate that is the same at every age is used") !=
        std::string::npos);
}

TEST_CASE("spread_ages: as many processors as asked, in the same order, evenly") {
  CHECK(spread_ages(std::vector<AgeGroup>{{1, 1}, {2, 2}, {3, 1}}, 8) ==
        std::vector<AgeGroup>{{1, 2}, {2, 4}, {3, 2}});
  CHECK(rc::check([](const std::vector<std::uint8_t>& counts, std::uint16_t processors) {
    std::vector<AgeGroup> groups;
    for (const auto count : counts)
      groups.push_back({1.0 + static_cast<double>(groups.size()), count + 1});
    if (groups.empty()) return;
    std::int64_t total = 0;
    double before = 0;
    for (const AgeGroup& group : spread_ages(groups, processors + 1)) {
      RC_ASSERT(group.count > 0);
      RC_ASSERT(group.age > before);
      before = group.age;
      total += group.count;
    }
    RC_ASSERT(total == processors + 1);
  }));
}

TEST_CASE("read_instance: system 20 of the published log") {
  const auto path = test::shared_data("failures/lanl-1996-2005.csv.gz");
  if (!path) return;
  const auto instance =
      read(R"({"log": ")" + std::filesystem::absolute(*path).string() + R"(", "system": 20})");
  REQUIRE(instance);
  CHECK(instance->processors == 512);
  // AIC would take the lognormal law, whose mean of 11 years lies three times beyond the longest life seen.
  CHECK(instance->law->name() == "weibull");
  // 2464 failures in 1930 years: every 286 days, a failure of the machine every 13 h 26 min.
  CHECK(*instance->observed_mtbf == doctest::Approx(286.47 * 86400).epsilon(1e-4));
  CHECK(job_mtbf(*instance) == doctest::Approx(13.43 * 3600).epsilon(1e-3));
}

TEST_CASE("read_instance: a machine whose nodes were there before its log fails every ten hours") {
  const auto path = test::shared_data("failures/bluegene-l-fatal-ras-a.txt.gz");
  if (!path) return;
  const std::string log =
      R"({"log": ")" + std::filesystem::absolute(*path).string() + R"(", "merge": "20min")";
  for (const char* more : {"}", R"(, "unit": "system"})"}) {
    const auto instance = read(log + more);
    REQUIRE(instance);
    CHECK(job_mtbf(*instance) == doctest::Approx(9.93 * 3600).epsilon(1e-3));
    // Lognormal lives of the machine have a mean of 10.9 h.
    CHECK(law_mtbf(*instance) == doctest::Approx(10 * 3600).epsilon(0.1));
  }
}
