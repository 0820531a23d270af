#include "holdfast/answers/catalog_answer.hpp"

#include "holdfast/campaign/executors.hpp"
#include "holdfast/catalog/describe.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
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

// Returns a table with the name and the summary of each item of a list.
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

// Returns a table of the numbers that a rule of the caller is given and has to answer.
Table decision_table(const Value& decision) {
  Table out{
      .title = fmt::format("a strategy of your own decides: {}, {}",
                           described_text(decision, "name"), described_text(decision, "when")),
      .columns = {{.title = "how"}, {.title = "name"}, {.title = "unit"}, {.title = "what it is"}},
      .rows = {}};
  const auto add = [&](std::string_view member, std::string_view how) {
    const Value* fields = decision.find(member);
    if (fields == nullptr) return;
    for (const Value& field : *fields->array_items()) {
      out.rows.push_back(
          {fmt::format("{}{}", how, field.find("per_item") != nullptr ? ", for each" : ""),
           described_text(field, "name"), described_text(field, "unit"),
           described_text(field, "summary")});
    }
  };
  add("told", "told");
  add("curves", "told as a curve");
  add("asked", "asked");
  return out;
}

}  // namespace

Answer catalog_answer(std::span<const Domain* const> known, Value commands) {
  Answer answer;
  answer.document = describe(known);
  answer.document.set("executors", described_executors());
  answer.document.set("commands", std::move(commands));
  answer.lines.push_back(
      "'holdfast describe DOMAIN' describes one domain; --json prints everything.");
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
  if (const Value* decision = described.find("decision")) {
    answer.tables.push_back(decision_table(*decision));
  }
  return answer;
}

}  // namespace holdfast
