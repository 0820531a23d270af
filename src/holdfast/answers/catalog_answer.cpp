#include "holdfast/answers/catalog_answer.hpp"

#include "holdfast/campaign/executors.hpp"
#include "holdfast/catalog/describe.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace holdfast {
namespace {

Value described_executors() {
  Value out = Value::array();
  for (const ExecutorEntry& executor : executors()) {
    out.push(Value::object({{"name", executor.name}, {"summary", executor.summary}}));
  }
  return out;
}

// Rows of name and summary of a list of described things.
Table table_of(const Value& list, std::string title) {
  Table out{.title = std::move(title),
            .columns = {{.title = "name"}, {.title = "what it is"}},
            .rows = {}};
  for (const Value& item : *list.array_items()) {
    const Value* text = item.find("summary");
    out.rows.push_back({*item.find("name"), text != nullptr ? *text : *item.find("question")});
  }
  return out;
}

}  // namespace

Answer catalog_answer(std::span<const Domain* const> known, Value commands) {
  Answer answer;
  answer.document = describe(known);
  answer.document.set("executors", described_executors());
  answer.document.set("commands", std::move(commands));
  answer.lines.push_back("'holdfast describe DOMAIN' says more of a domain; --json says all.");
  for (const auto& [member, title] : {std::pair{"domains", "domains"},
                                      {"laws", "laws of the time between failures"},
                                      {"formats", "formats of traces"},
                                      {"executors", "executors of campaigns"}}) {
    answer.tables.push_back(table_of(*answer.document.find(member), title));
  }
  return answer;
}

Answer catalog_answer(const Domain& domain) {
  Answer answer;
  answer.headline = fmt::format("{}: {}", domain.name, domain.question);
  answer.document =
      Value::object({{"holdfast", Value::object({{"kind", "catalog"}, {"version", 1}})},
                     {"domains", Value(Value::Array{describe(domain)})}});
  const Value& described = answer.document.find("domains")->array_items()->front();
  for (const char* member : {"verbs", "strategies", "metrics", "fields"}) {
    if (const Value* list = described.find(member)) {
      answer.tables.push_back(table_of(*list, member));
    }
  }
  return answer;
}

}  // namespace holdfast
