#include "holdfast/arbiter/serve_options.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

/// The error that a command line gives, with its place.
std::string serve_error(const Value& given) {
  const auto options = read_serve_options(given);
  return options ? "" : options.error().text();
}

}  // namespace

TEST_CASE("options of io serve: the bandwidth alone is enough") {
  const auto found = read_serve_options(Value::object({{"bandwidth", "2GB/s"}}));
  REQUIRE(found);
  const ServerOptions usual;
  CHECK(found->settings.bandwidth == 2e9);
  CHECK(found->policy == "periodic-greedy-yield");
  CHECK(found->socket == "/run/holdfast/io.sock");
  CHECK(found->settings.min_grant == 0.25);
  CHECK(found->settings.connections == usual.settings.connections);
  CHECK_FALSE(found->group);
}

TEST_CASE("options of io serve: what is given is read in its unit") {
  const auto found = read_serve_options(Value::object({{"bandwidth", "62MB/s"},
                                                       {"policy", "fcfs"},
                                                       {"node_bandwidth", "1GB/s"},
                                                       {"min_grant", "100ms"},
                                                       {"applications", "7"},
                                                       {"group", "0"},
                                                       {"socket", "/tmp/a"}}));
  REQUIRE(found);
  CHECK(found->settings.node_bandwidth == 1e9);
  CHECK(found->settings.min_grant == 0.1);
  CHECK(found->settings.applications == 7);
  CHECK(found->group == 0U);
  CHECK(found->socket == "/tmp/a");
  CHECK(found->policy == "fcfs");
}

TEST_CASE("options of io serve: errors name the field") {
  CHECK(serve_error({}) == "/bandwidth: is missing, expected that of the file system, as in 2GB/s");
  CHECK(serve_error(Value::object({{"bandwidth", "1GB/s"}, {"report", "6s"}})) ==
        "/report: found 6 s, expected at most half of the lease of 10 s");
  CHECK(serve_error(Value::object({{"bandwidth", "1GB/s"}, {"policy", "fairshare"}}))
            .starts_with("/policy: "));
  CHECK(serve_error(Value::object({{"bandwidth", "1GB/s"}, {"group", "no such group"}})) ==
        "/group: found 'no such group', expected a group of this system");
}

TEST_CASE("options of io serve: help shows the defaults of the struct") {
  for (const Parameter& one : serve_parameters()) {
    if (one.name == "min_grant") CHECK(one.fallback == "0.25s");
    if (one.name == "connections") CHECK(one.fallback == "16384");
    if (one.name == "node_bandwidth") CHECK(one.fallback.empty());
  }
}
