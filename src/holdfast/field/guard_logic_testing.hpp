#pragma once

#include "holdfast/field/guard_logic.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A machine whose clock is moved by hand.
namespace holdfast::field::testing {

using Did = Action::Kind;

/// A checkpoint after each period of work; it writes down what it was told.
class FixedPace final : public Pace {
 public:
  explicit FixedPace(double period) : period_(period) {}

  void launched(double, bool) override { told += 'l'; }
  void ready(double now) override {
    told += 'r';
    due_ = now + period_;
  }
  void save_begun(double, bool) override {
    told += 'b';
    due_ = GuardLogic::kNever;
  }
  void save_ended(double now, bool ok) override {
    told += ok ? 's' : 'x';
    due_ = now + period_;
  }
  void durable(double) override { told += 'd'; }
  void progressed(double, double, double) override { told += 'p'; }
  void failed(double, std::optional<std::size_t> node, bool counts) override {
    told += counts ? 'F' : 'f';
    blamed = node;
    due_ = GuardLogic::kNever;
  }
  void survived(double now, bool counts) override {
    told += counts ? 'V' : 'v';
    due_ = now + period_;
  }
  void renewed(double, std::size_t) override { told += 'n'; }
  void stopped(double) override { told += 'e'; }
  void time_left(double now, double seconds) override { end = now + seconds; }
  [[nodiscard]] double due() const override { return due_; }
  [[nodiscard]] double stop_date() const override { return end - 20; }
  [[nodiscard]] double reserve(double) const override { return 20; }
  [[nodiscard]] std::optional<double> checkpoint(double) override { return cost; }
  [[nodiscard]] entry::Estimate estimate(double) override { return {.theta = 1.0}; }

  std::string told;
  std::optional<std::size_t> blamed;
  std::optional<double> cost;
  double end = GuardLogic::kNever;

 private:
  double period_;
  double due_ = GuardLogic::kNever;
};

/// A machine with a clock that is moved by hand.
struct Job {
  std::unique_ptr<FixedPace> pace_;
  FixedPace& pace;
  explicit Job(Rules rules = {.trigger = Trigger::signal}, double period = 100)
      : pace_(std::make_unique<FixedPace>(period)), pace(*pace_), machine(std::move(rules), pace) {}

  std::vector<Did> at(double date, const Event& event = event::Tick{}) {
    now = date;
    std::vector<Did> out;
    for (Action& action : machine.step(event, now)) {
      if (action.kind == Did::write) {
        entries.push_back(to_value(*action.entry));
        continue;
      }
      if (action.kind == Did::leave) code = action.code;
      if (action.kind == Did::keep) is_doubtful = action.is_doubtful;
      if (!action.text.empty()) {
        texts.push_back(action.text);
        continue;
      }
      out.push_back(action.kind);
    }
    return out;
  }
  void launch(double date) { at(date, event::Launched{.pid = 7}); }
  void begin() {
    at(0, event::Begin{});
    launch(0);
  }
  void save(double date, double seconds) {
    at(date);
    at(date + seconds, event::Written{});
    at(date + seconds, event::Kept{});
  }
  [[nodiscard]] const Value& last(std::string_view kind) const {
    const auto found = std::find_if(entries.rbegin(), entries.rend(), [&](const Value& entry) {
      return *entry.find("kind")->string() == kind;
    });
    assert(found != entries.rend());
    return *found;
  }
  [[nodiscard]] double number(std::string_view kind, std::string_view member) const {
    return last(kind).find(member)->number();
  }

  GuardLogic machine;
  double now = 0;
  std::vector<Value> entries;
  std::vector<std::string> texts;
  std::optional<int> code;
  bool is_doubtful = false;  ///< of the checkpoint that was looked at last
};

}  // namespace holdfast::field::testing
