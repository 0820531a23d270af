#include "holdfast/domains/capacity/document_parts.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::capacity {
namespace {

Result<std::int64_t> whole_seconds(const Value& value, const std::string& where) {
  HOLDFAST_TRY(seconds, read_quantity(value, where, Unit::seconds));
  return read_integer(Value(seconds), where);
}

void refuse_fraction(ObjectReader& read, std::string_view name, double seconds) {
  if (!read.ok() || seconds == std::floor(seconds)) return;
  read.refuse(name, fmt::format("found {} s, expected whole seconds", seconds));
}

Result<ReferenceJob> read_reference(const Value& value, const std::string& where) {
  ObjectReader read(value, where);
  const ReferenceJob job{read_time(read, "length", 1), read.integer_or("cores", 1, at_least(1))};
  HOLDFAST_CHECK(read.finish());
  return job;
}

// "80x24": 80 machines of 24 cores.
Result<MachineSize> parse_size(std::string_view text, const std::string& where) {
  const std::size_t x = std::min(text.find_first_of("xX*"), text.size());
  if (x == text.size()) {
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected MACHINESxCORES, as in 80x24,40x8", in_quotes(text)));
  }
  const auto number = [&](std::string_view part, std::string_view what,
                          const Range& range) -> Result<std::int64_t> {
    if (auto whole = read_integer(Value(trim(part)), where, range)) return whole;
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected a whole number of {} from {} to {}", in_quotes(text), what,
                    range.minimum, static_cast<std::int64_t>(range.maximum)));
  };
  HOLDFAST_TRY(machines, number(text.substr(0, x), "machines before the x", kMachines));
  HOLDFAST_TRY(cores, number(text.substr(x + 1), "cores after the x", kCores));
  return MachineSize{machines, cores};
}

Result<MachineSize> read_size(const Value& value, const std::string& where) {
  if (const std::string* text = value.string()) return parse_size(*text, where);
  ObjectReader read(value, where);
  const MachineSize size{read.integer_or("machines", 1, kMachines), read.integer("cores", kCores)};
  HOLDFAST_CHECK(read.finish());
  return size;
}

Result<std::vector<MachineSize>> read_size_list(const Value& value, const std::string& where) {
  std::vector<MachineSize> out;
  if (const std::string* text = value.string()) {
    for (const std::string_view part : split(*text, ',')) {
      HOLDFAST_TRY(size, parse_size(trim(part), where));
      out.push_back(size);
    }
  } else if (const Value::Array* list = value.array_items()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      HOLDFAST_TRY(size, read_size((*list)[i], pointer_to(where, i)));
      out.push_back(size);
    }
  }
  std::int64_t machines = 0;
  for (const MachineSize& size : out) machines += size.machines;
  if (machines >= 1 && machines <= kMostMachines) return out;
  return fail(ErrorCode::bad_value, where,
              out.empty() ? fmt::format("found {}, expected MACHINESxCORES, as in 80x24,40x8, or a "
                                        "list of machines and cores",
                                        value.described())
                          : fmt::format("found {} machines together, expected at most {}", machines,
                                        kMostMachines));
}

}  // namespace

std::optional<std::int64_t> read_sizes(ObjectReader& read, Instance& instance) {
  std::vector<MachineSize> sizes;
  read.with("machine_sizes", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(list, read_size_list(value, where));
    sizes = std::move(list);
    return {};
  });
  if (!read.ok() || sizes.empty()) return std::nullopt;
  const std::int64_t cores = instance.cores;
  set_sizes(instance, sizes);
  if (read.has("cores") && cores != instance.cores) {
    read.refuse("cores", fmt::format("found {}, expected none beside 'machine_sizes', or {}, the "
                                     "cores of its largest machine",
                                     cores, instance.cores));
  }
  return instance.machines;
}

void write_sizes(const Instance& instance, Value& document) {
  if (instance.sizes.empty()) return;
  Value out = Value::array();
  for (const MachineSize& size : instance.sizes)
    out.push(Value::object({{"machines", size.machines}, {"cores", size.cores}}));
  document.set("machine_sizes", std::move(out));
}

Result<Step> read_step(const Value& value, const std::string& where) {
  const Value::Array* pair = value.array_items();
  if (pair == nullptr || pair->size() != 2) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected [time, machines]", value.described()));
  }
  HOLDFAST_TRY(time, whole_seconds((*pair)[0], where + "/0"));
  HOLDFAST_TRY(machines, read_integer((*pair)[1], where + "/1", between(0, kMostMachines)));
  return Step{time, machines};
}

std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback,
                       const Range& range) {
  const double seconds = read.seconds_or(name, static_cast<double>(fallback), range);
  if (read.ok() && std::abs(seconds) > kLatest) {
    read.refuse(name, fmt::format("found {} s, expected at most {:g} s", seconds, kLatest));
  }
  refuse_fraction(read, name, seconds);
  return read.ok() ? static_cast<std::int64_t>(seconds) : fallback;
}

std::vector<std::string> read_names(ObjectReader& read, std::string_view name) {
  std::vector<std::string> out;
  read.with(name, [&](const Value& value, const std::string& where) -> Status {
    const auto take = [&](const Value& one, const std::string& place) -> Status {
      const std::string* text = one.string();
      if (text == nullptr) {
        return fail(ErrorCode::bad_value, place,
                    fmt::format("found {}, expected a name", one.described()));
      }
      out.push_back(*text);
      return {};
    };
    const Value::Array* list = value.array_items();
    if (list == nullptr) return take(value, where);
    for (std::size_t i = 0; i < list->size(); ++i) {
      HOLDFAST_CHECK(take((*list)[i], pointer_to(where, i)));
    }
    return {};
  });
  return out;
}

Result<Job> read_job_fields(ObjectReader& read, std::size_t index) {
  Job job;
  job.id = read.text_or("id", fmt::format("{}", index));
  job.release = read_time(read, "release", 0);
  job.cores = read.integer_or("cores", 1);
  if (!read.has("length")) read.refuse("length", "is missing");
  job.length = read_time(read, "length", 1);
  if (read.has("category")) job.category = read.number("category", between(0, 1));
  if (!read.ok()) return fail(read.finish().error());
  return job;
}

Result<Job> read_job(const Value& value, const std::string& where, std::size_t index) {
  ObjectReader read(value, where);
  HOLDFAST_TRY(job, read_job_fields(read, index));
  HOLDFAST_CHECK(read.finish());
  return job;
}

void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end) {
  if (!read.has("window")) return read.ignore("window");
  const std::vector<double> window = read.numbers("window", Unit::seconds, kInstants);
  if (!read.ok()) return;
  if (window.size() != 2) {
    return read.refuse("window",
                       fmt::format("found {} numbers, expected [begin, end]", window.size()));
  }
  for (const double time : window) refuse_fraction(read, "window", time);
  begin = static_cast<std::int64_t>(window[0]);
  end = static_cast<std::int64_t>(window[1]);
}

void read_rules(ObjectReader& read, Instance& instance) {
  read.ignore("reference_makespan");
  profile_fields().read(read, instance);
  core_fields().read(read, instance);
}

void read_tariffs(ObjectReader& read, Instance& instance) {
  for (const auto& [name, rates] :
       {std::pair("price", &instance.price), std::pair("carbon", &instance.carbon)}) {
    read.with(name, [&, out = rates](const Value& value, const std::string& where) -> Status {
      const Value::Array* rows = value.array_items();
      if (rows == nullptr) {
        return fail(ErrorCode::bad_value, where,
                    fmt::format("found {}, expected [[time, rate], ...]", value.described()));
      }
      HOLDFAST_TRY(read_rows, read_rates(*rows, where));
      *out = std::move(read_rows);
      return {};
    });
  }
  objective_fields().read(read, instance);
}

void write_tariffs(const Instance& instance, Value& document) {
  objective_fields().write(instance, document);
  if (!instance.price.empty()) document.set("price", rates_value(instance.price));
  if (!instance.carbon.empty()) document.set("carbon", rates_value(instance.carbon));
}

void read_notice(ObjectReader& read, Instance& instance) {
  instance.notice = read_time(read, "notice", 0, kInstants);
  instance.notice_recall = read.number_or("notice_recall", 1, kRecall);
  instance.notice_precision = read.number_or("notice_precision", 1, kPrecision);
  instance.requeue_delay = read_time(read, "requeue_delay", 0, kInstants);
  instance.boot = read_time(read, "boot", 0, kInstants);
  instance.shutdown = read_time(read, "shutdown", 0, kInstants);
  if (read.has("checkpoint")) instance.checkpoint = read_time(read, "checkpoint", 0, kInstants);
}

void read_reference_list(ObjectReader& read, Instance& instance) {
  read.each_or_none("reference", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_reference(value, where));
    instance.reference.push_back(job);
    return {};
  });
}

Value reference_value(std::span<const ReferenceJob> reference) {
  Value out = Value::array();
  for (const ReferenceJob& job : reference) {
    out.push(Value::object({{"length", job.length}, {"cores", job.cores}}));
  }
  return out;
}

Result<std::vector<Rate>> read_rates(const Value::Array& rows, const std::string& where) {
  std::vector<Rate> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Value::Array* pair = rows[i].array_items();
    if (pair == nullptr || pair->size() != 2) {
      return fail(ErrorCode::bad_value, pointer_to(where, i),
                  fmt::format("found {}, expected [time, rate]", rows[i].described()));
    }
    HOLDFAST_TRY(time, whole_seconds((*pair)[0], pointer_to(where, i) + "/0"));
    HOLDFAST_TRY(rate, read_quantity((*pair)[1], pointer_to(where, i) + "/1", Unit::none));
    if (!out.empty() && time <= out.back().time) {
      return fail(ErrorCode::bad_value, pointer_to(where, i),
                  fmt::format("found time {}, expected times that increase (after {})", time,
                              out.back().time));
    }
    out.push_back({time, rate});
  }
  if (out.empty()) {
    return fail(ErrorCode::bad_value, where, "found no rate, expected [time, rate] pairs");
  }
  return out;
}

Value rates_value(std::span<const Rate> rates) {
  Value out = Value::array();
  for (const Rate& rate : rates) out.push(Value(Value::Array{rate.time, rate.per_hour}));
  return out;
}

Value steps_value(std::span<const Step> steps) {
  Value out = Value::array();
  for (const Step& step : steps) out.push(Value(Value::Array{step.time, step.machines}));
  return out;
}

void read_machines(ObjectReader& read, Instance& instance) {
  const std::optional<std::int64_t> sized = read_sizes(read, instance);
  instance.machines = 1;
  instance.safe_machines = instance.alive.empty() ? 0 : instance.alive.front().machines;
  for (const Step& step : instance.alive) {
    instance.machines = std::max(instance.machines, step.machines);
    instance.safe_machines = std::min(instance.safe_machines, step.machines);
  }
  if (sized && instance.machines > *sized) {
    read.refuse("alive", fmt::format("found {} machines, expected at most the {} of "
                                     "'machine_sizes'",
                                     instance.machines, *sized));
  }
  if (sized) instance.machines = *sized;
  machine_fields().read(read, instance);
  if (read.ok() && sized && instance.machines != *sized) {
    read.refuse("machines", fmt::format("found {}, expected none beside 'machine_sizes', or {}, "
                                        "all machines of it",
                                        instance.machines, *sized));
  }
}

}  // namespace holdfast::capacity
