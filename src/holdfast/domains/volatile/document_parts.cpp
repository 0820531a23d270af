#include "holdfast/domains/volatile/document_parts.hpp"

#include "holdfast/models/failures/law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace holdfast::volatile_workers {
namespace {

std::int64_t slots_for(ObjectReader& read, std::string_view name, double size,
                       const Physical& physical) {
  if (!physical.link || !physical.slot) {
    read.refuse(name, "expected link_bandwidth and slot beside it");
    return 0;
  }
  const double slots = std::ceil(size / (*physical.link * *physical.slot));
  if (!(slots <= kMostSlots)) {
    read.refuse(name, fmt::format("found a transfer of {:g} slots, expected at most {:g}", slots,
                                  kMostSlots));
    return 0;
  }
  return static_cast<std::int64_t>(slots);
}

Result<TransitionMatrix> read_matrix(const Value& value, const std::string& where, int rows_read) {
  const Value::Array* rows = value.array_items();
  const auto least = static_cast<std::size_t>(rows_read);
  if (rows == nullptr || rows->size() < least || rows->size() > 3) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected a list of {} rows", value.described(), rows_read));
  }
  TransitionMatrix matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::string place = pointer_to(where, i);
    const Value::Array* row = (*rows)[i].array_items();
    if (row == nullptr || row->size() != 3) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected three probabilities: up, reclaimed, down",
                              (*rows)[i].described()));
    }
    for (std::size_t j = 0; j < 3; ++j) {
      HOLDFAST_TRY(probability,
                   read_quantity((*row)[j], pointer_to(place, j), Unit::none, between(0, 1)));
      if (i < least) matrix[i][j] = probability;
    }
  }
  return checked_matrix(matrix, where, rows_read);
}

Result<Worker> read_worker(const Value& object, const std::string& where, std::int64_t tasks,
                           int rows) {
  ObjectReader read(object, where);
  Worker worker;
  read.ignore("id");
  worker.speed = read.integer_or("speed", 1, kCount);
  worker.max_tasks = read.integer_or("max_tasks", tasks, kSlots);
  worker.initial = static_cast<InitialState>(read.choice_or("initial", kInitialStates, 0));
  worker.seen_up = read.integer_or("seen_up", 0, kSlots);
  worker.up_for = read.integer_or("up_for", 0, kSlots);
  read.with("markov", [&](const Value& value, const std::string& place) -> Status {
    HOLDFAST_TRY(matrix, read_matrix(value, place, rows));
    worker.markov = matrix;
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return worker;
}

}  // namespace

std::optional<Law> read_holding_times(ObjectReader& read) {
  std::optional<Law> law;
  read.with("holding_times", [&](const Value& value, const std::string& where) -> Status {
    Value document = value;
    if (document.members() != nullptr && document.find("mtbf") == nullptr) {
      document.set("mtbf", 1);
    }
    HOLDFAST_TRY(found, read_law(document, where));
    law = found;
    return {};
  });
  return law;
}

Physical read_physical(ObjectReader& read) {
  return {.slot = read.optional_quantity("slot", Unit::seconds, positive()),
          .master = read.optional_quantity("master_bandwidth", Unit::bytes_per_second, positive()),
          .link = read.optional_quantity("link_bandwidth", Unit::bytes_per_second, positive()),
          .program = read.optional_quantity("program_size", Unit::bytes, non_negative()),
          .data = read.optional_quantity("data_size", Unit::bytes, non_negative())};
}

std::optional<std::int64_t> transfer_slots(ObjectReader& read, std::string_view slots_name,
                                           std::string_view size_name,
                                           const std::optional<double>& size,
                                           const Physical& physical) {
  if (!size) {
    if (!read.has(slots_name)) return std::nullopt;
    return read.integer(slots_name, kSlots);
  }
  if (read.has(slots_name)) {
    read.refuse(size_name, fmt::format("found beside {}, expected one of the two", slots_name));
  }
  return slots_for(read, size_name, *size, physical);
}

std::int64_t ports(ObjectReader& read, const Physical& physical, std::int64_t fallback) {
  if (!physical.master) {
    return read.integer_or("concurrent_communications", fallback, kCount);
  }
  if (read.has("concurrent_communications") || !physical.link) {
    read.refuse("master_bandwidth",
                physical.link ? "found beside concurrent_communications, expected one of the two"
                              : "expected link_bandwidth beside it");
    return 1;
  }
  const double count = std::floor(*physical.master / *physical.link);
  if (!(count >= 1 && count <= kMostSlots)) {
    read.refuse("master_bandwidth",
                fmt::format("found {:g} times the bandwidth of a link, expected at least once",
                            *physical.master / *physical.link));
    return 1;
  }
  return static_cast<std::int64_t>(count);
}

void read_workers(ObjectReader& read, Instance& instance, int rows) {
  read.each("workers", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(worker, read_worker(value, where, instance.tasks, rows));
    instance.workers.push_back(worker);
    return {};
  });
}

void read_states(ObjectReader& read, Instance& instance) {
  read.each_or_none("states", [&](const Value& value, const std::string& where) -> Status {
    if (value.string() == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected a text of u, r and d", value.described()));
    }
    instance.states.push_back(*value.string());
    return {};
  });
}

void read_job(ObjectReader& read, Instance& instance) {
  read.ignore("holdfast");
  read.ignore("reference");
  read.ignore("bound");
  instance.tasks = read.integer("tasks", between(1, kMostTasks));
  instance.iterations = read.integer_or("iterations", instance.iterations, kSlots);
  const Physical physical = read_physical(read);
  instance.concurrent_communications = ports(read, physical, instance.tasks);
  instance.program_slots =
      transfer_slots(read, "program_slots", "program_size", physical.program, physical).value_or(0);
  instance.data_slots =
      transfer_slots(read, "data_slots", "data_size", physical.data, physical).value_or(0);
  instance.slot_limit = read.integer_or("slot_limit", instance.slot_limit, kCount);
  instance.seen_slots = read.integer_or("seen_slots", 0, kSlots);
}

void read_assignment(ObjectReader& read, Instance& instance) {
  read.each_or_none("assignment", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(tasks, read_integer(value, where, non_negative()));
    instance.assignment.push_back(tasks);
    return {};
  });
}

void set_job(Value& document, std::int64_t tasks, std::int64_t iterations, std::int64_t ports_used,
             std::int64_t slot_limit) {
  document.set("tasks", tasks);
  document.set("iterations", iterations);
  document.set("concurrent_communications", ports_used);
  document.set("slot_limit", slot_limit);
}

}  // namespace holdfast::volatile_workers
