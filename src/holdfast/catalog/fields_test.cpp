#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/catalog/least_document_testing.hpp"
#include "holdfast/contract/ask.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

constexpr const char* kData = HOLDFAST_SOURCE_DIR "/examples/data";

// Documents with a use for fields that have no meaning in the smallest document.
struct Setting {
  std::string_view domain, document;
};
constexpr Setting kSettings[] = {
    {"capacity", R"({"jobs": {"file": "none"}})"},
    {"capacity", R"({"jobs": {"file": "sample-jobs.swf"}, "alive": {"file": "none"}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1, "failures": {"log": "none"}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1,
                       "failures": {"distribution": "weibull", "shape": 1}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1,
                       "failures": {"distribution": "lognormal", "log_mean": 1}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1,
                       "failures": {"distribution": "lognormal", "mtbf": 1e8}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1, "failures": {"mtbf": 1e8},
                       "belief": {"distribution": "weibull", "mtbf": 1}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1, "failures": {"mtbf": 1e8},
                       "repair": {"distribution": "weibull", "mean": 1}})"},
    {"checkpoint", R"({"work": 1, "checkpoint": 1, "failures": {"mtbf": 1e8},
                       "repair": {"distribution": "lognormal", "mean": 1}})"},
    {"io", R"({"classes": "io-nersc.csv"})"},
    {"machine", R"({"nodes": 8, "jobs": {"file": "none"}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}], "failures": {}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}],
                    "failures": {"distribution": "weibull", "mtbf": 1}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}],
                    "failures": {"distribution": "weibull", "shape": 1}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}],
                    "failures": {"distribution": "lognormal", "log_mean": 1}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}],
                    "failures": {"distribution": "lognormal", "mtbf": 1e8}})"},
    {"machine", R"({"nodes": 8, "horizon": 9, "jobs": [{}], "failures": {"log": "none"}})"},
    {"moldable", R"({"log": {"file": "none"}})"},
    {"moldable", R"({"log": {"sizes": [[9, 2]]}, "speedup": {"file": "none"}})"},
    {"taskgraph", R"({"log": {"file": "none"}})"},
    {"taskgraph", R"({"log": {"sizes": [[9, 2]]}, "speedup": {"file": "none"}})"},
    {"taskgraph", R"({"processors": 4, "workflow": {"tasks": []}})"},
    {"volatile", R"({"availability": {"file": "none"}, "slot": 3600})"},
    {"volatile", R"({"holding_times": {"distribution": "weibull"}})"},
    {"volatile", R"({"holding_times": {"distribution": "lognormal"}})"},
    {"workflow", R"({"processors": 1, "workflow": "none"})"},
    {"workflow", R"({"mtbf": 1e8, "distribution": "weibull"})"},
    {"workflow", R"({"mtbf": 1e8, "distribution": "weibull", "shape": 1})"},
    {"workflow", R"({"mtbf": 1e8, "distribution": "lognormal"})"},
};

std::vector<Value> documents_of(const Domain& domain) {
  const Value least = testing::least_document(domain);
  Request request;
  request.parameters = least;
  std::vector<Value> out{least, ask(domain, *domain.verb("generate"), request).value().document};
  for (const Setting& setting : kSettings) {
    if (setting.domain == domain.name) out.push_back(parse_json(setting.document).value());
  }
  return out;
}

bool is_number(const Parameter& field) {
  return field.kind == Kind::number || field.kind == Kind::integer || field.kind == Kind::numbers;
}

// Numbers next to the ends of the range, on its other side.
std::vector<double> just_outside(const Parameter& field) {
  const auto& [minimum, maximum, above_minimum, below_maximum] = field.range;
  const auto step = [&](double end) {
    return field.kind == Kind::integer ? 1 : std::max(std::abs(end) * 1e-9, 1e-9);
  };
  std::vector<double> out;
  if (std::isfinite(minimum)) out.push_back(above_minimum ? minimum : minimum - step(minimum));
  if (std::isfinite(maximum)) out.push_back(below_maximum ? maximum : maximum + step(maximum));
  if (field.kind == Kind::integer) out.push_back(std::max(minimum, 1.0) + 0.5);
  return out;
}

std::vector<std::string> refused_texts(const Parameter& field) {
  if (field.kind == Kind::flag) return {"perhaps"};
  if (field.kind == Kind::choice) return {"no-such-word"};
  std::vector<std::string> out;
  if (is_number(field)) {
    for (const double number : just_outside(field)) out.push_back(to_text(number));
  }
  return out;
}

// Returns the value as a document would have it.
Value value_of(const Parameter& field, const std::string& text) {
  if (!is_number(field)) return Value(text);
  const Value number(std::stod(text));
  return field.kind == Kind::numbers ? Value(Value::Array{number}) : number;
}

std::string place_of(const Parameter& field) {
  return field.pointer.empty() ? pointer_to("", field.name) : std::string(field.pointer);
}

// Returns true if the document can have a value at the place: everything on the way to it is an object, or is not there yet.
bool can_hold(const Value& document, std::string_view place) {
  for (std::size_t end = place.find('/', 1); end != std::string_view::npos;
       end = place.find('/', end + 1)) {
    const Value* on_the_way = document.at(place.substr(0, end));
    if (on_the_way != nullptr && on_the_way->members() == nullptr) return false;
  }
  return true;
}

// Returns true if the field is refused in any case: this kind of document has no use for it, or has another field instead.
bool is_out_of_place(const Error& error) {
  return error.message.starts_with("unknown field") ||
         error.message.ends_with("expected one of them");
}

// Returns the part "expected a number from 0 to 1", whatever was found. The choices after "one of" are sorted.
std::string expected_part(const Error& error) {
  constexpr std::string_view kWords = "expected one of ";
  if (const std::size_t place = error.message.find(kWords); place != std::string::npos) {
    std::vector<std::string> words;
    for (const std::string_view word :
         split(std::string_view(error.message).substr(place + kWords.size()), ',')) {
      words.emplace_back(trim(word));
    }
    std::ranges::sort(words);
    return fmt::format("{}{}", kWords, fmt::join(words, ", "));
  }
  const std::size_t place = error.message.find("expected ");
  return place == std::string::npos ? error.message : error.message.substr(place);
}

}  // namespace

TEST_CASE("fields: what an option refuses, a document refuses in the same words") {
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    const std::vector<StrategySpec> strategies{
        parse_strategy(domain->recommended, domain->strategies).value()};
    const std::vector<Value> documents = documents_of(*domain);
    for (const Parameter& field : domain->fields) {
      CAPTURE(field.name);
      const std::string place = place_of(field);
      for (const std::string& text : refused_texts(field)) {
        CAPTURE(text);
        const auto option = parse_parameter(field, text, option_name(field.name));
        REQUIRE_FALSE(option);
        bool is_known = false;  // by a document that says the same
        for (Value document : documents) {
          if (!can_hold(document, place)) continue;
          document.set_at(place, value_of(field, text));
          const auto opened = open_point(*domain, document, strategies, kData);
          CHECK_FALSE(opened);
          if (opened || !opened.error().where.starts_with(place)) continue;
          if (is_out_of_place(opened.error())) continue;
          const std::string expected = expected_part(opened.error());
          is_known = is_known || expected == expected_part(option.error());
          // Some choices may have no meaning in a document, so it refuses more of them.
          if (field.kind != Kind::choice) CHECK(expected == expected_part(option.error()));
        }
        CHECK_MESSAGE(is_known, "no document in this test refuses it in the same words");
      }
    }
  }
}
