#include "holdfast/contract/ask.hpp"

#include "holdfast/base/reader.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

constexpr std::string_view kHeader = "holdfast";

std::string instance_kind(std::string_view domain) {
  return fmt::format("{}-instance", domain);
}

}  // namespace

Result<Value> without_header(const Domain& domain, const Value& document) {
  Value out = document;
  if (out.members() == nullptr) return out;  // the domain says what it expects
  HOLDFAST_CHECK(check_header(out, instance_kind(domain.name)));
  out.erase(kHeader);
  return out;
}

Value with_header(std::string_view domain, const Value& body) {
  Value out = Value::object(
      {{std::string(kHeader), Value::object({{"kind", instance_kind(domain)}, {"version", 1}})}});
  for (const auto& [name, value] : *body.members()) {
    if (name != kHeader) out.set(name, value);
  }
  return out;
}

Result<std::unique_ptr<Point>> open_point(const Domain& domain, const Value& document,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  HOLDFAST_TRY(plain, without_header(domain, document));
  return domain.open(plain, strategies, directory);
}

Result<Answer> ask(const Domain& domain, const Verb& verb, const Request& request) {
  if (request.parameters.find(kHeader) == nullptr && !verb.writes_instance) {
    return verb.run(request);
  }
  Request plain = request;
  HOLDFAST_TRY(parameters, without_header(domain, request.parameters));
  plain.parameters = std::move(parameters);
  auto answer = verb.run(plain);
  // Who asked for another format has no document.
  if (answer && verb.writes_instance && answer->document.members() != nullptr &&
      answer->document.find(kHeader) == nullptr) {
    answer->document = with_header(domain.name, answer->document);
  }
  return answer;
}

}  // namespace holdfast
