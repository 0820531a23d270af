#include "holdfast/campaign/executors/ranks.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/pool.hpp"
#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

using namespace holdfast;

namespace {

/// Processes that are threads, and MPI that is a queue for each.
class Network {
 public:
  explicit Network(int size) : queues_(static_cast<std::size_t>(size)) {}
  [[nodiscard]] int size() const { return static_cast<int>(queues_.size()); }
  void send(int to, Message message) {
    const std::lock_guard lock(mutex_);
    queues_[static_cast<std::size_t>(to)].push_back(std::move(message));
  }
  bool receive(int rank, Message& message) {
    const std::lock_guard lock(mutex_);
    auto& queue = queues_[static_cast<std::size_t>(rank)];
    if (queue.empty()) return false;
    message = std::move(queue.front());
    queue.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Message>> queues_;
};

class QueueTransport final : public Transport {
 public:
  QueueTransport(Network& network, int rank, std::atomic<int>& abandoned)
      : network_(network), rank_(rank), abandoned_(abandoned) {}
  int rank() const override { return rank_; }
  int size() const override { return network_.size(); }
  void send(int to, int kind, std::string bytes) override {
    network_.send(to, {rank_, kind, std::move(bytes)});
  }
  bool receive(Message& message) override { return network_.receive(rank_, message); }
  std::size_t unsent() override { return 0; }
  void abandon() override { ++abandoned_; }

 private:
  Network& network_;
  int rank_;
  std::atomic<int>& abandoned_;
};

Campaign campaign(const std::string& parameters, int scenarios = 50) {
  auto parsed = parse_campaign("[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = " +
                                   std::to_string(scenarios) + "\n[parameters]\n" + parameters,
                               "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

using Cells = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, double>;

struct Ran {
  Cells cells;
  Status led;
  std::vector<Status> helped;
  int abandoned = 0;
  std::uint64_t batches_twice = 0;  ///< cells that arrived more than once
};

struct Request {
  int ranks = 2;
  unsigned threads = 1;
  std::atomic<bool>* stop = nullptr;
  IsDone is_done = [](const CellKey&) { return false; };
  std::function<Status(const Batch&)> before_sink = [](const Batch&) { return Status{}; };
  const Campaign* of_last_rank = nullptr;  ///< another campaign than the others'
};

Ran run(const Campaign& file, const Request& request) {
  Network network(request.ranks);
  std::atomic<int> abandoned = 0;
  Ran out;
  out.helped.resize(static_cast<std::size_t>(request.ranks));
  const Control control = {.stop = request.stop};
  std::vector<std::jthread> helpers;
  for (int rank = 1; rank < request.ranks; ++rank) {
    helpers.emplace_back([&, rank] {
      const auto executor = make_ranks_executor(
          std::make_unique<QueueTransport>(network, rank, abandoned), request.threads);
      const bool is_other = request.of_last_rank != nullptr && rank == request.ranks - 1;
      out.helped[static_cast<std::size_t>(rank)] =
          executor->help(is_other ? *request.of_last_rank : file, control);
    });
  }
  const auto executor =
      make_ranks_executor(std::make_unique<QueueTransport>(network, 0, abandoned), request.threads);
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(file, *design, request.is_done, executor->workers(control));
  out.led = executor->run(workload, control, [&](const Batch& batch) -> Status {
    HOLDFAST_CHECK(request.before_sink(batch));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const CellKey& key = batch.keys[i];
      const bool is_new =
          out.cells.emplace(std::tuple(key.point, key.strategy, key.scenario), batch.values[3 * i])
              .second;
      if (!is_new) ++out.batches_twice;
    }
    return {};
  });
  helpers.clear();
  out.abandoned = abandoned;
  return out;
}

}  // namespace

TEST_CASE("ranks: every cell once, the same values on any number of processes and threads") {
  const Campaign file = campaign("steps = [2, 3, 50]\nstride = [1, 2]\n");
  const Ran alone = run(file, {.ranks = 1});
  REQUIRE(alone.led);
  CHECK(alone.cells.size() == 6 * 50 * 2);
  for (const auto& [ranks, threads] : {std::pair(2, 1u), {4, 1u}, {3, 2u}}) {
    const Ran many = run(file, {.ranks = ranks, .threads = threads});
    CHECK(many.led);
    CHECK(many.cells == alone.cells);
    CHECK(many.batches_twice == 0);
    CHECK(many.abandoned == 0);
  }
}

TEST_CASE("ranks: cells that are stored already are not run again") {
  const Campaign file = campaign("steps = [2, 3]\n");
  const auto is_done = [](const CellKey& key) { return key.scenario % 3 != 0 || key.point == 1; };
  const Ran rest = run(file, {.ranks = 3, .is_done = is_done});
  REQUIRE(rest.led);
  CHECK(rest.cells.size() == 17 * 2);
  for (const auto& [key, value] : rest.cells) {
    CHECK(std::get<0>(key) == 0);
    CHECK(std::get<2>(key) % 3 == 0);
  }
}

TEST_CASE(
    "ranks: of failing cells, the first of the design is reported, and those before it are "
    "stored") {
  const Campaign file = campaign("steps = 2\nfails_from = 20\nbusy = '100us'\n", 400);
  const Ran failed = run(file, {.ranks = 3});
  REQUIRE_FALSE(failed.led);
  CHECK(failed.led.error().text() ==
        "walk.toml: instance 0, scenario 20, strategy bold: /steps: the walker is tired");
  CHECK(failed.cells.size() == 20 * 2);
  CHECK(failed.abandoned == 0);
}

TEST_CASE("ranks: an error of the sink ends all processes") {
  const Campaign file = campaign("steps = 2\nbusy = '100us'\n", 2000);
  int calls = 0;
  const Ran failed = run(file, {.ranks = 3, .before_sink = [&](const Batch&) -> Status {
                                  if (++calls < 3) return {};
                                  return fail(ErrorCode::io_failure, "disk", "is full");
                                }});
  REQUIRE_FALSE(failed.led);
  CHECK(failed.led.error().text() == "disk: is full");
  CHECK(calls == 3);
  CHECK(failed.cells.size() < 4000);
}

TEST_CASE("ranks: a process that opened another campaign is detected before it runs anything") {
  const Campaign file = campaign("steps = 2\nbusy = '1ms'\n");
  const Campaign other = campaign("steps = 3\n");
  const Ran refused = run(file, {.ranks = 3, .of_last_rank = &other});
  REQUIRE_FALSE(refused.led);
  CHECK(refused.led.error().where == "MPI rank 2");
  CHECK(refused.led.error().message.starts_with("opened another campaign than rank 0"));
}

TEST_CASE("ranks: a stop keeps what was finished and waits only for the cells that are running") {
  const Campaign file = campaign("steps = 2\nbusy = '1ms'\n", 5000);
  std::atomic<bool> stop = false;
  const Ran stopped =
      run(file, {.ranks = 3, .stop = &stop, .before_sink = [&](const Batch&) -> Status {
                   stop = true;
                   return {};
                 }});
  CHECK(stopped.led);
  CHECK(stopped.cells.size() >= 1);
  CHECK(stopped.cells.size() < 10'000);
}

TEST_CASE("ranks: a leader that was refused before it began lets the others end") {
  Network network(3);
  std::atomic<int> abandoned = 0;
  const Campaign file = campaign("steps = 2\n");
  std::vector<std::jthread> helpers;
  for (int rank = 1; rank < 3; ++rank) {
    helpers.emplace_back([&, rank] {
      const auto executor =
          make_ranks_executor(std::make_unique<QueueTransport>(network, rank, abandoned), 1);
      CHECK(executor->help(file, {}));
    });
  }
  make_ranks_executor(std::make_unique<QueueTransport>(network, 0, abandoned), 1).reset();
  helpers.clear();
  CHECK(abandoned == 0);
}

TEST_CASE("pool: groups given in parts, with gaps, run in order; nothing runs beyond the limit") {
  const Campaign file = campaign("steps = 2\n");
  auto design = Design::make(file);
  const Workload workload(
      file, *design, [](const CellKey&) { return false; }, 1);
  REQUIRE(workload.groups() == 50);
  const Control control;
  Pool pool(workload, control);
  REQUIRE(pool.start(1));
  pool.limit(40);
  pool.give({3, 5});
  pool.give({10, 12});
  pool.give({38, 45});
  pool.close();
  std::vector<std::uint64_t> scenarios;
  Batch batch;
  for (bool is_last = false; !is_last;) {
    is_last = pool.ended();
    pool.take(batch, Pool::Clock::now() + std::chrono::milliseconds(1));
    for (const CellKey& key : batch.keys) {
      if (key.strategy == 0) scenarios.push_back(key.scenario);
    }
  }
  CHECK(scenarios == std::vector<std::uint64_t>{3, 4, 10, 11, 38, 39});
  CHECK(pool.finished() == 11);
}
