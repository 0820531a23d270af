#include "holdfast/arbiter/recorder.hpp"

#include <utility>
#include <variant>

namespace holdfast::arbiter {
namespace {

Value event(double now, std::string_view name) {
  return Value::object({{"t", now}, {"e", name}});
}

Value event_of(double now, std::string_view name, std::uint64_t handle) {
  Value out = event(now, name);
  out.set("app", handle);
  return out;
}

/// A visitor that makes the line for each kind of event in a record.
struct LineOf {
  double now;

  Value operator()(const Joined& one) const {
    Value out = event_of(now, "join", one.handle);
    out.set("uid", std::uint64_t{one.uid});
    out.set("job", one.name);
    out.set("nodes", std::uint64_t{one.nodes});
    out.set("bandwidth", one.bandwidth);
    out.set("age", one.age);
    out.set("delay", one.delay);
    return out;
  }
  Value operator()(const Left& one) const { return event_of(now, "close", one.handle); }
  Value operator()(const Changed& one) const {
    Value out = event_of(now, "change", one.handle);
    out.set("nodes", std::uint64_t{one.nodes});
    out.set("bandwidth", one.bandwidth);
    return out;
  }
  Value operator()(const Posted& one) const {
    Value out = event_of(now, "post", one.handle);
    if (one.volume != kUnknownVolume) out.set("volume", one.volume);
    return out;
  }
  Value operator()(const Granted& one) const {
    Value out = event_of(now, "grant", one.handle);
    out.set("rate", one.rate);
    return out;
  }
  Value operator()(const Ended& one) const {
    Value out = event_of(now, "done", one.handle);
    out.set("moved", one.moved);
    return out;
  }
  Value operator()(const Decided& one) const {
    Value out = event(now, "decision");
    out.set("pending", std::uint64_t{one.pending});
    return out;
  }
  template <class Other>
  Value operator()(const Other& /*one*/) const {
    return {};
  }
};

}  // namespace

Value record_header(const Settings& settings, std::string_view policy) {
  return Value::object({{"holdfast", Value::object({{"kind", "io-record"}, {"version", 1}})},
                        {"bandwidth", settings.bandwidth},
                        {"policy", policy},
                        {"options", Value::object({{"min_grant", settings.min_grant},
                                                   {"max_pause", settings.max_pause},
                                                   {"lease", settings.lease},
                                                   {"report", settings.report},
                                                   {"idle", settings.idle},
                                                   {"grace", settings.grace},
                                                   {"epoch", std::uint64_t{settings.epoch}}})}});
}

Value record_line(const Happening& happening, double now) {
  return std::visit(LineOf{now}, happening);
}

Result<Recorder> Recorder::open(const std::filesystem::path& path, const Value& header) {
  HOLDFAST_TRY(file, LineFile::open(path));
  std::string first = to_compact_json(header);
  static_cast<void>(file->add(first));  // it always fits, because no other line is waiting
  return Recorder(std::move(file), std::move(first));
}

void Recorder::hear(const Happening& happening, double now) {
  const Value line = record_line(happening, now);
  if (!line.is_null()) add(line, now);
}

void Recorder::begin_anew(double now) {
  say_dropped(now);
  file_->begin_anew();
  if (!file_->add(header_)) ++dropped_;
}

void Recorder::begin_anew(const Value& header, double now) {
  header_ = to_compact_json(header);
  begin_anew(now);
}

void Recorder::end(double now) {
  add(event(now, "end"), now);
}

// Adds a line. A line about dropped lines comes before any other.
void Recorder::add(const Value& line, double now) {
  say_dropped(now);
  if (dropped_ > 0 || !file_->add(to_compact_json(line))) ++dropped_;
}

void Recorder::say_dropped(double now) {
  dropped_ += file_->take_lost();
  if (dropped_ == 0) return;
  Value gap = event(now, "dropped");
  gap.set("lines", dropped_);
  if (file_->add(to_compact_json(gap))) dropped_ = 0;
}

}  // namespace holdfast::arbiter
