#include "holdfast/contract/ask.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

constexpr std::string_view kHeader = "holdfast";

std::string instance_kind(std::string_view domain) {
  return fmt::format("{}-instance", domain);
}

}  // namespace

Status take_off_header(const Domain& domain, Value& document) {
  HOLDFAST_CHECK(check_header(document, instance_kind(domain.name)));
  document.erase(kHeader);
  return {};
}

Value with_header(std::string_view domain, Value body) {
  body.erase(kHeader);
  body.members()->emplace(body.members()->begin(), kHeader,
                          Value::object({{"kind", instance_kind(domain)}, {"version", 1}}));
  return body;
}

Result<std::unique_ptr<Point>> open_point(const Domain& domain, const Value& document,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  if (document.find(kHeader) == nullptr) return domain.open(document, strategies, directory);
  Value plain = document;
  HOLDFAST_CHECK(take_off_header(domain, plain));
  return domain.open(plain, strategies, directory);
}

Result<Answer> ask(const Verb& verb, const Request& request) {
  auto answer = verb.run(request);
  if (!answer) return fail(verb.placed(std::move(answer).error()));
  answer->warnings.insert(answer->warnings.begin(), request.taken.begin(), request.taken.end());
  return answer;
}

Result<Answer> ask(const Domain& domain, const Verb& verb, const Request& request) {
  if (request.parameters.find(kHeader) != nullptr) {
    Request plain = request;
    HOLDFAST_CHECK(take_off_header(domain, plain.parameters));
    return ask(domain, verb, plain);
  }
  if (verb.takes_strategy && !request.strategy) {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("is missing; {} {} takes one, such as {}", domain.name, verb.name,
                            in_quotes(domain.recommended)));
  }
  auto answer = ask(verb, request);
  if (answer && !answer->schedules.empty() && answer->schedule_title.empty()) {
    answer->schedule_title = fmt::format("{} {}", domain.name, verb.name);
    answer->schedules.front().name = answer->schedules.front().shown = verb.name;
  }
  // An answer in another format has no document.
  if (answer && verb.gives == Gives::instance && answer->document.members() != nullptr &&
      answer->document.find(kHeader) == nullptr) {
    answer->document = with_header(domain.name, std::move(answer->document));
  }
  return answer;
}

}  // namespace holdfast
