#include "holdfast/base/text.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/records.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <algorithm>
#include <cmath>
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

/// Files of the collection, by folder, several kinds and dialects of each format. What is added to it later is none of this test's.
struct Folder {
  const char* name;
  const char* files;  // separated by blanks
};
const Folder kRecorded[] = {
    {"batch",
     "CEA-Curie-2011-sample.swf.gz KTH-SP2-1996.swf.gz NASA-iPSC-1993.swf.gz "
     "alibaba-gpu-2023-nodes.csv alibaba-gpu-2023-pods.csv.gz batsim-medium-late.json "
     "borg-cell-14d-259200.txt.gz borg-cell-7d-604800.txt.gz borg-cell-7d-864000.txt.gz "
     "g5k-workload-seed9-size32.json lublin-256.swf.gz metacentrum-wagap-2013-head.swf.gz "
     "theta-constant-arrivals.swf.gz"},
    {"capacity",
     "bamboo-g4dn-us-east-1c-2020-11-20.csv bamboo-p2-2020-11-20.csv "
     "ciso-2022-generation.csv.gz gb_ci-2020.csv.gz gb_production-2020.csv.gz "
     "ger_ci-2020.csv.gz mira-maintenance.csv mira-reservations-a.csv parcae-p3-32.csv "
     "pjm-2022-generation.csv.gz "
     "spot-availability_1-node_aws-02-15-2023_us-east-1a_v100_1.json "
     "spot-availability_1-node_aws-02-15-2023_us-west-2a_v100_1.json "
     "spot-availability_1-node_aws-10-26-2022_us-west-2a_k80_8.json "
     "spot-availability_16-node_aws-08-27-2023_us-west-2a_v100_1.json "
     "spot-availability_16-node_aws-08-27-2023_us-west-2c_v100_1.json "
     "spot-preemption_1-node_aws-04-19-2023_us-east-1b_intel_64.json "
     "spot-preemption_1-node_gcp-04-30-2023_us-central1-a_c3-88.json "
     "spot-preemption_4-node_aws-08-03-2023_us-east-1f_v100_1.json "
     "spot-preemption_4-node_aws-08-03-2023_us-west-2c_v100_1.json "
     "wynton-incidents-2018-2022.csv"},
    {"failures",
     "alpine-disk-failures.csv.gz bluegene-l-fatal-ras-a.txt.gz fta-g5k-component.tab "
     "fta-g5k-event_trace.tab.gz fta-g5k-node.tab fta-g5k-platform.tab "
     "fta-lanl05-event_trace.tab.gz lanl-1996-2005.csv.gz microsoft-desktops.avt.gz "
     "titan-gpu-lifetimes.csv.gz web-sites.avt.gz"},
    {"speedup",
     "e3sm-v1-atmosphere.csv hommexx-summit-scaling.txt nas-grid5000.csv relearn-extrap.txt "
     "vlasiator-mahti-heavy.dat vlasiator-mahti-light.dat vlasiator-mahti-medium.dat"},
    {"workflows",
     "1000genome-chameleon-22ch-250k-001.json.gz 1000genome-chameleon-2ch-100k-001.json "
     "airrflow-dirt02-001.json.gz bacass-dirt02-001.json blast-chameleon-large-001.json.gz "
     "blast-chameleon-small-001.json bwa-chameleon-large-001.json.gz "
     "bwa-chameleon-small-001.json.gz cycles-chameleon-1l-1c-9p-001.json.gz "
     "cycles-chameleon-5l-2c-9p-001.json.gz epigenomics-chameleon-hep-1seq-100k-001.json "
     "epigenomics-chameleon-ilmn-6seq-50k-001.json.gz helloworld-chain-5-chameleon.json "
     "helloworld-forkjoin-10-chameleon.json mag-dirt02-001.json.gz "
     "montage-chameleon-2mass-005d-001.json montage-chameleon-2mass-05d-001.json.gz "
     "montage-chameleon-dss-15d-001.json.gz rnaseq-dirt02-001.json.gz "
     "seismology-chameleon-1000p-001.json.gz seismology-chameleon-100p-001.json "
     "soykb-chameleon-10fastq-10ch-001.json.gz soykb-chameleon-50fastq-20ch-001.json.gz "
     "srasearch-chameleon-10a-001.json srasearch-chameleon-50a-005.json"},
    {"workflows/old-schema",
     "blast-chameleon-small-001.wf1.0.json blast-chameleon-small-001.wf1.2.json "
     "blast-chameleon-small-001.wf1.3.json blast-chameleon-small-001.wf1.4.json "
     "epigenomics-chameleon-hep-1seq-100k-001.wf1.0.json "
     "epigenomics-chameleon-hep-1seq-100k-001.wf1.1.json "
     "epigenomics-chameleon-hep-1seq-100k-001.wf1.2.json "
     "epigenomics-chameleon-hep-1seq-100k-001.wf1.3.json "
     "epigenomics-chameleon-hep-1seq-100k-001.wf1.4.json "
     "montage-chameleon-2mass-005d-001.wf1.1.json "
     "montage-chameleon-2mass-005d-001.wf1.2.json "
     "montage-chameleon-2mass-005d-001.wf1.3.json "
     "montage-chameleon-2mass-005d-001.wf1.4.json srasearch-chameleon-10a-001.wf1.0.json "
     "srasearch-chameleon-10a-001.wf1.2.json srasearch-chameleon-10a-001.wf1.4.json"},
};

}  // namespace

TEST_CASE("traces: every recorded file reads back as it was from every format that is written") {
  std::size_t written = 0, refused = 0;
  for (const Folder& folder : kRecorded) {
    for (const std::string_view name : split(folder.files, ' ')) {
      CAPTURE(name);
      const auto path = test::shared_data(folder.name + ("/" + std::string(name)));
      if (!path) return;
      auto trace = open_trace(*path);
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
