#include "holdfast/traces/formats.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/lanl.hpp"
#include "holdfast/traces/lifetime_table.hpp"
#include "holdfast/traces/plain_failures.hpp"
#include "holdfast/traces/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr auto kFormats = std::to_array<Format>({
    {.name = "lanl",
     .summary = "failure log of Los Alamos, LA-UR-05-7318 (CSV, 26 columns)",
     .holds = Holds::failures,
     .recognise = looks_like_lanl,
     .read_failures = read_lanl},
    {.name = "failures-csv",
     .summary = "failure log with columns node, down, up",
     .holds = Holds::failures,
     .recognise = looks_like_plain_failures,
     .read_failures = read_plain_failures},
    {.name = "lifetimes-csv",
     .summary = "lifetimes with columns low, high",
     .holds = Holds::lifetimes,
     .recognise = looks_like_lifetime_table,
     .read_lifetimes = read_lifetime_table},
    {.name = "wfformat",
     .summary = "workflow in WfFormat of WfCommons (JSON, versions 1.0 to 1.5)",
     .holds = Holds::workflow,
     .recognise = looks_like_wfformat,
     .read_workflow = read_wfformat_lines},
});

constexpr std::size_t kHeadSize = std::size_t{1} << 16;

/// A source that gives back what was read ahead of it.
class Replayed final : public ByteSource {
 public:
  Replayed(std::string head, std::unique_ptr<ByteSource> rest)
      : head_{std::move(head)}, rest_{std::move(rest)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (begin_ == head_.size()) return rest_->read(buffer);
    const std::size_t count = std::min(buffer.size(), head_.size() - begin_);
    std::copy_n(head_.data() + begin_, count, buffer.data());
    begin_ += count;
    return count;
  }

 private:
  std::string head_;
  std::size_t begin_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

Result<std::string> read_head(ByteSource& source) {
  std::string head(kHeadSize, '\0');
  std::size_t have = 0;
  while (have < head.size()) {
    HOLDFAST_TRY(count, source.read(std::span(head).subspan(have)));
    if (count == 0) break;
    have += count;
  }
  head.resize(have);
  return head;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : kFormats) names.push_back(format.name);
  return names;
}

Result<const Format*> named_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  const auto names = format_names();
  return fail(ErrorCode::unknown_name, "format",
              fmt::format("found no format '{}', {}", name, suggestion(name, names)));
}

Result<const Format*> recognised_format(std::string_view head, const std::string& file) {
  for (const Format& format : kFormats) {
    if (format.recognise(head)) return &format;
  }
  if (head.empty())
    return fail(ErrorCode::bad_format, file, "found an empty file, expected a trace");
  return fail(
      ErrorCode::bad_format, file,
      fmt::format("found a file of no known kind, expected one of {} (say which with --format)",
                  join(format_names(), ", ")));
}

Status check_format(std::string_view name) {
  if (auto format = named_format(name); !format) return fail(std::move(format).error());
  return {};
}

Result<OpenTrace> recognise(std::unique_ptr<ByteSource> source, std::string name,
                            std::string_view format_name) {
  HOLDFAST_TRY(head, read_head(*source));
  HOLDFAST_TRY(format,
               format_name.empty() ? recognised_format(head, name) : named_format(format_name));
  auto replayed = std::make_unique<Replayed>(std::move(head), std::move(source));
  return OpenTrace{format, LineReader{std::move(replayed), std::move(name)}};
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

Result<OpenTrace> open_trace(const std::filesystem::path& path, std::string_view format_name) {
  if (!format_name.empty())
    HOLDFAST_CHECK(check_format(format_name));  // before the file is looked for
  HOLDFAST_TRY(source, open_input(path));
  return recognise(std::move(source), path == "-" ? "standard input" : path.string(), format_name);
}

Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name,
                             std::string_view format_name) {
  HOLDFAST_TRY(source, decompressed(std::move(bytes), name));
  return recognise(std::move(source), std::move(name), format_name);
}

Result<FailureLog> read_failure_log(const std::filesystem::path& path,
                                    std::optional<std::string> system,
                                    std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  if (trace.format->read_failures == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected a failure log", trace.format->summary));
  }
  auto log = trace.format->read_failures(std::move(trace.lines), std::move(system));
  if (!log && log.error().where.find(path.string()) == std::string::npos) {
    return fail(in_file(path.string(), std::move(log).error()));
  }
  return log;
}

}  // namespace holdfast
