#include "holdfast/domains/volatile/document_parts.hpp"

#include "holdfast/models/failures/law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace holdfast::volatile_workers {
namespace {

std::optional<std::int64_t> slots_from(ObjectReader& read, std::string_view slots_name,
                                       std::string_view size_name,
                                       const std::optional<double>& size,
                                       const Physical& physical) {
  if (!size) return std::nullopt;
  if (read.has(slots_name)) {
    read.refuse(size_name,
                fmt::format("found together with {}, expected only one of the two", slots_name));
  }
  if (!physical.link || !physical.slot) {
    read.refuse(size_name, "expected link_bandwidth and slot as well");
    return std::nullopt;
  }
  const double slots = std::ceil(*size / (*physical.link * *physical.slot));
  if (!(slots <= kMostSlots)) {
    read.refuse(size_name, fmt::format("found a transfer of {:g} slots, expected at most {:g}",
                                       slots, kMostSlots));
    return std::nullopt;
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

std::optional<std::int64_t> program_slots_from(ObjectReader& read, const Physical& physical) {
  return slots_from(read, "program_slots", "program_size", physical.program, physical);
}

std::optional<std::int64_t> data_slots_from(ObjectReader& read, const Physical& physical) {
  return slots_from(read, "data_slots", "data_size", physical.data, physical);
}

std::optional<std::int64_t> ports_from(ObjectReader& read, const Physical& physical) {
  if (!physical.master) return std::nullopt;
  if (read.has("concurrent_communications") || !physical.link) {
    read.refuse("master_bandwidth",
                physical.link
                    ? "found together with concurrent_communications, expected only one of the two"
                    : "expected link_bandwidth as well");
    return std::nullopt;
  }
  const double count = std::floor(*physical.master / *physical.link);
  if (!(count >= 1 && count <= kMostSlots)) {
    read.refuse("master_bandwidth",
                fmt::format("found {:g} times the bandwidth of a link, expected at least once",
                            *physical.master / *physical.link));
    return std::nullopt;
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
  for (const std::string_view name : {"reference", "bound"}) read.ignore(name);
  read_plain_job(read, instance_fields(), instance);
  // By default the master can send to as many workers as there are tasks.
  if (!read.has("concurrent_communications") && !read.has("master_bandwidth")) {
    instance.concurrent_communications = instance.tasks;
  }
}

void read_assignment(ObjectReader& read, Instance& instance) {
  instance.assignment = read.integers("assignment", non_negative());
}

}  // namespace holdfast::volatile_workers
