// The library for a page: one function that takes a request as JSON and returns the reply as JSON.
//
//   {"words": ["checkpoint", "plan", "--mtbf", "8h"], "instance": null, "picture": false}
//     -> {"json": what the program prints with --json, "lines": [the answer for people], "tables": "<HTML>", "warnings": [],
//         "picture": "<svg> of the schedules"}, or {"error": "--mtbf: found ..."}
//   {"chart": {"x": {"title": "period", "unit": "s"}, "y": ..., "lines": [{"name": "", "x": [], "y": []}]}, "width": 380} -> {"svg": ""}
#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/asked/asked_instance.hpp"
#include "holdfast/answers/asked/asked_strategies.hpp"
#include "holdfast/answers/files/finite_document.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/checkpoint/domain.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/domains/moldable/domain.hpp"
#include "holdfast/report/chart/lines.hpp"
#include "holdfast/report/html_table.hpp"
#include "holdfast/report/schedule.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::web {
namespace {

// The domains of the page's panels; each one more makes the page larger.
std::span<const Domain* const> page_domains() {
  static const std::array<const Domain*, 3> kDomains = {&checkpoint::domain(), &machine::domain(),
                                                        &moldable::domain()};
  return kDomains;
}

std::vector<Argument> arguments_of(std::span<const Parameter> parameters) {
  std::vector<Argument> out;
  for (const Parameter& one : parameters)
    out.push_back({.parameter = &one, .place = option_name(one.name), .given = {}});
  return out;
}

/// A question in the words of a command line without its "holdfast" and without files: {"checkpoint", "plan", "--mtbf", "8h"}.
class Words {
 public:
  /// Reads the words. Errors name the options as they were typed.
  /// @param instance  the document that the command reads from standard input; null: there is none
  [[nodiscard]] static Result<Words> read(std::span<const std::string> words,
                                          const Value& instance);

  /// Returns the answer of the verb that the words name.
  [[nodiscard]] Result<Answer> answer();

 private:
  Status take(std::span<const std::string> options);
  [[nodiscard]] Argument* find(std::string_view option);
  [[nodiscard]] Result<Request> request();

  const Domain* domain_ = nullptr;
  const Verb* verb_ = nullptr;
  AskedInstance instance_;
  std::vector<Argument> own_;  ///< the verb's options
  std::string strategy_;       ///< one, or a list
  std::uint64_t seed_ = 1;
};

Result<Words> Words::read(std::span<const std::string> words, const Value& instance) {
  Words out;
  for (const Domain* domain : page_domains()) {
    if (words.size() < 2 || domain->name != words[0]) continue;
    out.domain_ = domain;
    out.verb_ = words[1] == "simulate" ? &simulate_verb() : domain->verb(words[1]);
  }
  if (out.verb_ == nullptr) {
    return fail(ErrorCode::unknown_name, {},
                fmt::format("found '{}', expected a command of this page", join(words, " ")));
  }
  out.own_ = arguments_of(out.verb_->options);
  out.instance_.domain = out.domain_;
  if (!instance.is_null()) out.instance_.in_memory = instance;
  if (out.verb_->takes_instance) out.instance_.arguments = arguments_of(out.domain_->fields);
  HOLDFAST_CHECK(out.take(words.subspan(2)));
  return out;
}

Argument* Words::find(std::string_view option) {
  for (std::vector<Argument>* list : {&own_, &instance_.arguments}) {
    for (Argument& one : *list) {
      if (one.place == option) return &one;
    }
  }
  return nullptr;
}

Status Words::take(std::span<const std::string> options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& name = options[i];
    if (name == "-") continue;  // the document, which the request holds
    Argument* argument = find(name);
    if (argument != nullptr && argument->parameter->kind == Kind::flag) {
      argument->given = Value(true);
      continue;
    }
    const bool is_strategy = name == "--strategy", is_seed = name == "--seed";
    if (argument == nullptr && !is_strategy && !is_seed) {
      return fail(ErrorCode::usage, name, "is no option of this command");
    }
    if (i + 1 == options.size()) return fail(ErrorCode::usage, name, "found no value");
    const std::string& value = options[++i];
    if (is_strategy) strategy_ = value;
    if (argument != nullptr) argument->given = Value(value);
    if (!is_seed) continue;
    const auto seed = parse_integer(value);
    if (!seed || *seed < 0)
      return fail(ErrorCode::usage, name,
                  fmt::format("found {}, expected a whole number", in_quotes(value)));
    seed_ = static_cast<std::uint64_t>(*seed);
  }
  return {};
}

Result<Request> Words::request() {
  Request out;
  out.domain = domain_;
  out.seed = seed_;
  HOLDFAST_TRY(options, values_of(own_));
  out.options = std::move(options);
  if (verb_->takes_instance) {
    HOLDFAST_TRY(input, instance_.read());
    out.parameters = std::move(input.document);
    out.directory = std::move(input.directory);
  }
  const Value none = Value::object();
  if (verb_->takes_strategies) {
    const std::string usual = default_strategies(*domain_, out.parameters);
    HOLDFAST_TRY(all, ask_strategies(*domain_, strategy_.empty() ? usual : strategy_, none));
    out.strategies = std::move(all);
  }
  if (verb_->takes_strategy) {
    HOLDFAST_TRY(one, ask_strategy(*domain_, strategy_, out.parameters, none));
    out.strategy = std::move(one);
  }
  return out;
}

Result<Answer> Words::answer() {
  HOLDFAST_TRY(asked, request());
  Host host{.domains = page_domains(), .places = {}};
  host.control.threads = 1;
  asked.host = &host;
  auto answer = ask(*domain_, *verb_, asked);
  if (!answer && verb_->takes_instance)
    return fail(instance_.placed(answer.error(), asked.parameters));
  return answer;
}

std::string text_in(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr || found->string() == nullptr ? std::string() : *found->string();
}

bool flag_in(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->boolean() != nullptr && *found->boolean();
}

// The elements of a list, none if there is no list.
const Value::Array& list_in(const Value& object, std::string_view name) {
  static const Value::Array kNone;
  const Value* found = object.find(name);
  return found == nullptr || found->array_items() == nullptr ? kNone : *found->array_items();
}

std::vector<double> numbers_in(const Value& object, std::string_view name) {
  std::vector<double> out;
  for (const Value& one : list_in(object, name))
    out.push_back(one.is_number() ? one.number() : std::numeric_limits<double>::quiet_NaN());
  return out;
}

ChartAxis axis_in(const Value& chart, std::string_view name) {
  const Value* given = chart.find(name);
  const Value axis = given == nullptr ? Value::object() : *given;
  return {.title = text_in(axis, "title"),
          .unit = text_in(axis, "unit"),
          .is_logarithmic = flag_in(axis, "log"),
          .shown = numbers_in(axis, "shown")};
}

std::string drawn(const Value& given, double width) {
  LineChart chart{.title = text_in(given, "title"),
                  .x = axis_in(given, "x"),
                  .y = axis_in(given, "y"),
                  .lines = {},
                  .band = text_in(given, "band")};
  bool is_empty = true;
  for (const Value& one : list_in(given, "lines")) {
    chart.lines.push_back({.name = text_in(one, "name"),
                           .x = numbers_in(one, "x"),
                           .y = numbers_in(one, "y"),
                           .low = numbers_in(one, "low"),
                           .high = numbers_in(one, "high"),
                           .is_step = flag_in(one, "step"),
                           .is_points = flag_in(one, "points"),
                           .is_thick = flag_in(one, "thick"),
                           .stroke = flag_in(one, "dashed") ? Stroke::dashed : Stroke::solid});
    is_empty = is_empty && chart.lines.back().x.empty();
  }
  return is_empty ? std::string() : to_svg(chart, {.width = width, .is_page = true});
}

// The schedules of an answer as one picture, without what the page says above it.
Result<std::string> picture_of(const Answer& answer) {
  std::vector<NamedTimeline> schedules;
  schedules.reserve(answer.schedules.size());
  for (const Schedule& one : answer.schedules) schedules.push_back({one.shown, &one.timeline});
  std::string out;
  HOLDFAST_CHECK(write_schedule_svg(schedules, {.title = "", .note = ""},
                                    [&out](std::string_view part) -> Status {
                                      out += part;
                                      return {};
                                    }));
  return out;
}

Result<Value> answered(const Value& asked) {
  std::vector<std::string> words;
  for (const Value& one : list_in(asked, "words"))
    words.push_back(one.string() == nullptr ? std::string() : *one.string());
  const Value* instance = asked.find("instance");
  HOLDFAST_TRY(question, Words::read(words, instance == nullptr ? Value() : *instance));
  HOLDFAST_TRY(answer, question.answer());
  tell_problem(answer);
  if (const std::string left = drop_non_finite(answer.document); !left.empty())
    answer.warnings.push_back(left);
  Value out = Value::object({{"json", text_of(answer, AnswerFormat::json)},
                             {"problem", answer.headline},
                             {"lines", Value::list(answer.verdict)},
                             {"warnings", Value::list(answer.warnings)}});
  std::string tables;
  for (const Table& table : answer.tables) tables += to_html(table);
  out.set("tables", tables);
  if (flag_in(asked, "picture") && !answer.schedules.empty()) {
    HOLDFAST_TRY(picture, picture_of(answer));
    out.set("picture", picture);
  }
  return out;
}

std::string reply(std::string_view text) {
  const auto asked = parse_json(text);
  if (!asked) return to_compact_json(Value::object({{"error", asked.error().text()}}));
  if (const Value* chart = asked->find("chart")) {
    const Value* width = asked->find("width");
    const double pixels = width != nullptr && width->is_number() ? width->number() : 720;
    return to_compact_json(Value::object({{"svg", drawn(*chart, pixels)}}));
  }
  const auto out = answered(*asked);
  return to_compact_json(out ? *out : Value::object({{"error", out.error().text()}}));
}

}  // namespace
}  // namespace holdfast::web

#define HOLDFAST_EXPORTED(name) __attribute__((export_name(name), visibility("default")))

extern "C" {

HOLDFAST_EXPORTED("hf_alloc") char* hf_alloc(std::size_t size) {
  return static_cast<char*>(std::malloc(size));
}

HOLDFAST_EXPORTED("hf_free") void hf_free(char* text) {
  std::free(text);
}

/// Answers a request. The reply, which ends with a zero, is the caller's to free.
HOLDFAST_EXPORTED("hf_ask") char* hf_ask(const char* text) {
  const std::string said = holdfast::web::reply(text);
  return static_cast<char*>(std::memcpy(hf_alloc(said.size() + 1), said.c_str(), said.size() + 1));
}

}  // extern "C"
