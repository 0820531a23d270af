#include "holdfast/domains/checkpoint/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace holdfast::checkpoint {
namespace {

/// Leads a pool through the rows of a job that goes on with fewer nodes.
class Follow {
 public:
  Follow(const Instance& job, std::span<const ScheduleRow> rows, NodePool& pool)
      : job_{job}, rows_{rows}, pool_{pool} {}

  Result<SmallerRuns> run() {
    for (place_ = 0; place_ < rows_.size(); ++place_) {
      HOLDFAST_CHECK(follow(rows_[place_]));
      out_.speeds.push_back(job_.platform.speed_of(now().in_use, job_.processors));
    }
    for (std::size_t i = 0; i < pool_.strikes(); ++i) {
      const double date = pool_.change(pool_.strike(i)).date;
      const PoolChange& before = pool_.change(pool_.strike(i) - 1);
      const bool is_lacking = before.in_use < pool_.rules().needed() || before.ready > date;
      out_.strikes.push_back({.date = date, .is_lacking = is_lacking});
    }
    return std::move(out_);
  }

 private:
  Status refuse(const std::string& text) const {
    return fail(ErrorCode::bad_value, fmt::format("row {}", place_), text);
  }
  const PoolChange& now() const { return pool_.change(pool_.changes() - 1); }
  void draw_before(double date) {
    while (pool_.next_date() < date) pool_.reach(pool_.changes());
  }
  void draw_until(double date) {
    while (pool_.next_date() <= date) pool_.reach(pool_.changes());
  }
  bool is_ready(double date) const {
    return now().in_use >= pool_.rules().needed() && now().ready <= date;
  }

  Status follow(const ScheduleRow& row) {
    if (row.kind == "downtime" || row.kind == "failure") return {};
    if (row.kind == "submission") {
      draw_until(row.start);
      pool_.join(row.start);
      return {};
    }
    if (pool_.is_open() || (place_ > 0 && rows_[place_ - 1].kind == "waiting")) {
      if (row.kind == "waiting") return wait(row);
      HOLDFAST_CHECK(begin(row));
    } else {
      HOLDFAST_CHECK(join(row));
      if (row.kind == "waiting") return wait(row);
    }
    draw_before(row.end);
    const bool is_struck_later =
        row.kind == "work" && place_ + 1 < rows_.size() && rows_[place_ + 1].kind == "checkpoint";
    if (row.lost && !is_struck_later) draw_until(row.end);
    return {};
  }

  // The job works again: enough nodes are ready, perhaps since this very instant.
  Status begin(const ScheduleRow& row) {
    draw_before(row.start);
    while (!is_ready(row.start) && pool_.next_date() == row.start) pool_.reach(pool_.changes());
    pool_.close();
    if (is_ready(row.start)) return {};
    return refuse(fmt::format("{} at {} on {} nodes, ready at {}, expected {}", row.kind, row.start,
                              now().in_use, now().ready, pool_.rules().needed()));
  }

  // After a checkpoint the job takes the nodes that are idle, and recovers; or there are none.
  Status join(const ScheduleRow& row) {
    const bool recovers = row.kind == "recovery" || row.kind == "waiting";
    const bool is_after = place_ > 0 && rows_[place_ - 1].kind == "checkpoint" &&
                          !rows_[place_ - 1].lost && job_.platform.join == Join::checkpoint;
    if (!is_after) return {};
    draw_until(row.start);
    const bool has_joined = pool_.join(row.start);
    if (has_joined) ++out_.joins;
    if (has_joined == recovers || (has_joined && job_.recovery == 0)) return {};
    return refuse(has_joined ? "goes on, but nodes are idle after its checkpoint"
                             : "recovers, but no node joins after its checkpoint");
  }

  Status wait(const ScheduleRow& row) {
    draw_before(row.start);
    for (;;) {
      const double next = std::min(row.end, pool_.next_date());
      const bool is_enough = now().in_use >= pool_.rules().needed();
      if (is_enough && std::max(now().ready, row.start) < next)
        return refuse(fmt::format("waits until {}, but its nodes are ready", row.end));
      if (next == row.end) return {};
      pool_.reach(pool_.changes());
    }
  }

  const Instance& job_;
  std::span<const ScheduleRow> rows_;
  NodePool& pool_;
  std::size_t place_ = 0;
  SmallerRuns out_;
};

}  // namespace

Result<SmallerRuns> follow_nodes(const Instance& instance, std::span<const ScheduleRow> rows,
                                 NodePool& pool) {
  return Follow(instance, rows, pool).run();
}

}  // namespace holdfast::checkpoint
