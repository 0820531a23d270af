#include "holdfast/arbiter/serve_options.hpp"

#include "holdfast/arbiter/policy.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/field.hpp"

#include <fmt/format.h>
#include <grp.h>

#include <array>
#include <string>

namespace holdfast::arbiter {
namespace {

constexpr double kLeastBandwidth = 1e6;

constexpr auto kServe = std::to_array<Field<ServerOptions>>({
    {.name = "bandwidth",
     .summary = "bandwidth to hand out: slightly less than the file system has, so that no "
                "requests queue there",
     .member = member<&ServerOptions::settings, &Settings::bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = at_least(kLeastBandwidth),
     .is_required = true},
    {.name = "policy",
     .summary = "how bandwidth is shared: a strategy from 'holdfast io --list-strategies'",
     .member = member<&ServerOptions::policy>,
     .value_name = "STRATEGY"},
    {.name = "node_bandwidth",
     .summary = "bandwidth of one node, for applications that do not declare their own",
     .member = member<&ServerOptions::settings, &Settings::node_bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "socket",
     .summary = "socket on which programs reach the arbiter",
     .member = member<&ServerOptions::socket>,
     .value_name = "PATH"},
    {.name = "group",
     .summary = "group whose members may connect, in addition to the server's user (default: the "
                "server's group)",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "observers",
     .summary = "group whose members may watch the applications of all users",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "record",
     .summary = "write what happens to this file, for 'io compare'; SIGUSR1 begins a new one",
     .member = member<&ServerOptions::record>},
    {.name = "config",
     .summary = "TOML file with any of these options; the command line overrides it, and SIGHUP "
                "makes the server read it again",
     .kind = Kind::file},
    {.name = "state",
     .summary =
         "file that keeps ages and delays over a restart: written every second, read at the start",
     .member = member<&ServerOptions::state>,
     .value_name = "FILE"},
    {.name = "metrics_file",
     .summary = "file of metrics in Prometheus' format, written every 5 s",
     .member = member<&ServerOptions::metrics_file>,
     .value_name = "FILE"},
    {.name = "metrics_listen",
     .summary = "address at which the server answers GET /metrics: 127.0.0.1:9404",
     .member = member<&ServerOptions::metrics_listen>,
     .value_name = "ADDRESS:PORT"},
    {.name = "lease",
     .summary = "time after which a program whose grant is not renewed falls back to its floor, "
                "its share of the bandwidth",
     .member = member<&ServerOptions::settings, &Settings::lease>,
     .unit = Unit::seconds,
     .range = between(0.5, 60),
     .heading = "Timing"},
    {.name = "report",
     .summary =
         "interval between reports of a program; after three missing ones its bandwidth is freed",
     .member = member<&ServerOptions::settings, &Settings::report>,
     .unit = Unit::seconds,
     .range = between(0.1, 10),
     .heading = "Timing"},
    {.name = "min_grant",
     .summary = "least time for which a rate is kept, unless its operation ends",
     .member = member<&ServerOptions::settings, &Settings::min_grant>,
     .unit = Unit::seconds,
     .range = between(0, 10),
     .fallback = "0.25s",
     .heading = "Timing"},
    {.name = "max_pause",
     .summary = "an application that has waited this long gets its floor, whatever the policy",
     .member = member<&ServerOptions::settings, &Settings::max_pause>,
     .unit = Unit::seconds,
     .range = between(0.5, 90),
     .heading = "Timing"},
    {.name = "idle",
     .summary =
         "an application that has a grant and moves nothing for this long loses its operation",
     .member = member<&ServerOptions::settings, &Settings::idle>,
     .unit = Unit::seconds,
     .range = between(0.5, 600),
     .heading = "Timing"},
    {.name = "gap",
     .summary = "the same as idle, for a program of 'io run', which cannot say that its operation "
                "has ended",
     .member = member<&ServerOptions::settings, &Settings::gap>,
     .unit = Unit::seconds,
     .range = between(0.1, 600),
     .heading = "Timing"},
    {.name = "grace",
     .summary =
         "time for which the yield of a new application counts as at least the others' median",
     .member = member<&ServerOptions::settings, &Settings::grace>,
     .unit = Unit::seconds,
     .range = between(0, 3600),
     .heading = "Timing"},
    {.name = "keep",
     .summary = "time after which an application without a connection is forgotten",
     .member = member<&ServerOptions::settings, &Settings::keep>,
     .unit = Unit::seconds,
     .range = between(0, 86400),
     .heading = "Timing"},
    {.name = "connections",
     .summary = "largest number of connections; the system's limit for one process applies too",
     .member = member<&ServerOptions::settings, &Settings::connections>,
     .range = between(1, 1'000'000),
     .heading = "Limits"},
    {.name = "connections_of_user",
     .summary = "largest number of connections of one user",
     .member = member<&ServerOptions::settings, &Settings::connections_of_user>,
     .range = between(1, 1'000'000),
     .heading = "Limits"},
    {.name = "applications",
     .summary = "largest number of known applications",
     .member = member<&ServerOptions::settings, &Settings::applications>,
     .range = between(1, 100'000),
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
    return fail(ErrorCode::usage, pointer_to("", name),
                fmt::format("found {}, expected a group of this system", in_quotes(text)));
  }
  return found->gr_gid;
}

}  // namespace

std::span<const Parameter> serve_parameters() {
  return fields_of<kServe>().parameters();
}

Result<ServerOptions> read_serve_options(const Value& values) {
  const Value known = values.is_null() ? Value::object() : values;
  if (known.find("bandwidth") == nullptr) {
    return fail(ErrorCode::usage, "/bandwidth",
                "is missing, expected that of the file system, as in 2GB/s");
  }
  ServerOptions out;
  ObjectReader read(known, "");
  fields_of<kServe>().read(read, out);
  read.ignore("config");
  read.ignore("group");
  read.ignore("observers");
  HOLDFAST_CHECK(read.finish());
  const Settings& settings = out.settings;
  if (const auto policy = make_policy(out.policy); !policy) {
    return fail(ErrorCode::usage, "/policy", policy.error().message);
  }
  if (settings.report > settings.lease / 2) {
    return fail(ErrorCode::usage, "/report",
                fmt::format("found {} s, expected at most half of the lease of {} s",
                            settings.report, settings.lease));
  }
  HOLDFAST_TRY(group, group_of(known, "group"));
  out.group = group;
  HOLDFAST_TRY(observers, group_of(known, "observers"));
  out.observers = observers;
  out.given = known;
  return out;
}

}  // namespace holdfast::arbiter
