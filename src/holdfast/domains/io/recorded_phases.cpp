#include "holdfast/domains/io/recorded_phases.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::io {
namespace {

struct Span {
  double begin = 0;
  double end = 0;
  [[nodiscard]] double length() const { return end - begin; }
};

bool is_there(const RecordedStay& stay, Span span) {
  return stay.joined <= span.begin && stay.left >= span.end;
}

bool transfers(const RecordedStay& stay, Span span) {
  return is_there(stay, span) &&
         std::any_of(stay.operations.begin(), stay.operations.end(), [&](const auto& one) {
           return one.posted < span.end && one.ended > span.begin;
         });
}

Result<Span> longest_span(const Record& record) {
  std::set<double> dates = {record.begin, record.end};
  for (const RecordedStay& stay : record.stays) {
    dates.insert(stay.joined);
    if (std::isfinite(stay.left)) dates.insert(stay.left);
  }
  Span best;
  for (auto next = dates.begin(); std::next(next) != dates.end(); ++next) {
    const Span span{*next, *std::next(next)};
    const bool is_busy = std::any_of(record.stays.begin(), record.stays.end(),
                                     [&](const auto& stay) { return transfers(stay, span); });
    if (is_busy && span.length() > best.length()) best = span;
  }
  if (best.length() > 0) return best;
  return fail(ErrorCode::bad_value, "/window",
              "found nobody that transfers in the record, expected an application that does");
}

Result<Span> read_span(const Record& record, std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto begin = parse_quantity(text.substr(0, comma), Unit::seconds);
  const auto end = comma == std::string_view::npos
                       ? begin
                       : parse_quantity(text.substr(comma + 1), Unit::seconds);
  if (comma == std::string_view::npos || !begin || !end || !(*begin < *end)) {
    return fail(
        ErrorCode::usage, "/window",
        fmt::format("found {}, expected 'longest' or BEGIN,END in seconds of the record, as "
                    "in 60,660",
                    in_quotes(text)));
  }
  if (*begin < record.begin || *end > record.end) {
    return fail(ErrorCode::bad_value, "/window",
                fmt::format("found {}, expected dates of the record, from {} to {} s",
                            in_quotes(text), to_text(record.begin), to_text(record.end)));
  }
  return Span{*begin, *end};
}

// Checks that no application joins or leaves inside the window, and that one is present.
Status check_span(const Record& record, Span span) {
  const auto is_inside = [&](double date) { return date > span.begin && date < span.end; };
  bool is_empty = true;
  for (const RecordedStay& stay : record.stays) {
    is_empty = is_empty && !is_there(stay, span);
    for (const auto& [date, what] : {std::pair{stay.joined, "joins"}, {stay.left, "leaves"}}) {
      if (!is_inside(date)) continue;
      return fail(ErrorCode::bad_value, "/window",
                  fmt::format("found that {} {} at {} s, expected dates between which nobody joins "
                              "or leaves",
                              in_quotes(stay.job), what, to_text(date)));
    }
  }
  if (!is_empty) return {};
  return fail(ErrorCode::bad_value, "/window", "found nobody there, expected an application");
}

// The bytes that an operation moves from the window's begin on.
double volume_of(const RecordedOperation& one, const RecordedStay& stay, const Record& record,
                 double begin) {
  if (std::isfinite(one.ended)) {
    if (one.posted >= begin) return one.moved;
    const double all = stay.granted(one.posted, one.ended);
    return all > 0 ? one.moved * (stay.granted(begin, one.ended) / all) : 0;
  }
  const double from = std::max(one.posted, begin);
  const double known = one.stated ? *one.stated - stay.granted(one.posted, from) : 0;
  return std::max(known, stay.granted(from, record.end));
}

std::vector<Phase> phases_from(const RecordedStay& stay, const Record& record, double begin) {
  std::vector<Phase> out;
  double at = begin;
  const auto work_until = [&](double date) {
    if (date > at) out.push_back({Phase::Kind::work, date - at});
  };
  for (const RecordedOperation& one : stay.operations) {
    if (one.ended <= begin) continue;
    work_until(one.posted);
    const double volume = volume_of(one, stay, record, begin);
    if (volume > 0) out.push_back({Phase::Kind::io, volume});
    at = one.ended;
  }
  work_until(std::min(stay.left, record.end));
  if (out.empty()) out.push_back({Phase::Kind::work, std::max(record.end - begin, 1.0)});
  return out;
}

// The seconds up to a date in which an application was not stalled: its age less its delay.
double progress_at(const RecordedStay& stay, double date) {
  const double age = date - stay.release();
  return std::clamp(age - stay.delay_at(date), 0.0, age);
}

// The date at which all applications have posted that came without progress and still have none, as the arbiter counts it, when
// they post. From then on all are ranked by their progress. If the window began earlier, some microseconds of work before an
// operation would let others interrupt it.
double all_have_come(const Record& record, Span span) {
  double out = span.begin;
  for (const RecordedStay& stay : record.stays) {
    const auto first = std::find_if(stay.operations.begin(), stay.operations.end(),
                                    [&](const auto& one) { return one.posted >= span.begin; });
    if (!is_there(stay, span) || first == stay.operations.end() || first->posted >= span.end)
      continue;
    const double before = progress_at(stay, span.begin) + first->posted - span.begin;
    if (before < record.min_grant) out = std::max(out, first->posted);
  }
  return out;
}

// The stays that cover the window: first those with an operation that is open at its begin, in the order of posting, then the
// others. In a simulation all of these operations are posted at that date, and equal ones are served in the order of
// applications.
std::vector<std::size_t> in_order_of_posting(const Record& record, Span span) {
  const auto posted = [&](std::size_t i) {
    for (const RecordedOperation& one : record.stays[i].operations) {
      if (one.posted <= span.begin && one.ended > span.begin) return one.posted;
    }
    return span.end;
  };
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < record.stays.size(); ++i) {
    if (is_there(record.stays[i], span)) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return posted(a) < posted(b); });
  return out;
}

Application application_of(const RecordedStay& stay, const Record& record, double begin) {
  Application out{.id = stay.job,
                  .nodes = stay.nodes,
                  .bandwidth = stay.bandwidth,
                  .release = stay.release(),
                  .phases = phases_from(stay, record, begin),
                  .repeat = true};
  out.progress = progress_at(stay, begin);
  // The arbiter ranked them in this way.
  if (out.progress < record.min_grant) out.progress = 0;
  return out;
}

// Makes the names of applications with the same name different.
void name_apart(std::vector<Application>& applications, const std::vector<std::uint64_t>& handles) {
  std::multiset<std::string> names;
  for (const Application& one : applications) names.insert(one.id);
  for (std::size_t i = 0; i < applications.size(); ++i) {
    std::string& name = applications[i].id;
    if (names.count(name) > 1) name = fmt::format("{} ({})", name, handles[i]);
  }
}

}  // namespace

Result<RecordedWindow> recorded_window(const Record& record, std::string_view text) {
  HOLDFAST_TRY(span, text == "longest" ? longest_span(record) : read_span(record, text));
  if (text == "longest") span.begin = all_have_come(record, span);
  HOLDFAST_CHECK(check_span(record, span));
  RecordedWindow out;
  out.instance = {.bandwidth = record.bandwidth, .begin = span.begin, .end = span.end};
  out.instance.reading.learn_at_completion = true;  // as the arbiter does
  std::vector<std::uint64_t> handles;
  out.stays = in_order_of_posting(record, span);
  for (const std::size_t i : out.stays) {
    const RecordedStay& stay = record.stays[i];
    out.instance.applications.push_back(application_of(stay, record, span.begin));
    handles.push_back(stay.handle);
    const double delay = stay.delay_at(span.end);
    const double age = span.end - stay.release();
    out.yields.push_back(std::max(1 - delay / age, 0.0));
    out.progress.push_back(span.length() - (delay - stay.delay_at(span.begin)));
  }
  name_apart(out.instance.applications, handles);
  HOLDFAST_CHECK(check(out.instance));
  return out;
}

}  // namespace holdfast::io
