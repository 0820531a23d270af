#pragma once

#include "holdfast/arbiter/testing.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// Clients of a core that behave like the simulator's applications.
namespace holdfast::arbiter::testing {

/// The largest error in a yield that rounding to whole bytes causes, at 1e9 bytes/s and over the hundreds of operations of a
/// window.
inline constexpr double kWholeBytes = 1e-6;

/// A client that acts as an application of a window and moves data exactly at the granted rate.
class Writer {
 public:
  Writer(World& world, const io::Application& application, const std::string& name)
      : world_(&world), application_(&application), cursor_(application) {
    id_ = world.join(name, static_cast<std::uint64_t>(application.bandwidth));
  }

  void begin_phase() {
    const io::Phase* phase = cursor_.next(*application_);
    since_ = world_->now();
    is_over_ = phase == nullptr;
    if (is_over_) return;
    writes_ = phase->kind == io::Phase::Kind::io;
    left_ = phase->amount;
    if (!writes_) return;
    volume_ = phase->amount;
    world_->post(id_, static_cast<std::uint64_t>(volume_));
  }
  [[nodiscard]] double end() const {
    if (is_over_) return Core::kNever;
    return left_ > 0 ? since_ + left_ / speed() : since_;
  }
  /// Counts what was done until now. Call this before the rate changes.
  void advance() {
    left_ -= speed() * (world_->now() - since_);
    since_ = world_->now();
    rate_ = writes_ ? static_cast<double>(world_->rate(id_)) : 0;
  }
  void follow() { rate_ = writes_ ? static_cast<double>(world_->rate(id_)) : 0; }
  void finish() {
    if (writes_) world_->done(id_, static_cast<std::uint64_t>(volume_));
    writes_ = false;
    rate_ = 0;
  }

 private:
  [[nodiscard]] double speed() const { return writes_ ? rate_ : 1; }

  World* world_;
  const io::Application* application_;
  io::PhaseCursor cursor_;
  ConnectionId id_ = 0;
  bool is_over_ = false;
  bool writes_ = false;
  double left_ = 0;  // bytes or seconds left
  double since_ = 0;
  double rate_ = 0;
  double volume_ = 0;
};

/// Plays a window with clients until its end. They start in the order of the applications, `stagger` seconds apart.
inline void play(World& world, const io::Instance& instance, double stagger = 0) {
  const auto& applications = instance.applications;
  const auto arrival = [&](std::size_t i) {
    return i < applications.size() ? stagger * static_cast<double>(i) : Core::kNever;
  };
  std::vector<Writer> writers;
  const auto admit = [&] {
    const std::size_t before = writers.size();
    while (arrival(writers.size()) <= world.now()) {
      const std::size_t i = writers.size();
      writers.emplace_back(world, applications[i], std::to_string(1000 + i));
    }
    for (std::size_t i = before; i < writers.size(); ++i) writers[i].begin_phase();
  };
  admit();
  world.settle_now();
  for (Writer& one : writers) one.follow();
  while (world.now() < instance.end) {
    double next = std::min(instance.end, arrival(writers.size()));
    for (const Writer& one : writers) next = std::min(next, one.end());
    next = std::min(next, std::max(world.core().wake(), world.now()));
    world.pass_to(next);  // the core's actions at that date; rates are constant until then
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < writers.size(); ++i) {
      if (writers[i].end() <= next) ended.push_back(i);
    }
    for (Writer& one : writers) one.advance();
    for (const std::size_t i : ended) {
      writers[i].finish();
      writers[i].begin_phase();
    }
    admit();
    world.settle_now();
    for (Writer& one : writers) one.follow();
  }
}

/// Returns the current yields of the applications, in their order.
inline std::vector<double> yields_of(const World& world) {
  std::vector<double> out;
  for (const Standing& one : world.core().standings(world.now())) out.push_back(one.yield);
  return out;
}

/// Returns example 5 of `io` with six applications, on a file system with that many bytes/s. The volumes may be scaled.
inline io::Instance example_5(double bandwidth, double scale = 1) {
  io::Instance out = io::make_example("example-5", 6).value().instance;
  out.bandwidth *= bandwidth;
  for (io::Application& one : out.applications) {
    one.bandwidth *= bandwidth;
    for (io::Phase& phase : one.phases) {
      if (phase.kind == io::Phase::Kind::io) phase.amount *= scale * bandwidth;
    }
  }
  return out;
}

}  // namespace holdfast::arbiter::testing
