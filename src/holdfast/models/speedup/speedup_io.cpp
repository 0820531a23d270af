#include "holdfast/models/speedup/speedup_io.hpp"

#include "holdfast/base/reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

// Reads a degree of parallelism. An allocation is an integer, so a fraction is rounded down.
std::int64_t read_cap(ObjectReader& read) {
  const double value = read.number("max_parallelism", at_least(1));
  return value < 0x1p62 ? static_cast<std::int64_t>(value) : Speedup::kUnbounded;
}

std::int64_t read_cap_or_none(ObjectReader& read) {
  return read.has("max_parallelism") ? read_cap(read) : Speedup::kUnbounded;
}

Speedup read_parts(ObjectReader& read, bool is_mix) {
  const std::int64_t cap = is_mix ? read_cap_or_none(read) : Speedup::kUnbounded;
  const double overhead = is_mix ? read.seconds("overhead", non_negative()) : 0.0;
  if (read.has("parallel_work") || read.has("sequential_work")) {
    const double parallel = read.seconds("parallel_work", non_negative());
    const double sequential = read.seconds("sequential_work", non_negative());
    if (!read.ok()) return {};
    return is_mix ? Speedup::mix_of_parts(parallel, sequential, cap, overhead)
                  : Speedup::amdahl_of_parts(parallel, sequential);
  }
  const double work = read.seconds("work", non_negative());
  const double fraction = read.number("sequential_fraction", between(0, 1));
  if (!read.ok()) return {};
  return is_mix ? Speedup::mix(work, cap, fraction, overhead) : Speedup::amdahl(work, fraction);
}

Speedup read_model(ObjectReader& read, SpeedupModel model) {
  switch (model) {
    case SpeedupModel::roofline: {
      const double work = read.seconds("work", non_negative());
      const std::int64_t cap = read_cap(read);
      return read.ok() ? Speedup::roofline(work, cap) : Speedup{};
    }
    case SpeedupModel::communication: {
      const double work = read.seconds("work", non_negative());
      const double overhead = read.seconds("overhead", non_negative());
      return read.ok() ? Speedup::communication(work, overhead) : Speedup{};
    }
    case SpeedupModel::amdahl:
      return read_parts(read, false);
    case SpeedupModel::mix:
      return read_parts(read, true);
    case SpeedupModel::power: {
      const double work = read.seconds("work", non_negative());
      const double exponent = read.number("exponent", between(0, 1));
      return read.ok() ? Speedup::power(work, exponent) : Speedup{};
    }
    case SpeedupModel::table: {
      std::vector<double> times = read.numbers("times", Unit::seconds, positive());
      const std::int64_t cap = read_cap_or_none(read);
      if (!read.ok()) return {};
      if (times.empty()) {
        read.refuse("times", "found an empty array, expected the seconds on 1, 2, ... processors");
        return {};
      }
      if (cap != Speedup::kUnbounded && cap > static_cast<std::int64_t>(times.size())) {
        read.refuse("max_parallelism",
                    fmt::format("found {}, expected at most the {} processors of \"times\"", cap,
                                times.size()));
        return {};
      }
      return Speedup::table(std::move(times), cap);
    }
  }
  return {};
}

}  // namespace

Result<Speedup> read_speedup(const Value& object, std::string_view where) {
  ObjectReader read(object, std::string(where));
  const std::size_t model = read.choice("model", speedup_model_names());
  if (!read.ok()) return tl::make_unexpected(read.finish().error());
  Speedup speedup = read_model(read, static_cast<SpeedupModel>(model));
  HOLDFAST_CHECK(read.finish());
  return speedup;
}

Status check_speedup(const Speedup& speedup, std::int64_t processors, std::string_view where) {
  if (speedup.model() != SpeedupModel::table) return {};
  const auto length = static_cast<std::int64_t>(speedup.times().size());
  if (length >= processors || speedup.is_capped()) return {};
  return fail(ErrorCode::bad_value, pointer_to(where, "times"),
              fmt::format("found {} times, expected one for each of the {} processors (or "
                          "\"max_parallelism\": {}, to "
                          "cap the job there)",
                          length, processors, length));
}

Value to_value(const Speedup& speedup) {
  Value out = Value::object({{"model", name(speedup.model())}});
  const auto cap = [&] {
    if (speedup.max_parallelism() != Speedup::kUnbounded)
      out.set("max_parallelism", speedup.max_parallelism());
  };
  switch (speedup.model()) {
    case SpeedupModel::roofline:
      out.set("work", speedup.work());
      // An unbounded degree exists only in memory; the largest integer reads back as unbounded.
      out.set("max_parallelism", speedup.max_parallelism());
      break;
    case SpeedupModel::communication:
      out.set("work", speedup.work());
      out.set("overhead", speedup.overhead());
      break;
    case SpeedupModel::amdahl:
    case SpeedupModel::mix:
      if (speedup.sequential_fraction() < 0) {
        out.set("parallel_work", speedup.parallel_work());
        out.set("sequential_work", speedup.sequential_work());
      } else {
        out.set("work", speedup.work());
        out.set("sequential_fraction", speedup.sequential_fraction());
      }
      if (speedup.model() == SpeedupModel::mix) {
        cap();
        out.set("overhead", speedup.overhead());
      }
      break;
    case SpeedupModel::power:
      out.set("work", speedup.work());
      out.set("exponent", speedup.exponent());
      break;
    case SpeedupModel::table:
      out.set("times", Value::list(speedup.times()));
      if (speedup.is_capped()) cap();
      break;
  }
  return out;
}

}  // namespace holdfast
