#include "ranks_model.hpp"

#include "holdfast/campaign/executors/chunk_prefetch.hpp"
#include "holdfast/campaign/executors/chunks.hpp"
#include "holdfast/kernel/event_queue.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace holdfast {
namespace {

struct Chunk {
  std::uint64_t cells = 0;
  double seconds = 0;
};

/// An event of a chunk: it arrives at its worker, was run, arrives back at the leader, or was stored by the leader.
struct Step {
  enum Kind : std::uint8_t { arrives, is_run, is_back, is_taken } kind = arrives;
  std::uint64_t worker = 0;
  Chunk chunk;
};

struct Worker {
  ChunkPrefetch prefetch;
  std::uint64_t finished = 0;
  std::deque<Chunk> waiting;
  bool is_busy = false;
};

class Simulation {
 public:
  explicit Simulation(const RanksModel& model)
      : model_(model),
        rule_(model.workers),
        workers_(model.workers),
        left_(model.cells),
        stream_({.seed = model.seed, .purpose = Purpose::tool}) {}

  RanksOutcome run() {
    for (std::uint64_t worker = 0; worker < model_.workers; ++worker) feed(worker, 0);
    double now = 0;
    while (!steps_.empty()) {
      const auto event = steps_.pop();
      now = event.time;
      advance(event.payload, now);
    }
    out_.seconds = now;
    out_.idle = 1 - run_ / (now * static_cast<double>(model_.workers));
    out_.leader_busy /= now;
    return out_;
  }

 private:
  /// Returns the time of a message to a worker; 0 for the leader's own worker.
  [[nodiscard]] double way(std::uint64_t worker) const { return worker == 0 ? 0 : model_.latency; }

  void feed(std::uint64_t worker, double now) {
    ChunkPrefetch& prefetch = workers_[worker].prefetch;
    while (left_ > 0 && prefetch.wants_chunk()) {
      const std::uint64_t cells = std::min(left_, rule_.cells(left_));
      left_ -= cells;
      prefetch.give(cells, static_cast<double>(cells) * rule_.cell_seconds());
      ++out_.chunks;
      steps_.push(now + way(worker), 0, {Step::arrives, worker, {cells, draw(cells)}});
    }
  }

  double draw(std::uint64_t cells) {
    const double mean = static_cast<double>(cells) * model_.cell_seconds;
    if (!(model_.spread > 0) || !(mean > 0)) return mean;
    // A sum of gamma variables of the same scale is gamma distributed too.
    const double shape = static_cast<double>(cells) / (model_.spread * model_.spread);
    return sample_gamma(stream_, shape, mean / shape);
  }

  void advance(const Step& step, double now) {
    Worker& worker = workers_[step.worker];
    switch (step.kind) {
      case Step::arrives:
        worker.waiting.push_back(step.chunk);
        begin(step.worker, now);
        return;
      case Step::is_run:
        worker.is_busy = false;
        run_ += step.chunk.seconds;
        steps_.push(now + way(step.worker), 0, {Step::is_back, step.worker, step.chunk});
        begin(step.worker, now);
        return;
      case Step::is_back: {
        const double work =
            model_.message_seconds + static_cast<double>(step.chunk.cells) * model_.store_seconds;
        free_ = std::max(free_, now) + work;
        out_.leader_busy += work;
        steps_.push(free_, 0, {Step::is_taken, step.worker, step.chunk});
        return;
      }
      case Step::is_taken:
        worker.finished += step.chunk.cells;
        worker.prefetch.finish(worker.finished);
        rule_.learn(step.chunk.cells, step.chunk.seconds);
        feed(step.worker, now);
        return;
    }
  }

  void begin(std::uint64_t number, double now) {
    Worker& worker = workers_[number];
    if (worker.is_busy || worker.waiting.empty()) return;
    const Chunk chunk = worker.waiting.front();
    worker.waiting.pop_front();
    worker.is_busy = true;
    steps_.push(now + chunk.seconds, 0, {Step::is_run, number, chunk});
  }

  const RanksModel& model_;
  ChunkRule rule_;
  std::vector<Worker> workers_;
  std::uint64_t left_;
  Stream stream_;
  EventQueue<Step> steps_;
  double free_ = 0;  // when the leader will have handled all its messages
  double run_ = 0;
  RanksOutcome out_;
};

}  // namespace

RanksOutcome simulate(const RanksModel& model) {
  return Simulation(model).run();
}

}  // namespace holdfast
