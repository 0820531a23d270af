#include "holdfast/domains/io/instance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/dedicated.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::io {
namespace {

tl::unexpected<Error> bad(std::string where, double found, std::string_view expected) {
  return fail(ErrorCode::bad_value, std::move(where),
              fmt::format("found {}, expected {}", to_text(found), expected));
}

Status check_application(const Instance& instance, const Application& application,
                         const std::string& where) {
  const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!is_positive(application.nodes))
    return bad(where + "/nodes", application.nodes, "a positive number");
  if (!is_positive(application.bandwidth)) {
    return bad(where + "/bandwidth", application.bandwidth, "a positive number");
  }
  if (application.bandwidth > instance.bandwidth) {
    return bad(
        where + "/bandwidth", application.bandwidth,
        fmt::format("at most the bandwidth of the file system, {}", to_text(instance.bandwidth)));
  }
  if (!(application.release <= instance.begin)) {
    return bad(where + "/release", application.release,
               fmt::format("a date at or before the window's begin, {}", to_text(instance.begin)));
  }
  const double age = instance.begin - application.release;
  if (!(application.progress >= 0 && application.progress <= age)) {
    return bad(where + "/progress", application.progress,
               fmt::format("a number from 0 to the age at the window's begin, {}", to_text(age)));
  }
  for (std::size_t i = 0; i < application.phases.size(); ++i) {
    const double amount = application.phases[i].amount;
    if (!(amount >= 0 && std::isfinite(amount))) {
      return bad(pointer_to(where + "/phases", i), amount, "zero or more");
    }
  }
  if (instance.allow_completion) return {};
  const double duration = alone(application, instance.length()).duration;
  constexpr double kRounding = 1e-12;  // of sums of phases that fill the window exactly
  if (duration < instance.length() * (1 - kRounding)) {
    return bad(where + "/phases", duration,
               fmt::format("phases that last the window ({} s) when the application is alone; "
                           "'allow_completion' lets it idle then",
                           to_text(instance.length())));
  }
  return {};
}

}  // namespace

Status check(const Instance& instance) {
  if (!(instance.bandwidth > 0 && std::isfinite(instance.bandwidth))) {
    return bad("/bandwidth", instance.bandwidth, "a positive number");
  }
  if (!(std::isfinite(instance.begin) && std::isfinite(instance.end) && instance.length() > 0)) {
    return bad("/window", instance.end, "an end after the begin");
  }
  if (instance.applications.empty()) {
    return fail(ErrorCode::bad_value, "/applications", "found none, expected at least one");
  }
  for (std::size_t i = 0; i < instance.applications.size(); ++i) {
    HOLDFAST_CHECK(
        check_application(instance, instance.applications[i], pointer_to("/applications", i)));
  }
  for (std::size_t i = 0; i < instance.given.size(); ++i) {
    if (instance.given[i].rates.size() != instance.applications.size()) {
      return bad(pointer_to("/rates", i), static_cast<double>(instance.given[i].rates.size()),
                 fmt::format("{} rates, one per application", instance.applications.size()));
    }
    double sum = 0;
    for (const double rate : instance.given[i].rates) {
      if (!(rate >= 0)) return bad(pointer_to("/rates", i), rate, "zero or more");
      sum += rate;
    }
    constexpr double kSum = 1 + 1e-12;
    if (sum > instance.bandwidth * kSum) {
      return bad(pointer_to("/rates", i), sum, "rates of at most the file system's bandwidth");
    }
    if (i > 0 && !(instance.given[i].time > instance.given[i - 1].time)) {
      return bad(pointer_to("/rates", i), instance.given[i].time, "a later date than before");
    }
  }
  return {};
}

void cut_to_window(Instance& instance) {
  for (Application& application : instance.applications) {
    std::vector<Phase> cut;
    PhaseCursor cursor(application);
    double left = instance.length();
    while (left > 0) {
      const Phase* phase = cursor.next(application);
      if (phase == nullptr) break;
      const double rate = phase->kind == Phase::Kind::io ? application.bandwidth : 1;
      cut.push_back({phase->kind, std::min(phase->amount, left * rate)});
      left -= phase->amount / rate;
    }
    application.phases = std::move(cut);
    application.repeat = false;
  }
}

}  // namespace holdfast::io
