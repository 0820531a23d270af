#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

struct PlainJob {
  int submit = 0, nodes = 1, work = 1, estimate = 1;
  int start = -1;
};

// The schedulers told once more, second by second, for jobs that move nothing on nodes that do not fail.
class Replay {
 public:
  Replay(std::vector<PlainJob> jobs, int nodes) : jobs_{std::move(jobs)}, nodes_{nodes} {}

  std::vector<PlainJob> run(std::string_view scheduler) {
    for (now_ = 0;
         std::any_of(jobs_.begin(), jobs_.end(), [](const PlainJob& j) { return j.start < 0; });
         ++now_) {
      while (something_happens() && start_one(scheduler)) {
      }
    }
    return jobs_;
  }

 private:
  // Schedulers are asked where a job comes or ends, and not because an estimate has passed.
  [[nodiscard]] bool something_happens() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [this](const PlainJob& job) {
      return job.submit == now_ || (job.start >= 0 && job.start + job.work == now_);
    });
  }
  [[nodiscard]] bool runs(const PlainJob& job) const {
    return job.start >= 0 && now_ < job.start + job.work;
  }
  [[nodiscard]] int free() const {
    int out = nodes_;
    for (const PlainJob& job : jobs_) out -= runs(job) ? job.nodes : 0;
    return out;
  }
  [[nodiscard]] bool waits(const PlainJob& job) const {
    return job.start < 0 && job.submit <= now_;
  }

  // Nodes that are free at a date if all jobs that run now take as long as they said.
  [[nodiscard]] int expected_free(int date) const {
    int out = nodes_;
    for (const PlainJob& job : jobs_) {
      if (runs(job) && std::max(job.start + job.estimate, now_) > date) out -= job.nodes;
    }
    return out;
  }

  bool start_one(std::string_view scheduler) {
    PlainJob* head = nullptr;
    int reserved = 0;
    for (PlainJob& job : jobs_) {
      if (!waits(job)) continue;
      const bool fits = job.nodes <= free();
      if (head == nullptr) {
        if (fits) return start(job);
        if (scheduler == "fcfs") return false;
        head = &job;
        for (reserved = now_; expected_free(reserved) < head->nodes; ++reserved) {
        }
        continue;
      }
      const bool delays_nobody = scheduler == "first-fit" || now_ + job.estimate <= reserved ||
                                 job.nodes <= expected_free(reserved) - head->nodes;
      if (fits && delays_nobody) return start(job);
    }
    return false;
  }
  bool start(PlainJob& job) {
    job.start = now_;
    return true;
  }

  std::vector<PlainJob> jobs_;
  int nodes_;
  int now_ = 0;
};

}  // namespace

TEST_CASE("machine: without transfers and failures it is a replay of its schedulers") {
  Stream stream({.seed = 45});
  const auto draw = [&](int low, int high) { return static_cast<int>(stream.integer(low, high)); };
  const auto specs = parse_strategies("fcfs", machine::domain().strategies).value();
  for (int trial = 0; trial < 300; ++trial) {
    const int nodes = draw(1, 12);
    std::vector<PlainJob> jobs;
    int submit = 0;
    for (int i = draw(1, 25); i > 0; --i) {
      submit += draw(0, 6);
      const int work = draw(1, 30);
      jobs.push_back({.submit = submit,
                      .nodes = draw(1, nodes),
                      .work = work,
                      .estimate = std::max(1, work + draw(-5, 20))});
    }
    std::string list;
    for (const PlainJob& job : jobs) {
      list += fmt::format(R"({}{{"submit": {}, "nodes": {}, "work": {}, "estimate": {}}})",
                          list.empty() ? "" : ", ", job.submit, job.nodes, job.work, job.estimate);
    }
    for (const std::string_view scheduler : {"fcfs", "easy", "first-fit"}) {
      const std::string document =
          fmt::format(R"({{"nodes": {}, "bandwidth": 1, "scheduler": "{}", "jobs": [{}]}})", nodes,
                      scheduler, list);
      CAPTURE(document);
      const auto point = machine::domain().open(parse_json(document).value(), specs, ".").value();
      Workspace workspace;
      const Outcome outcome = point->run({}, 0, workspace, true).value();
      const Value::Array& found = *outcome.details.find("jobs")->array_items();
      const std::vector<PlainJob> wanted = Replay(jobs, nodes).run(scheduler);
      REQUIRE(found.size() == wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        CAPTURE(i);
        REQUIRE(found[i].find("start")->number() == wanted[i].start);
        REQUIRE(found[i].find("end")->number() == wanted[i].start + wanted[i].work);
      }
    }
  }
}
