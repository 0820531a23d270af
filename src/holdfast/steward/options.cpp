#include "holdfast/steward/options.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/domains/capacity/live/advance.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace holdfast::steward {
namespace {

constexpr auto kRows = std::to_array<Field<Options>>({
    {.name = "partition",
     .summary = "partition whose waiting jobs are placed; default: the only one",
     .member = member<&Options::partition>,
     .fallback = "-",
     .value_name = "NAME",
     .heading = "What it may touch"},
    {.name = "nodes",
     .summary = "nodes in the order in which they stay on, safest first: n[01-16]; default: those "
                "of the partition",
     .member = member<&Options::nodes>,
     .fallback = "-",
     .value_name = "LIST",
     .heading = "What it may touch"},
    {.name = "act",
     .summary = "do what is decided; without it, it is only said",
     .member = member<&Options::act>,
     .heading = "What it may touch"},
    {.name = "dry_run",
     .summary = "only say what would be done (default)",
     .kind = Kind::flag,
     .heading = "What it may touch"},
    {.name = "policy",
     .summary = "how jobs are placed: target-stretch, target-asap or packed-target-asap; or one "
                "that lets jobs wait, which are held back then: under-price:limit=RATE, easy",
     .member = member<&Options::policy>,
     .value_name = "STRATEGY",
     .heading = "Decisions"},
    {.name = "price",
     .summary = "series of what a node costs in an hour, for under-price",
     .member = member<&Options::price>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Decisions"},
    {.name = "price_column",
     .summary = "column of that series with the prices",
     .member = member<&Options::price_column>,
     .fallback = "-",
     .value_name = "NAME",
     .heading = "Decisions"},
    {.name = "carbon",
     .summary = "in place of it, series of the carbon dioxide of a node in an hour",
     .member = member<&Options::carbon>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Decisions"},
    {.name = "carbon_column",
     .summary = "column of that series with the carbon",
     .member = member<&Options::carbon_column>,
     .fallback = "-",
     .value_name = "NAME",
     .heading = "Decisions"},
    {.name = "hold",
     .summary = "how long a job that the policy lets wait is held back at a time: if this server "
                "dies, Slurm may start it after that",
     .member = member<&Options::hold>,
     .unit = Unit::seconds,
     .range = between(20, 86400),
     .heading = "Decisions"},
    {.name = "safe_nodes",
     .summary = "nodes that are always on, at the beginning of the list; default: half of them",
     .member = member<&Options::safe>,
     .range = non_negative(),
     .heading = "Decisions"},
    {.name = "reference",
     .summary = "job log (sacct, SWF) that says which jobs are long here; default: the jobs that "
                "run or wait",
     .member = member<&Options::reference>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Decisions"},
    {.name = "capacity",
     .summary = "file that says how many nodes may be on: a number that you edit, or a series "
                "(nodes, power, carbon intensity)",
     .kind = Kind::text,
     .value_name = "FILE",
     .heading = "Capacity"},
    {.name = "capacity_rule",
     .summary = "how values of the series become numbers of nodes",
     .kind = Kind::choice,
     .choices = capacity::kRules,
     .heading = "Capacity"},
    {.name = "capacity_column",
     .summary = "column of the series with the values",
     .kind = Kind::text,
     .value_name = "NAME",
     .heading = "Capacity"},
    {.name = "capacity_unit",
     .summary = "unit of time of a series that does not state it: 1h, 1s",
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Capacity"},
    {.name = "cap",
     .summary = "cap by the time of day: 08:00-20:00=6",
     .kind = Kind::text,
     .value_name = "HOURS=NODES",
     .heading = "Capacity"},
    {.name = "notices",
     .summary = "file of nodes that were announced to go, one list on each line and behind it why: "
                "no job starts there, and those that run go on",
     .member = member<&Options::notices>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Capacity"},
    {.name = "switch",
     .summary = "how nodes leave: drain (running jobs end first), down (they are requeued), or "
                "power (Slurm's power saving)",
     .member = choice<&Options::how, kSwitches>,
     .heading = "Capacity"},
    {.name = "every",
     .summary = "time between two looks at Slurm",
     .member = member<&Options::every>,
     .unit = Unit::seconds,
     .range = between(0.2, 3600),
     .heading = "Run"},
    {.name = "once",
     .summary = "look, say (or do) what follows, and end",
     .member = member<&Options::once>,
     .heading = "Run"},
    {.name = "output",
     .summary = "folder of the journal and the state, from which a restart goes on; default with "
                "--act: holdfast-capacity",
     .member = member<&Options::directory>,
     .fallback = "-",
     .value_name = "DIR",
     .heading = "Run"},
    {.name = "metrics_file",
     .summary = "file of metrics in Prometheus' format, written at each look",
     .member = member<&Options::metrics_file>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Run"},
    {.name = "status",
     .summary = "only say how the server of this folder is doing",
     .member = member<&Options::status>,
     .fallback = "-",
     .value_name = "DIR",
     .heading = "Run"},
});

Status check_nodes(const Options& options) {
  if (options.nodes.empty()) return {};
  if (parse_integer(options.nodes)) {
    return fail(ErrorCode::usage, "/nodes",
                fmt::format("found the number {}, expected names, safest first, as in n[01-16]: "
                            "which nodes are meant?",
                            options.nodes));
  }
  const auto names = expand_nodes(options.nodes);
  if (!names) return fail(ErrorCode::usage, "/nodes", names.error().message);
  return {};
}

}  // namespace

std::span<const Parameter> serve_parameters() {
  return fields_of<kRows>().parameters();
}

Result<Options> read_options(const Value& values) {
  Options out;
  ObjectReader read(values, "");
  fields_of<kRows>().read(read, out);
  out.capacity.file = read.text_or("capacity", "");
  if (read.has("capacity_rule")) {
    out.capacity.series.set("rule",
                            capacity::kRules[read.choice("capacity_rule", capacity::kRules)]);
  }
  if (read.has("capacity_column")) out.capacity.series.set("column", read.text("capacity_column"));
  if (read.has("capacity_unit")) {
    out.capacity.series.set("unit", read.seconds("capacity_unit", positive()));
  }
  const std::string caps = read.text_or("cap", "");
  const bool is_dry = read.flag_or("dry_run", false);
  if (read.ok() && is_dry && out.act) read.refuse("dry_run", "found beside act, expected one");
  if (auto done = read.finish(); !done) {
    return fail(ErrorCode::usage, done.error().where, done.error().message);
  }
  HOLDFAST_CHECK(check_nodes(out));
  if (!caps.empty()) {
    auto parsed = parse_caps(caps);
    if (!parsed) return fail(ErrorCode::usage, "/cap", parsed.error().message);
    out.capacity.caps = std::move(*parsed);
  }
  const auto entries = capacity::strategies();
  auto spec = parse_strategy(out.policy, entries);
  if (!spec) return fail(ErrorCode::usage, "/policy", spec.error().message);
  out.spec = std::move(*spec);
  if (!out.price.empty() && !out.carbon.empty()) {
    return fail(ErrorCode::usage, "/carbon", "found beside price, expected one");
  }
  const bool is_priced = !out.price.empty() || !out.carbon.empty();
  if (is_priced && entries[out.spec.index].name != "under-price") {
    return fail(ErrorCode::usage, out.price.empty() ? "/carbon" : "/price",
                fmt::format("found beside the policy {}, expected under-price:limit=RATE, the only "
                            "one that goes by it",
                            in_quotes(out.policy)));
  }
  if (auto checked = capacity::check_live(out.spec, is_priced); !checked) {
    const bool is_policy = checked.error().where == "/strategy";
    return fail(ErrorCode::usage, is_policy ? "/policy" : checked.error().where,
                checked.error().message);
  }
  if (out.act && out.directory.empty()) out.directory = "holdfast-capacity";
  return out;
}

}  // namespace holdfast::steward
