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
     .summary = "of the file system; a little less than it has, so that it waits for nobody",
     .member = member<&ServerOptions::settings, &Settings::bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = at_least(kLeastBandwidth),
     .is_required = true},
    {.name = "policy",
     .summary = "who gets how much: a strategy of 'holdfast io --list-strategies'",
     .member = member<&ServerOptions::policy>,
     .value_name = "STRATEGY"},
    {.name = "node_bandwidth",
     .summary = "what one node can move, for applications that do not say what they can",
     .member = member<&ServerOptions::settings, &Settings::node_bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "socket",
     .summary = "where programs find the arbiter",
     .member = member<&ServerOptions::socket>,
     .value_name = "PATH"},
    {.name = "group",
     .summary = "its members may connect, beside the user of the server (default: the server's)",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "observers",
     .summary = "its members may watch the applications of all users",
     .kind = Kind::text,
     .value_name = "GROUP"},
    {.name = "record",
     .summary = "write what happens to this file, for 'io compare'; SIGUSR1 begins a new one",
     .member = member<&ServerOptions::record>},
    {.name = "lease",
     .summary = "a grant that is not renewed for so long becomes the floor",
     .member = member<&ServerOptions::settings, &Settings::lease>,
     .unit = Unit::seconds,
     .range = between(0.5, 60),
     .heading = "Timing"},
    {.name = "report",
     .summary = "between signs of life; after three that are missing bandwidth is freed",
     .member = member<&ServerOptions::settings, &Settings::report>,
     .unit = Unit::seconds,
     .range = between(0.1, 10),
     .heading = "Timing"},
    {.name = "min_grant",
     .summary = "a rate stands that long at least, unless its operation ends",
     .member = member<&ServerOptions::settings, &Settings::min_grant>,
     .unit = Unit::seconds,
     .range = between(0, 10),
     .fallback = "0.25s",
     .heading = "Timing"},
    {.name = "max_pause",
     .summary = "who has waited for so long gets its floor, whatever the policy",
     .member = member<&ServerOptions::settings, &Settings::max_pause>,
     .unit = Unit::seconds,
     .range = between(0.5, 90),
     .heading = "Timing"},
    {.name = "idle",
     .summary = "who is granted and moves nothing for so long loses its operation",
     .member = member<&ServerOptions::settings, &Settings::idle>,
     .unit = Unit::seconds,
     .range = between(0.5, 600),
     .heading = "Timing"},
    {.name = "grace",
     .summary = "so long the yield of a newcomer counts as the median of the others at least",
     .member = member<&ServerOptions::settings, &Settings::grace>,
     .unit = Unit::seconds,
     .range = between(0, 3600),
     .heading = "Timing"},
    {.name = "keep",
     .summary = "an application without a connection is forgotten after so long",
     .member = member<&ServerOptions::settings, &Settings::keep>,
     .unit = Unit::seconds,
     .range = between(0, 86400),
     .heading = "Timing"},
    {.name = "connections",
     .summary = "open at most, and no more than the system lets one process open",
     .member = member<&ServerOptions::settings, &Settings::connections>,
     .range = between(1, 1'000'000),
     .heading = "Limits"},
    {.name = "connections_of_user",
     .summary = "of one user at most",
     .member = member<&ServerOptions::settings, &Settings::connections_of_user>,
     .range = between(1, 1'000'000),
     .heading = "Limits"},
    {.name = "applications",
     .summary = "known at most",
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
    return fail(ErrorCode::usage, option_name(name),
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
    return fail(ErrorCode::usage, "--bandwidth",
                "is missing, expected that of the file system, as in 2GB/s");
  }
  ServerOptions out;
  ObjectReader read(known, "");
  fields_of<kServe>().read(read, out);
  read.ignore("group");
  read.ignore("observers");
  HOLDFAST_CHECK(read.finish());
  const Settings& settings = out.settings;
  if (const auto policy = make_policy(out.policy); !policy) {
    return fail(ErrorCode::usage, "--policy", policy.error().message);
  }
  if (settings.report > settings.lease / 2) {
    return fail(ErrorCode::usage, "--report",
                fmt::format("found {} s, expected at most half of the lease of {} s",
                            settings.report, settings.lease));
  }
  HOLDFAST_TRY(group, group_of(known, "group"));
  out.group = group;
  HOLDFAST_TRY(observers, group_of(known, "observers"));
  out.observers = observers;
  return out;
}

}  // namespace holdfast::arbiter
