#include "holdfast/trace_log.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <istream>
#include <memory>
#include <span>

namespace holdfast::cli {
namespace {

/// The bytes of a stream.
class StreamSource final : public ByteSource {
 public:
  explicit StreamSource(std::istream& stream) : stream_{stream} {}
  Result<std::size_t> read(std::span<char> buffer) override {
    stream_.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  std::istream& stream_;
};

}  // namespace

TraceFileOption::TraceFileOption(CLI::App& command) {
  command.add_option("file", file_, "a trace, compressed or not; - is standard input")
      ->type_name("FILE")
      ->required();
  std::string known;
  for (const Format& format : formats())
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  command
      .add_option("--format", format_, "read it as this in place of what it looks like: " + known)
      ->type_name("NAME")
      ->group("Options");
  command.add_option("--system", system_, "one system of a log that has several")
      ->type_name("NAME")
      ->group("Options");
}

Result<OpenTrace> TraceFileOption::open(Console& console) const {
  auto trace = file_ == "-" ? open_trace(std::make_unique<StreamSource>(console.in()),
                                         "standard input", format_)
                            : open_trace(file_, format_);
  if (!trace && trace.error().where == "format")
    return fail(as_option_error(std::move(trace).error()));
  if (trace && system_ && trace->format->read_failures == nullptr) {
    return fail(ErrorCode::usage, "--system",
                fmt::format("found {}, expected none: format {} has no systems",
                            in_quotes(*system_), trace->format->name));
  }
  return trace;
}

Result<FailureLog> TraceFileOption::read_log(OpenTrace trace) const {
  auto log = trace.format->read_failures(std::move(trace.lines), system_);
  if (log) return log;
  Error error = std::move(log).error();
  if (error.code == ErrorCode::unknown_name)
    return fail(ErrorCode::usage, "--system", error.message);
  if (error.where.find(file_) == std::string::npos) return fail(in_file(file_, std::move(error)));
  return fail(std::move(error));
}

LifetimeOptions::LifetimeOptions(CLI::App& command) {
  const auto add = [&command](const char* name, std::string& text, const char* type,
                              const char* help) {
    command.add_option(name, text, help)->type_name(type)->group("Lifetimes");
  };
  add("--merge", merge_, "TIME", "failures of a system this close to the one before are one event");
  add("--since", since_, "EVENT", "count a life from the last failure (default) or repair");
  add("--unit", unit_, "UNIT", "what fails: node (default), or system for the machine as a whole");
  add("--from", from_, "TIME",
      "leave out what happened before; lives that go on then are left-truncated");
  add("--to", to_, "TIME",
      "leave out what happened after; lives that go on then are right-censored");
}

Result<LifetimeQuery> LifetimeOptions::read() const {
  Value document = Value::object();
  const auto set = [&document](const char* name, const std::string& text) {
    if (!text.empty()) document.set(name, text);
  };
  set("merge", merge_);
  set("since", since_);
  set("unit", unit_);
  set("from", from_);
  set("to", to_);
  ObjectReader read(document, "");
  const LifetimeQuery query = read_lifetime_query(read);
  if (auto status = read.finish(); !status) return fail(as_option_error(std::move(status).error()));
  return query;
}

std::array<std::pair<const char*, const std::string*>, 5> LifetimeOptions::options() const {
  return {{{"--merge", &merge_},
           {"--since", &since_},
           {"--unit", &unit_},
           {"--from", &from_},
           {"--to", &to_}}};
}

std::string LifetimeOptions::given() const {
  for (const auto& [name, text] : options()) {
    if (!text->empty()) return name;
  }
  return {};
}

std::vector<std::string> LifetimeOptions::words() const {
  std::vector<std::string> out;
  for (const auto& [name, text] : options()) {
    if (text->empty()) continue;
    out.emplace_back(name);
    out.push_back(*text);
  }
  return out;
}

Error as_option_error(Error error) {
  error.code = ErrorCode::usage;
  error.where = "--" + error.where.substr(error.where.starts_with('/') ? 1 : 0);
  return error;
}

}  // namespace holdfast::cli
