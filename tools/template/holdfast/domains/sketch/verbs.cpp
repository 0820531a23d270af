#include "holdfast/domains/sketch/verbs.hpp"

#include "holdfast/domains/sketch/generator.hpp"
#include "holdfast/domains/sketch/instance_io.hpp"

namespace holdfast::sketch {
namespace {

Result<Answer> run_generate(const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters));
  Answer answer;
  answer.document = to_value(generate(instance, {.seed = request.seed}));
  return answer;
}

}  // namespace

std::vector<Verb> verbs() {
  return {{.name = "generate",
           .summary = "an instance whose failures are drawn",
           .example = "holdfast sketch generate --work 100s --save 10s --mtbf 200s",
           .gives = Gives::instance,
           .run = run_generate}};
}

}  // namespace holdfast::sketch
