#include "holdfast/domains/sketch/verbs.hpp"

#include "holdfast/domains/sketch/generator.hpp"
#include "holdfast/domains/sketch/instance_io.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

constexpr auto kDuration = std::to_array<Parameter>({
    {.name = "duration",
     .summary = "how long failures are drawn; default: 10 times the work",
     .unit = Unit::seconds,
     .range = positive()},
});

Result<Answer> run_generate(const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters));
  if (instance.failures) {
    return fail(ErrorCode::bad_value, "/failures",
                "found dates, expected an mtbf to draw them from");
  }
  const Value* given = request.options.find("duration");
  const double duration = given != nullptr ? given->number() : 10 * instance.work;
  Answer answer;
  answer.document.set("holdfast", Value::object({{"kind", "sketch-instance"}, {"version", 1}}));
  const Value drawn = to_value(generate(instance, Draw{.seed = request.seed}, duration));
  for (const auto& [name, value] : *drawn.members()) answer.document.set(name, value);
  return answer;
}

}  // namespace

std::vector<Verb> verbs() {
  return {{.name = "generate",
           .summary = "an instance whose failures are drawn",
           .example = "holdfast sketch generate --work 100s --save 10s --mtbf 200s",
           .options = kDuration,
           .writes_instance = true,
           .run = run_generate}};
}

}  // namespace holdfast::sketch
