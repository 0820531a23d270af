#include "holdfast/domains/io/record.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace holdfast::io {
namespace {

constexpr double kMostBytes = 0x1p63;

/// Returns the integral of a member of a stay's rates between two dates.
double sum_of(const std::vector<RecordedRate>& rates, double RecordedRate::*what, double from,
              double to) {
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double begin = std::max(rates[i].date, from);
    const double end = i + 1 < rates.size() ? std::min(rates[i + 1].date, to) : to;
    if (begin < end) sum += rates[i].*what * (end - begin);
  }
  return sum;
}

/// A builder of a record from its lines, one event after the other.
class RecordBuilder {
 public:
  Status begin(const Value& header) {
    if (header.find("holdfast") == nullptr) {
      return fail(ErrorCode::bad_format, "",
                  "found another line first, expected that of an io-record");
    }
    HOLDFAST_CHECK(check_header(header, "io-record"));
    ObjectReader read(header, "");
    read.ignore("holdfast");
    out_.bandwidth = read.quantity("bandwidth", Unit::bytes_per_second, positive());
    out_.policy = read.text("policy");
    read.with("options", [this](const Value& value, const std::string& where) -> Status {
      ObjectReader options(value, where);
      out_.min_grant = options.seconds_or("min_grant", 0, non_negative());
      out_.max_pause = options.seconds_or("max_pause", 0, non_negative());
      out_.grace = options.seconds_or("grace", 0, non_negative());
      return options.ok() ? Status() : options.finish();  // the others do not affect the order
    });
    return read.finish();
  }

  Status take(const Value& line) {
    static constexpr auto kEvents = std::to_array<std::string_view>(
        {"join", "close", "change", "post", "grant", "done", "decision", "dropped", "end"});
    ObjectReader read(line, "");
    const double now = read.number("t", at_least(is_dated_ ? out_.end : 0));
    const std::size_t event = read.choice("e", kEvents);
    if (!read.ok()) return read.finish();
    if (!is_dated_) out_.begin = now;
    is_dated_ = true;
    out_.end = now;
    if (event == 7) {
      out_.dropped += static_cast<std::uint64_t>(read.integer("lines", between(1, kMostBytes)));
    } else if (event == 6) {
      read.ignore("pending");
    } else if (event < 6) {
      const auto handle = static_cast<std::uint64_t>(read.integer("app", between(1, kMostBytes)));
      if (read.ok()) take(event, handle, now, read);
    }
    return read.finish();
  }

  [[nodiscard]] Record finish() && { return std::move(out_); }

 private:
  void take(std::size_t event, std::uint64_t handle, double now, ObjectReader& read) {
    if (event == 0) return join(handle, now, read);
    const auto found = present_.find(handle);
    if (found == present_.end()) {
      return read.refuse("app", fmt::format("found {}, expected one that has joined", handle));
    }
    RecordedStay& stay = out_.stays[found->second];
    const bool is_open = !stay.operations.empty() && stay.operations.back().ended > now;
    if (event == 2) return change(stay, now, is_open, read);
    // Rates and ends come within an operation, all other events outside of one.
    const bool wants_open = event == 4 || event == 5;
    if (is_open != wants_open) {
      return read.refuse("e", is_open ? "found it in an operation, expected 'grant' or 'done'"
                                      : "found it without an operation, expected 'post' first");
    }
    switch (event) {
      case 1:
        stay.left = now;
        present_.erase(found);
        break;
      case 3:
        stay.operations.push_back({.posted = now, .stated = volume(read, "volume")});
        set_rate(stay, now, 0, true);
        break;
      case 4:
        set_rate(stay, now, read.number("rate", between(0, kMostBytes)), true);
        break;
      default:
        stay.operations.back().ended = now;
        stay.operations.back().moved = read.number("moved", between(0, kMostBytes));
        set_rate(stay, now, 0, false);
    }
  }

  void join(std::uint64_t handle, double now, ObjectReader& read) {
    RecordedStay stay{.handle = handle, .joined = now};
    read.ignore("uid");
    stay.job = read.text("job");
    stay.age = read.number("age", non_negative());
    stay.delay = std::min(read.number("delay", non_negative()), stay.age);
    take_size(stay, now, read);
    if (!read.ok()) return;
    if (!present_.emplace(handle, out_.stays.size()).second) {
      return read.refuse("app", fmt::format("found {}, which has joined already", handle));
    }
    out_.stays.push_back(std::move(stay));
  }

  void change(RecordedStay& stay, double now, bool is_open, ObjectReader& read) {
    take_size(stay, now, read);
    if (read.ok() && is_open) set_rate(stay, now, stay.rates.back().rate, true);
  }

  void take_size(RecordedStay& stay, double now, ObjectReader& read) const {
    stay.nodes = std::max(read.number("nodes", non_negative()), 1.0);  // 0: not known
    const double bandwidth = std::min(read.number("bandwidth", positive()), out_.bandwidth);
    if (bandwidth != stay.bandwidth) stay.bandwidth_since = now;
    stay.bandwidth = bandwidth;
  }

  static std::optional<double> volume(ObjectReader& read, std::string_view name) {
    if (!read.has(name)) return std::nullopt;
    return read.number(name, between(0, kMostBytes));
  }

  static void set_rate(RecordedStay& stay, double now, double rate, bool is_open) {
    const double lacking = is_open ? std::max(1 - rate / stay.bandwidth, 0.0) : 0;
    stay.rates.push_back({now, rate, lacking});
  }

  Record out_;
  bool is_dated_ = false;
  std::map<std::uint64_t, std::size_t> present_;  // handles and stays of present applications
};

Result<Value> object_of(std::string_view line) {
  HOLDFAST_TRY(value, parse_json(line));
  if (value.members() == nullptr) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("found {}, expected an object", value.described()));
  }
  return value;
}

}  // namespace

double RecordedStay::delay_at(double date) const {
  return delay + sum_of(rates, &RecordedRate::lacking, joined, date);
}

double RecordedStay::granted(double from, double to) const {
  return sum_of(rates, &RecordedRate::rate, from, to);
}

Result<Record> read_record(LineReader lines) {
  RecordBuilder builder;
  std::optional<Error> broken;  // error of an incomplete line, after which no other may follow
  std::string_view text;
  for (;;) {
    HOLDFAST_TRY(has_more, lines.next(text));
    if (!has_more) break;
    if (broken) return fail(*broken);
    auto value = object_of(text);
    if (!value) {
      broken = Error{ErrorCode::bad_format, lines.place(), value.error().message};
      if (lines.number() == 1) return fail(*broken);
      continue;
    }
    const Status taken = lines.number() == 1 ? builder.begin(*value) : builder.take(*value);
    if (!taken) {
      return fail(in_file(lines.place(), taken.error()));
    }
  }
  if (lines.number() == 0) {
    return fail(ErrorCode::bad_format, lines.name(), "found nothing, expected an io-record");
  }
  return std::move(builder).finish();
}

Result<Record> load_record(const std::filesystem::path& path) {
  HOLDFAST_TRY(source, open_input(path));
  return read_record(LineReader(std::move(source), path.string()));
}

Status check_whole(const Record& record, const std::string& name) {
  if (record.dropped == 0) return {};
  return fail(
      ErrorCode::bad_value, name,
      fmt::format("found that {} could not be written while it was recorded, expected all of "
                  "them; record to a faster disk",
                  counted(record.dropped, "line")));
}

}  // namespace holdfast::io
