#include "holdfast/base/reader.hpp"
#include "holdfast/steward/core.hpp"

#include <utility>

namespace holdfast::steward {

Result<State> read_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "capacity-steward"));
  State out;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  read.required("world", [&](const Value& value, const std::string& where) -> Status {
    auto world = capacity::read_world(value);
    if (!world) {
      world.error().where = where + world.error().where;
      return fail(std::move(world).error());
    }
    out.world = std::move(*world);
    return {};
  });
  read.each("placed", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader row(value, where);
    const std::string job = row.text("job");
    const std::vector<std::string> nodes = row.texts("nodes");
    out.placed[job].insert(nodes.begin(), nodes.end());
    return row.finish();
  });
  for (std::string& name : read.texts("off")) out.off.insert(std::move(name));
  read.each_or_none("held", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader row(value, where);
    const std::string job = row.text("job");
    out.held[job] = row.integer("until");
    return row.finish();
  });
  read.each("refused", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader row(value, where);
    const std::string key = row.text("action");
    State::Refusal& refusal = out.refused[key];
    refusal.count = row.integer("count", non_negative());
    refusal.again = row.integer("again");
    return row.finish();
  });
  read.each("because", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader row(value, where);
    const std::string job = row.text("job");
    out.because[job] = row.text("why");
    return row.finish();
  });
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const State& state) {
  Value out =
      Value::object({{"holdfast", Value::object({{"kind", "capacity-steward"}, {"version", 1}})}});
  out.set("world", capacity::to_value(state.world));
  Value placed = Value::array();
  for (const auto& [job, nodes] : state.placed) {
    placed.push(Value::object({{"job", job}, {"nodes", Value::list(nodes)}}));
  }
  out.set("placed", std::move(placed));
  out.set("off", Value::list(state.off));
  Value held = Value::array();
  for (const auto& [job, until] : state.held) {
    held.push(Value::object({{"job", job}, {"until", until}}));
  }
  if (!state.held.empty()) out.set("held", std::move(held));
  Value refused = Value::array();
  for (const auto& [key, refusal] : state.refused) {
    refused.push(
        Value::object({{"action", key}, {"count", refusal.count}, {"again", refusal.again}}));
  }
  out.set("refused", std::move(refused));
  Value because = Value::array();
  for (const auto& [job, why] : state.because) {
    because.push(Value::object({{"job", job}, {"why", why}}));
  }
  out.set("because", std::move(because));
  return out;
}

}  // namespace holdfast::steward
