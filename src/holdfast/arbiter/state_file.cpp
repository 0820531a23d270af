#include "holdfast/arbiter/state_file.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace holdfast::arbiter {
namespace {

constexpr std::string_view kKind = "io-state";
constexpr std::size_t kLargestState = std::size_t{64} << 20;
/// A time in seconds, with a limit that is longer than the life of any machine.
constexpr Range kLife = between(0, 1e10);
constexpr Range kNumber32 = between(0, 4294967295.0);
constexpr double kLastEpoch = 4294967294.0;  // the next arbiter has one more
constexpr std::size_t kDigitsOfToken = 2 * std::tuple_size_v<Token>;

std::string hexadecimal(const Token& token) {
  std::string out;
  for (const std::uint8_t byte : token) out += fmt::format("{:02x}", byte);
  return out;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool read_token(std::string_view text, Token& out) {
  if (text.size() != kDigitsOfToken) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return true;
}

Value application_document(const Memory& one) {
  return Value::object({{"user", std::uint64_t{one.uid}},
                        {"name", one.name},
                        {"nodes", std::uint64_t{one.nodes}},
                        {"bandwidth", one.declared},
                        {"age", one.age},
                        {"delay", one.delay},
                        {"iteration_sum", one.iteration_sum},
                        {"iteration_count", one.iteration_count},
                        {"stay", one.stay},
                        {"resume", hexadecimal(one.resume)}});
}

Result<Memory> read_application(const Value& document, const std::string& where) {
  ObjectReader read(document, where);
  Memory out;
  out.uid = static_cast<std::uint32_t>(read.integer("user", kNumber32));
  out.name = read.text("name");
  out.nodes = static_cast<std::uint32_t>(read.integer_or("nodes", 0, kNumber32));
  out.declared = read.quantity_or("bandwidth", Unit::bytes_per_second, 0, non_negative());
  out.age = read.seconds("age", kLife);
  out.delay = read.seconds("delay", kLife);
  out.iteration_sum = read.seconds_or("iteration_sum", 0, kLife);
  out.iteration_count = read.number_or("iteration_count", 0, kLife);
  out.stay = read.seconds_or("stay", 0, kLife);
  const std::string resume = read.text("resume");
  if (read.ok() && out.name.empty()) read.refuse("name", "found no name, expected that of a job");
  if (read.ok() && !read_token(resume, out.resume)) {
    read.refuse("resume", fmt::format("found {}, expected {} hexadecimal digits", in_quotes(resume),
                                      kDigitsOfToken));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

}  // namespace

double KeptState::downtime(const std::string& boot_now, double date_now) const {
  return boot == boot_now ? std::max(date_now - date, 0.0) : 0;
}

Value state_document(const KeptState& state) {
  Value::Array applications;
  applications.reserve(state.applications.size());
  for (const Memory& one : state.applications) applications.push_back(application_document(one));
  return Value::object({{"holdfast", Value::object({{"kind", kKind}, {"version", 1}})},
                        {"boot", state.boot},
                        {"date", state.date},
                        {"epoch", std::uint64_t{state.epoch}},
                        {"applications", std::move(applications)}});
}

Result<KeptState> read_state_document(const Value& document) {
  HOLDFAST_CHECK(check_header(document, kKind));
  ObjectReader read(document, "");
  read.ignore("holdfast");
  KeptState out;
  out.boot = read.text("boot");
  out.date = read.seconds("date", kLife);
  out.epoch = static_cast<std::uint32_t>(read.integer("epoch", between(1, kLastEpoch)));
  read.each("applications", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(one, read_application(value, where));
    out.applications.push_back(std::move(one));
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return out;
}

Result<KeptState> read_state_file(const std::filesystem::path& path) {
  const auto refuse = [&](Error error) {
    error.message += "; remove the file, or name another one, to begin without a state";
    return fail(std::move(error));
  };
  std::error_code code;
  const auto status = std::filesystem::symlink_status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return KeptState{};
  if (status.type() != std::filesystem::file_type::regular) {
    return refuse({ErrorCode::bad_value, path.string(), "found something else than a file"});
  }
  auto text = read_file(path, kLargestState);
  if (!text) return refuse(std::move(text).error());
  const auto document = parse_json(*text);
  if (!document) return refuse(in_file(path.string(), document.error()));
  auto state = read_state_document(*document);
  if (!state) return refuse(in_file(path.string(), std::move(state).error()));
  return state;
}

}  // namespace holdfast::arbiter
