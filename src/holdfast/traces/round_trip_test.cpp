#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/records.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace holdfast;

namespace {

const RecordsQuestion kQuestion{.system = {}, .series = {.column = "*", .time_unit = 1}};

Result<TraceRecords> read_back(std::string text, std::string_view format) {
  HOLDFAST_TRY(trace, open_trace(open_text(std::move(text)), "again"));
  CHECK(trace.format->name == format);  // it is recognised by its content
  return read_records(std::move(trace), kQuestion);
}

/// Compares what was read with what was read of it after it had been written. Where a format has no place for something,
/// `losses` is what its writer said; what it has a place for is the same all the same.
struct Same {
  std::string_view format;
  const std::vector<Oddity>& losses;

  bool operator()(const JobLog& a, const JobLog& b) const {
    if (format == "jobs-csv") return a.jobs == b.jobs && a.facts.header == b.facts.header;
    // Batsim takes jobs of known length, in the order of their starts where they have one.
    std::vector<const LoggedJob*> before, after;
    const bool is_schedule = format == "batsim-csv";
    for (const LoggedJob& job : a.jobs) {
      const bool is_kept = format == "swf" || (job.submit >= 0 && job.run >= 0 && job.width() > 0 &&
                                               (!is_schedule || job.wait >= 0));
      if (is_kept) before.push_back(&job);
    }
    for (const LoggedJob& job : b.jobs) after.push_back(&job);
    if (is_schedule) {
      std::ranges::stable_sort(before, {},
                               [](const LoggedJob* job) { return job->submit + job->wait; });
    }
    return std::ranges::equal(before, after, [&](const LoggedJob* x, const LoggedJob* y) {
      // Whole seconds in one format; in the other the start is a sum, and the wait a difference.
      const double off = format == "swf" ? 0.5 : 1e-6;
      const auto near = [&](double p, double q) { return std::abs(p - q) <= off; };
      return x->number == y->number && near(x->submit, y->submit) && near(x->run, y->run) &&
             x->width() == y->width() &&
             near(std::max(x->requested_time, -1.0), std::max(y->requested_time, -1.0)) &&
             (format == "batsim-json" || near(x->wait, y->wait)) &&
             (format != "swf" ||
              (x->user == y->user && x->group == y->group && x->queue == y->queue &&
               x->status == y->status && x->processors == y->processors && x->memory == y->memory));
    });
  }

  bool operator()(const AvailabilityRecord& a, const AvailabilityRecord& b) const {
    const auto intervals = [&](const AvailabilityRecord& record) {
      std::vector<std::vector<StateInterval>> out;
      for (const WorkerHistory& worker : record.workers) {
        out.push_back(worker.intervals);
        if (format != "avt") continue;  // which has the intervals that are up
        std::erase_if(out.back(),
                      [](const StateInterval& s) { return s.state != WorkerState::up; });
      }
      return out;
    };
    return intervals(a) == intervals(b);
  }

  bool operator()(const WorkflowRun& a, const WorkflowRun& b) const {
    const auto is_same = [](const MeasuredTask& x, const MeasuredTask& y) {
      return x.id == y.id && x.name == y.name && x.runtime == y.runtime && x.cores == y.cores;
    };
    return a.dependencies == b.dependencies && std::ranges::equal(a.tasks, b.tasks, is_same);
  }

  bool operator()(const CapacitySeries& a, const CapacitySeries& b) const {
    // A table without a header has a last row that says until when its last value holds.
    const auto points = [](const CapacitySeries& series) {
      std::vector<std::pair<double, double>> out;
      for (const SeriesPoint& point : series.points) out.emplace_back(point.time, point.value);
      if (out.back().first == series.end && out.size() > 1 &&
          out.back().second == out[out.size() - 2].second) {
        out.pop_back();
      }
      return out;
    };
    return (a.end == b.end || !losses.empty()) && points(a) == points(b);
  }

  bool operator()(const FailureLog& a, const FailureLog& b) const {
    // Once each: rows that differ in columns which the plain table does not have become the same row.
    using Row = std::tuple<std::string, std::string, double, double>;
    const auto outages = [](const FailureLog& log) {
      std::set<Row> out;
      for (const Outage& outage : log.outages) {
        if (outage.node == Outage::kNoNode) continue;  // which the writer says
        out.insert(
            {log.systems[outage.system].name, log.nodes[outage.node].name, outage.down, outage.up});
      }
      return out;
    };
    return outages(a) == outages(b);
  }

  bool operator()(const LifetimeTable& a, const LifetimeTable& b) const {
    return a.lifetimes == b.lifetimes;
  }

  bool operator()(const std::vector<SpeedupRuns>& a, const std::vector<SpeedupRuns>& b) const {
    return std::ranges::equal(a, b, [](const SpeedupRuns& x, const SpeedupRuns& y) {
      return x.name == y.name && x.processors == y.processors && x.seconds == y.seconds;
    });
  }

  bool operator()(const MachineTable& a, const MachineTable& b) const {
    return a.machines == b.machines;
  }

  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;  // another kind
  }
};

}  // namespace

TEST_CASE("traces: every recorded file reads back as it was from every format that is written") {
  std::size_t written = 0, refused = 0;
  for (const char* name : {"batch", "failures", "capacity", "speedup", "workflows"}) {
    const auto folder = test::shared_data(name);
    if (!folder) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
      if (!entry.is_regular_file()) continue;
      CAPTURE(entry.path().filename().string());
      auto trace = open_trace(entry.path());
      REQUIRE(trace);
      const auto first = read_records(std::move(*trace), kQuestion);
      REQUIRE(first);
      for (const Format& format : formats()) {
        if (format.of.index() != first->index() || !is_writable(format)) continue;
        CAPTURE(format.name);
        std::string text;
        const auto losses = write_records(*first, format, [&](std::string_view part) -> Status {
          text += part;
          return {};
        });
        if (!losses) {  // a series without dates, jobs without starts, a name that reads as a number
          CHECK(losses.error().message.find("expected") != std::string::npos);
          ++refused;
          continue;
        }
        const auto second = read_back(std::move(text), format.name);
        REQUIRE(second);
        CHECK(std::visit(Same{format.name, losses->list()}, *first, *second));
        ++written;
      }
    }
  }
  CHECK(written > 130);
  CHECK(refused < 25);
}
