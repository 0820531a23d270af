#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/machine/generator.hpp"
#include "holdfast/domains/machine/instance_io.hpp"
#include "holdfast/domains/machine/verbs.hpp"

#include <array>

namespace holdfast::machine {
namespace {

struct GenerateOptions {
  std::int64_t count = 100;
  bool failures = false;
};

constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "count",
     .summary = "number of drawn jobs",
     .member = member<&GenerateOptions::count>,
     .range = between(1, 1e6)},
    {.name = "failures",
     .summary = "also write the failures, up to the horizon",
     .member = member<&GenerateOptions::failures>},
});

Result<Answer> run(const GenerateOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters, request.directory));
  if (options.failures && instance.horizon == kNever) {
    return fail(ErrorCode::bad_value, "/horizon", "is missing: failures are drawn up to it");
  }
  Answer answer;
  answer.document =
      to_value(generate(instance, {.seed = request.seed}, options.count, options.failures));
  return answer;
}

}  // namespace

Verb generate_verb() {
  return {.name = "generate",
          .summary = "write an instance with its jobs and, if asked for, its failures",
          .example =
              "holdfast machine generate --classes examples/data/machine-cielo.csv --mix "
              "EAP=12,LAP=4,Silverton=1,VPIC=1 --nodes 17235 --bandwidth 80GB/s --mtbf "
              "17784h --horizon 40d",
          .options = fields_of<kGenerateOptions>().parameters(),
          .gives = Gives::instance,
          .run = with_options<run, fields_of<kGenerateOptions>>};
}

}  // namespace holdfast::machine
