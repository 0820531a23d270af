#include "holdfast/arbiter/serve_config.hpp"

#include "holdfast/arbiter/serve_options.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr std::size_t kLongestFile = std::size_t{1} << 20;
constexpr auto kNotInFiles = std::to_array<std::string_view>({"config"});
/// Options that take effect only at a start: clients received the lease and the report interval when they connected, and files
/// and sockets are open.
constexpr auto kFromStart =
    std::to_array<std::string_view>({"socket", "group", "observers", "record", "state",
                                     "metrics_file", "metrics_listen", "lease", "report"});

const Parameter* find_option(std::span<const Parameter> options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Parameter& one) { return one.name == name; });
  return found == options.end() ? nullptr : &*found;
}

Error at_line(const std::filesystem::path& path, const Value& value, Error error) {
  if (value.line() > 0) error.where = fmt::format("{}: {}", value.line(), error.where);
  return in_file(path.string(), std::move(error));
}

}  // namespace

Result<Value> read_config(const std::filesystem::path& path, std::span<const Parameter> options,
                          std::span<const std::string_view> not_here) {
  HOLDFAST_TRY(text, read_file(path, kLongestFile));
  const auto document = parse_toml(text);
  if (!document) return fail(in_file(path.string(), document.error()));
  std::vector<std::string_view> known;
  for (const Parameter& one : options) {
    if (std::find(not_here.begin(), not_here.end(), one.name) == not_here.end()) {
      known.push_back(one.name);
    }
  }
  Value out = Value::object();
  for (const auto& [key, value] : *document->members()) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '-', '_');
    const std::string where = pointer_to("", key);
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (!is_known) {
      return fail(at_line(path, value,
                          {ErrorCode::unknown_name, where,
                           fmt::format("unknown option; {}", suggestion(name, known))}));
    }
    if (out.find(name) != nullptr) {
      return fail(at_line(path, value, {ErrorCode::bad_value, where, "is given twice"}));
    }
    auto read = read_parameter(*find_option(options, name), value, where);
    if (!read) return fail(at_line(path, value, std::move(read).error()));
    out.set(name, std::move(*read));
  }
  return out;
}

Value with_config(const Value& given, const Value& config) {
  Value out = given.is_null() ? Value::object() : given;
  for (const auto& [name, value] : *config.members()) {
    if (out.find(name) == nullptr) out.set(name, value);
  }
  return out;
}

Result<ServerOptions> options_of(const Value& given) {
  const Value* config = given.find("config");
  if (config == nullptr) return read_serve_options(given);
  const std::string path = *config->string();
  HOLDFAST_TRY(file, read_config(path, serve_parameters(), kNotInFiles));
  auto out = read_serve_options(with_config(given, file));
  if (!out) {
    Error error = std::move(out).error();
    const auto is_from_file = [&, member = file.members()] {
      return std::any_of(member->begin(), member->end(), [&](const Value::Member& one) {
        return pointer_to("", one.first) == error.where && given.find(one.first) == nullptr;
      });
    };
    if (!is_from_file()) return fail(std::move(error));
    error.code = ErrorCode::bad_value;
    return fail(in_file(path, std::move(error)));
  }
  out->again = [given] { return options_of(given); };
  return out;
}

std::vector<std::string> changed_for_later(const Value& before, const Value& after) {
  std::vector<std::string> out;
  for (const std::string_view name : kFromStart) {
    const Value* one = before.find(name);
    const Value* other = after.find(name);
    const bool is_same = one == nullptr || other == nullptr ? one == other : *one == *other;
    if (!is_same) out.emplace_back(name);
  }
  return out;
}

}  // namespace holdfast::arbiter
