#include "holdfast/arbiter/serve_options.hpp"

#include "holdfast/arbiter/policy.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>
#include <grp.h>

#include <array>
#include <string>

namespace holdfast::arbiter {
namespace {

constexpr double kLeastBandwidth = 1e6;

constexpr auto kRows = std::to_array<Parameter>({
    {.name = "bandwidth",
     .summary = "of the file system; a little less than it has, so that it waits for nobody",
     .unit = Unit::bytes_per_second,
     .range = at_least(kLeastBandwidth),
     .is_required = true},
    {.name = "policy",
     .summary = "who gets how much: a strategy of 'holdfast io --list-strategies'",
     .kind = Kind::text,
     .fallback = "periodic-greedy-yield",
     .value_name = "STRATEGY"},
    {.name = "node_bandwidth",
     .summary = "what one node can move, for applications that do not say what they can",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "socket",
     .summary = "where programs find the arbiter",
     .kind = Kind::text,
     .fallback = kUsualSocket,
     .value_name = "PATH"},
    {.name = "group",
     .summary = "its members may connect, beside the user of the server (default: the server's)",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "observers",
     .summary = "its members may watch the applications of all users",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "lease",
     .summary = "a grant that is not renewed for so long becomes the floor",
     .unit = Unit::seconds,
     .range = between(0.5, 60),
     .fallback = "10s",
     .heading = "Timing"},
    {.name = "report",
     .summary = "between signs of life; after three that are missing bandwidth is freed",
     .unit = Unit::seconds,
     .range = between(0.1, 10),
     .fallback = "2s",
     .heading = "Timing"},
    {.name = "min_grant",
     .summary = "a rate stands that long at least, unless its operation ends",
     .unit = Unit::seconds,
     .range = between(0, 10),
     .fallback = "0.25s",
     .heading = "Timing"},
    {.name = "max_pause",
     .summary = "who has waited for so long gets its floor, whatever the policy",
     .unit = Unit::seconds,
     .range = between(0.5, 90),
     .fallback = "60s",
     .heading = "Timing"},
    {.name = "idle",
     .summary = "who is granted and moves nothing for so long loses its operation",
     .unit = Unit::seconds,
     .range = between(0.5, 600),
     .fallback = "5s",
     .heading = "Timing"},
    {.name = "grace",
     .summary = "so long the yield of a newcomer counts as the median of the others at least",
     .unit = Unit::seconds,
     .range = between(0, 3600),
     .fallback = "60s",
     .heading = "Timing"},
    {.name = "keep",
     .summary = "an application without a connection is forgotten after so long",
     .unit = Unit::seconds,
     .range = between(0, 86400),
     .fallback = "60s",
     .heading = "Timing"},
    {.name = "connections",
     .summary = "open at most, and no more than the system lets one process open",
     .kind = Kind::integer,
     .range = between(1, 1'000'000),
     .fallback = "16384",
     .heading = "Limits"},
    {.name = "connections_of_user",
     .summary = "of one user at most",
     .kind = Kind::integer,
     .range = between(1, 1'000'000),
     .fallback = "256",
     .heading = "Limits"},
    {.name = "applications",
     .summary = "known at most",
     .kind = Kind::integer,
     .range = between(1, 100'000),
     .fallback = "4096",
     .heading = "Limits"},
});

Result<std::optional<std::uint32_t>> group_of(const Value& values, std::string_view name) {
  const Value* given = values.find(name);
  if (given == nullptr) return std::nullopt;
  const std::string& text = *given->string();
  if (const auto number = parse_integer(text); number && *number >= 0) {
    return static_cast<std::uint32_t>(*number);
  }
  std::array<char, 65536> buffer;
  group entry{};
  group* found = nullptr;
  ::getgrnam_r(text.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) {
    return fail(ErrorCode::usage, option_name(name),
                fmt::format("found {}, expected a group of this system", in_quotes(text)));
  }
  return found->gr_gid;
}

}  // namespace

std::span<const Parameter> serve_parameters() {
  return kRows;
}

Result<ServerOptions> read_serve_options(const Value& values) {
  ServerOptions out;
  Value known = values;
  if (known.is_null()) known = Value::object();
  ObjectReader read(known, "");
  Settings& settings = out.settings;
  const auto of = [](std::string_view name) -> const Parameter& {
    return *std::find_if(kRows.begin(), kRows.end(),
                         [&](const Parameter& row) { return row.name == name; });
  };
  // Ranges were checked on the command line; fallbacks stand in the rows.
  const auto quantity = [&](std::string_view name) {
    const Parameter& row = of(name);
    const double usual = parse_quantity(row.fallback, row.unit).value();
    return read.quantity_or(name, row.unit, usual, row.range);
  };
  const auto count = [&](std::string_view name) {
    const Parameter& row = of(name);
    return static_cast<std::size_t>(
        read.integer_or(name, parse_integer(row.fallback).value(), row.range));
  };
  if (known.find("bandwidth") == nullptr) {
    return fail(ErrorCode::usage, "--bandwidth",
                "is missing, expected that of the file system, as in 2GB/s");
  }
  settings.bandwidth = read.quantity("bandwidth", Unit::bytes_per_second, of("bandwidth").range);
  settings.node_bandwidth = read.quantity_or("node_bandwidth", Unit::bytes_per_second, 0);
  settings.lease = quantity("lease");
  settings.report = quantity("report");
  settings.min_grant = quantity("min_grant");
  settings.max_pause = quantity("max_pause");
  settings.idle = quantity("idle");
  settings.grace = quantity("grace");
  settings.keep = quantity("keep");
  settings.connections = count("connections");
  settings.connections_of_user = count("connections_of_user");
  settings.applications = count("applications");
  out.policy = read.text_or("policy", of("policy").fallback);
  out.socket = read.text_or("socket", kUsualSocket);
  read.ignore("group");
  read.ignore("observers");
  HOLDFAST_CHECK(read.finish());
  if (const auto policy = make_policy(out.policy); !policy) {
    return fail(ErrorCode::usage, "--policy", policy.error().message);
  }
  if (settings.report > settings.lease / 2) {
    return fail(ErrorCode::usage, "--report",
                fmt::format("found {} s, expected at most half of the lease of {} s",
                            settings.report, settings.lease));
  }
  HOLDFAST_TRY(group, group_of(values, "group"));
  out.group = group;
  HOLDFAST_TRY(observers, group_of(values, "observers"));
  out.observers = observers;
  return out;
}

}  // namespace holdfast::arbiter
